import { describe, expect, test } from "vitest";
import { MalformedMessage } from "./index.ts";
import { Any, Duration, FieldMask, Int64Value, ListValue, Struct, Timestamp, Value } from "./well-known/index.ts";

describe("messages with a JSON of their own", () => {
  test("Timestamp: RFC 3339, with 0, 3, 6 or 9 digits, from any zone", () => {
    const texts = [
      "2026-01-02T03:04:05Z",
      "1969-12-31T23:59:59.500Z",
      "0001-01-01T00:00:00Z",
      "9999-12-31T23:59:59.999999999Z",
      "2024-02-29T00:00:00.000001Z",
    ];
    for (const text of texts) expect(Timestamp.toJson(Timestamp.fromJson(text))).toBe(text);
    expect(Timestamp.toJson(Timestamp.fromJson("2026-01-02T03:04:05.1+02:00"))).toBe("2026-01-02T01:04:05.100Z");
    const wrong = [
      "2026-02-30T00:00:00Z",
      "2026-01-02 03:04:05Z",
      "2026-01-02T03:04:05",
      "10000-01-01T00:00:00Z",
      "2026-01-02T03:04:05.1234567890Z",
      "",
    ];
    for (const text of wrong) expect(() => Timestamp.fromJson(text), text).toThrow(MalformedMessage);
    expect(() => Timestamp.toJson({ seconds: 253_402_300_800n })).toThrow("out of range");
  });

  test("Duration: seconds with an s and one sign", () => {
    for (const text of ["0s", "1.500s", "-0.000000001s", "-1.500s", "315576000000s"])
      expect(Duration.toJson(Duration.fromJson(text))).toBe(text);
    for (const text of ["1", "1.s", "315576000001s", "--1s", "1.1234567890s"])
      expect(() => Duration.fromJson(text), text).toThrow(MalformedMessage);
    expect(() => Duration.toJson({ seconds: 1n, nanos: -1 })).toThrow("out of range");
  });

  test("FieldMask, wrappers, values of any shape", () => {
    expect(FieldMask.toJson({ paths: ["a_b.c", "d"] })).toBe("aB.c,d");
    expect(FieldMask.fromJson("aB.c,d")).toEqual({ paths: ["a_b.c", "d"] });
    expect(() => FieldMask.toJson({ paths: ["aB"] })).toThrow("has no JSON");
    expect(Int64Value.toJson({ value: 5n })).toBe("5");
    expect(Int64Value.fromJson("-5")).toEqual({ value: -5n });
    const json = { a: [1, null, "x", { b: true }], c: {} };
    expect(Struct.toJson(Struct.fromJson(json))).toEqual(json);
    expect(ListValue.toJson(ListValue.fromJson([[]]))).toEqual([[]]);
    expect(() => Value.toJson({})).toThrow("needs its kind");
    expect(() => Value.toJson({ kind: { is: "numberValue", value: Number.NaN } })).toThrow("has no JSON");
  });

  test("Any: the message with its type, which the caller has to know", () => {
    const typeOf = (name: string) => (name === "google.protobuf.Duration" ? Duration : undefined);
    const any = { typeUrl: "type.example.com/google.protobuf.Duration", value: Duration.encode({ seconds: 1n }) };
    const json = { "@type": any.typeUrl, value: "1s" };
    expect(Any.toJson(any, { typeOf })).toEqual(json);
    expect(Any.fromJson(json, { typeOf })).toEqual(any);
    expect(() => Any.toJson(any)).toThrow("typeOf does not know");
    expect(() => Any.fromJson(json)).toThrow("is not known");
  });

  test("depth is limited", () => {
    let json: Parameters<typeof Value.fromJson>[0] = 1;
    for (let level = 0; level < 60; level += 1) json = [json];
    expect(() => Value.fromJson(json)).toThrow("limit of 100 levels");
  });
});
