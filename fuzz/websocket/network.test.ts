import { createHash } from "node:crypto";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { seeded } from "../../reference/core/index.ts";
import { serveWebSocket } from "../../reference/serve/websocket/index.ts";
import { octets, sequence } from "./grammar.ts";
import { fuzzPeer } from "./network.ts";
import { expected, FENCE } from "./oracle.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

type Frame = { readonly opcode: number; readonly first: number; readonly payload: Buffer };
/** A peer that accepts any opening handshake and calls back for each frame. */
async function peerThat(onFrame: (frame: Frame, socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    let inbox: Buffer = Buffer.alloc(0);
    let isOpen = false;
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk: Buffer) => {
      inbox = Buffer.concat([inbox, chunk]);
      if (!isOpen) {
        const key = /sec-websocket-key: (\S+)/i.exec(inbox.toString("latin1"))?.[1] ?? "";
        const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
        inbox = inbox.subarray(inbox.indexOf("\r\n\r\n") + 4);
        isOpen = true;
        socket.write(`HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
      }
      for (;;) {
        const form = (inbox[1] ?? 0) & 0x7f;
        const [head, isMasked] = [form < 126 ? 2 : form === 126 ? 4 : 10, (inbox[1] ?? 0) >= 0x80];
        if (inbox.length < head + 4) return;
        const length = form < 126 ? form : form === 126 ? inbox.readUInt16BE(2) : Number(inbox.readBigUInt64BE(2));
        const from = head + (isMasked ? 4 : 0);
        // Waiting for this much data would look like silence, and detecting silence takes long.
        if (length > 1_000_000) return void socket.destroy();
        if (inbox.length < from + length) return;
        const payload = inbox.subarray(from, from + length).map((octet, i) => octet ^ (isMasked ? inbox[head + (i & 3)]! : 0));
        const first = inbox[0]!;
        onFrame({ opcode: first & 15, first, payload: Buffer.from(payload) }, socket);
        inbox = inbox.subarray(from + length);
      }
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
/** Answers pings and Closes, and accepts everything. */
function lenient({ opcode, payload }: Frame, socket: Socket): void {
  if (socket.writableEnded) return;
  const short = payload.subarray(0, 125);
  if (opcode === 9) socket.write(Buffer.concat([Buffer.of(0x8a, short.length), short]));
  if (opcode === 8) socket.end(Buffer.of(0x88, 0));
}
const OPTIONS = { seed: 7, seconds: 30, sequences: 150 };
const findingsOf = async (onFrame: (frame: Frame, socket: Socket) => void, more: { limitMs?: number; sequences?: number } = {}) =>
  (await fuzzPeer(await peerThat(onFrame), { ...OPTIONS, ...more })).findings;

describe("the network fuzzer", () => {
  test("reports a peer that accepts everything, with the section of the rule and a short sequence", async () => {
    const findings = await findingsOf(lenient);
    const accepted = findings.filter(({ kind }) => kind.startsWith("accepted"));
    expect(accepted.length).toBeGreaterThan(4);
    for (const { rule, pieces, kind } of accepted) {
      expect(rule.ref).toMatch(/^rfc\d+#\d/);
      expect(pieces.length, kind).toBeLessThanOrEqual(3);
    }
  });

  test("reports a peer that refuses a legal frame", async () => {
    const findings = await findingsOf((frame, socket) => {
      if (frame.opcode === 10) socket.end(Buffer.of(0x88, 2, 0x03, 0xea));
      else lenient(frame, socket);
    });
    expect(findings.find(({ kind }) => kind === "refused 1002")?.pieces.map(({ words }) => words.split(",")[0])).toEqual(["pong"]);
  });

  test("reports a peer that sends masked frames", async () => {
    const findings = await findingsOf((frame, socket) => {
      if (frame.opcode === 1) socket.write(Buffer.of(0x81, 0x80, 1, 2, 3, 4));
      else lenient(frame, socket);
    });
    expect(findings.find(({ kind }) => kind === "broken a masked frame")?.rule.ref).toBe("rfc6455#5.1/server-masks-not");
  });

  test("reports a peer that continues after a Close, and one that becomes silent", async () => {
    const goesOn = await findingsOf((frame, socket) => void (frame.opcode !== 8 && lenient(frame, socket)), { sequences: 40 });
    expect(goesOn.map(({ kind }) => kind)).toContain("continued after close");
    const silenced = new WeakSet<Socket>();
    const silent = await findingsOf(
      (frame, socket) => {
        if (frame.opcode === 8) silenced.add(socket);
        if (!silenced.has(socket)) lenient(frame, socket);
      },
      { limitMs: 400, sequences: 25 },
    );
    expect(silent.find(({ kind }) => kind === "close unanswered")?.pieces).toHaveLength(1);
  });

  test("reports no findings for our own server", async () => {
    await using server = await serveWebSocket((socket) => {
      socket.onMessage = (data) => void socket.send(data);
    });
    expect(await fuzzPeer(server.url, { ...OPTIONS, sequences: 300, limitMs: 20_000 })).toMatchObject({ sequences: 300, findings: [] });
  });

  test("reports no findings if nothing listens, and accepts loopback addresses only", async () => {
    const url = await peerThat(lenient);
    await new Promise((resolve) => servers[0]?.close(resolve));
    expect(await fuzzPeer(url, OPTIONS)).toMatchObject({ unreachable: true, sequences: 0, findings: [] });
    await expect(fuzzPeer("ws://192.0.2.1/", OPTIONS)).rejects.toThrow("192.0.2.1 is not this machine");
  });
});

describe("the oracle", () => {
  const piece = (hex: string) => ({ words: hex, hex });

  test("names the rule and the frame that broke it", () => {
    expect(expected([piece("818000000000"), piece("c18000000000")])).toMatchObject({
      is: "refused",
      at: 1,
      fault: { name: "reservedBitSet", spec: "rfc6455#5.2" },
    });
  });
  test("recognizes a legal Close, its own limits, and an incomplete frame", () => {
    expect(expected([piece("888000000000")])).toEqual({ is: "closed" });
    expect(expected([piece("82ff000001000000000000000000")])).toEqual({ is: "unsure" });
    expect(expected([piece("82a000000000")])).toEqual({ is: "unsure" });
    expect(expected([piece("018000000000")])).toEqual({ is: "fine" });
    expect(octets([FENCE])).toHaveLength(14);
    // A server must refuse invalid text at its end, and may do so before.
    expect(expected([piece("818100000000ff")])).toMatchObject({ is: "refused", fault: { name: "textInvalid" } });
    expect(expected([piece("018100000000ff")])).toEqual({ is: "unsure" });
  });
  test("is sure about most generated sequences", () => {
    const rng = seeded(3);
    const answers = Array.from({ length: 300 }, () => expected(sequence(rng, "server")).is);
    const count = (is: string): number => answers.filter((answer) => answer === is).length;
    expect([count("fine") > 60, count("refused") > 60, count("closed") > 30, count("unsure") < 60]).toEqual([true, true, true, true]);
  });
});
