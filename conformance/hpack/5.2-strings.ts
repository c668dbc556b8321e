import { coded, decode, gives, indexed, integer, octets, plain, plainly, refused } from "./phrases.ts";
import type { Case, FieldSpec } from "./vocabulary.ts";

/** A literal named n, whose value is Huffman coded. */
const value = (hex: string): string => `00${plain("n")}${coded(hex)}`;
const every = String.fromCharCode(...Array.from({ length: 256 }, (_, octet) => octet));
/** The 256 octets in order, by the code of rfc7541#B. */
const EVERY_CODED =
  "ffc7fffd8fffffe2fffffe3fffffe4fffffe5fffffe6fffffe7fffffe8ffffeafffffff3fffffa7fffffabffffffdfffffebfffffecfff" +
  "ffedfffffeefffffefffffff0ffffff1ffffff2fffffffbfffffcffffffd3fffffd7fffffdbfffffdffffffe3fffffe7fffffebfffffed" +
  "4fe3f9ffaffcabf1febfafefe7fdfd2cbb00089969b71d79fb9f7fff20ffbff3ff50ddbd7f061c58f265cd9f469d5af66dddbf871e5f9c" +
  "ff7ff7fffc3ff9ffe45fff4719242cb34e6e9d68a6a3d7dac426defe3cfaf7fffbfe7ffbffdffffffcfffe6ffff4bfff9ffffa3fffd3ff" +
  "ff53fffd5ffffb3fffeb7fffdaffffb7ffff73fffeeffffdeffffebffffbfffffd9ffffdbfffebffffe0ffffeeffffc3ffff8bffff1fff" +
  "fe4fffee7fffb1ffff97fffd9ffffcdffff9fffffbffffdafffeeffff4ffffb7fffee7fffe8ffffd3fffdeffffd5fffeeffffbdffffe1f" +
  "ffdfffff7fffff5ffffecffff07fff87fffe0ffff17fffedffff87ffff77fffeffffeaffff8bfffe3ffff93ffff87fffcbffff37ffff1f" +
  "ffff83ffffe1fffebfffe3ffff3fffff2ffffa3ffffd9fffff17ffffc7fffff27ffffdefffffbffffff2fffff8fffffb7fff97fff8ffff" +
  "fe6fffffc1fffff87ffffe7fffffc5ffffe5fffe4ffff2fffffd1fffff4ffffffefffffe3fffffc9fffff97fffb3ffffcffffb7fffcdff" +
  "ff4ffff9ffffd1ffffcffffeaffffafffffddffffeffffff4fffff5fffffabffffa7ffffd7fffff9bffffecfffffb7fffff3fffffe8fff" +
  "ffd3fffffabfffff5fffffff7ffffecfffffdbfffffbbfffff7ffffff0fffffbbf";
/** The letter a is 00011: three bits of padding make it an octet. */
const goodA = value("1f");

const wrongHuffman = (
  name: string,
  what: string,
  requirement: "padding-long" | "padding-eos" | "eos",
  hex: string,
  control = goodA,
): Case => ({
  id: `hpack/huffman-${name}`,
  spec: "rfc7541#5.2",
  covers: [`rfc7541#5.2/${requirement}`],
  level: "MUST",
  role: "codec",
  title: `A decoder refuses a Huffman string ${what}.`,
  steps: decode(value(hex)),
  control: decode(control),
  allowed: refused,
});
const truncated = (name: string, what: string, block: string, whole: string): Case => ({
  id: `hpack/string-cut-${name}`,
  spec: "rfc7541#5.2",
  covers: ["rfc7541#5.2/truncated"],
  level: "MUST",
  role: "codec",
  title: `A decoder refuses a block that ends ${what}.`,
  steps: decode(block),
  control: decode(whole),
  allowed: refused,
});
const read = (
  name: string,
  title: string,
  covers: Case["covers"],
  blocks: readonly string[],
  ...lists: (readonly FieldSpec[])[]
): Case => ({
  id: `hpack/${name}`,
  spec: "rfc7541#5.2",
  covers,
  level: "MUST",
  role: "codec",
  title,
  steps: decode(...blocks),
  control: decode(indexed(2)),
  allowed: gives(...lists),
});

/** String literals (rfc7541#5.2), plain and Huffman coded. */
export const cases: readonly Case[] = [
  read(
    "string-every-octet",
    "A decoder reads a plain string of all 256 octets.",
    ["rfc7541#5.2/plain"],
    [plainly("n", every)],
    [["n", every]],
  ),
  read(
    "string-empty",
    "A decoder reads empty values, plain and Huffman coded.",
    ["rfc7541#5.2/plain", "rfc7541#5.2/huffman"],
    [`${plainly("n", "")}${value("")}`],
    [
      ["n", ""],
      ["n", ""],
    ],
  ),
  read(
    "string-of-10000-octets",
    "A decoder reads a value of 10,000 octets.",
    ["rfc7541#5.2/plain", "rfc7541#5.1/prefix"],
    [plainly("n", "x".repeat(10_000))],
    [["n", "x".repeat(10_000)]],
  ),
  read(
    "huffman-every-octet",
    "A decoder reads a Huffman string of all 256 octets.",
    ["rfc7541#5.2/huffman"],
    [value(EVERY_CODED)],
    [["n", every]],
  ),
  read(
    "huffman-names",
    "A decoder reads Huffman coded names, beside plain values and coded ones.",
    ["rfc7541#5.2/huffman"],
    [`00${coded("25a849e95ba97d7f")}${plain("plain")}00${coded("25a849e95ba97d7f")}${coded("25a849e95bb8e8b4bf")}`],
    [
      ["custom-key", "plain"],
      ["custom-key", "custom-value"],
    ],
  ),
  read(
    "huffman-padding-of-seven-bits",
    "A decoder takes seven bits of padding, the most there can be.",
    ["rfc7541#5.2/huffman"],
    [value("f7fc7f")],
    [["n", "z!"]],
  ),
  read(
    "huffman-without-padding",
    "A decoder takes a Huffman string that ends with its octet.",
    ["rfc7541#5.2/huffman"],
    [value("f8")],
    [["n", "&"]],
  ),
  wrongHuffman("padding-of-eight-bits", "with a whole octet of padding", "padding-long", "f8ff", value("f8")),
  wrongHuffman("padding-of-eleven-bits", "with eleven bits of padding", "padding-long", "1fff"),
  wrongHuffman("padding-alone", "that is nothing but an octet of ones", "padding-long", "ff"),
  wrongHuffman("padding-of-zeros", "padded with zeros", "padding-eos", "18"),
  wrongHuffman("padding-mixed", "whose padding is not all ones", "padding-eos", "1e"),
  wrongHuffman("eos-alone", "that is the EOS symbol", "eos", "ffffffff"),
  wrongHuffman("eos-at-end", "that ends with the EOS symbol", "eos", "1fffffffff"),
  wrongHuffman("eos-inside", "with the EOS symbol inside", "eos", "1fffffffe3"),
  truncated("before-name", "where the length of a name should be", "00", plainly("n", "v")),
  truncated("inside-name", "inside a name", `00${integer(4, 7)}${octets("nam")}`, plainly("name", "v")),
  truncated("before-value", "where the length of a value should be", `00${plain("n")}`, plainly("n", "v")),
  truncated("inside-value", "inside a value", `00${plain("n")}${integer(4, 7)}${octets("val")}`, plainly("n", "val")),
  truncated("inside-huffman-value", "inside a Huffman coded value", `00${plain("n")}89${"25a849e95bb8e8b4"}`, value("25a849e95bb8e8b4bf")),
  truncated("in-second-literal", "inside its second literal", `${plainly("n", "v")}00${plain("m")}05`, plainly("n", "v")),
];
