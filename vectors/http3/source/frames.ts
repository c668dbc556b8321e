import type { VectorSource } from "../../write.ts";
import { frame, headers, hex, integer, section, type FrameVector, GET } from "./craft.ts";

type Row = VectorSource<FrameVector>["vectors"][number];
type On = Row["on"];
type To = Row["to"];

const NAMES = { CANCEL_PUSH: 0x3, GOAWAY: 0x7, MAX_PUSH_ID: 0xd } as const;
type Integer = keyof typeof NAMES;
const SPECS: Readonly<Record<string, string>> = {
  DATA: "rfc9114#7.2.1",
  HEADERS: "rfc9114#7.2.2",
  CANCEL_PUSH: "rfc9114#7.2.3",
  SETTINGS: "rfc9114#7.2.4",
  PUSH_PROMISE: "rfc9114#7.2.5",
  GOAWAY: "rfc9114#7.2.6",
  MAX_PUSH_ID: "rfc9114#7.2.7",
  PRIORITY_UPDATE: "rfc9218#7.2",
};

type What = readonly [note: string, spec: string];
type Place = readonly [To, On];

const loose = ([note, spec]: What, [to, on]: Place, wire: string, frame: NonNullable<Row["frame"]>): Row => ({
  note,
  spec,
  to,
  on,
  wire,
  result: "valid",
  frame,
  flags: ["Form"],
});
/** In the only form that a writer chooses. */
const valid = (what: What, place: Place, wire: string, members: NonNullable<Row["frame"]>): Row => ({
  ...loose(what, place, wire, members),
  flags: ["Form", "Canonical"],
});
const invalid = (
  [note, spec]: What,
  [to, on]: Place,
  wire: string,
  [code, fault, flag, end]: readonly [code: string, fault: string, flag: string, end?: true],
): Row => ({
  note,
  spec,
  to,
  on,
  wire,
  ...(end && { end }),
  result: "invalid",
  scope: "connection",
  code,
  fault,
  flags: [flag],
});

const CONTROL = ["server", "control"] as const;
const REQUEST = ["server", "request"] as const;
const AT_CLIENT = ["client", "control"] as const;

/** A frame of one integer, in each form, and with each mistake of its layout. */
const integers = (name: Integer, place: readonly [To, On], value: number): Row[] => {
  const [type, spec] = [NAMES[name], SPECS[name]!];
  const isRefused = name === "CANCEL_PUSH";
  const forms: Row[] = isRefused
    ? []
    : [
        valid([`${name}: an identifier`, spec], place, frame(type, integer(value)), { is: name, id: value }),
        loose([`${name}: an identifier in two octets`, "rfc9000#16"], place, frame(type, integer(value, 2)), { is: name, id: value }),
        loose([`${name}: type and length in longer forms`, "rfc9000#16"], place, integer(type, 2) + integer(1, 4) + integer(value), { is: name, id: value }),
        valid([`${name}: the greatest exact identifier that fits`, spec], place, frame(type, integer(2 ** 40)), { is: name, id: 2 ** 40 }),
      ];
  return [
    ...forms,
    invalid([`${name}: empty`, "rfc9114#7.1"], place, frame(type), ["H3_FRAME_ERROR", "frameTruncated", "Layout"]),
    invalid([`${name}: an identifier cut short`, "rfc9114#7.1"], place, frame(type, "40"), ["H3_FRAME_ERROR", "frameTruncated", "Layout"]),
    invalid([`${name}: an octet after the identifier`, "rfc9114#7.1"], place, frame(type, `${integer(value)}00`), ["H3_FRAME_ERROR", "frameTooLong", "Layout"]),
  ];
};

const MISPLACED: readonly (readonly [string, number, string, readonly [To, On], string, string])[] = [
  ["DATA", 0x0, hex("a"), CONTROL, "dataOnControlStream", "H3_FRAME_UNEXPECTED"],
  ["HEADERS", 0x1, section(GET), CONTROL, "headersOnControlStream", "H3_FRAME_UNEXPECTED"],
  ["CANCEL_PUSH", 0x3, "00", REQUEST, "cancelPushOnRequestStream", "H3_FRAME_UNEXPECTED"],
  ["SETTINGS", 0x4, "", REQUEST, "settingsOnRequestStream", "H3_FRAME_UNEXPECTED"],
  ["PUSH_PROMISE", 0x5, `00${section(GET)}`, CONTROL, "pushPromiseOnControlStream", "H3_FRAME_UNEXPECTED"],
  ["PUSH_PROMISE", 0x5, `00${section(GET)}`, REQUEST, "pushPromiseByClient", "H3_FRAME_UNEXPECTED"],
  ["PUSH_PROMISE", 0x5, `00${section(GET)}`, ["client", "request"], "pushPromiseUnallowed", "H3_ID_ERROR"],
  ["GOAWAY", 0x7, "00", ["client", "request"], "goawayOnRequestStream", "H3_FRAME_UNEXPECTED"],
  ["MAX_PUSH_ID", 0xd, "00", REQUEST, "maxPushIdOnRequestStream", "H3_FRAME_UNEXPECTED"],
  ["MAX_PUSH_ID", 0xd, "00", AT_CLIENT, "maxPushIdByServer", "H3_FRAME_UNEXPECTED"],
  ["PRIORITY_UPDATE", 0xf0700, `00${hex("u=1")}`, REQUEST, "priorityUpdateOnRequestStream", "H3_FRAME_UNEXPECTED"],
  ["PRIORITY_UPDATE", 0xf0700, `00${hex("u=1")}`, AT_CLIENT, "priorityUpdateByServer", "H3_FRAME_UNEXPECTED"],
];
const HTTP2_TYPES = [0x2, 0x6, 0x8, 0x9] as const;

/** Every frame: each form, each place, each mistake of its layout. */
export const source: VectorSource<FrameVector> = {
  about: "Frames: one each, on a control stream after SETTINGS, or on a request stream after HEADERS",
  spec: "rfc9114#7.2",
  flags: {
    Form: { why: "a form that a frame may have", bug: "BASICS" },
    Canonical: { why: "the shortest form: an encoder gives the same octets", bug: "WRONG_LAYOUT" },
    Layout: { why: "a payload that is too short or too long for its fields, or a stream that ends within it", bug: "MISSING_CHECK" },
    Place: { why: "a frame on a stream, or from a side, that must not send it", bug: "MISSING_CHECK" },
    Value: { why: "an identifier that is not allowed", bug: "MISSING_CHECK" },
    Ignored: { why: "a type that has no meaning to the receiver", bug: "TOO_STRICT" },
  },
  vectors: [
    valid(["DATA: content", SPECS["DATA"]!], REQUEST, frame(0, hex("hello")), { is: "DATA", data: hex("hello") }),
    valid(["DATA: empty", SPECS["DATA"]!], REQUEST, frame(0), { is: "DATA", data: "" }),
    valid(["DATA: 64 octets, whose length takes two", SPECS["DATA"]!], REQUEST, frame(0, "61".repeat(64)), { is: "DATA", data: "61".repeat(64) }),
    loose(["DATA: type and length in eight octets", "rfc9000#16"], REQUEST, integer(0, 8) + integer(1, 8) + hex("a"), { is: "DATA", data: hex("a") }),
    valid(["HEADERS: trailers", SPECS["HEADERS"]!], REQUEST, headers([["x", "1"]]), { is: "HEADERS", section: section([["x", "1"]]) }),
    ...integers("GOAWAY", CONTROL, 5),
    ...integers("MAX_PUSH_ID", CONTROL, 8),
    ...integers("CANCEL_PUSH", CONTROL, 1),
    valid(["GOAWAY: of a server, a request", SPECS["GOAWAY"]!], AT_CLIENT, frame(7, integer(8)), { is: "GOAWAY", id: 8 }),
    ...[1, 2, 3].map((id) => invalid([`GOAWAY: of a server, ${["a stream of its own", "a unidirectional stream of the client", "a unidirectional stream of its own"][id - 1]}`, SPECS["GOAWAY"]!], AT_CLIENT, frame(7, integer(id)), ["H3_ID_ERROR", "goawayIdInvalid", "Value"])),
    invalid(["CANCEL_PUSH: of a client, for a push that was never promised", SPECS["CANCEL_PUSH"]!], CONTROL, frame(3, "00"), ["H3_ID_ERROR", "cancelPushUnknown", "Value"]),
    invalid(["CANCEL_PUSH: of a server, beyond what the client allows", SPECS["CANCEL_PUSH"]!], AT_CLIENT, frame(3, "00"), ["H3_ID_ERROR", "cancelPushUnknown", "Value"]),
    valid(["PRIORITY_UPDATE: of a request", SPECS["PRIORITY_UPDATE"]!], CONTROL, frame(0xf0700, `${integer(4)}${hex("u=3")}`), { is: "PRIORITY_UPDATE", id: 4, priority: "u=3" }),
    valid(["PRIORITY_UPDATE: without a value", SPECS["PRIORITY_UPDATE"]!], CONTROL, frame(0xf0700, integer(0)), { is: "PRIORITY_UPDATE", id: 0, priority: "" }),
    invalid(["PRIORITY_UPDATE: empty", "rfc9114#7.1"], CONTROL, frame(0xf0700), ["H3_FRAME_ERROR", "frameTruncated", "Layout"]),
    ...[1, 2, 3].map((id) => invalid([`PRIORITY_UPDATE: of stream ${id}, which carries no request`, SPECS["PRIORITY_UPDATE"]!], CONTROL, frame(0xf0700, integer(id)), ["H3_ID_ERROR", "priorityUpdateIdInvalid", "Value"])),
    invalid(["PRIORITY_UPDATE: of a push that was never promised", SPECS["PRIORITY_UPDATE"]!], CONTROL, frame(0xf0701, "00"), ["H3_ID_ERROR", "priorityUpdateIdInvalid", "Value"]),
    ...MISPLACED.map(([name, type, payload, place, fault, code]) => invalid([`${name}: on a ${place[1]} stream, to a ${place[0]}`, SPECS[name]!], place, frame(type, payload), [code, fault, "Place"])),
    ...HTTP2_TYPES.flatMap((type) => [CONTROL, REQUEST].map((place) => invalid([`type 0x${type}, which only HTTP/2 has, on a ${place[1]} stream`, "rfc9114#7.2.8"], place, frame(type, "0000"), ["H3_FRAME_UNEXPECTED", "frameReserved", "Place"]))),
    ...[CONTROL, REQUEST, AT_CLIENT].flatMap((place): Row[] =>
      [0x21, 0x21 + 0x1f * 1_000, 0xb7, 2 ** 40].map((type) => ({ note: `type 0x${type.toString(16)}, on a ${place[1]} stream, to a ${place[0]}`, spec: "rfc9114#9", to: place[0], on: place[1], wire: frame(type, "0102"), result: "valid", frame: { is: "unknown" }, flags: ["Ignored"] })),
    ),
    invalid(["DATA: the stream ends within the payload", "rfc9114#7.1"], REQUEST, `${integer(0)}${integer(5)}${hex("abc")}`, ["H3_FRAME_ERROR", "frameTruncated", "Layout", true]),
    invalid(["HEADERS: the stream ends within the payload", "rfc9114#7.1"], REQUEST, `${integer(1)}${integer(5)}0000`, ["H3_FRAME_ERROR", "frameTruncated", "Layout", true]),
    invalid(["the stream ends after a type", "rfc9114#7.1"], REQUEST, "00", ["H3_FRAME_ERROR", "frameTruncated", "Layout", true]),
    invalid(["the stream ends within a type", "rfc9114#7.1"], REQUEST, "40", ["H3_FRAME_ERROR", "frameTruncated", "Layout", true]),
    invalid(["the stream ends within the payload of an unknown frame", "rfc9114#7.1"], REQUEST, "210500", ["H3_FRAME_ERROR", "frameTruncated", "Layout", true]),
  ],
};
