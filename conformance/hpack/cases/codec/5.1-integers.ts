import { decode, decodingError, gives, indexed, indexing, integer, plain, plainly, size } from "../phrases.ts";
import type { Case, FieldSpec, Row } from "../../vocabulary.ts";

const GET: FieldSpec = [":method", "GET"];
/** Enough entries for indices beyond the 7-bit prefix, of 40 octets each. */
const many = Array.from({ length: 70 }, (_, at): FieldSpec => [`n${at}`, "1"]);
const fill = many.map(([name, value]) => indexing(name, value)).join("");
const v = "v".repeat(127);
const long = "w".repeat(1000);

const truncated = ({ block, legal, ...row }: Row & { readonly block: string; readonly legal: string }): Case => ({
  spec: "rfc7541#5.1",
  covers: ["rfc7541#5.1/truncated"],
  level: "MUST",
  role: "codec",
  steps: decode(block),
  control: decode(legal),
  allowed: decodingError,
  ...row,
});
const overflows = ({ block, legal, ...row }: Row & { readonly block: string; readonly legal: string }): Case => ({
  spec: "rfc7541#5.1",
  covers: ["rfc7541#5.1/limits", "rfc7541#7.4/integers-limited"],
  level: "MUST",
  role: "codec",
  steps: decode(block),
  control: decode(legal),
  allowed: decodingError,
  ...row,
});

/** Integers (rfc7541#5.1): short and long forms, and values beyond any table or string. */
export const cases: readonly Case[] = [
  {
    id: "hpack/integer-with-groups-of-zeros",
    spec: "rfc7541#5.1",
    covers: ["rfc7541#5.1/prefix"],
    level: "MUST",
    role: "codec",
    title: "A decoder decodes integers in which seven zero bits are followed by others.",
    // 255 is 7f 80 01, and 16,511 is 7f 80 80 01.
    steps: decode(plainly("n", "v".repeat(127 + 128)) + plainly("n", "w".repeat(127 + 128 * 128))),
    control: decode(indexed(2)),
    allowed: gives([
      ["n", "v".repeat(127 + 128)],
      ["n", "w".repeat(127 + 128 * 128)],
    ]),
  },
  {
    id: "hpack/integer-that-ends-in-ones",
    spec: "rfc7541#5.1",
    covers: ["rfc7541#5.1/prefix"],
    level: "MUST",
    role: "codec",
    title: "A decoder decodes integers whose last octet has seven ones, after one octet and after two.",
    // 158 is 3f 7f, 254 is 7f 7f, and 16,510 is 7f ff 7f.
    steps: decode(size(31 + 127) + plainly("n", "v".repeat(127 + 127)) + plainly("n", "w".repeat(127 + 127 + 127 * 128)) + indexed(2)),
    control: decode(indexed(2)),
    allowed: gives([["n", "v".repeat(127 + 127)], ["n", "w".repeat(127 + 127 + 127 * 128)], GET]),
  },
  {
    id: "hpack/integer-with-continuation",
    spec: "rfc7541#5.1",
    covers: ["rfc7541#5.1/prefix"],
    level: "MUST",
    role: "codec",
    title: "A decoder decodes integers that exceed a prefix of 4, 5, 6 and 7 bits.",
    // A size update to 1337, the specification's example; then indices and lengths at the limits of their prefixes.
    steps: decode("3f9a0a" + plainly(15, "a") + plainly(16, "b") + indexing(61, "c") + plainly("n", v) + plainly("n", long)),
    control: decode(indexed(2)),
    allowed: gives([
      ["accept-charset", "a"],
      ["accept-encoding", "b"],
      ["www-authenticate", "c"],
      ["n", v],
      ["n", long],
    ]),
  },
  {
    id: "hpack/integer-index-beyond-prefix",
    spec: "rfc7541#5.1",
    covers: ["rfc7541#5.1/prefix", "rfc7541#2.3.3/address-space"],
    level: "MUST",
    role: "codec",
    title: "A decoder decodes indices 126, 127 and 131.",
    steps: decode(fill, indexed(126) + indexed(127) + indexed(131)),
    control: decode(fill),
    allowed: gives(many, [
      ["n5", "1"],
      ["n4", "1"],
      ["n0", "1"],
    ]),
  },
  {
    id: "hpack/integer-with-idle-groups",
    spec: "rfc7541#5.1",
    covers: ["rfc7541#5.1/prefix"],
    level: "MAY",
    role: "codec",
    title: "A decoder decodes an integer that ends in two groups of zeros, or rejects it as too long.",
    steps: decode(integer(100, 5, 0x20, 2) + indexed(2)),
    control: decode(size(100) + indexed(2)),
    allowed: [{ see: { see: "fields", lists: [[GET]] } }, { see: { see: "decoding error" }, by: "rfc7541#5.1" }],
  },
  overflows({
    id: "hpack/integer-of-many-octets",
    title: "A decoder rejects an index with 64 groups of zeros.",
    block: integer(130, 7, 0x80, 64),
    legal: indexed(2),
  }),
  overflows({
    id: "hpack/integer-beyond-32-bits",
    title: "A decoder rejects an index of 2^32 + 2.",
    block: indexed(2 ** 32 + 2),
    legal: indexed(2),
  }),
  overflows({
    id: "hpack/integer-beyond-53-bits",
    title: "A decoder rejects an index of 2^53.",
    block: indexed(2 ** 53),
    legal: indexed(2),
  }),
  // 127, then 2^64 - 125 in ten groups: a 64-bit sum would overflow to 2.
  overflows({
    id: "hpack/integer-that-wraps-64-bits",
    title: "A decoder rejects an index that is 2 only after a 64-bit overflow.",
    block: "ff83ffffffffffffffff01",
    legal: indexed(2),
  }),
  // The same in 32 bits: 127 + (2^32 - 125).
  overflows({
    id: "hpack/integer-that-wraps-32-bits",
    title: "A decoder rejects an index that is 2 only after a 32-bit overflow.",
    block: "ff83ffffff0f",
    legal: indexed(2),
  }),
  overflows({
    id: "hpack/integer-length-beyond-all",
    title: "A decoder rejects a string length of 2^31-1.",
    block: `00${integer(2 ** 31 - 1, 7)}61`,
    legal: plainly("a", "b"),
  }),
  overflows({
    id: "hpack/integer-size-beyond-all",
    title: "A decoder rejects a size update to 2^40.",
    block: size(2 ** 40) + indexed(2),
    legal: size(100) + indexed(2),
  }),
  overflows({
    id: "hpack/integer-size-that-wraps",
    title: "A decoder rejects a size update that is 100 only after a 32-bit overflow.",
    block: size(2 ** 32 + 100) + indexed(2),
    legal: size(100) + indexed(2),
  }),
  truncated({
    id: "hpack/integer-cut-in-index",
    title: "A decoder rejects a block that ends inside an index.",
    block: "ff",
    legal: indexed(2),
  }),
  truncated({
    id: "hpack/integer-cut-in-long-index",
    title: "A decoder rejects a block that ends inside an index of three octets.",
    block: `${indexed(2)}ff80`,
    legal: indexed(2),
  }),
  truncated({
    id: "hpack/integer-cut-in-size-update",
    title: "A decoder rejects a block that ends inside a size update.",
    block: "3f9a",
    legal: "3f9a0a",
  }),
  truncated({
    id: "hpack/integer-cut-in-name-index",
    title: "A decoder rejects a block that ends inside the index of a name.",
    block: "0f",
    legal: `0f00${plain("a")}`,
  }),
  truncated({
    id: "hpack/integer-cut-in-string-length",
    title: "A decoder rejects a block that ends inside the length of a string.",
    block: "00016e7f",
    legal: plainly("n", v),
  }),
];
