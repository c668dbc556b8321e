import { encode, roundTrip } from "./phrases.ts";
import type { Case, FieldSpec, Property, Step } from "./vocabulary.ts";

const simple = encode([
  [":method", "GET"],
  ["a", "1"],
]);
const A: FieldSpec = ["a", "1"];
const SECRET: FieldSpec = ["authorization", "Basic c2VjcmV0", true];
const every = String.fromCharCode(...Array.from({ length: 256 }, (_, octet) => octet));
const request = (path: string): FieldSpec[] => [
  [":method", "GET"],
  [":scheme", "https"],
  [":authority", "www.example.com"],
  [":path", path],
  ["user-agent", "touchstone"],
  ["accept", "*/*"],
];
/** More than any table of 4,096 octets holds. */
const many = Array.from({ length: 200 }, (_, at): FieldSpec => [`x-field-${at}`, `${at} `.repeat(25).trim()]);
/** Lists, with the limits that the peer set before each. */
const limited = (tableSizes: readonly (number | null)[], ...lists: (readonly FieldSpec[])[]): Step[] => [
  { do: "encode", tableSizes, lists },
];

const kept = (name: string, what: string, covers: Case["covers"], ...lists: (readonly FieldSpec[])[]): Case => ({
  id: `hpack/encode-${name}`,
  spec: "rfc7541#6",
  covers,
  level: "MUST",
  role: "codec",
  title: `An encoder's blocks decode to ${what}.`,
  steps: encode(...lists),
  control: simple,
  allowed: roundTrip,
});
const holds = (
  name: string,
  title: string,
  spec: Case["spec"],
  covers: Case["covers"],
  property: Property,
  steps: readonly Step[],
): Case => ({
  id: `hpack/encode-${name}`,
  spec,
  covers,
  level: "MUST",
  role: "codec",
  title,
  steps,
  control: simple,
  allowed: [{ see: { see: "holds", property } }],
});

/** What an encoder makes of field lists: judged by decoding, and by the rules that bind an encoder. */
export const cases: readonly Case[] = [
  kept(
    "request",
    "the requests they were made from, repeated ones too",
    ["rfc7541#2.1/encoder-order"],
    request("/"),
    request("/"),
    request("/other"),
  ),
  kept("empty-list", "an empty list, between others", ["rfc7541#2.1/encoder-order"], [A], [], [A]),
  kept(
    "order",
    "fields in the order given, equal ones and equal names included",
    ["rfc7541#2.1/encoder-order"],
    [["b", "2"], A, ["b", "1"], ["b", "2"], [":path", "/"], A],
  ),
  kept(
    "empty-value",
    "empty values, of static names too",
    ["rfc7541#2.1/encoder-order"],
    [
      ["n", ""],
      [":authority", ""],
      ["accept-charset", ""],
      ["n", ""],
    ],
  ),
  kept("every-octet", "values of all 256 octets", ["rfc7541#5.2/plain", "rfc7541#5.2/huffman"], [["n", every]], [["n", every]]),
  kept(
    "long-value",
    "a value of 20,000 octets, sent twice",
    ["rfc7541#5.1/prefix", "rfc7541#4.4/larger-than-table"],
    [["n", "long ".repeat(4000)]],
    [A],
    [["n", "long ".repeat(4000)]],
  ),
  kept(
    "lengths-at-prefix-edges",
    "values of 125 to 129 octets, which Huffman coding would lengthen",
    ["rfc7541#5.1/prefix"],
    [125, 126, 127, 128, 129].map((length): FieldSpec => ["n", "\u0001".repeat(length)]),
  ),
  kept(
    "many-fields",
    "more fields than the table holds, sent three times",
    ["rfc7541#4.4/evict-on-insertion", "rfc7541#4.1/entry-size"],
    many,
    many,
    [...many].reverse(),
  ),
  kept(
    "name-reused",
    "one name with many values, the table full of it",
    ["rfc7541#4.4/name-of-evicted"],
    ...Array.from({ length: 20 }, (_, at): FieldSpec[] => [
      ["x-name", `${at}`.padStart(300, "v")],
      ["x-name", `${at}`.padStart(300, "w")],
    ]),
  ),
  kept(
    "static-matches",
    "fields whose name and value, or name alone, are in the static table",
    ["rfc7541#2.3.1/static-table"],
    [
      [":status", "200"],
      [":status", "201"],
      ["accept-encoding", "gzip, deflate"],
      ["accept-encoding", "br"],
      [":path", "/index.html"],
    ],
  ),
  {
    ...kept("table-of-size-zero", "the lists given when the peer allows no table", ["rfc7541#4.2/within-limit", "rfc7541#4.2/clear"]),
    steps: limited([0, null], request("/"), request("/"), request("/")),
  },
  {
    ...kept("table-lowered-between", "the lists given when the peer lowers the limit between them", [
      "rfc7541#4.2/within-limit",
      "rfc7541#4.3/evict-on-reduction",
    ]),
    steps: limited([null, 64, null, 4096, null], request("/"), request("/"), request("/"), request("/"), request("/")),
  },
  {
    ...kept("table-raised-between", "the lists given when the peer raises the limit", ["rfc7541#4.2/within-limit"]),
    steps: limited([null, 65_536, null], many, many, many),
  },
  holds(
    "size-update-after-lowering",
    "An encoder begins the first block after a lowered limit with a size update to no more than it.",
    "rfc7541#4.2",
    ["rfc7541#4.2/update-at-beginning", "rfc7541#4.2/within-limit"],
    "size-update-after-lowered-limit",
    limited([null, 100], request("/"), request("/")),
  ),
  holds(
    "size-update-after-zero",
    "An encoder begins the first block after a limit of 0 with a size update to 0.",
    "rfc7541#4.2",
    ["rfc7541#4.2/update-at-beginning"],
    "size-update-after-lowered-limit",
    limited([null, 0, null], request("/"), request("/"), request("/")),
  ),
  holds(
    "size-update-before-first-block",
    "An encoder begins its very first block with a size update when the limit was lowered before it.",
    "rfc7541#4.2",
    ["rfc7541#4.2/update-at-beginning"],
    "size-update-after-lowered-limit",
    limited([1000], request("/"), request("/")),
  ),
  holds(
    "size-update-each-time",
    "An encoder signals every lowering of the limit, one after another.",
    "rfc7541#4.2",
    ["rfc7541#4.2/update-at-beginning"],
    "size-update-after-lowered-limit",
    limited([null, 2000, 1000, 500, null], request("/"), request("/"), request("/"), request("/"), request("/")),
  ),
  holds(
    "size-updates-within-limit",
    "An encoder never sets a table size beyond the limit in force, raised or lowered.",
    "rfc7541#6.3",
    ["rfc7541#6.3/within-limit"],
    "size-updates-within-limit",
    limited([null, 65_536, 300, 8192], request("/"), request("/"), request("/"), request("/")),
  ),
  holds(
    "sensitive-never-indexed",
    "An encoder writes a sensitive field as a never-indexed literal.",
    "rfc7541#7.1.3",
    ["rfc7541#6.2.3/encoded-the-same"],
    "never-indexed",
    encode([A, SECRET]),
  ),
  holds(
    "sensitive-repeated",
    "An encoder writes a sensitive field as a never-indexed literal every time.",
    "rfc7541#7.1.3",
    ["rfc7541#6.2.3/encoded-the-same", "rfc7541#7.1.3/not-re-encoded"],
    "never-indexed",
    encode([SECRET], [A, SECRET, SECRET], [SECRET, A]),
  ),
  holds(
    "sensitive-equal-to-static-entry",
    "An encoder writes a sensitive field as a never-indexed literal even where the static table has it whole.",
    "rfc7541#6.2.3",
    ["rfc7541#6.2.3/encoded-the-same"],
    "never-indexed",
    encode([[":method", "GET", true], A]),
  ),
  holds(
    "sensitive-equal-to-dynamic-entry",
    "An encoder writes a sensitive field as a never-indexed literal even where its table holds the same field.",
    "rfc7541#6.2.3",
    ["rfc7541#6.2.3/encoded-the-same"],
    "never-indexed",
    encode([A, A], [A], [["a", "1", true]]),
  ),
  holds(
    "sensitive-not-in-table",
    "An encoder lets no sensitive field enter the table.",
    "rfc7541#7.1.3",
    ["rfc7541#7.1.3/not-re-encoded"],
    "sensitive-not-indexed",
    encode([SECRET, ["cookie", "a=b", true]], [SECRET], [["authorization", "Basic c2VjcmV0"]]),
  ),
  holds(
    "huffman-padding",
    "An encoder ends its Huffman strings in at most seven one bits.",
    "rfc7541#5.2",
    ["rfc7541#5.2/padding-eos", "rfc7541#5.2/padding-long"],
    "huffman-padding-valid",
    encode(
      ...["a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh", "&", "12345678"].map((value): FieldSpec[] => [
        [`x-${value}`, value],
      ]),
    ),
  ),
  {
    ...holds(
      "integers-shortest",
      "An encoder writes integers in their shortest form.",
      "rfc7541#5.1",
      ["rfc7541#5.1/prefix"],
      "integers-shortest",
      encode(many, request("/"), [["n", "x".repeat(5000)]]),
    ),
    level: "SHOULD",
  },
];
