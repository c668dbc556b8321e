import { describe, expect, test } from "vitest";
import { field, Misuse } from "../core/index.ts";
import { DIALECTS } from "./dialect.ts";
import { type MetadataEntry, readBinary, readMetadata, writeMetadata } from "./metadata.ts";

const { rpc, grpc } = DIALECTS;
const octets = (...values: number[]): Uint8Array => Uint8Array.from(values);
const read = (...pairs: [string, string][]): unknown =>
  readMetadata(
    pairs.map(([name, value]) => field(name, value)),
    rpc,
  );

describe("written metadata", () => {
  test("is text as it is, and octets in Base64 without padding, in order", () => {
    const entries: MetadataEntry[] = [
      { name: "b_2.x-y", value: "one  two ~" },
      { name: "a-bin", value: octets(0, 0xff) },
      { name: "b_2.x-y", value: "" },
      { name: "a-bin", value: octets() },
      { name: "a-bin", value: octets(1, 2, 3) },
    ];
    expect(writeMetadata(entries, rpc).map(({ name, value }) => [name, value])).toEqual([
      ["b_2.x-y", "one  two ~"],
      ["a-bin", "AP8"],
      ["b_2.x-y", ""],
      ["a-bin", ""],
      ["a-bin", "AQID"],
    ]);
  });

  test.each([
    ["", "x", "cannot have the name"],
    ["Upper", "x", "cannot have the name"],
    ["a b", "x", "cannot have the name"],
    [":path", "x", "cannot have the name"],
    ["rpc-timeout", "x", "belongs to the protocol"],
    ["rpc-", "x", "belongs to the protocol"],
    ["te", "x", "belongs to the protocol"],
    ["content-type", "x", "belongs to the protocol"],
    ["a", "x\n", "visible ASCII"],
    ["a", " x", "visible ASCII"],
    ["a", "x ", "visible ASCII"],
    ["a", "é", "visible ASCII"],
    ["a", "\u007f", "visible ASCII"],
    ["a-bin", "x", "must be octets"],
  ])("%j with the value %j is a misuse", (name, value, why) => {
    expect(() => writeMetadata([{ name, value }], rpc)).toThrow(Misuse);
    expect(() => writeMetadata([{ name, value }], rpc)).toThrow(why);
  });

  test("octets need a name that ends in -bin, and the prefix is that of the dialect", () => {
    expect(() => writeMetadata([{ name: "a", value: octets(1) }], rpc)).toThrow("must be text");
    expect(() => writeMetadata([{ name: "grpc-x", value: "1" }], grpc)).toThrow("belongs to the protocol");
    expect(writeMetadata([{ name: "grpc-x", value: "1" }], rpc)).toHaveLength(1);
  });
});

describe("metadata that is read", () => {
  test("keeps order and repetitions, and leaves out the fields of the protocol and of HTTP", () => {
    expect(
      read(
        [":status", "200"],
        ["b", "1"],
        ["content-type", "application/rpc"],
        ["rpc-status", "0"],
        ["a", "2"],
        ["te", "trailers"],
        ["b", "3"],
      ),
    ).toEqual([
      { name: "b", value: "1" },
      { name: "a", value: "2" },
      { name: "b", value: "3" },
    ]);
  });

  test("is split at commas if it is binary, and is not if it is text", () => {
    expect(read(["a-bin", "AQ,AgM=, BA==,"], ["t", "x, y"])).toEqual([
      { name: "a-bin", value: octets(1) },
      { name: "a-bin", value: octets(2, 3) },
      { name: "a-bin", value: octets(4) },
      { name: "a-bin", value: octets() },
      { name: "t", value: "x, y" },
    ]);
  });

  test("has no white space around text, and nothing that could not be sent back", () => {
    const entries = read(["a", " \tx y\t "], ["b", "caf\u00c3\u00a9"], ["c", "a\tb"], ["d", ""], ["e!", "1"]) as MetadataEntry[];
    expect(entries).toEqual([
      { name: "a", value: "x y" },
      { name: "d", value: "" },
    ]);
    expect(writeMetadata(entries, rpc)).toHaveLength(2);
  });

  test("is a fault if a binary value is not Base64", () => {
    expect(read(["a-bin", "AQ,*"])).toMatchObject({
      is: "fault",
      name: "binaryInvalid",
      status: 13,
      message: "The metadata a-bin is not valid Base64.",
    });
    expect(read(["rpc-x-bin", "*"])).toEqual([]);
  });
});

test.each([
  ["", []],
  ["AA", [0]],
  ["AA==", [0]],
  ["+/+/", [0xfb, 0xff, 0xbf]],
  ["A", undefined],
  ["AAAAA", undefined],
  ["AA=", undefined],
  ["AAA==", undefined],
  ["AAAA====", undefined],
  ["=", undefined],
  ["A A", undefined],
  ["AA==AA==", undefined],
  ["-_-_", undefined],
  ["é", undefined],
])("Base64 %j is %j", (value, expected) => {
  expect(readBinary(value)).toEqual(expected === undefined ? undefined : octets(...expected));
});
