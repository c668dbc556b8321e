import { describe, expect, test } from "vitest";
import { concatenated } from "../core/index.ts";
import { ErrorCode } from "./error-code.ts";
import { fault, FAULTS, type FaultName } from "./faults.ts";
import { INITIAL_SETTINGS } from "./settings.ts";
import { fieldsOf, frameOf, GET, headers, id, POST, Rig, text, varints } from "./testing.ts";

const names = Object.keys(FAULTS) as FaultName[];

test("every fault has a scope, a code and a section", () => {
  for (const name of names) {
    const { scope, code, spec } = FAULTS[name];
    expect(["connection", "stream"]).toContain(scope);
    expect(Object.keys(ErrorCode)).toContain(code);
    expect(spec).toMatch(/^rfc\d{4}#\d+(\.\d+)*$/);
  }
});
test("a stream error without a stream is one of the connection", () => {
  expect(fault("contentLengthWrong").scope).toBe("connection");
  expect(fault("contentLengthWrong", id(4)).scope).toBe("stream");
});
test("the faults are the reviewed ones", () => {
  expect(names.map((name) => `${name}: ${FAULTS[name].scope} ${FAULTS[name].code} ${FAULTS[name].spec}`).join("\n")).toMatchSnapshot();
});

type Case = readonly [name: FaultName, mistake: (rig: Rig) => void, twin: (rig: Rig) => void];
const join = (...parts: readonly Uint8Array[]): Uint8Array => concatenated(parts);
const request =
  (...parts: readonly Uint8Array[]) =>
  (rig: Rig): void =>
    void rig.request(0, join(...parts));
const control =
  (...parts: readonly Uint8Array[]) =>
  (rig: Rig): void =>
    void rig.control(join(...parts));
const uni =
  (...streams: readonly (readonly number[])[]) =>
  (rig: Rig): void => {
    for (const [at, octets] of streams.entries()) rig.data(rig.uni(at + 1), Uint8Array.from(octets));
  };
const settings =
  (...values: readonly number[]) =>
  (rig: Rig): void =>
    void rig.ready(frameOf("SETTINGS", varints(...values)));
const withField = (name: string, value: string) => [...GET, [name, value] as const];
const without = (name: string) => GET.filter(([one]) => one !== name);
const fine = request(headers(GET));
const GOOD = headers(GET);
const BODY = frameOf("DATA", text("hello"));

/** Against a server that has its client's SETTINGS; with the same steps without the mistake. */
const SERVER: readonly Case[] = [
  ["fieldNameInvalid", request(headers(withField("Upper", "x"))), request(headers(withField("upper", "x")))],
  ["fieldValueInvalid", request(headers(withField("x", "a\nb"))), request(headers(withField("x", "a b")))],
  ["fieldConnectionSpecific", request(headers(withField("connection", "close"))), request(headers(withField("x-connection", "close")))],
  ["teNotTrailers", request(headers(withField("te", "gzip"))), request(headers(withField("te", "trailers")))],
  ["contentLengthInvalid", request(headers(withField("content-length", "x"))), request(headers(withField("content-length", "0")))],
  ["pseudoFieldUnknown", request(headers([...GET, [":x", "y"]])), fine],
  ["pseudoFieldLate", request(headers([["x", "y"], ...GET])), request(headers(withField("x", "y")))],
  ["pseudoFieldTwice", request(headers([...GET, [":path", "/"]])), fine],
  ["pseudoFieldMissing", request(headers(without(":path"))), fine],
  ["pseudoFieldInTrailers", request(headers(POST), headers([[":path", "/"]])), request(headers(POST), headers([["path", "/"]]))],
  ["schemeInvalid", request(headers([...without(":scheme"), [":scheme", "a b"]])), fine],
  ["authorityWithUserinfo", request(headers([...without(":authority"), [":authority", "me@example.com"]])), fine],
  ["authorityMissing", request(headers(without(":authority"))), fine],
  ["hostDiffers", request(headers(withField("host", "other.example"))), request(headers(withField("host", "example.com")))],
  [
    "connectMalformed",
    request(headers([[":method", "CONNECT"]])),
    request(
      headers([
        [":method", "CONNECT"],
        [":authority", "a:1"],
      ]),
    ),
  ],
  [
    "protocolNotEnabled",
    request(headers([[":method", "CONNECT"], ...GET.slice(1), [":protocol", "websocket"]])),
    request(
      headers([
        [":method", "CONNECT"],
        [":authority", "a:1"],
      ]),
    ),
  ],

  ["requestIncomplete", request(), fine],
  ["requestIncomplete", request(frameOf(0x21)), request(frameOf(0x21), GOOD)],
  ["dataBeforeHeaders", request(BODY, GOOD), request(headers(POST), BODY)],
  ["frameAfterTrailers", request(headers(POST), headers([["x", "y"]]), BODY), request(headers(POST), BODY, headers([["x", "y"]]))],
  [
    "frameAfterTrailers",
    request(headers(POST), headers([["x", "y"]]), headers([["x", "y"]])),
    request(headers(POST), headers([["x", "y"]])),
  ],
  [
    "headersInTunnel",
    request(
      headers([
        [":method", "CONNECT"],
        [":authority", "a:1"],
      ]),
      headers([["x", "y"]]),
    ),
    request(
      headers([
        [":method", "CONNECT"],
        [":authority", "a:1"],
      ]),
      BODY,
    ),
  ],
  [
    "contentLengthWrong",
    request(headers([...POST, ["content-length", "4"]]), BODY),
    request(headers([...POST, ["content-length", "5"]]), BODY),
  ],
  [
    "contentLengthWrong",
    request(headers([...POST, ["content-length", "6"]]), BODY),
    request(headers([...POST, ["content-length", "5"]]), BODY),
  ],
  [
    "contentLengthWrong",
    request(headers([...POST, ["content-length", "6"]]), BODY, headers([["x", "y"]])),
    request(headers([...POST, ["content-length", "5"]]), BODY, headers([["x", "y"]])),
  ],
  ["contentLengthWrong", request(headers([...POST, ["content-length", "6"]])), request(headers([...POST, ["content-length", "0"]]))],
  ["fieldSectionTooLarge", request(varints(1, 65_537)), request(varints(0x21, 65_537), new Uint8Array(65_537), GOOD)],

  ["controlStreamTwice", uni([0]), uni([2])],
  ["encoderStreamTwice", uni([2], [2]), uni([2], [3])],
  ["decoderStreamTwice", uni([3], [3]), uni([3], [2])],
  ["controlStreamClosed", (rig) => rig.control(new Uint8Array(0), true), (rig) => rig.data(rig.uni(3), varints(0x21), true)],
  ["controlStreamClosed", (rig) => rig.feed({ is: "reset", stream: 2, code: 0 }), (rig) => rig.feed({ is: "reset", stream: 6, code: 0 })],
  [
    "controlStreamClosed",
    (rig) => rig.feed({ is: "stopped", stream: 3, code: 0 }),
    (rig) => rig.feed({ is: "stopped", stream: 15, code: 0 }),
  ],
  ["encoderStreamClosed", (rig) => rig.data(6, varints(2), true), (rig) => rig.data(6, varints(2))],
  ["encoderStreamClosed", (rig) => rig.feed({ is: "stopped", stream: 7, code: 0 }), fine],
  ["decoderStreamClosed", (rig) => rig.data(6, varints(3), true), (rig) => rig.data(6, varints(3))],
  ["decoderStreamClosed", (rig) => rig.feed({ is: "stopped", stream: 11, code: 0 }), fine],
  ["pushStreamByClient", uni([1]), uni([0x21])],

  ["frameTruncated", request(GOOD, varints(0, 6), text("hello")), request(headers(POST), BODY)],
  ["frameTruncated", request(Uint8Array.of(1)), fine],
  ["frameTruncated", control(frameOf("GOAWAY")), control(frameOf("GOAWAY", varints(0)))],
  ["frameTruncated", control(frameOf("MAX_PUSH_ID", Uint8Array.of(0x40))), control(frameOf("MAX_PUSH_ID", varints(64)))],
  ["frameTooLong", control(frameOf("GOAWAY", varints(0, 0))), control(frameOf("GOAWAY", varints(0)))],
  ["dataOnControlStream", control(BODY), control(frameOf(0x21))],
  ["headersOnControlStream", control(GOOD), control(frameOf(0x40))],
  ["cancelPushOnRequestStream", request(frameOf("CANCEL_PUSH", varints(0)), GOOD), fine],
  ["cancelPushUnknown", control(frameOf("CANCEL_PUSH", varints(0))), control(frameOf("MAX_PUSH_ID", varints(0)))],
  ["settingsOnRequestStream", request(frameOf("SETTINGS"), GOOD), fine],
  ["settingsTwice", control(frameOf("SETTINGS")), control(frameOf(0x21))],
  ["pushPromiseOnControlStream", control(frameOf("PUSH_PROMISE", varints(0))), control(frameOf(0x21))],
  ["pushPromiseByClient", request(GOOD, frameOf("PUSH_PROMISE", varints(0))), request(GOOD, frameOf(0x21))],
  ["goawayOnRequestStream", request(GOOD, frameOf("GOAWAY", varints(0))), control(frameOf("GOAWAY", varints(0)))],
  [
    "goawayIdRises",
    control(frameOf("GOAWAY", varints(1)), frameOf("GOAWAY", varints(2))),
    control(frameOf("GOAWAY", varints(2)), frameOf("GOAWAY", varints(1))),
  ],
  ["maxPushIdOnRequestStream", request(GOOD, frameOf("MAX_PUSH_ID", varints(0))), control(frameOf("MAX_PUSH_ID", varints(0)))],
  [
    "maxPushIdFalls",
    control(frameOf("MAX_PUSH_ID", varints(2)), frameOf("MAX_PUSH_ID", varints(1))),
    control(frameOf("MAX_PUSH_ID", varints(1)), frameOf("MAX_PUSH_ID", varints(2))),
  ],
  ["frameReserved", request(GOOD, frameOf(0x2)), request(GOOD, frameOf(0xa))],
  ["frameReserved", request(GOOD, frameOf(0x6)), fine],
  ["frameReserved", request(GOOD, frameOf(0x8)), fine],
  ["frameReserved", control(frameOf(0x9)), control(frameOf(0xa))],
  ["priorityUpdateOnRequestStream", request(GOOD, frameOf("PRIORITY_UPDATE", varints(0))), control(frameOf("PRIORITY_UPDATE", varints(0)))],
  ["priorityUpdateIdInvalid", control(frameOf("PRIORITY_UPDATE", varints(2))), control(frameOf("PRIORITY_UPDATE", varints(4)))],
  ["priorityUpdateIdInvalid", control(frameOf("PRIORITY_UPDATE_PUSH", varints(0))), control(frameOf("PRIORITY_UPDATE", varints(0)))],

  ["sectionUndecodable", request(frameOf("HEADERS", Uint8Array.of(0, 0, 0xff, 0x80, 1))), fine],
  ["encoderStreamWrong", uni([2, 0x3f, 0xff, 0xff, 0x7f]), uni([2, 0x3f, 0xe1, 0x1f])],
  ["decoderStreamWrong", uni([3, 0x00]), uni([3])],
  ["datagramUnnegotiated", (rig) => rig.feed({ is: "datagram", octets: varints(0) }), fine],
];

describe("a server", () => {
  test.each(SERVER)("%s", (name, mistake, twin) => {
    const rig = new Rig("server").ready();
    mistake(rig);
    const { scope, code, spec } = FAULTS[name];
    expect(rig.verdict).toBe(`${scope} ${code} ${name} ${spec}`);
    // What the peer learns.
    expect(rig.transport.log.join("; ")).toContain(scope === "connection" ? `close ${code} ${name}` : `reset 0 ${code}`);
    const other = new Rig("server").ready();
    twin(other);
    expect(other.verdict).toBe("none");
    expect(other.transport.log.join("; ")).not.toContain("close");
  });
});

describe("SETTINGS", () => {
  test.each([
    ["settingReserved", settings(0x2, 0), settings(0x1, 0)],
    ["settingReserved", settings(0x5, 16_384), settings(0x6, 16_384)],
    ["settingRepeated", settings(0x6, 1, 0x6, 1), settings(0x6, 1, 0x7, 1)],
    ["settingRepeated", settings(0x21, 1, 0x21, 1), settings(0x21, 1, 0x40, 1)],
    ["connectSettingNot0Or1", settings(0x8, 2), settings(0x8, 1)],
    ["datagramSettingNot0Or1", settings(0x33, 2), settings(0x33, 1)],
    ["frameTruncated", settings(0x6), settings(0x6, 0)],
    ["settingsMissing", (rig: Rig) => rig.ready(frameOf("GOAWAY", varints(0))), settings()],
    ["settingsMissing", (rig: Rig) => rig.ready(frameOf(0x21)), settings()],
    ["frameTooLarge", (rig: Rig) => rig.ready(varints(4, 4_097)), (rig: Rig) => rig.ready(varints(4, 4_096))],
    ["settingsLate", (rig: Rig) => rig.feed({ is: "established" }).tick(10_000), (rig: Rig) => rig.ready().tick(10_000)],
  ] as const)("%s", (name, mistake, twin) => {
    const { scope, code, spec } = FAULTS[name];
    const rig = new Rig("server");
    mistake(rig);
    expect(rig.verdict).toBe(`${scope} ${code} ${name} ${spec}`);
    const other = new Rig("server");
    twin(other);
    expect(other.verdict).toBe("none");
  });
});

describe("SETTINGS of a server that has taken early data", () => {
  const before = { ...INITIAL_SETTINGS, maxFieldSectionSize: 1_000, qpackMaxTableCapacity: 100 };
  const after = (accepted: boolean, ...values: readonly number[]): string => {
    const rig = new Rig("client", { remembered: before }).feed({ is: "earlyData", accepted });
    return rig.ready(frameOf("SETTINGS", varints(...values))).verdict;
  };
  const { scope, code, spec } = FAULTS.settingsReduced;
  test.each([
    ["a limit falls", [1, 100, 6, 999]],
    ["one is missing that was there", [1, 100]],
    ["a table shrinks to nothing", [6, 1_000]],
  ])("%s", (_, values) => {
    expect(after(true, ...values)).toBe(`${scope} ${code} settingsReduced ${spec}`);
    expect(after(false, ...values)).toBe("none");
    expect(after(true, 1, 100, 6, 1_000)).toBe("none");
    expect(after(true, 1, 200, 6, 2_000, 7, 5)).toBe("none");
  });
});

/** Against a client that has sent a GET on stream 0. */
const response =
  (...parts: readonly Uint8Array[]) =>
  (rig: Rig) =>
    void rig.data(0, join(...parts), true);
const OK = headers([[":status", "200"]]);
const status = (code: string): Uint8Array => headers([[":status", code]]);
describe("a client", () => {
  test.each([
    ["statusMissing", response(headers([["x", "y"]])), response(OK)],
    ["statusInvalid", response(status("20")), response(status("204"))],
    ["statusSwitching", response(status("101"), OK), response(status("103"), OK)],
    ["responseIncomplete", response(status("103")), response(status("103"), OK)],
    ["responseIncomplete", response(), response(OK)],
    ["contentForbidden", response(status("204"), BODY), response(status("200"), BODY)],
    [
      "contentLengthWrong",
      response(
        headers([
          [":status", "200"],
          ["content-length", "6"],
        ]),
        BODY,
      ),
      response(
        headers([
          [":status", "200"],
          ["content-length", "5"],
        ]),
        BODY,
      ),
    ],
    ["bidirectionalByServer", (rig: Rig) => rig.open(1), (rig: Rig) => rig.open(3)],
    ["pushStreamUnallowed", uni([1]), uni([0x21])],
    ["pushPromiseUnallowed", response(frameOf("PUSH_PROMISE", varints(0)), OK), response(frameOf(0x21), OK)],
    ["cancelPushUnknown", control(frameOf("CANCEL_PUSH", varints(0))), control(frameOf(0x21))],
    ["maxPushIdByServer", control(frameOf("MAX_PUSH_ID", varints(0))), control(frameOf(0x21))],
    ["priorityUpdateByServer", control(frameOf("PRIORITY_UPDATE", varints(0))), control(frameOf(0x21))],
    [
      "goawayIdInvalid",
      control(frameOf("GOAWAY", new Uint8Array(8).fill(0xff))),
      control(frameOf("GOAWAY", Uint8Array.of(...new Uint8Array(7).fill(0xff), 0xfc))),
    ],
    ["goawayIdInvalid", control(frameOf("GOAWAY", varints(1))), control(frameOf("GOAWAY", varints(4)))],
    [
      "goawayIdRises",
      control(frameOf("GOAWAY", varints(4)), frameOf("GOAWAY", varints(8))),
      control(frameOf("GOAWAY", varints(8)), frameOf("GOAWAY", varints(4))),
    ],
  ] as const)("%s", (name, mistake, twin) => {
    const asked = (): Rig => {
      const rig = new Rig("client").ready();
      rig.connection.request(fieldsOf(GET), true);
      return rig;
    };
    const { scope, code, spec } = FAULTS[name];
    const rig = asked();
    mistake(rig);
    expect(rig.verdict).toBe(`${scope} ${code} ${name} ${spec}`);
    const other = asked();
    twin(other);
    expect(other.verdict).toBe("none");
  });
});
