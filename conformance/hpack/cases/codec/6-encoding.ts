import { STATIC_TABLE } from "../../../../reference/hpack/index.ts";
import { holds, limited, request, simple } from "../encoder-phrases.ts";
import { encode, roundTrip } from "../phrases.ts";
import type { Case, FieldSpec, Property, Row } from "../../vocabulary.ts";

const A: FieldSpec = ["a", "1"];
const SECRET: FieldSpec = ["authorization", "Basic c2VjcmV0", true];
const every = String.fromCharCode(...Array.from({ length: 256 }, (_, octet) => octet));
/** More than a table of 4,096 octets can hold. */
const many = Array.from({ length: 200 }, (_, at): FieldSpec => [`x-field-${at}`, `${at} `.repeat(25).trim()]);
/**
 * Values that Huffman coding shortens although each holds two octets with long codes, which begin at every bit of an octet: all pairs of
 * neighbours, and of octets 128 apart.
 */
const longCodes = Array.from({ length: 256 }, (_, octet): FieldSpec => {
  const char = (code: number): string => String.fromCharCode(code & 0xff);
  return ["n", `${"e".repeat(40 + (octet % 8))}${char(octet)}${char(octet + 1)}aaaaa${char(octet + 128)}${char(octet)}${"o".repeat(40)}`];
});
/** The same with only one such octet, and more text after it: what goes wrong there still fits into the plain length. */
const oneLongCode = Array.from({ length: 256 }, (_, octet): FieldSpec => {
  return ["n", `${"e".repeat(40 + (octet % 8))}${String.fromCharCode(octet)}${"o".repeat(600)}`];
});
/**
 * Strings of 126 octets, the longest whose length fits into one octet; their Huffman code has as many octets, or up to three more, or some
 * less.
 */
const hardlyLonger = Array.from({ length: 14 }, (_, cheap): FieldSpec => ["n", `${"X".repeat(125 - cheap)}${"a".repeat(cheap)}\u00ff`]);
const roundTrips = ({
  lists,
  tableSizes,
  ...row
}: Row<"covers"> & { readonly lists: readonly (readonly FieldSpec[])[]; readonly tableSizes?: readonly (number | null)[] }): Case => ({
  spec: "rfc7541#6",
  level: "MUST",
  role: "codec",
  steps: tableSizes === undefined ? encode(...lists) : limited(tableSizes, ...lists),
  control: simple,
  allowed: roundTrip,
  ...row,
});
/** What the text leaves to an encoder, but what an encoder that does it once has no reason to leave. */
const habit = (row: Row<"spec" | "covers" | "steps" | "needs"> & { readonly property: Property }): Case => holds({ level: "MAY", ...row });
/** Strings of 120 to 135 octets, whose Huffman code is as long, or an octet longer or shorter. */
const edges = Array.from({ length: 16 }, (_, at): FieldSpec[] =>
  [0, 1, 2, 3].map((cheap): FieldSpec => ["n", `${"X".repeat(119 + at - cheap)}${"a".repeat(cheap)}`]),
).flat();
/** Strings that Huffman coding lengthens and shortens by many octets. */
const long: readonly FieldSpec[] = ["\u0001", "a"].flatMap((one): FieldSpec[] => [
  ["n", one.repeat(300)],
  [`x-${one}`, one.repeat(50)],
]);
/** The static table, without the names that an encoder may treat as sensitive (rfc7541#7.1.3). */
const statics = STATIC_TABLE.filter(({ name }) => !/^(?:proxy-)?auth|cookie/.test(name)).flatMap(({ name, value }): FieldSpec[] => [
  [name, value],
  [name, `other ${value}`],
]);
/** Names of both tables with several values each, and several names with one value: less than the table holds. */
const repeated: readonly FieldSpec[] = ["x-a", "x-b", "server", "accept", "user-agent"].flatMap((name) =>
  ["one", "two", "three", ""].map((value): FieldSpec => [name, value]),
);
/** The same names with another value. */
const renamed = repeated.filter(([, value]) => value === "one").map(([name]): FieldSpec => [name, "four"]);

/** Encoding: the blocks must decode to the original lists, and obey the rules for encoders. */
export const cases: readonly Case[] = [
  roundTrips({
    id: "hpack/encode-request",
    title: "An encoder's blocks decode to the original requests, repeated ones included.",
    covers: ["rfc7541#2.1/encoder-order"],
    lists: [request("/"), request("/"), request("/other")],
  }),
  roundTrips({
    id: "hpack/encode-empty-list",
    title: "An encoder's blocks decode to the original lists, one of them empty.",
    covers: ["rfc7541#2.1/encoder-order"],
    lists: [[A], [], [A]],
  }),
  roundTrips({
    id: "hpack/encode-order",
    title: "An encoder's blocks decode to the fields in their original order, with equal fields and equal names.",
    covers: ["rfc7541#2.1/encoder-order"],
    lists: [[["b", "2"], A, ["b", "1"], ["b", "2"], [":path", "/"], A]],
  }),
  roundTrips({
    id: "hpack/encode-empty-value",
    title: "An encoder's blocks decode to the original empty values, also for static names.",
    covers: ["rfc7541#2.1/encoder-order"],
    lists: [
      [
        ["n", ""],
        [":authority", ""],
        ["accept-charset", ""],
        ["n", ""],
      ],
    ],
  }),
  roundTrips({
    id: "hpack/encode-every-octet",
    title: "An encoder's blocks decode to the original values of all 256 octets.",
    covers: ["rfc7541#5.2/plain", "rfc7541#5.2/huffman"],
    lists: [[["n", every]], [["n", every]]],
  }),
  roundTrips({
    id: "hpack/encode-huffman-long-codes",
    title: "An encoder's blocks decode to the original values when cheap text surrounds octets with the longest Huffman codes.",
    covers: ["rfc7541#5.2/huffman"],
    lists: longCodes.map((field) => [field]),
  }),
  roundTrips({
    id: "hpack/encode-huffman-one-long-code",
    title: "An encoder's blocks decode to the original values when one octet with a long Huffman code is in much cheap text.",
    covers: ["rfc7541#5.2/huffman"],
    lists: [oneLongCode],
  }),
  roundTrips({
    id: "hpack/encode-huffman-hardly-longer",
    title: "An encoder's blocks decode to the original values of 126 octets when their Huffman code is a little longer or shorter.",
    covers: ["rfc7541#5.2/plain", "rfc7541#5.2/huffman", "rfc7541#5.1/prefix"],
    lists: [hardlyLonger],
  }),
  roundTrips({
    id: "hpack/encode-long-value",
    title: "An encoder's blocks decode to the original value of 20,000 octets, sent twice.",
    covers: ["rfc7541#5.1/prefix", "rfc7541#4.4/larger-than-table"],
    lists: [[["n", "long ".repeat(4000)]], [A], [["n", "long ".repeat(4000)]]],
  }),
  roundTrips({
    id: "hpack/encode-lengths-at-prefix-edges",
    title: "An encoder's blocks decode to the original values of 125 to 129 octets that Huffman coding would lengthen.",
    covers: ["rfc7541#5.1/prefix"],
    lists: [[125, 126, 127, 128, 129].map((length): FieldSpec => ["n", "\u0001".repeat(length)])],
  }),
  roundTrips({
    id: "hpack/encode-lengths-at-octet-edges",
    title: "An encoder's blocks decode to the original values of 253 to 257 octets: from 255 on, a length needs one octet more.",
    covers: ["rfc7541#5.1/prefix"],
    // 255 is 7f 80 01; the "e" has a code of five bits.
    lists: [253, 254, 255, 256, 257].map((length): FieldSpec[] => [
      ["n", "\u0001".repeat(length)],
      ["n", "e".repeat((length * 8) / 5)],
    ]),
  }),
  roundTrips({
    id: "hpack/encode-many-fields",
    title: "An encoder's blocks decode to the original fields when they exceed the table, sent three times.",
    covers: ["rfc7541#4.4/evict-on-insertion", "rfc7541#4.1/entry-size"],
    lists: [many, many, [...many].reverse()],
  }),
  roundTrips({
    id: "hpack/encode-name-reused",
    title: "An encoder's blocks decode to the original fields when many values of one name fill the table.",
    covers: ["rfc7541#4.4/name-of-evicted"],
    lists: Array.from({ length: 20 }, (_, at): FieldSpec[] => [
      ["x-name", `${at}`.padStart(300, "v")],
      ["x-name", `${at}`.padStart(300, "w")],
    ]),
  }),
  roundTrips({
    id: "hpack/encode-table-of-4096-too-full",
    title: "An encoder's blocks decode to the original fields when they need one octet more than the table of 4,096 has.",
    covers: ["rfc7541#4.4/evict-on-insertion", "rfc7541#4.1/entry-size"],
    lists: [
      [
        ["x", "v".repeat(2015)],
        ["y", "v".repeat(2016)],
      ],
      [["x", "v".repeat(2015)]],
      [["y", "v".repeat(2016)]],
    ],
  }),
  roundTrips({
    id: "hpack/encode-one-value-of-many-names",
    title: "An encoder's blocks decode to the original fields when different names, static and new ones, have the same value.",
    covers: ["rfc7541#2.1/encoder-order"],
    lists: [
      ["server", "user-agent", "accept", ":authority", "x-a", "x-b"].map((name): FieldSpec => [name, "same"]),
      ["x-b", "accept", "x-a", "via", "server", "x-c", "user-agent"].map((name): FieldSpec => [name, "same"]),
    ],
  }),
  roundTrips({
    id: "hpack/encode-static-matches",
    title: "An encoder's blocks decode to the original fields when the static table holds their name, or name and value.",
    covers: ["rfc7541#2.3.1/static-table"],
    lists: [
      [
        [":status", "200"],
        [":status", "201"],
        ["accept-encoding", "gzip, deflate"],
        ["accept-encoding", "br"],
        [":path", "/index.html"],
      ],
    ],
  }),
  roundTrips({
    id: "hpack/encode-table-of-size-zero",
    title: "An encoder's blocks decode to the original lists when the peer allows no table.",
    covers: ["rfc7541#4.2/within-limit", "rfc7541#4.2/clear"],
    tableSizes: [0, null],
    lists: [request("/"), request("/"), request("/")],
  }),
  roundTrips({
    id: "hpack/encode-table-lowered-between",
    title: "An encoder's blocks decode to the original lists when the peer lowers the limit between them.",
    covers: ["rfc7541#4.2/within-limit", "rfc7541#4.3/evict-on-reduction"],
    tableSizes: [null, 64, null, 4096, null],
    lists: [request("/"), request("/"), request("/"), request("/"), request("/")],
  }),
  roundTrips({
    id: "hpack/encode-table-raised-between",
    title: "An encoder's blocks decode to the original lists when the peer raises the limit between them.",
    covers: ["rfc7541#4.2/within-limit"],
    tableSizes: [null, 65_536, null],
    lists: [many, many, many],
  }),
  holds({
    id: "hpack/encode-sensitive-never-indexed",
    title: "An encoder encodes a sensitive field as a never-indexed literal.",
    spec: "rfc7541#7.1.3",
    covers: ["rfc7541#6.2.3/encoded-the-same"],
    property: "never-indexed",
    steps: encode([A, SECRET]),
  }),
  holds({
    id: "hpack/encode-sensitive-repeated",
    title: "An encoder encodes a sensitive field as a never-indexed literal every time.",
    spec: "rfc7541#7.1.3",
    covers: ["rfc7541#6.2.3/encoded-the-same", "rfc7541#7.1.3/not-re-encoded"],
    property: "never-indexed",
    steps: encode([SECRET], [A, SECRET, SECRET], [SECRET, A]),
  }),
  holds({
    id: "hpack/encode-sensitive-equal-to-static-entry",
    title: "An encoder encodes a sensitive field as a never-indexed literal even if the static table holds it.",
    spec: "rfc7541#6.2.3",
    covers: ["rfc7541#6.2.3/encoded-the-same"],
    property: "never-indexed",
    steps: encode([[":method", "GET", true], A]),
  }),
  holds({
    id: "hpack/encode-sensitive-equal-to-dynamic-entry",
    title: "An encoder encodes a sensitive field as a never-indexed literal even if the dynamic table holds it.",
    spec: "rfc7541#6.2.3",
    covers: ["rfc7541#6.2.3/encoded-the-same"],
    property: "never-indexed",
    steps: encode([A, A], [A], [["a", "1", true]]),
  }),
  holds({
    id: "hpack/encode-sensitive-not-in-table",
    title: "An encoder never adds a sensitive field to the table.",
    spec: "rfc7541#7.1.3",
    covers: ["rfc7541#7.1.3/not-re-encoded"],
    property: "sensitive-not-indexed",
    steps: encode([SECRET, ["cookie", "a=b", true]], [SECRET], [["authorization", "Basic c2VjcmV0"]]),
  }),
  holds({
    id: "hpack/encode-huffman-padding",
    title: "An encoder pads Huffman-encoded strings with at most seven one bits.",
    spec: "rfc7541#5.2",
    covers: ["rfc7541#5.2/padding-eos", "rfc7541#5.2/padding-long"],
    property: "huffman-padding-valid",
    steps: encode(
      ...["a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh", "&", "12345678"].map((value): FieldSpec[] => [
        [`x-${value}`, value],
      ]),
    ),
  }),
  holds({
    id: "hpack/encode-integers-shortest",
    title: "An encoder encodes integers in their shortest form.",
    spec: "rfc7541#5.1",
    covers: ["rfc7541#5.1/prefix"],
    level: "SHOULD",
    property: "integers-shortest",
    // 254 is 7f 7f; one more octet is one too many.
    steps: encode(many, request("/"), [["n", "x".repeat(5000)]], [["n", "\u0001".repeat(254)]]),
  }),
  habit({
    id: "hpack/encode-huffman-where-shorter",
    title: "An encoder that uses Huffman coding uses it for every string that it shortens, and for none that it lengthens.",
    spec: "rfc7541#5.2",
    covers: ["rfc7541#5.2/huffman", "rfc7541#5.2/plain"],
    needs: ["huffman"],
    property: "huffman-shorter",
    steps: encode(request("/"), request("/"), hardlyLonger, edges, long),
  }),
  habit({
    id: "hpack/encode-static-entries-indexed",
    title: "An encoder that sends a field as an index of the static table does so for all fields in it, every time.",
    spec: "rfc7541#6.1",
    covers: ["rfc7541#6.1/indexed", "rfc7541#2.3.1/static-table"],
    needs: ["static"],
    property: "static-entries-indexed",
    steps: encode(statics, statics, statics),
  }),
  habit({
    id: "hpack/encode-inserted-entries-indexed",
    title: "An encoder that sends a field as an index of the dynamic table does so for all fields in it, every time.",
    spec: "rfc7541#6.1",
    covers: ["rfc7541#6.1/indexed", "rfc7541#2.3.2/first-in-first-out"],
    needs: ["indexing"],
    property: "inserted-entries-indexed",
    steps: encode(repeated, [...repeated].reverse(), repeated, renamed, repeated),
  }),
];
