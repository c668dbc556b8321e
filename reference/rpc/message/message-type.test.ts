import fc from "fast-check";
import protobuf from "protobufjs";
import { describe, expect, test } from "vitest";
import { type AnyMessage, loadContract, messageTypes } from "../contract/index.ts";
import { MalformedMessage, type MessageType, unknownFields } from "./index.ts";

const PROTO3 = `syntax = "proto3"; package t;
enum Color { COLOR_NONE = 0; COLOR_RED = 1; COLOR_BLUE = -2; }
message Inner { int32 a = 1; string b = 2; }
message All {
  double f_double = 1; float f_float = 2; int32 f_int32 = 3; int64 f_int64 = 4; uint32 f_uint32 = 5; uint64 f_uint64 = 6;
  sint32 f_sint32 = 7; sint64 f_sint64 = 8; fixed32 f_fixed32 = 9; fixed64 f_fixed64 = 10; sfixed32 f_sfixed32 = 11; sfixed64 f_sfixed64 = 12;
  bool f_bool = 13; string f_string = 14; bytes f_bytes = 15; Color f_color = 16; Inner f_inner = 17; All f_all = 18;
  repeated int32 l_int32 = 21; repeated string l_string = 22; repeated Inner l_inner = 23; repeated sint64 l_sint64 = 24; repeated Color l_color = 25;
  repeated int32 l_expanded = 26 [packed = false];
  map<string, int32> m_int32 = 31; map<int64, Inner> m_inner = 32; map<bool, bytes> m_bytes = 33;
  oneof choice { string o_text = 41; Inner o_inner = 42; bool o_flag = 43; }
  optional int32 p_int32 = 51; optional string p_string = 52;
  int32 constructor = 61; int32 to_string = 62 [json_name = "TS"];
}
message Newer { int32 f_int32 = 3; Inner f_inner = 17; string extra = 500; fixed64 more = 501; }
message Older { int32 f_int32 = 3; }`;
const PROTO2 = `syntax = "proto2"; package t;
enum Closed { ONE = 1; TWO = 2; }
enum Zero { option allow_alias = true; Z = 0; ZERO = 0; }
message Two { required int32 a = 1; optional string s = 2; optional Closed c = 3; repeated Closed l = 4 [packed = true];
  optional group G = 5 { optional int32 x = 1; } repeated group H = 6 { optional int32 y = 1; } map<string, Zero> m = 7; }`;

const typesIn = (text: string): ReadonlyMap<string, MessageType<AnyMessage>> => {
  const loaded = loadContract(["t.proto"], (path) => (path === "t.proto" ? text : undefined));
  if (loaded.is === "problems") throw new Error(JSON.stringify(loaded.problems));
  return messageTypes(loaded.contract);
};
const TYPES = typesIn(PROTO3);
const all = TYPES.get("t.All")!;
const two = typesIn(PROTO2).get("t.Two")!;
const theirs = protobuf.parse(PROTO3, { keepCase: false }).root.lookupType("t.All");

const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 80 }), fc.string({ maxLength: 10 }));
const bits = (count: bigint, isSigned: boolean) =>
  isSigned ? fc.bigInt({ min: -(1n << (count - 1n)), max: (1n << (count - 1n)) - 1n }) : fc.bigInt({ min: 0n, max: (1n << count) - 1n });
const int32 = fc.integer({ min: -2_147_483_648, max: 2_147_483_647 });
const uint32 = fc.integer({ min: 0, max: 4_294_967_295 });
const octets = fc.uint8Array({ maxLength: 300 });
const inner = fc.record({ a: int32, b: text });
const fields = {
  fDouble: fc.double(),
  fFloat: fc.float(),
  fInt32: int32,
  fInt64: bits(64n, true),
  fUint32: uint32,
  fUint64: bits(64n, false),
  fSint32: int32,
  fSint64: bits(64n, true),
  fFixed32: uint32,
  fFixed64: bits(64n, false),
  fSfixed32: int32,
  fSfixed64: bits(64n, true),
  fBool: fc.boolean(),
  fString: text,
  fBytes: octets,
  fColor: fc.oneof(fc.constantFrom(0, 1, -2), int32),
  fInner: inner,
  lInt32: fc.array(int32),
  lString: fc.array(text),
  lInner: fc.array(inner),
  lSint64: fc.array(bits(64n, true)),
  lColor: fc.array(fc.constantFrom(0, 1, -2)),
  lExpanded: fc.array(int32),
  mInt32: fc.array(fc.tuple(text, int32)).map((entries) => new Map(entries)),
  mInner: fc.array(fc.tuple(bits(64n, true), inner)).map((entries) => new Map(entries)),
  mBytes: fc.array(fc.tuple(fc.boolean(), octets)).map((entries) => new Map(entries)),
  choice: fc.oneof(
    fc.record({ is: fc.constant("oText"), value: text }),
    fc.record({ is: fc.constant("oInner"), value: inner }),
    fc.record({ is: fc.constant("oFlag"), value: fc.boolean() }),
  ),
  pInt32: int32,
  pString: text,
  constructor_: int32,
  toString_: int32,
};
const message = fc.record(fields, { requiredKeys: [] });

/** Undefined if the octets are no message; any other error is not caught. */
function readOrRefuse(octets: Uint8Array): AnyMessage | undefined {
  try {
    return all.decode(octets);
  } catch (error) {
    if (error instanceof MalformedMessage) return undefined;
    throw error;
  }
}

describe("messages", () => {
  test("what is written is read again", () => {
    fc.assert(
      fc.property(message, (value) => {
        expect(all.decode(all.encode(value))).toEqual(all.create(value));
      }),
    );
  });

  test("protobufjs reads what is written and writes it the same way", () => {
    fc.assert(
      fc.property(message, (value) => {
        const again = theirs.encode(theirs.decode(all.encode(value))).finish();
        expect(all.decode(again)).toEqual(all.create(value));
      }),
    );
  });

  test("JSON: what is written is read again", () => {
    fc.assert(
      fc.property(message, (given) => {
        // JSON.stringify writes -0 as 0.
        const value = { ...given, fDouble: (given.fDouble ?? 0) + 0, fFloat: (given.fFloat ?? 0) + 0 };
        const json: unknown = JSON.parse(JSON.stringify(all.toJson(value)));
        expect(all.fromJson(json as Parameters<typeof all.fromJson>[0])).toEqual(all.create(value));
      }),
    );
  });

  test("any octets give a message or MalformedMessage, and what was read is written and read again", () => {
    const damaged = fc.tuple(message, fc.nat(), fc.uint8Array({ maxLength: 4 })).map(([value, at, add]) => {
      const good = all.encode(value);
      const cut = good.length === 0 ? 0 : at % good.length;
      return Uint8Array.from([...good.subarray(0, cut), ...add, ...good.subarray(cut + 1)]);
    });
    fc.assert(
      fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 60 })), (given) => {
        const read = readOrRefuse(given);
        expect(read === undefined ? undefined : all.decode(all.encode(read))).toEqual(read);
      }),
      { numRuns: 1_000 },
    );
  });

  test("fields that a type does not have are kept and written again, also by a copy", () => {
    const older = TYPES.get("t.Older")!;
    const newer = TYPES.get("t.Newer")!;
    const sent = newer.create({ fInt32: 1, fInner: { a: 2, b: "c" }, extra: "x", more: 5n });
    const read = older.decode(newer.encode(sent));
    expect(unknownFields(read)?.length).toBeGreaterThan(0);
    expect(newer.decode(older.encode({ ...read, fInt32: 9 }))).toEqual({ ...sent, fInt32: 9 });
  });

  test("proto2: required fields, closed enums, groups, texts that are not UTF-8", () => {
    expect(() => two.encode({})).toThrow('t.Two: the field "a" is required.');
    const value = { a: 0, s: "x", c: 2, l: [1, 2], g: { x: 7 }, h: [{ y: 1 }, {}] };
    expect(two.decode(two.encode(value))).toMatchObject({ a: 0, s: "x", c: 2, l: [1, 2], g: { x: 7 }, h: [{ y: 1 }, {}] });
    // c = 9 and a packed 9 have no name: they stay among the unknown fields.
    const given = Uint8Array.of(0x08, 1, 0x18, 9, 0x22, 2, 1, 9, 0x12, 1, 0xff, 0x3a, 5, 0x0a, 1, 0x6b, 0x10, 9);
    const read = two.decode(given);
    expect(read).toMatchObject({ a: 1, l: [1], s: "\uFFFD" });
    expect(read["c"]).toBeUndefined();
    expect(read["m"]).toEqual(new Map());
    expect(unknownFields(read)).toEqual(Uint8Array.of(0x20, 9, 0x18, 9, 0x3a, 5, 0x0a, 1, 0x6b, 0x10, 9));
  });

  test("a message that comes twice is merged, a number the last, a list both", () => {
    const [one, other] = [
      { fInner: { a: 1 }, fInt32: 1, lInt32: [1], choice: { is: "oInner", value: { a: 1 } } },
      { fInner: { b: "x" }, fInt32: 2, lInt32: [2], choice: { is: "oInner", value: { b: "y" } } },
    ];
    const both = Uint8Array.from([...all.encode(one!), ...all.encode(other!)]);
    expect(all.decode(both)).toMatchObject({
      fInner: { a: 1, b: "x" },
      fInt32: 2,
      lInt32: [1, 2],
      choice: { is: "oInner", value: { a: 1, b: "y" } },
    });
  });

  test("numbers packed and not packed are both read, whichever the contract says", () => {
    const packed = Uint8Array.of(0xaa, 1, 2, 1, 2, 0xd2, 1, 2, 3, 4);
    const expanded = Uint8Array.of(0xa8, 1, 1, 0xa8, 1, 2, 0xd0, 1, 3, 0xd0, 1, 4);
    for (const given of [packed, expanded]) expect(all.decode(given)).toMatchObject({ lInt32: [1, 2], lExpanded: [3, 4] });
  });

  test("values that do not fit are refused with the name of their field", () => {
    const cases: readonly (readonly [AnyMessage, string])[] = [
      [{ fInt32: 2 ** 31 }, '"fInt32" has to be an integer'],
      [{ fUint32: -1 }, '"fUint32"'],
      [{ fInt64: 1 }, '"fInt64" has to be a bigint'],
      [{ fUint64: -1n }, '"fUint64"'],
      [{ fString: 1 }, '"fString" has to be a string'],
      [{ fString: "\uD800" }, "surrogate"],
      [{ fBytes: [1] }, '"fBytes" has to be a Uint8Array'],
      [{ fInner: 1 }, '"fInner" has to be a message t.Inner'],
      [{ lInt32: 1 }, '"lInt32" has to be an array'],
      [{ mInt32: {} }, '"mInt32" has to be a Map'],
      [{ choice: { is: "other", value: 1 } }, '"choice" is { is, value } with one of the names oText, oInner, oFlag'],
    ];
    for (const [value, words] of cases) expect(() => all.encode(value), words).toThrow(words);
    // After a refusal the type writes as before.
    expect(all.encode({ fInt32: 1 })).toEqual(Uint8Array.of(0x18, 1));
  });

  test("limits: 100 levels of messages, no more; a length beyond the end is refused before anything is allocated", () => {
    let octets = new Uint8Array(0);
    const wrap = (content: Uint8Array): Uint8Array<ArrayBuffer> => {
      const length = content.length < 128 ? [content.length] : [(content.length & 0x7f) | 0x80, content.length >> 7];
      return Uint8Array.from([0x92, 0x01, ...length, ...content]);
    };
    for (let level = 0; level < 100; level += 1) octets = wrap(octets);
    expect(() => all.decode(octets)).not.toThrow();
    expect(() => all.decode(wrap(octets))).toThrow("limit of 100 levels");
    expect(() => all.decode(Uint8Array.of(0x72, 0xff, 0xff, 0xff, 0xff, 0x0f))).toThrow(MalformedMessage);
    expect(() => all.decode(Uint8Array.of(0x00))).toThrow("number 0");
    expect(() => all.decode(Uint8Array.of(0x0c))).toThrow(MalformedMessage);
    expect(() => all.decode(Uint8Array.of(0x72, 1, 0xff))).toThrow("not UTF-8");
  });

  test("a message owns its octets", () => {
    const given = all.encode({ fBytes: Uint8Array.of(1, 2) });
    const read = all.decode(given);
    given.fill(0);
    expect(read["fBytes"]).toEqual(Uint8Array.of(1, 2));
  });
});
