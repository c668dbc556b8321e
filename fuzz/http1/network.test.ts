import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { seeded } from "../../reference/core/index.ts";
import { octetsOf, PLAIN_SCOPE, sequence, type Piece } from "./grammar.ts";
import { fuzzPeer, judge, meet } from "./network.ts";
import { expected } from "./oracle.ts";
import { answersIn, talk } from "./talk.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    (server as Partial<import("node:http").Server>).closeAllConnections?.();
  }
});
async function listening(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
/** A peer that calls back with all text received on a connection so far. */
const peerThat = (onText: (text: string, socket: Socket) => void): Promise<string> =>
  listening(
    createServer({ allowHalfOpen: true }, (socket) => {
      let text = "";
      socket.on("error", () => socket.destroy());
      socket.on("data", (chunk: Buffer) => onText((text += chunk.toString("latin1")), socket));
    }),
  );
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
const LAST = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
/** Accepts everything: once the fence arrives, sends one response per request. */
const acceptsAll = (text: string, socket: Socket): void => {
  if (!/Connection: close\r\n\r\n(?:abc)?$/.test(text)) return;
  const requests = text.match(/^[A-Z]+ /gm)?.length ?? 1;
  socket.end(OK.repeat(requests - 1) + LAST);
};
const pieces = (...texts: string[]): Piece[] => texts.map((text) => ({ words: JSON.stringify(text), text, of: 0 }));
const GET = ["GET / HTTP/1.1\r\n", "Host: a\r\n", "\r\n"];
const SCOPE = { ...PLAIN_SCOPE, methods: ["GET"] as [string, ...string[]] };

describe("the network fuzzer", () => {
  test("reports a peer that accepts everything, with the section of the rule and a short sequence", async () => {
    const report = await fuzzPeer(await peerThat(acceptsAll), { seed: 7, seconds: 20, sequences: 300 });
    const accepted = report.findings.filter(({ kind }) => kind.startsWith("accepted"));
    expect(accepted.map(({ kind }) => kind)).toContain("accepted hostMissing");
    expect(accepted.length).toBeGreaterThan(2);
    for (const finding of accepted) {
      expect(finding.rule.ref).toMatch(/^rfc\d+#\d/);
      expect(finding.pieces.length, finding.kind).toBeLessThanOrEqual(8);
    }
    expect(report.requests).toBeGreaterThan(report.sequences);
  });

  test("finds the same for the same seed", async () => {
    const url = await peerThat(acceptsAll);
    const once = await fuzzPeer(url, { seed: 7, seconds: 20, sequences: 60 });
    expect(once.findings.length).toBeGreaterThan(0);
    expect(await fuzzPeer(url, { seed: 7, seconds: 20, sequences: 60 })).toEqual(once);
  });

  test("does not accuse a correct peer", async () => {
    const server = createHttpServer((request, response) => {
      const content: Buffer[] = [];
      request.on("data", (chunk: Buffer) => content.push(chunk));
      request.on("end", () => response.end(request.method === "HEAD" ? undefined : Buffer.concat(content)));
    });
    const report = await fuzzPeer(await listening(server), { seed: 3, seconds: 20, sequences: 250 });
    // Known differences of node:http (differences.ts): it does not check Host, and refuses white space in chunk extensions.
    expect(report.findings.map(({ kind }) => kind).filter((kind) => !/^(?:accepted host|refused 400)/.test(kind))).toEqual([]);
    expect(report.sequences).toBe(250);
  });

  test("reports a peer that dies, and stops", async () => {
    const url = await peerThat((text, socket) => {
      if (!text.includes("X-Touch")) return acceptsAll(text, socket);
      socket.destroy();
      for (const server of servers) server.close();
      return undefined;
    });
    expect((await fuzzPeer(url, { seed: 7, seconds: 20, sequences: 200 })).findings.at(-1)?.kind).toBe("gone");
  });

  test("reports no findings if nothing listens", async () => {
    const url = await peerThat(acceptsAll);
    await new Promise((resolve) => servers[0]?.close(resolve));
    expect(await fuzzPeer(url, { seed: 7, seconds: 5 })).toMatchObject({ unreachable: true, sequences: 0, findings: [] });
  });

  test("accepts loopback addresses only", async () => {
    await expect(fuzzPeer("http://192.0.2.1/", { seed: 1, seconds: 1 })).rejects.toThrow("192.0.2.1 is not this machine");
  });

  test("learns which methods a peer accepts", async () => {
    const url = await peerThat((text, socket) => {
      if (!/Connection: close\r\n\r\n(?:abc)?$/.test(text)) return;
      socket.end(/^(?:HEAD|GET .*\r\nHost: .*\r\nConnection)/.test(text) ? LAST : LAST.replace("200 OK", "405 No"));
    });
    expect(await meet(new URL(url))).toMatchObject({ methods: ["GET", "HEAD"], takesContent: false, target: "/" });
  });
});

describe("judge(): a peer's answers to one sequence", () => {
  const judged = async (answer: string, given: readonly Piece[] = pieces(...GET), end = true): Promise<string | undefined> => {
    const url = await peerThat((text, socket) => {
      // Answer the check whether the peer is still there.
      const isOther = !text.startsWith(given[0]!.text + given[1]!.text);
      if (isOther) socket.end(LAST);
      else if (end) socket.end(Buffer.from(answer, "latin1"));
      else socket.write(answer);
    });
    return (await judge(new URL(url), given, SCOPE))?.kind;
  };
  const REFUSED = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
  const noHost = pieces("GET / HTTP/1.1\r\n", "X: b\r\n", "\r\n");
  const badChunk = pieces("POST / HTTP/1.1\r\n", "Host: a\r\n", "Transfer-Encoding: chunked\r\n", "\r\n", "x\r\n");
  test.each([
    ["both requests answered", OK + LAST, undefined, undefined],
    ["the first answer has Connection: close", LAST, undefined, undefined],
    ["an interim response first", `HTTP/1.1 103 Early Hints\r\n\r\n${OK}${LAST}`, undefined, undefined],
    ["400 to a legal request", REFUSED, undefined, "refused 400"],
    ["a surplus answer", OK + OK + LAST, undefined, "surplus"],
    ["an answer after Connection: close", LAST + OK, undefined, "answered after close"],
    ["a truncated answer", `${OK}HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc`, undefined, "cut off"],
    ["a malformed answer", `${OK}HTTP/1.1 2000 OK\r\n\r\n`, undefined, "broken statusLineInvalid"],
    ["no Host, refused", REFUSED, noHost, undefined],
    ["no Host, closed without an answer", "", noHost, undefined],
    [
      "no Host, refused, and the next request answered",
      REFUSED.replace("Connection: close\r\n", "") + LAST,
      noHost,
      "accepted hostMissing",
    ],
    ["no Host, accepted", OK + LAST, noHost, "accepted hostMissing"],
    ["a broken chunk, answered before it arrived", LAST, badChunk, undefined],
    ["a broken chunk, and the request after it answered", OK + LAST, badChunk, "accepted chunkSizeInvalid"],
  ])("%s", async (_, answer, given, kind) => {
    expect(await judged(answer, given)).toBe(kind);
  });

  test("a peer that neither answers nor closes is silent", async () => {
    expect(await judged("", pieces("GET /b HTTP/1.1\r\n", "Host: a\r\n", "\r\n"), false)).toBe("silent");
  });
});

describe("answersIn() and talk()", () => {
  test("answers are split, each by the method of its request", () => {
    const head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n";
    const octets = octetsOf(`${head}${head}123456789HTTP/1.0 404 No\r\n\r\nthe rest`);
    expect(answersIn(octets, ["HEAD", "GET"]).answers).toEqual([
      { status: 200, closes: false, isWhole: true },
      { status: 200, closes: false, isWhole: true },
      { status: 404, closes: true, isWhole: true },
    ]);
  });
  test("content after an error response to HEAD is not an answer", () => {
    const refusal = octetsOf("HTTP/1.1 400 Bad\r\nConnection: close\r\nContent-Length: 3\r\n\r\nbad");
    expect(answersIn(refusal, ["HEAD"])).toEqual({ answers: [{ status: 400, closes: true, isWhole: true }] });
  });
  test("talk() ends its half for a peer that waits for it", async () => {
    const url = await peerThat((_, socket) => void socket.on("end", () => socket.end(OK)));
    const seen = await talk(new URL(url), octetsOf("GET / HTTP/1.1\r\n"), { quietMs: 20, limitMs: 2_000 });
    expect([seen.is, Buffer.from(seen.octets).toString()]).toEqual(["closed late", OK]);
  });
});

describe("the oracle", () => {
  test("names the rule and the piece that broke it", () => {
    expect(expected(pieces(...GET, "GET / HTTP/1.1\r\n", "Host : a\r\n", "\r\n"))).toMatchObject({
      methods: ["GET"],
      whole: 1,
      refused: { at: 4, rule: "rfc9112#5.1/space-before-colon", fault: { name: "spaceBeforeColon", spec: "rfc9112#5.1" } },
    });
  });
  test("is open if the specification allows several readings", () => {
    for (const line of ["X: b\n", "X: b\r\n c\r\n", "Content-Length: 3\r\nContent-Length: 3\r\n"])
      expect(expected(pieces("GET / HTTP/1.1\r\n", "Host: a\r\n", line, "\r\n"))).toMatchObject({ isOpen: true });
  });
  test("is sure about most generated sequences", () => {
    const rng = seeded(3);
    const all = Array.from({ length: 400 }, () => expected(sequence(rng, PLAIN_SCOPE)));
    expect(all.filter(({ isOpen, refused }) => !isOpen && refused === undefined).length).toBeGreaterThan(150);
    expect(all.filter(({ refused }) => refused !== undefined).length).toBeGreaterThan(40);
    expect(all.filter(({ isOpen }) => isOpen).length).toBeLessThan(200);
  });
});
