import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { connect as dial } from "node:net";
import { describe, expect, it } from "vitest";
import { parseSpec } from "../spec.ts";
import { serve } from "../../server/serve.ts";
import { talk } from "../../testing.ts";
import { SERVER_FAULTS } from "./index.ts";

const HELLO = "hello, world\n";
const faulty = (spec: string) =>
  serve(() => ({ status: 200, body: HELLO }), { alpn: ["http/1.1"], graceMs: 0, date: false, onError: () => {}, faults: [spec] });

/** Longer than a busy machine stands still. */
const PATIENT_MS = 30_000;

/**
 * What a client of node:http makes of one request: the status and the length of the content, or the code of its error. It waits only as long
 * as it must for silence, if that is what is expected.
 */
async function nodeSees(port: number, expected: string): Promise<string> {
  const asked = request({
    port,
    host: "127.0.0.1",
    timeout: expected === "timeout" ? 400 : PATIENT_MS,
    agent: false,
    headers: { connection: "keep-alive" },
  });
  asked.on("timeout", () => asked.destroy(new Error("timeout")));
  const seen = Promise.withResolvers<string>();
  const failed = (error: NodeJS.ErrnoException): void => seen.resolve(error.code ?? error.message);
  asked.on("error", failed).on("upgrade", (_, socket) => (socket.destroy(), seen.resolve("upgrade")));
  asked.on("response", (response: IncomingMessage) => {
    let length = 0;
    response.on("data", (bytes: Buffer) => (length += bytes.length)).on("error", failed);
    response.on("end", () => seen.resolve(`${response.statusCode} ${length}`));
  });
  asked.end();
  const words = await seen.promise;
  asked.destroy();
  return words;
}

const OK = "HTTP/1.1 200 OK\r\n";
/** Each fault: what leaves the server, and what node:http says to that. */
const EFFECTS: readonly (readonly [spec: string, octets: RegExp, node: string])[] = [
  ["drop:octets=5", /^HTTP\/1\.1 200 OK\r\ncontent-length: 13\r\n\r\nhello$/, "ECONNRESET"],
  ["half-head", /^HTTP\/1\.1 200 OK\r\nco$/, "ECONNRESET"],
  ["hang-up", /^$/, "ECONNRESET"],
  ["hang-up:when=after", /\r\n\r\nhello, world\n$/, "200 13"],
  ["silence", /^$/, "timeout"],
  ["unfinished", /content-length: 13\r\n\r\nhello, world$/, "timeout"],
  ["delay:ms=50", /\r\n\r\nhello, world\n$/, "200 13"],
  ["slow:octets=9,ms=5", /\r\n\r\nhello, world\n$/, "200 13"],
  ["false-length", /content-length: 14\r\n\r\nhello, world\n$/, "timeout"],
  ["false-length:how=short", /content-length: 12\r\n\r\nhello, world\n$/, "200 12"],
  ["two-lengths", /content-length: 13\r\ncontent-length: 14\r\n/, "HPE_UNEXPECTED_CONTENT_LENGTH"],
  ["bad-chunk:how=size", /chunked\r\n\r\n5x\r\nhello\r\n0\r\n\r\n$/, "HPE_INVALID_CHUNK_SIZE"],
  ["bad-chunk:how=sign", /chunked\r\n\r\n-5\r\n/, "HPE_INVALID_CHUNK_SIZE"],
  ["bad-chunk:how=huge", /chunked\r\n\r\nf{17}\r\n/, "HPE_INVALID_CHUNK_SIZE"],
  ["bad-chunk:how=short", /chunked\r\n\r\n5\r\nhelloo\r\n/, "HPE_STRICT"],
  ["bad-chunk:how=bare-lf", /chunked\r\n\r\n5\nhello\n0\n\n$/, "HPE_CR_EXPECTED"],
  ["bad-chunk:how=cut", /chunked\r\n\r\n5\r\nhello\r\n$/, "ECONNRESET"],
  ["smuggle", /content-length: 77\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nHTTP\/1\.1 200/, "HPE_INVALID_TRANSFER_ENCODING"],
  ["smuggle:how=te-cl", /content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n48\r\nHTTP\/1\.1 200/, "HPE_INVALID_TRANSFER_ENCODING"],
  ["smuggle:how=te-te", /chunked\r\ntransfer-encoding: x-none\r\n\r\n0\r\n\r\nHTTP/, "HPE_INVALID_TRANSFER_ENCODING"],
  ["extra:octets=5", /hello, world\nextra$/, "HPE_INVALID_CONSTANT"],
  ["bad-field:how=no-colon", /\r\nx-fault yes\r\n/, "HPE_INVALID_HEADER_TOKEN"],
  ["bad-field:how=space", /\r\nx-fault : yes\r\n/, "HPE_INVALID_HEADER_TOKEN"],
  ["bad-field:how=empty", /\r\n: yes\r\n/, "HPE_INVALID_HEADER_TOKEN"],
  ["bad-field:how=nul", /\r\nx-fault: y\0s\r\n/, "HPE_INVALID_HEADER_TOKEN"],
  ["bad-field:how=bare-cr", /\r\nx-fault: y\rs\r\n/, "HPE_LF_EXPECTED"],
  ["bad-field:how=bare-lf", /\r\nx-fault: y\nx-second: yes\r\n/, "HPE_CR_EXPECTED"],
  ["bad-field:how=fold", /\r\nx-fault: y\r\n es\r\n/, "HPE_INVALID_HEADER_TOKEN"],
  ["endless-head", /^HTTP\/1\.1 200 OK\r\ncontent-length: 13\r\n(?:x-fault: x+\r\n){100,}/, "HPE_HEADER_OVERFLOW"],
  ["garbage", /^\xff\xff\xff\xff/, "HPE_INVALID_CONSTANT"],
  ["bad-status:how=version", /^HTTP\/1\.x 200 OK\r\n/, "HPE_INVALID_VERSION"],
  ["bad-status:how=code", /^HTTP\/1\.1 2x0 OK\r\n/, "HPE_INVALID_STATUS"],
  ["bad-status:how=protocol", /^ICY 200 OK\r\n/, "HPE_INVALID_CONSTANT"],
  ["bad-status:how=absent", /^\r\ncontent-length/, "HPE_INVALID_CONSTANT"],
  ["interim:count=3", /^(?:HTTP\/1\.1 103 Interim\r\n\r\n){3}HTTP\/1\.1 200 OK\r\n/, "200 13"],
  ["interim:status=101,count=1", /^HTTP\/1\.1 101 Interim\r\nconnection: upgrade\r\nupgrade: fault\r\n\r\nHTTP\/1\.1 200/, "upgrade"],
  ["http2", /^\0\0\0[^]\0\0\0\0\0/, "HPE_INVALID_CONSTANT"],
];

const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
/** The octets that arrive until the end, or until nothing more comes for a while after what is awaited. */
async function heard(port: number, asked: string, awaited = /^/): Promise<{ readonly text: string; readonly isOpen: boolean }> {
  const socket = dial(port, "127.0.0.1");
  socket.write(asked);
  let text = "";
  let isOpen = true;
  const wait = (): NodeJS.Timeout => setTimeout(() => socket.destroy(), awaited.test(text) ? 300 : PATIENT_MS);
  let late = wait();
  socket.on("data", (bytes: Buffer) => {
    text += bytes.toString("latin1");
    clearTimeout(late);
    late = wait();
  });
  socket.on("end", () => (isOpen = false)).on("error", () => (isOpen = false));
  await once(socket, "close").catch(() => {});
  clearTimeout(late);
  return { text, isOpen };
}

describe.concurrent("the effect of each fault on a client", () => {
  it("is listed for every fault, and every choice of what is wrong", () => {
    const shown = EFFECTS.map(([spec]) => parseSpec(spec, SERVER_FAULTS, "HTTP/1.1"));
    for (const { name, args } of SERVER_FAULTS) {
      expect(shown.map(({ fault }) => fault.name)).toContain(name);
      const { how } = args;
      if (how?.is !== "word" || how.words.includes("reset")) continue;
      const tried = shown.filter(({ fault }) => fault.name === name).map(({ values }) => values["how"]);
      expect(tried, name).toEqual(expect.arrayContaining([...how.words]));
    }
  });
  it.each(EFFECTS)("%s", async (spec, octets, node) => {
    await using server = await faulty(spec);
    const [{ text }, seen] = await Promise.all([heard(server.port, GET, octets), nodeSees(server.port, node)]);
    expect(text).toMatch(octets);
    expect(seen).toBe(node);
  });
  it("is absent without a fault", async () => {
    await using server = await serve(() => ({ status: 200, body: HELLO }), { alpn: ["http/1.1"], graceMs: 0, date: false });
    expect(await heard(server.port, GET)).toEqual({ text: `${OK}content-length: 13\r\n\r\n${HELLO}`, isOpen: true });
    expect(await nodeSees(server.port, "200 13")).toBe("200 13");
  });
  it.each([
    ["drop:how=reset", false],
    ["silence", true],
    ["unfinished", true],
  ])("%s: leaves the connection open: %s", async (spec, isOpen) => {
    await using server = await faulty(spec);
    expect((await heard(server.port, GET)).isOpen).toBe(isOpen);
  });
});

describe("faults and the rest of a connection", () => {
  it("delayed octets leave before the end that the server announced", async () => {
    for (const spec of ["delay:ms=100", "slow:octets=9,ms=5"]) {
      await using server = await faulty(spec);
      const answer = (await talk(server.port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).toString();
      expect(answer, spec).toMatch(/\r\n\r\nhello, world\n$/);
    }
  });
  it("content until the end of the connection is content", async () => {
    await using server = await faulty("delay:ms=50");
    expect((await talk(server.port, "GET / HTTP/1.0\r\n\r\n")).toString()).toMatch(/\r\n\r\nhello, world\n$/);
  });
  it("after and times select responses; content belongs to its response", async () => {
    await using server = await faulty("two-lengths:after=2,times=1");
    const { text } = await heard(server.port, GET.repeat(3));
    expect(text.split("HTTP/1.1 200").map((one) => one.match(/content-length/g)?.length ?? 0)).toEqual([0, 1, 2, 1]);
  });
  it("HEAD, 204 and chunks: the next response is affected alone", async () => {
    async function* drip() {
      yield "one";
      yield "two";
    }
    const bodies = { "/none": { status: 204 }, "/drip": { status: 200, body: drip(), trailers: [["x-end", "1"]] } } as const;
    await using server = await serve(({ path }) => bodies[path as keyof typeof bodies] ?? { status: 200, body: HELLO }, {
      alpn: ["http/1.1"],
      graceMs: 0,
      date: false,
      faults: ["bad-field:how=space,after=4"],
    });
    const ask = (method: string, path: string): string => `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const { text } = await heard(server.port, ask("HEAD", "/") + ask("GET", "/none") + ask("GET", "/drip") + GET);
    expect(text).toMatch(
      /3\r\none\r\n3\r\ntwo\r\n0\r\nx-end: 1\r\n\r\nHTTP\/1\.1 200 OK\r\ncontent-length: 13\r\nx-fault : yes\r\n\r\nhello/,
    );
    expect(text.match(/x-fault/g)).toHaveLength(1);
  });
  it("a refusal of the server passes", async () => {
    await using server = await faulty("two-lengths:after=2");
    expect((await heard(server.port, `${GET}NONSENSE\r\n\r\n`)).text).toMatch(/hello, world\nHTTP\/1\.1 400 /);
  });
  it("requests may ask for faults, if the server lets them", async () => {
    const asking = (spec: string): string => `GET / HTTP/1.1\r\nHost: x\r\ntouchstone-fault: ${spec}\r\n\r\n`;
    await using server = await serve(() => ({ status: 200, body: HELLO }), { graceMs: 0, date: false, faultByRequest: true });
    const { text } = await heard(server.port, GET + asking("two-lengths") + GET);
    expect(text.match(/content-length: \d+/g)).toEqual([
      "content-length: 13",
      "content-length: 13",
      "content-length: 14",
      "content-length: 13",
    ]);
    expect((await heard(server.port, asking("reset"))).text).toMatch(
      /^HTTP\/1\.1 400 [^]*HTTP\/1\.1 cannot do "reset", which HTTP\/2 and HTTP\/3 can/,
    );
  });
  it("a fault that one of the versions cannot do is refused", async () => {
    const handler = () => ({ status: 200 });
    await expect(serve(handler, { faults: ["reset"] })).rejects.toThrow(/HTTP\/1\.1 cannot do "reset", which HTTP\/2 and HTTP\/3 can/);
    await expect(serve(handler, { faults: ["bad-chunk"] })).rejects.toThrow(/HTTP\/2 cannot do "bad-chunk", which HTTP\/1\.1 can/);
    await expect(serve(handler, { http1: { faults: ["none-such"] } })).rejects.toThrow(/HTTP\/1\.1 has no fault "none-such"\. Known: drop/);
    await using server = await serve(handler, { faults: ["delay:ms=1"], http2: { faults: ["reset"] } });
    expect(server.port).toBeGreaterThan(0);
  });
});

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
if (!hasCurl) console.warn("curl is absent, and its tests are left out: apt-get install curl");
describe.runIf(hasCurl)("curl", () => {
  it.each([
    ["drop:octets=5", 18],
    ["drop:octets=5,how=reset", 56],
    ["hang-up", 52],
    ["silence", 28],
    ["unfinished", 28],
    ["bad-chunk:how=sign", 56],
    ["bad-chunk:how=cut", 18],
    ["bad-field:how=nul", 8],
    ["bad-status:how=code", 1],
    ["http2", 1],
    ["delay:ms=50", 0],
    ["interim:count=3", 0],
  ])("%s: it ends with %i", async (spec, status) => {
    await using server = await faulty(spec);
    const ended = await new Promise((resolve) =>
      execFile("curl", ["-s", "-m", "1", server.url], (error) => resolve(error === null ? 0 : error.code)),
    );
    expect(ended).toBe(status);
  });
});
