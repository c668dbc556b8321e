import { duplexPair } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { fromLatin1, join } from "../octets.ts";
import { Http2End, type Http2EndOptions } from "./end.ts";
import { MAGIC } from "./numbers.ts";
import type { ReadFrame } from "./read.ts";
import type { Section } from "./sections.ts";

/** One of our ends, with everything that it reports and writes down. */
function end(socket: ReturnType<typeof duplexPair>[0], options: Omit<Partial<Http2EndOptions>, "on"> & Pick<Http2EndOptions, "we">) {
  const frames: ReadFrame[] = [];
  const sections: Section[] = [];
  const other: string[] = [];
  const lines: string[] = [];
  const wire = new Http2End(socket, {
    ...options,
    transcript: { wire: (way, means) => lines.push(`${way} ${means}`), remark: (means) => lines.push(`-- ${means}`) },
    on: {
      frame: (frame, section) => {
        frames.push(frame);
        if (section !== undefined) sections.push(section);
      },
      garbage: (words) => other.push(words),
      ended: (how) => other.push(how),
    },
  });
  const of = (type: string): ReadFrame[] => frames.filter((frame) => frame.type === type);
  return { wire, frames, sections, other, lines, of };
}
function pair(options: Omit<Partial<Http2EndOptions>, "on" | "we"> = {}) {
  const [near, far] = duplexPair();
  return { client: end(near, { we: "client", ...options }), server: end(far, { we: "server" }), near, far };
}
const settled = (): Promise<unknown> => pause(5);
const REQUEST = { type: "HEADERS", stream: 1, flags: ["END_HEADERS", "END_STREAM"], fields: [[":method", "GET"]] } as const;

describe("Http2End", () => {
  test("two ends: both acknowledge SETTINGS and answer PING on their own", async () => {
    const { client, server } = pair();
    void client.wire.preface(MAGIC, { type: "SETTINGS", settings: [["MAX_CONCURRENT_STREAMS", 3]] });
    void server.wire.preface("", { type: "SETTINGS", settings: [] });
    void client.wire.send([{ type: "PING", hex: "0102030405060708" }, REQUEST]);
    await settled();
    expect(client.of("SETTINGS").map(({ ack }) => ack)).toEqual([false, true]);
    expect(client.of("PING").map(({ ack }) => ack)).toEqual([true]);
    expect(server.sections.map(({ fields }) => fields)).toEqual([[[":method", "GET"]]]);
    expect(server.wire.theirSettings.get("MAX_CONCURRENT_STREAMS")).toBe(3);
    expect(client.wire.hasTheirSettings).toBe(true);
    expect([client.wire.highestStream, server.wire.highestStream]).toEqual([1, 1]);
  });

  test("automatic frames wait while our last octets end inside a frame", async () => {
    const { client, server } = pair();
    void client.wire.preface(MAGIC, { type: "SETTINGS", settings: [] });
    const octets = client.wire.build([{ type: "DATA", stream: 1, data: "abcd" }]);
    client.wire.octets(octets.subarray(0, 10));
    void server.wire.preface("", { type: "SETTINGS", settings: [] });
    await settled();
    expect(server.of("SETTINGS").map(({ ack }) => ack)).toEqual([false]);
    client.wire.octets(octets.subarray(10));
    await settled();
    expect(server.frames.map(({ type }) => type)).toEqual(
      ["SETTINGS", "SETTINGS", "DATA", "SETTINGS"].slice(server.frames.length === 3 ? 1 : 0),
    );
    expect(server.of("SETTINGS").map(({ ack }) => ack)).toEqual([false, true]);
  });

  test("windows are replenished after every DATA, after a number of octets, or when they are released", async () => {
    const increments = async (replenishAfter: number, release = false): Promise<number[]> => {
      const { client, server } = pair({ replenishAfter });
      void client.wire.preface(MAGIC, undefined);
      for (let n = 0; n < 3; n++) void server.wire.send([{ type: "DATA", stream: 1, data: 10 }]);
      await settled();
      if (release) client.wire.holdWindows(false);
      await settled();
      return server.of("WINDOW_UPDATE").map(({ increment, stream }) => (increment ?? 0) * (stream === 0 ? 1 : -1));
    };
    expect(await increments(0)).toEqual([-10, 10, -10, 10, -10, 10]);
    expect(await increments(20)).toEqual([-20, 20]);
    expect(await increments(Number.POSITIVE_INFINITY)).toEqual([]);
    expect(await increments(Number.POSITIVE_INFINITY, true)).toEqual([-30, 30]);
  });

  test("windows that are released may be replenished in larger pieces than before", async () => {
    const { client, server } = pair();
    void client.wire.preface(MAGIC, undefined);
    client.wire.holdWindows(true);
    const send = async (): Promise<void> => {
      void server.wire.send([{ type: "DATA", stream: 1, data: 10 }]);
      await settled();
    };
    await send();
    client.wire.holdWindows(false, 20);
    await send();
    await send();
    expect(server.of("WINDOW_UPDATE").map(({ increment }) => increment)).toEqual([10, 10, 20, 20]);
  });

  test("data() keeps to the peer's windows and frame size", async () => {
    const { client, server } = pair();
    void client.wire.preface(MAGIC, undefined);
    void server.wire.preface("", { type: "SETTINGS", settings: [["INITIAL_WINDOW_SIZE", 20_000]] });
    server.wire.holdWindows(true);
    await settled();
    const content = new Uint8Array(30_000);
    const sent = [client.wire.data(1, content), client.wire.data(1, content), client.wire.data(1, content)];
    expect(sent).toEqual([16_384, 3_616, 0]);
    expect(client.wire.data(1, new Uint8Array(), true)).toBe(0);
    await settled();
    expect(server.of("DATA").map(({ length, endStream }) => [length, endStream])).toEqual([
      [16_384, false],
      [3_616, false],
      [0, true],
    ]);
  });

  test("octets that are not HTTP/2 are reported once, and nothing after them is read", async () => {
    const [near, far] = duplexPair();
    const server = end(far, { we: "server" });
    near.write("GET / HTTP/1.1\r\n\r\n");
    await settled();
    near.write(join([fromLatin1(MAGIC), Uint8Array.of(0, 0, 0, 4, 0, 0, 0, 0, 0)]));
    await settled();
    expect(server.other).toEqual(['"GET / HTTP/1.1\\x0d\\x0a\\x0d\\x0a" is not the connection preface']);
    expect(server.frames).toEqual([]);
  });

  test("a dropped end reports and writes down nothing more", async () => {
    const { client, server, far } = pair();
    client.wire.drop();
    void server.wire.send([{ type: "PING", hex: "0102030405060708" }]);
    far.end();
    await settled();
    expect([client.frames, client.other, client.lines]).toEqual([[], [], []]);
  });

  test("what breaks off inside a frame is noted at the end", async () => {
    const { client, far } = pair();
    far.write(Uint8Array.of(0, 0, 8, 6, 0));
    far.end();
    await settled();
    expect(client.lines).toEqual(["-- the subject ended inside a frame, after 5 octets of it", "-- the subject closed the connection"]);
    expect(client.other).toEqual(["fin"]);
  });
});
