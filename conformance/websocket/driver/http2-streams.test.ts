import { duplexPair } from "node:stream";
import { describe, expect, test } from "vitest";
import { Recorder } from "../../harness/connection/recorder.ts";
import type { FrameSpec } from "../../http2/vocabulary.ts";
import { build } from "../../wire/http2/build.ts";
import { MAGIC } from "../../wire/http2/numbers.ts";
import { FrameCutter, readFrame, type ReadFrame } from "../../wire/http2/read.ts";
import { Http2Carrier } from "./http2-carrier.ts";
import { Http2Streams } from "./http2-streams.ts";

const VALUES = { scheme: "http", authority: "a.example", path: "/" };
const LIMIT = 1000;

/** Our end, and a scripted peer. */
function pair() {
  const [near, far] = duplexPair();
  const came: ReadFrame[] = [];
  const cutter = new FrameCutter();
  let magic = 0;
  let awaited: (() => boolean) | undefined;
  let resolve = (): void => {};
  far.on("data", (octets: Uint8Array) => {
    const rest = octets.subarray(Math.min(octets.length, MAGIC.length - magic));
    magic += octets.length - rest.length;
    came.push(...cutter.push(rest).map(readFrame));
    if (awaited?.() === true) resolve();
  });
  const say = (...frames: readonly FrameSpec[]): void => {
    for (const spec of frames) far.write(build(spec, { stream: Number, text: (value) => value }));
  };
  const until = (test: () => boolean): Promise<void> =>
    test()
      ? Promise.resolve()
      : new Promise((done) => {
          [awaited, resolve] = [test, done];
        });
  const streams = new Http2Streams(near, new Recorder());
  const heard: string[] = [];
  const carrier = new Http2Carrier(
    streams,
    {
      answered: () => heard.push(`answer ${carrier.answer?.status}`),
      data: (octets) => heard.push(`data ${octets.length}`),
      ended: (how, words) => heard.push(`${how}: ${words}`),
    },
    LIMIT,
  );
  const of = (type: string): ReadFrame[] => came.filter((frame) => frame.type === type);
  const begin = async (): Promise<void> => carrier.begin((await carrier.handshake({}, VALUES)).octets);
  const sent = (): number => of("DATA").reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
  return { say, until, streams, carrier, heard, of, begin, sent, far };
}

const OPENED: FrameSpec = { type: "HEADERS", stream: 1, flags: ["END_HEADERS"], fields: [[":status", "200"]] };

describe("a stream that carries a WebSocket", () => {
  test("is asked for when the settings have come, and not before", async () => {
    const { say, until, of, begin } = pair();
    await until(() => of("SETTINGS").length > 0);
    const begun = begin();
    expect(of("HEADERS")).toEqual([]);
    say({ type: "SETTINGS", settings: [["ENABLE_CONNECT_PROTOCOL", 1]] });
    await begun;
    await until(() => of("HEADERS").length > 0);
    expect(of("SETTINGS").map(({ ack }) => ack)).toEqual([false, true]);
  });

  test("keeps to the windows and the frame size of its peer", async () => {
    const { say, until, carrier, begin, sent, of } = pair();
    say({ type: "SETTINGS", settings: [["INITIAL_WINDOW_SIZE", 40_000]] });
    await begin();
    const written = carrier.write(new Uint8Array(100_000));
    await until(() => sent() === 40_000);
    expect(of("DATA").map(({ length }) => length)).toEqual([16_384, 16_384, 7232]);
    say({ type: "WINDOW_UPDATE", stream: 1, increment: 60_000 });
    // The window of the connection holds 65,535 in all.
    await until(() => sent() === 65_535);
    say({ type: "WINDOW_UPDATE", increment: 60_000 });
    await until(() => sent() === 100_000);
    await written;
  });

  test("opens with 200, and ends in order, or not", async () => {
    const { say, until, carrier, heard, of, begin, streams } = pair();
    say({ type: "SETTINGS", settings: [["ENABLE_CONNECT_PROTOCOL", 1]] });
    await begin();
    say(OPENED, { type: "DATA", stream: 1, data: "ab" }, { type: "DATA", stream: 1, flags: ["END_STREAM"] });
    await until(() => of("DATA").some(({ endStream }) => endStream === true));
    expect(heard).toEqual(["answer 200", "data 2", "data 0", "fin: the stream was ended"]);
    expect(carrier.broken("announced")).toBeUndefined();
    expect(carrier.broken("ended in order")).toBeUndefined();
    streams.drop();
  });

  test("that is reset says with what; a connection that is lost ends all", async () => {
    const reset = pair();
    reset.say({ type: "SETTINGS" });
    await reset.begin();
    reset.say(OPENED, { type: "RST_STREAM", stream: 1, code: "CANCEL" }, { type: "PING", hex: "0102030405060708" });
    await reset.until(() => reset.of("PING").length > 0);
    expect(reset.heard.at(-1)).toBe("reset: the stream was reset with CANCEL");
    expect(reset.carrier.broken("ended in order")).toBe("the stream was reset with CANCEL");
    expect(reset.carrier.broken("announced")).toBe("SETTINGS_ENABLE_CONNECT_PROTOCOL is not there");

    const lost = pair();
    lost.say({ type: "SETTINGS" });
    await lost.begin();
    lost.far.end();
    await lost.streams.waiting.until(() => lost.streams.over, LIMIT);
    expect(lost.heard).toEqual(["fin: the HTTP/2 connection closed"]);
  });

  test("is reset by us with CANCEL, and ended with END_STREAM", async () => {
    const { say, until, streams, carrier, of, begin } = pair();
    say({ type: "SETTINGS" });
    await begin();
    carrier.end("half-close");
    await until(() => of("DATA").some(({ endStream }) => endStream === true));
    const other = new Http2Carrier(streams, { answered: () => {}, data: () => {}, ended: () => {} }, LIMIT);
    await other.begin((await other.handshake({}, VALUES)).octets);
    other.end("reset");
    await until(() => of("RST_STREAM").length > 0);
    expect(of("RST_STREAM")[0]).toMatchObject({ stream: 3, code: "CANCEL" });
  });
});
