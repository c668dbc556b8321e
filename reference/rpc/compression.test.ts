import { expect, test } from "vitest";
import { chooseEncoding, type Compressor, parseEncodings, writeEncodings } from "./compression.ts";

const none: Compressor = { compress: (octets) => octets, decompress: (octets) => octets };

test("the accepted encodings are identity and the known ones, in their order", () => {
  expect(
    writeEncodings(
      new Map([
        ["zstd", none],
        ["gzip", none],
      ]),
    ),
  ).toBe("identity,zstd,gzip");
});

test.each([
  ["", []],
  ["gzip", ["gzip"]],
  ["identity, gzip ,deflate", ["identity", "gzip", "deflate"]],
  [",gzip,,", ["gzip"]],
])("the list %j has %j", (value, names) => {
  expect(parseEncodings(value)).toEqual(names);
});

test.each([
  ["gzip", "identity,gzip", "gzip"],
  ["gzip", "identity,xgzip", "identity"],
  ["gzip", "", "identity"],
  ["gzip", undefined, "identity"],
  ["identity", "gzip", "identity"],
] as const)("%s for a peer that accepts %j: %s", (wanted, accepted, chosen) => {
  expect(chooseEncoding(wanted, accepted)).toBe(chosen);
});
