import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cryptoIn, openInitial, packetsIn, serverHelloIn } from "./observe.ts";

/** The examples of the specifications: the client has chosen 8394c8f03e515708 (rfc9001#A, rfc9369#A). */

type Vector = { readonly id: number; readonly spec: string; readonly wire: string };
const { vectors } = JSON.parse(readFileSync(new URL("../../../vectors/quic/packets.json", import.meta.url), "utf8")) as {
  readonly vectors: readonly Vector[];
};
const wire = (spec: string): Buffer => Buffer.from(vectors.find((one) => one.spec === spec)!.wire, "hex");

test.each(["rfc9001#A.3", "rfc9369#A.3"])("the ServerHello of %s is read, and with another ID it is not", (spec) => {
  const [packet, ...rest] = packetsIn(wire(spec));
  expect([packet?.type, packet?.destination, packet?.source, rest.length]).toEqual(["initial", "", "f067a5502a4262b5", 0]);
  const [[offset, octets] = [], ...more] = cryptoIn(openInitial(packet!, "8394c8f03e515708")!);
  expect([offset, more.length]).toEqual([0, 0]);
  expect(serverHelloIn(octets!)).toEqual({ suite: 0x1301, isResumed: false });
  expect(serverHelloIn(octets!.subarray(0, 89))).toBeUndefined();
  expect(openInitial(packet!, "8394c8f03e515709")).toBeUndefined();
});
test("a datagram may hold several packets, and a short header ends it", () => {
  const [initial, short] = [wire("rfc9001#A.3"), wire("rfc9001#A.5")];
  expect(packetsIn(Buffer.concat([initial, initial, short])).map(({ type, bytes }) => [type, bytes.length])).toEqual([
    ["initial", initial.length],
    ["initial", initial.length],
    ["short", short.length],
  ]);
});
test("a ServerHello with pre_shared_key resumes a session, and one after HelloRetryRequest counts", () => {
  const hello = (random: string, extensions: string): Buffer => {
    const body = Buffer.from(`0303${random}00130100${(extensions.length / 2).toString(16).padStart(4, "0")}${extensions}`, "hex");
    return Buffer.concat([Buffer.from([2, 0, 0, body.length]), body]);
  };
  const retry = hello("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c", "002b00020304");
  const resumed = hello("11".repeat(32), "002b00020304002900020000");
  expect(serverHelloIn(resumed)).toEqual({ suite: 0x1301, isResumed: true });
  expect(serverHelloIn(retry)).toBeUndefined();
  expect(serverHelloIn(Buffer.concat([retry, resumed]))).toEqual({ suite: 0x1301, isResumed: true });
});
test("whatever comes, nothing is thrown", () => {
  for (let length = 1; length < 60; length++)
    for (const first of [0xc0, 0xd5, 0xe3, 0xff, 0x40]) {
      const octets = Buffer.alloc(length, length * 7);
      octets[0] = first;
      for (const packet of packetsIn(octets)) {
        expect(packet.bytes.length).toBeGreaterThan(0);
        if (packet.type === "initial") openInitial(packet, "00");
      }
      cryptoIn(octets);
      serverHelloIn(octets);
    }
});
