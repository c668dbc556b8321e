import { describe, expect, test } from "vitest";
import { INITIAL_SETTINGS, SettingId } from "../settings/table.ts";
import {
  client,
  data,
  fieldList,
  get,
  GET,
  headers,
  id,
  named,
  octets,
  play,
  post,
  raw,
  server,
  settings,
  SETTINGS_ACK,
  T0,
  wire,
  type Case,
} from "../testing.ts";

const { INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE, ENABLE_PUSH, MAX_CONCURRENT_STREAMS, ENABLE_CONNECT_PROTOCOL, NO_RFC7540_PRIORITIES } =
  SettingId;
const closed = (name: string, code: string): [string[], string[]] => [[`closed ${name}`], [`GOAWAY 0 ${code}`]];

describe("SETTINGS (rfc9113#6.5)", () => {
  const cases: Case[] = [
    ["none", [settings()], ["settings"], ["SETTINGS ack"]],
    [
      "each is acknowledged",
      [settings(), settings(), settings()],
      ["settings", "settings", "settings"],
      ["SETTINGS ack", "SETTINGS ack", "SETTINGS ack"],
    ],
    ["an unknown one", [settings([0xfff, 1])], ["settings"], ["SETTINGS ack"]],
    ["ENABLE_PUSH 2", [settings([ENABLE_PUSH, 2])], ...closed("enablePushNot0Or1", "PROTOCOL_ERROR")],
    ["INITIAL_WINDOW_SIZE 2^31", [settings([INITIAL_WINDOW_SIZE, 2 ** 31])], ...closed("initialWindowTooLarge", "FLOW_CONTROL_ERROR")],
    ["MAX_FRAME_SIZE 16383", [settings([MAX_FRAME_SIZE, 16_383])], ...closed("maxFrameSizeOutOfRange", "PROTOCOL_ERROR")],
    [
      "ENABLE_CONNECT_PROTOCOL 1, then 0",
      [settings([ENABLE_CONNECT_PROTOCOL, 1], [ENABLE_CONNECT_PROTOCOL, 0])],
      ...closed("enableConnectProtocolWithdrawn", "PROTOCOL_ERROR"),
    ],
    [
      "NO_RFC7540_PRIORITIES in a later frame",
      [settings([NO_RFC7540_PRIORITIES, 1])],
      ...closed("noRfc7540PrioritiesChanged", "PROTOCOL_ERROR"),
    ],
    ["an acknowledgement of nothing", [SETTINGS_ACK], ...closed("settingsAckUnasked", "PROTOCOL_ERROR")],
    ["an acknowledgement with a payload", [raw(4, 1, 0, "00")], ...closed("settingsAckNotEmpty", "FRAME_SIZE_ERROR")],
    ["on a stream", [raw(4, 0, 1)], ...closed("settingsOnStream", "PROTOCOL_ERROR")],
    ["of a wrong length", [raw(4, 0, 0, "00")], ...closed("settingsLengthNotMultipleOf6", "FRAME_SIZE_ERROR")],
  ];
  test.each(named(cases))("$name", ({ line }) => {
    expect(play("server", line)).toEqual([line[2], line[3]]);
  });

  test("a server that enables push ends the connection", () => {
    const line: Case = ["", [settings([ENABLE_PUSH, 1])], ...closed("enablePushByServer", "PROTOCOL_ERROR")];
    expect(play("client", line)).toEqual([line[2], line[3]]);
  });

  test("a changed initial size that lifts a window beyond the maximum ends the connection", () => {
    const rig = server();
    rig.events(post(1), raw(8, 0, 1, "7fff0000"));
    expect(rig.events(settings([INITIAL_WINDOW_SIZE, 70_000]))).toEqual(["closed initialWindowOverflowsStream"]);
    expect(rig.frames()).toEqual(["GOAWAY 1 FLOW_CONTROL_ERROR"]);
  });
});

describe("the effect of the peer's settings", () => {
  test("each frame causes an event with all current values", () => {
    const rig = client();
    const tell = (...values: [number, number][]) =>
      rig.c.receive(wire(settings(...values)), T0).map((event) => event.is === "settings" && event.settings);
    expect(tell([MAX_CONCURRENT_STREAMS, 7], [MAX_FRAME_SIZE, 20_000])).toEqual([
      { ...INITIAL_SETTINGS, maxConcurrentStreams: 7, maxFrameSize: 20_000 },
    ]);
    expect(tell([ENABLE_CONNECT_PROTOCOL, 1])).toEqual([
      { ...INITIAL_SETTINGS, maxConcurrentStreams: 7, maxFrameSize: 20_000, enableConnectProtocol: true },
    ]);
  });
  test("MAX_FRAME_SIZE: content and blocks are cut accordingly", () => {
    const rig = server();
    rig.events(settings([MAX_FRAME_SIZE, 20_000]), get(1));
    rig.frames();
    rig.c.respond(id(1), 200, fieldList([["x", "~".repeat(30_000)]]), false);
    rig.c.data(id(1), octets(45_000), true);
    expect(rig.frames()).toEqual(["HEADERS 1 open", "CONTINUATION", "DATA 1 20000", "DATA 1 20000", "DATA 1 5000 end"]);
  });
  test("INITIAL_WINDOW_SIZE: windows of open streams move by the difference, even below zero", () => {
    const rig = server();
    rig.events(get(1));
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets(1_000), false);
    rig.frames();
    rig.events(settings([INITIAL_WINDOW_SIZE, 400]));
    rig.c.data(id(1), octets(1_000), true);
    expect(rig.frames()).toEqual(["SETTINGS ack"]);
    rig.events(raw(8, 0, 1, "00000258"));
    expect(rig.frames()).toEqual([]);
    rig.events(raw(8, 0, 1, "00000001"));
    expect(rig.frames()).toEqual(["DATA 1 1"]);
    rig.events(settings([INITIAL_WINDOW_SIZE, 65_535]));
    expect(rig.frames()).toEqual(["SETTINGS ack", "DATA 1 999 end"]);
  });
  test("HEADER_TABLE_SIZE lowered and raised in one frame: the next block signals the smallest size and the last", () => {
    const rig = server();
    rig.events(settings([SettingId.HEADER_TABLE_SIZE, 0], [SettingId.HEADER_TABLE_SIZE, 4096]), get(1));
    rig.frames();
    rig.c.respond(id(1), 204, [], true);
    expect(rig.octets().subarray(9)).toEqual(Uint8Array.of(0x20, 0x3f, 0xe1, 0x1f, 0x89));
  });

  test("HEADER_TABLE_SIZE: the next block begins with the size update", () => {
    const rig = server();
    rig.events(settings([SettingId.HEADER_TABLE_SIZE, 0]), get(1));
    rig.frames();
    rig.c.respond(id(1), 204, [], true);
    expect(rig.octets().subarray(9)).toEqual(Uint8Array.of(0x20, 0x89));
  });
  test("MAX_CONCURRENT_STREAMS 0: the client's requests wait", () => {
    const rig = client();
    rig.events(settings([MAX_CONCURRENT_STREAMS, 0]));
    expect(rig.c.request(fieldList(GET), true)).toEqual({ ticket: 1 });
    expect(rig.events(settings([MAX_CONCURRENT_STREAMS, 1]))).toEqual(["settings", "opened 1 1"]);
    expect(rig.frames()).toEqual(["SETTINGS ack", "SETTINGS ack", "HEADERS 1 end"]);
  });
});

describe("the effect of our settings (rfc9113#6.5.3)", () => {
  test("begins with the acknowledgement, in the order in which they were sent", () => {
    const rig = server();
    rig.c.settings({ initialWindowSize: 10 });
    rig.c.settings({ initialWindowSize: 5 });
    expect(rig.frames()).toEqual(["SETTINGS 4=10", "SETTINGS 4=5"]);
    expect(rig.events(post(1), data(1, 11))).toEqual(["request 1", "data 1 11"]);
    expect(rig.events(SETTINGS_ACK)).toEqual(["settingsAcknowledged"]);
    expect(rig.events(post(3), data(3, 10))).toEqual(["request 3", "data 3 10"]);
    expect(rig.events(SETTINGS_ACK, post(5), data(5, 6))).toEqual([
      "settingsAcknowledged",
      "request 5",
      "reset 5 FLOW_CONTROL_ERROR by us windowExceeded",
    ]);
  });
  test("a smaller window shrinks those of open streams", () => {
    const rig = server();
    rig.events(post(1), data(1, 100));
    rig.c.settings({ initialWindowSize: 100 });
    expect(rig.events(SETTINGS_ACK, data(1, 1))).toEqual(["settingsAcknowledged", "reset 1 FLOW_CONTROL_ERROR by us windowExceeded"]);
  });
  test("owed credit is announced once it is half of the smaller window", () => {
    const rig = server();
    rig.events(post(1), data(1, 1_000));
    rig.c.consumed(id(1), 1_000);
    rig.c.settings({ initialWindowSize: 500 });
    expect(rig.frames()).toEqual(["SETTINGS 4=500"]);
    expect(rig.events(SETTINGS_ACK)).toEqual(["settingsAcknowledged"]);
    expect(rig.frames()).toEqual(["WINDOW_UPDATE 1 1000"]);
    expect(rig.events(data(1, 500), data(1, 1))).toEqual(["data 1 500", "reset 1 FLOW_CONTROL_ERROR by us windowExceeded"]);
  });
  test("a larger frame size is accepted after the acknowledgement", () => {
    const options = { settings: { maxFrameSize: 20_000 } };
    expect(play("server", ["", [post(1), data(1, 20_000)], [], [], options])[0]).toEqual(["request 1", "data 1 20000"]);
    const line: Case = ["", [post(1), data(1, 20_001)], ["request 1", "closed frameTooLarge"], ["GOAWAY 1 FRAME_SIZE_ERROR"], options];
    expect(play("server", line)).toEqual([line[2], line[3]]);
  });
  test("after a smaller header table the peer's encoder must send a size update", () => {
    const rig = server();
    rig.c.settings({ headerTableSize: 0 });
    rig.frames();
    expect(rig.events(SETTINGS_ACK, raw(1, 5, 1, "20828684010161"))).toEqual(["settingsAcknowledged", "request 1 end"]);
    const strict = server();
    strict.events(raw(1, 5, 1, "82 86 84 41 01 61".replaceAll(" ", "")));
    strict.c.settings({ headerTableSize: 0 });
    expect(strict.events(SETTINGS_ACK, raw(1, 5, 3, "828684be"))).toEqual(["settingsAcknowledged", "closed blockUndecodable"]);
  });
  test("a change that is not allowed throws Misuse", () => {
    const { c } = server({ settings: { enableConnectProtocol: true } });
    expect(() => c.settings({ enableConnectProtocol: false })).toThrow("withdrawn");
    expect(() => c.settings({ noRfc7540Priorities: true })).toThrow("cannot change");
    expect(() => c.settings({ maxHeaderListSize: 1 })).toThrow("cannot change");
    expect(() => c.settings({ maxFrameSize: 1 })).toThrow("maxFrameSize");
  });
});

test("headers() with an open block has no END_HEADERS", () => {
  expect(play("server", ["", [headers(1, GET, { open: true }), settings()], [], []])[0]).toEqual(["closed blockInterrupted"]);
});
