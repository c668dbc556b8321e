import { describe, expect, test } from "vitest";
import {
  block,
  client,
  continuation,
  data,
  GET,
  get,
  headers,
  id,
  named,
  ping,
  play,
  POST,
  raw,
  server,
  wire,
  type Case,
} from "../testing.ts";
import type { Frame } from "../frame/index.ts";

const whole = block(GET);
const first = (end = true): Frame => ({ is: "HEADERS", stream: id(1), endStream: end, endHeaders: false, block: whole.subarray(0, 3) });
const interrupted: [string[], string[]] = [["closed blockInterrupted"], ["GOAWAY 0 PROTOCOL_ERROR"]];

describe("field blocks over several frames (rfc9113#4.3, #6.10)", () => {
  const cases: Case[] = [
    ["two", [first(), continuation(1, whole.subarray(3))], ["request 1 end"], []],
    [
      "with empty ones between",
      [first(), continuation(1, whole.subarray(3), false), continuation(1, new Uint8Array())],
      ["request 1 end"],
      [],
    ],
    ["of padded HEADERS", [raw(1, 0x09, 1, "02" + "8286" + "0000"), continuation(1, block(GET.slice(2)))], ["request 1 end"], []],
    ["interrupted by DATA", [first(false), data(1, 1)], ...interrupted],
    ["interrupted by HEADERS", [first(), get(1)], ...interrupted],
    ["interrupted by CONTINUATION on another stream", [first(), continuation(3, whole)], ...interrupted],
    ["interrupted by PING", [first(), ping()], ...interrupted],
    ["interrupted by an unknown frame", [first(), raw(0xff, 0, 1)], ...interrupted],
    ["interrupted by PRIORITY", [first(), raw(2, 0, 1, "0000000300")], ...interrupted],
    [
      "CONTINUATION after the last",
      [get(1), continuation(1, whole)],
      ["request 1 end", "closed continuationUnexpected"],
      ["GOAWAY 1 PROTOCOL_ERROR"],
    ],
    ["CONTINUATION on stream 0", [first(), continuation(0, whole)], ...interrupted],
  ];
  test.each(named(cases))("$name", ({ line }) => {
    expect(play("server", line)).toEqual([line[2], line[3]]);
  });

  test("END_STREAM on HEADERS takes effect when the block is complete", () => {
    const line: Case = ["", [first(), continuation(1, whole.subarray(3)), data(1, 1)], [], []];
    expect(play("server", line)[0]).toEqual(["request 1 end", "reset 1 STREAM_CLOSED by us frameAfterEndStream"]);
  });

  test("a block that cannot be decoded ends the connection, on any stream", () => {
    for (const [flags, stream, payload] of [
      [5, 1, "ff"],
      [5, 1, "80"],
      [5, 1, "40"],
    ] as const) {
      const line: Case = ["", [raw(1, flags, stream, payload)], ["closed blockUndecodable"], ["GOAWAY 0 COMPRESSION_ERROR"]];
      expect(play("server", line)).toEqual([line[2], line[3]]);
    }
  });

  test("PADDED and PRIORITY in one frame", () => {
    const payload = "01" + "00000003" + "0f" + Buffer.from(whole).toString("hex") + "00";
    expect(play("server", ["", [raw(1, 0x2d, 1, payload)], [], []])[0]).toEqual(["request 1 end"]);
  });

  test("a stream that depends on itself is refused, unless priorities are renounced", () => {
    const payload = "00000001" + "0f" + Buffer.from(whole).toString("hex");
    const line: Case = ["", [raw(1, 0x25, 1, payload), get(3)], [], []];
    expect(play("server", line)[0]).toEqual(["reset 1 PROTOCOL_ERROR by us priorityOnItself", "request 3 end"]);
    const options = { settings: { noRfc7540Priorities: true } };
    expect(play("server", ["", line[1], [], [], options])[0]).toEqual(["request 1 end", "request 3 end"]);
    const own: Case = ["", [raw(2, 0, 1, "0000000100")], ["closed priorityOnItself"], ["GOAWAY 0 PROTOCOL_ERROR"]];
    expect(play("server", own)).toEqual([own[2], own[3]]);
    expect(play("server", ["", own[1], [], [], options])).toEqual([[], []]);
  });
});

describe("the decoder's state belongs to the connection (rfc9113#4.3)", () => {
  /** :method GET, :scheme http, :path /, and :authority "a" put into the table. */
  const indexing = "828684" + "410161";
  const fromTable = "828684be";
  const served = ["request 9 end"];
  test.each([
    ["a malformed request", [raw(1, 5, 1, "82" + indexing)]],
    ["a refused request", [get(1), raw(1, 5, 3, indexing)], { settings: { maxConcurrentStreams: 1 } }],
    ["late HEADERS on a stream that we reset", [raw(1, 4, 1, "838684" + "410162"), raw(1, 5, 1, "400178" + "0179" + "410161")], {}],
    ["a request over the limit", [raw(1, 5, 1, "400178" + "7f01" + "7e".repeat(128) + indexing)], { settings: { maxHeaderListSize: 180 } }],
  ])("%s moves it on", (name, frames, options = {}) => {
    const rig = server(options);
    rig.events(frames[0]!);
    if (name.startsWith("late")) rig.c.reset(id(1), "CANCEL");
    rig.events(...frames.slice(1));
    if (name.startsWith("a refused")) rig.c.respond(id(1), 204, [], true);
    rig.told();
    expect(rig.events(raw(1, 5, 9, fromTable))).toEqual(served);
  });

  test("requests after the final GOAWAY are ignored, but decoded", () => {
    const rig = server();
    rig.events(headers(1, POST, { end: false }));
    rig.c.shutdown();
    rig.frames();
    rig.events({ is: "PING", ack: true, data: new Uint8Array(8).fill(0x5a) });
    expect(rig.frames()).toEqual(["GOAWAY 1 NO_ERROR"]);
    expect(rig.events(raw(1, 5, 3, indexing), data(3, 1), raw(1, 5, 5, fromTable))).toEqual([]);
    expect(rig.frames()).toEqual([]);
    expect(rig.events(data(1, 0, { end: true }))).toEqual(["data 1 0 end"]);
  });

  test("a client decodes a promise that it refuses", () => {
    const rig = client();
    rig.c.request(
      [...GET].map(([name, value]) => ({ name, value, sensitive: false })),
      true,
    );
    const before = wire(raw(5, 4, 1, "00000002" + indexing));
    expect(rig.events(before)).toEqual(["closed pushPromiseDisabled"]);
  });
});
