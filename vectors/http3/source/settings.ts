import type { VectorSource } from "../../write.ts";
import { frame, integer, type FrameVector } from "./craft.ts";

type Row = VectorSource<FrameVector>["vectors"][number];
type Pairs = readonly (readonly [number, number])[];

const payload = (pairs: Pairs): string => pairs.map(([id, value]) => integer(id) + integer(value)).join("");
const base = { to: "server", on: "control" } as const;

type What = readonly [note: string, spec: string];

const valid = ([note, spec]: What, pairs: Pairs, settings: Readonly<Record<string, number>>, flags: readonly string[]): Row => ({
  note,
  spec,
  ...base,
  wire: frame(4, payload(pairs)),
  result: "valid",
  frame: { is: "SETTINGS", settings },
  flags: [...flags],
});
const invalid = (
  [note, spec]: What,
  content: string,
  [code, fault, flag]: readonly [code: string, fault: string, flag: string],
): Row => ({
  note,
  spec,
  ...base,
  wire: frame(4, content),
  result: "invalid",
  scope: "connection",
  code,
  fault,
  flags: [flag],
});

const KNOWN: readonly (readonly [string, number, string])[] = [
  ["QPACK_MAX_TABLE_CAPACITY", 0x1, "rfc9204#5"],
  ["MAX_FIELD_SECTION_SIZE", 0x6, "rfc9114#7.2.4.1"],
  ["QPACK_BLOCKED_STREAMS", 0x7, "rfc9204#5"],
];
const FLAGS: readonly (readonly [string, number, string, string])[] = [
  ["ENABLE_CONNECT_PROTOCOL", 0x8, "rfc8441#3", "connectSettingNot0Or1"],
  ["H3_DATAGRAM", 0x33, "rfc9297#2.1.1", "datagramSettingNot0Or1"],
];

/** SETTINGS as the first frame of a control stream. */
export const source: VectorSource<FrameVector> = {
  about: "SETTINGS: the first frame of a control stream",
  spec: "rfc9114#7.2.4",
  flags: {
    Value: { why: "a setting with a value that it may have", bug: "BASICS" },
    Canonical: { why: "in the order of identifiers and in the shortest form: an encoder may give the same octets", bug: "WRONG_LAYOUT" },
    Ignored: { why: "an unknown or reserved setting, which has no meaning", bug: "TOO_STRICT" },
    Reserved: { why: "a setting that only HTTP/2 has", bug: "MISSING_CHECK" },
    Range: { why: "a value beyond those that the setting may have", bug: "MISSING_CHECK" },
    Layout: { why: "a payload that ends within a setting", bug: "MISSING_CHECK" },
    Twice: { why: "a setting that comes twice", bug: "MISSING_CHECK" },
  },
  vectors: [
    valid(["none", "rfc9114#7.2.4"], [], {}, ["Value", "Canonical"]),
    ...KNOWN.flatMap(([name, id, spec]) => [
      valid([`${name}: a value`, spec], [[id, 100]], { [name]: 100 }, ["Value", "Canonical"]),
      valid([`${name}: a value of eight octets`, spec], [[id, 2 ** 40]], { [name]: 2 ** 40 }, ["Value", "Canonical"]),
      valid([`${name}: 0`, spec], [[id, 0]], { [name]: 0 }, ["Value"]),
    ]),
    ...FLAGS.flatMap(([name, id, spec, fault]) => [
      valid([`${name}: 1`, spec], [[id, 1]], { [name]: 1 }, ["Value", "Canonical"]),
      valid([`${name}: 0`, spec], [[id, 0]], { [name]: 0 }, ["Value"]),
      invalid([`${name}: 2`, spec], payload([[id, 2]]), ["H3_SETTINGS_ERROR", fault, "Range"]),
      invalid([`${name}: 64, in two octets`, spec], payload([[id, 64]]), ["H3_SETTINGS_ERROR", fault, "Range"]),
    ]),
    valid(["all that are known", "rfc9114#7.2.4"], [[1, 4_096], [6, 65_536], [7, 16], [8, 1], [0x33, 1]], { QPACK_MAX_TABLE_CAPACITY: 4_096, MAX_FIELD_SECTION_SIZE: 65_536, QPACK_BLOCKED_STREAMS: 16, ENABLE_CONNECT_PROTOCOL: 1, H3_DATAGRAM: 1 }, ["Value", "Canonical"]),
    { ...valid(["an identifier in four octets", "rfc9000#16"], [], { MAX_FIELD_SECTION_SIZE: 10 }, ["Value"]), wire: frame(4, integer(6, 4) + integer(10)) },
    valid(["another order", "rfc9114#7.2.4"], [[7, 16], [1, 4_096]], { QPACK_MAX_TABLE_CAPACITY: 4_096, QPACK_BLOCKED_STREAMS: 16 }, ["Value"]),
    ...[0x21, 0x21 + 0x1f * 5_000, 0x9, 0x4d44, 2 ** 45].map((id) => valid([`identifier 0x${id.toString(16)}, which has no meaning`, "rfc9114#7.2.4.1"], [[id, 7], [6, 50]], { MAX_FIELD_SECTION_SIZE: 50 }, ["Ignored"])),
    ...[0x0, 0x2, 0x3, 0x4, 0x5].map((id) => invalid([`identifier 0x${id}, which only HTTP/2 has`, "rfc9114#7.2.4.1"], payload([[id, 0]]), ["H3_SETTINGS_ERROR", "settingReserved", "Reserved"])),
    invalid(["identifier 0x2 after others", "rfc9114#7.2.4.1"], payload([[6, 100], [0x21, 0], [2, 0]]), ["H3_SETTINGS_ERROR", "settingReserved", "Reserved"]),
    invalid(["an identifier without a value", "rfc9114#7.1"], "06", ["H3_FRAME_ERROR", "frameTruncated", "Layout"]),
    invalid(["a value cut short", "rfc9114#7.1"], "0640", ["H3_FRAME_ERROR", "frameTruncated", "Layout"]),
    invalid(["an identifier cut short", "rfc9114#7.1"], "061440", ["H3_FRAME_ERROR", "frameTruncated", "Layout"]),
    { ...invalid(["the same setting twice", "rfc9114#7.2.4"], payload([[6, 100], [6, 100]]), ["H3_SETTINGS_ERROR", "settingRepeated", "Twice"]), result: "acceptable", frame: { is: "SETTINGS", settings: { MAX_FIELD_SECTION_SIZE: 100 } } },
  ],
};
