import { describe, expect, test } from "vitest";
import { applySettings, checkSettings, printSetting, settingsFrame } from "./values.ts";
import type { Side } from "../stream/id.ts";
import { INITIAL_SETTINGS, ROWS, SettingId, type SettingName, type Settings } from "./table.ts";

type Given = { readonly from?: Side; readonly first?: boolean; readonly old?: Settings };
const apply = (id: number, value: number, { from = "client", first = true, old = INITIAL_SETTINGS }: Given = {}) => {
  const got = applySettings(old, [{ id, value }], { from, isFirst: first });
  return "is" in got ? got.name : got;
};

test("before any SETTINGS frame the values are those of the specification (rfc9113#6.5.2, rfc8441#3, rfc9218#2.1)", () => {
  expect(INITIAL_SETTINGS).toEqual({
    headerTableSize: 4_096,
    enablePush: true,
    maxConcurrentStreams: Number.POSITIVE_INFINITY,
    initialWindowSize: 65_535,
    maxFrameSize: 16_384,
    maxHeaderListSize: Number.POSITIVE_INFINITY,
    enableConnectProtocol: false,
    noRfc7540Priorities: false,
  });
});

describe("applySettings()", () => {
  test.each([
    [SettingId.HEADER_TABLE_SIZE, 0, { headerTableSize: 0 }],
    [SettingId.HEADER_TABLE_SIZE, 0xffff_ffff, { headerTableSize: 0xffff_ffff }],
    [SettingId.ENABLE_PUSH, 0, { enablePush: false }],
    [SettingId.ENABLE_PUSH, 1, { enablePush: true }],
    [SettingId.MAX_CONCURRENT_STREAMS, 0, { maxConcurrentStreams: 0 }],
    [SettingId.INITIAL_WINDOW_SIZE, 0x7fff_ffff, { initialWindowSize: 0x7fff_ffff }],
    [SettingId.MAX_FRAME_SIZE, 16_384, { maxFrameSize: 16_384 }],
    [SettingId.MAX_FRAME_SIZE, 0xff_ffff, { maxFrameSize: 0xff_ffff }],
    [SettingId.MAX_HEADER_LIST_SIZE, 0, { maxHeaderListSize: 0 }],
    [SettingId.ENABLE_CONNECT_PROTOCOL, 1, { enableConnectProtocol: true }],
    [SettingId.NO_RFC7540_PRIORITIES, 1, { noRfc7540Priorities: true }],
    [0xf00, 0xffff_ffff, {}],
  ])("takes %s = %s", (id, value, change) => {
    expect(apply(id, value)).toEqual({ ...INITIAL_SETTINGS, ...change });
  });

  test.each([
    [SettingId.ENABLE_PUSH, 2, "enablePushNot0Or1"],
    [SettingId.INITIAL_WINDOW_SIZE, 0x8000_0000, "initialWindowTooLarge"],
    [SettingId.MAX_FRAME_SIZE, 16_383, "maxFrameSizeOutOfRange"],
    [SettingId.MAX_FRAME_SIZE, 0x100_0000, "maxFrameSizeOutOfRange"],
    [SettingId.ENABLE_CONNECT_PROTOCOL, 2, "enableConnectProtocolNot0Or1"],
    [SettingId.NO_RFC7540_PRIORITIES, 2, "noRfc7540PrioritiesNot0Or1"],
  ])("refuses %s = %s", (id, value, name) => {
    expect(apply(id, value)).toBe(name);
  });

  test("a server must not enable push", () => {
    expect(apply(SettingId.ENABLE_PUSH, 1, { from: "server" })).toBe("enablePushByServer");
    expect(apply(SettingId.ENABLE_PUSH, 0, { from: "server" })).toMatchObject({ enablePush: false });
  });

  test("extended CONNECT cannot be withdrawn, not even within one frame", () => {
    const old = { ...INITIAL_SETTINGS, enableConnectProtocol: true };
    expect(apply(SettingId.ENABLE_CONNECT_PROTOCOL, 0, { old, first: false })).toBe("enableConnectProtocolWithdrawn");
    expect(apply(SettingId.ENABLE_CONNECT_PROTOCOL, 1, { old, first: false })).toMatchObject({ enableConnectProtocol: true });
    const id = SettingId.ENABLE_CONNECT_PROTOCOL;
    const both = [
      { id, value: 1 },
      { id, value: 0 },
    ];
    expect(applySettings(INITIAL_SETTINGS, both, { from: "server", isFirst: true })).toMatchObject({
      name: "enableConnectProtocolWithdrawn",
    });
  });

  test("NO_RFC7540_PRIORITIES cannot change after the first frame", () => {
    expect(apply(SettingId.NO_RFC7540_PRIORITIES, 1, { first: false })).toBe("noRfc7540PrioritiesChanged");
    expect(apply(SettingId.NO_RFC7540_PRIORITIES, 0, { first: false })).toMatchObject({ noRfc7540Priorities: false });
  });

  test("the last of repeated parameters counts, and an empty frame changes nothing", () => {
    const id = SettingId.MAX_CONCURRENT_STREAMS;
    const twice = [
      { id, value: 1 },
      { id, value: 2 },
    ];
    expect(applySettings(INITIAL_SETTINGS, twice, { from: "client", isFirst: true })).toMatchObject({ maxConcurrentStreams: 2 });
    expect(applySettings(INITIAL_SETTINGS, [], { from: "client", isFirst: true })).toBe(INITIAL_SETTINGS);
  });
});

test("settingsFrame(): contains what differs, and leads back to the same settings", () => {
  const ours: Settings = {
    ...INITIAL_SETTINGS,
    maxConcurrentStreams: 100,
    initialWindowSize: 1,
    enablePush: false,
    noRfc7540Priorities: true,
  };
  const frame = settingsFrame(INITIAL_SETTINGS, ours);
  expect(frame).toEqual([
    { id: SettingId.ENABLE_PUSH, value: 0 },
    { id: SettingId.MAX_CONCURRENT_STREAMS, value: 100 },
    { id: SettingId.INITIAL_WINDOW_SIZE, value: 1 },
    { id: SettingId.NO_RFC7540_PRIORITIES, value: 1 },
  ]);
  expect(applySettings(INITIAL_SETTINGS, frame, { from: "client", isFirst: true })).toEqual(ours);
  expect(settingsFrame(ours, { ...ours, maxConcurrentStreams: Number.POSITIVE_INFINITY })).toEqual([
    { id: SettingId.MAX_CONCURRENT_STREAMS, value: 0xffff_ffff },
  ]);
});

test.each([
  ["initialWindowSize", -1],
  ["initialWindowSize", 0x8000_0000],
  ["initialWindowSize", 1.5],
  ["initialWindowSize", Number.POSITIVE_INFINITY],
  ["maxFrameSize", 16_383],
  ["maxConcurrentStreams", Number.NaN],
  ["headerTableSize", 2 ** 32],
  ["maxHeaderListSize", -1],
])("checkSettings(): %s = %s throws Misuse", (name, value) => {
  expect(() => checkSettings({ ...INITIAL_SETTINGS, [name]: value }, "client")).toThrow(name);
});

test("checkSettings(): a server cannot enable push, a client can", () => {
  expect(() => checkSettings(INITIAL_SETTINGS, "server")).toThrow("enablePush");
  expect(() => checkSettings(INITIAL_SETTINGS, "client")).not.toThrow();
});

describe.each(ROWS)("%s", (key, { id, wire, initial, ours, range: [least, most], fault }) => {
  const other = typeof initial === "boolean" ? !initial : least + 1;

  test("its smallest and its largest value are accepted, and none beyond", () => {
    for (const value of [least, most]) expect(typeof apply(id, value)).toBe("object");
    const beyond = [least - 1, most + 1].filter((value) => value >= 0 && value <= 0xffff_ffff);
    expect(beyond.map((value) => apply(id, value))).toEqual(beyond.map(() => fault));
    expect(fault === undefined).toBe(beyond.length === 0);
  });
  test("a changed value crosses the wire and comes back", () => {
    const next: Settings = { ...INITIAL_SETTINGS, [key]: other };
    const frame = settingsFrame(INITIAL_SETTINGS, next);
    expect(frame.map((setting) => setting.id)).toEqual([id]);
    expect(applySettings(INITIAL_SETTINGS, frame, { from: "client", isFirst: true })).toEqual(next);
    expect(frame.map(printSetting)).toEqual([`${wire}=${Number(other)}`]);
  });
  test("its identifier and its name belong to no other setting", () => {
    expect(ROWS.filter(([, row]) => row.id === id || row.wire === wire)).toHaveLength(1);
    expect(SettingId[wire as SettingName]).toBe(id);
  });
  test("our own value is one that a peer accepts", () => {
    const value = Number(ours ?? initial);
    expect(value === Number.POSITIVE_INFINITY || (value >= least && value <= most)).toBe(true);
  });
});

test("printSetting(): an unknown identifier is a number", () => {
  expect(printSetting({ id: 0xf00, value: 7 })).toBe("0xf00=7");
});
