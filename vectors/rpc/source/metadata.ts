import { reading, type Rule, type Source, type Told, writing } from "./craft.ts";

const SUFFIX: readonly [Rule] = ["rpc-http2#requests/binary-suffix"];
const PADDING: readonly [Rule] = ["rpc-http2#requests/base64-padding"];
const LIST: readonly [Rule] = ["rpc-http2#requests/base64-list"];
const ALPHABET: readonly [Rule] = ["rpc-http2#requests/base64-alphabet"];
const ORDER: readonly [Rule] = ["rpc-http2#requests/duplicate-order"];
const LENIENT: readonly [Rule, Rule] = ["rpc-http2#requests/ascii-value-lenient", "rpc-http2#requests/ascii-value-stripped"];
const NAME: readonly [Rule] = ["rpc-http2#requests/metadata-name"];
const VALUE: readonly [Rule] = ["rpc-http2#requests/ascii-value"];
const RESERVED: readonly [Rule] = ["rpc-http2#requests/reserved-names"];

type Pair = readonly [name: string, value: string];
const text = (name: string, value: string): Told => ({ name, text: value });
const octets = (name: string, value: string): Told => ({ name, octets: value });

type Why = { readonly rules: readonly [Rule, ...Rule[]]; readonly flag: string };
const read = (fields: readonly Pair[], messages: readonly Told[], note: string, why: Why) =>
  reading("metadata", fields, { note, ...why, messages });
const padded = (value: string, hex: string, note: string) => read([["a-bin", value]], [octets("a-bin", hex)], note, { rules: PADDING, flag: "Padding" });
const list = (value: string, hex: readonly string[], note: string) =>
  read([["a-bin", value]], hex.map((one) => octets("a-bin", one)), note, { rules: LIST, flag: "List" });
const refused = (value: string, note: string) =>
  reading("metadata", [["a-bin", value]], { note, rules: ALPHABET, fault: "binaryInvalid", flag: "Alphabet" });
/** Values of one name may be joined (rpc-http2#requests), as HTTP joins them. */
const joined = (...values: readonly string[]): string[] => [values.join(","), values.join(", ")];
/** Text that HTTP permits: kept, or left out. */
const lenient = (value: string, kept: string, note: string) =>
  reading("metadata", [["a", value], ["b", "1"]], { note, rules: LENIENT, messages: [text("b", "1")], or: [{ messages: [text("a", kept), text("b", "1")], by: "rpc-http2#requests" }], flag: "Lenient" });

export const source: Source = {
  kind: "rpc-read",
  about: "metadata that is read",
  spec: "rpc-http2#requests",
  flags: {
    Text: { why: "text, and octets under a name that ends in -bin", bug: "WRONG_KIND" },
    Padding: { why: "Base64 with and without padding", bug: "TOO_STRICT" },
    List: { why: "several binary values in one field", bug: "NOT_SPLIT" },
    Alphabet: { why: "a text that is not Base64", bug: "MISSING_CHECK" },
    Order: { why: "repeated names keep the order of their values", bug: "WRONG_ORDER" },
    Lenient: { why: "text beyond the protocol's characters, which is no error", bug: "TOO_STRICT" },
  },
  vectors: [
    read([["a", "one two"]], [text("a", "one two")], "text", { rules: SUFFIX, flag: "Text" }),
    read([["a", "AQID"]], [text("a", "AQID")], "text that looks like Base64", { rules: SUFFIX, flag: "Text" }),
    read([["a-bin", "AQID"]], [octets("a-bin", "010203")], "octets", { rules: SUFFIX, flag: "Text" }),
    read([["a-bin-x", "AQID"]], [text("a-bin-x", "AQID")], "a name with the suffix inside", { rules: SUFFIX, flag: "Text" }),
    read([["abin", "AQID"]], [text("abin", "AQID")], "a name that ends like the suffix", { rules: SUFFIX, flag: "Text" }),
    read([["0a_b.c-d", "x"]], [text("0a_b.c-d", "x")], "every kind of character in a name", { rules: NAME, flag: "Text" }),
    read([["a", "x, y"]], [text("a", "x, y")], "a comma in text", { rules: SUFFIX, flag: "Text" }),
    read([["a", "~!\"#$%&'()*+-./:;<=>?@[]^_`{|}"]], [text("a", "~!\"#$%&'()*+-./:;<=>?@[]^_`{|}")], "signs in text", { rules: VALUE, flag: "Text" }),

    padded("", "", "no octets"),
    padded("AA", "00", "one octet without padding"),
    padded("AA==", "00", "one octet with padding"),
    padded("AAE", "0001", "two octets without padding"),
    padded("AAE=", "0001", "two octets with padding"),
    padded("AAEC", "000102", "three octets"),
    padded("AAECAw", "00010203", "four octets without padding"),
    padded("AAECAw==", "00010203", "four octets with padding"),
    padded("+/+/", "fbffbf", "the last characters of the alphabet"),
    padded("/////w==", "ffffffff", "ones"),

    list("AQ,Ag", ["01", "02"], "two values"),
    list("AQ==,Ag==", ["01", "02"], "two values with padding"),
    list("AQ==,Ag,AwQ=", ["01", "02", "0304"], "three values, some with padding"),
    list(",", ["", ""], "two empty values"),
    list("AQ,,Ag", ["01", "", "02"], "an empty value between two"),
    list("AQID,BAUG", ["010203", "040506"], "values whose lengths need no padding"),
    reading("metadata", [["a-bin", "AQ, Ag"]], { note: "a space after the comma", rules: LIST, messages: [octets("a-bin", "01"), octets("a-bin", "02")], by: "rpc-http2#requests", flag: "List" }),

    refused("*", "another character"),
    refused("A", "a length that Base64 does not have"),
    refused("AAAAA", "five characters"),
    refused("-_-_", "the alphabet for addresses"),
    refused("AA=A", "padding inside"),
    refused("AA=", "half the padding"),
    refused("====", "padding alone"),
    refused("AQ AQ", "a space inside"),
    refused("AQ;Ag", "a semicolon"),
    refused("AQ,*", "another character in the second value"),
    refused("\u00e9AAA", "a letter with an accent"),
    reading("metadata", [["a-bin", "AB"]], { note: "bits after the last octet", rules: ALPHABET, messages: [octets("a-bin", "00")], by: "rpc-http2#requests", flag: "Alphabet" }),

    reading("metadata", [["a", "1"], ["b", "2"], ["a", "3"]], { note: "a repeated name", rules: ORDER, messages: [text("a", "1"), text("a", "3"), text("b", "2")], or: joined("1", "3").map((one) => ({ messages: [text("a", one), text("b", "2")], by: "rpc-http2#requests" })), flag: "Order" }),
    read([["a-bin", "AQ"], ["a-bin", "Ag,Aw"], ["a-bin", "BA=="]], [octets("a-bin", "01"), octets("a-bin", "02"), octets("a-bin", "03"), octets("a-bin", "04")], "binary values in several fields", { rules: ORDER, flag: "Order" }),
    reading("metadata", [["b", "1"], ["a-bin", "AQ"], ["b", "2"]], { note: "text and octets", rules: ORDER, messages: [text("b", "1"), text("b", "2"), octets("a-bin", "01")], or: joined("1", "2").map((one) => ({ messages: [text("b", one), octets("a-bin", "01")], by: "rpc-http2#requests" })), flag: "Order" }),
    read([["content-type", "application/rpc"], ["te", "trailers"], ["rpc-timeout", "1S"], ["a", "1"]], [text("a", "1")], "fields of the call", { rules: NAME, flag: "Text" }),

    lenient("caf\u00c3\u00a9", "caf\u00c3\u00a9", "octets above 0x7f"),
    lenient("x\ty", "x\ty", "a tab inside"),
    reading("metadata", [["a", " x "]], { note: "spaces at the ends", rules: LENIENT, messages: [text("a", "x")], or: [{ messages: [text("a", " x ")], by: "rpc-http2#requests" }, { messages: [], by: "rpc-http2#requests" }], flag: "Lenient" }),
    reading("metadata", [["a", ""], ["b", "1"]], { note: "an empty text", rules: LENIENT, messages: [text("a", ""), text("b", "1")], or: [{ messages: [text("b", "1")], by: "rpc-http2#requests" }], flag: "Lenient" }),
  ],
};

const write = (entries: readonly Told[], fields: readonly Told[], note: string, rules: readonly [Rule, ...Rule[]]) =>
  writing("metadata", entries, { note, rules, messages: fields, flag: "Written" });
const field = (name: string, value: string): Told => ({ name, value });
const unwritable = (entry: Told, note: string, rules: readonly [Rule, ...Rule[]]) =>
  writing("metadata", [entry], { note, rules, fault: "misuse", flag: "Misuse" });

export const written: Source = {
  kind: "rpc-write",
  about: "metadata that is written",
  spec: "rpc-http2#requests",
  flags: {
    Written: { why: "names, text and octets", bug: "WRONG_FIELD" },
    Misuse: { why: "an entry that cannot be sent", bug: "MISSING_CHECK" },
  },
  vectors: [
    write([text("a", "one  two")], [field("a", "one  two")], "text", VALUE),
    write([text("a", "~ !")], [field("a", "~ !")], "the first and last characters of text", VALUE),
    write([octets("a-bin", "010203")], [field("a-bin", "AQID")], "octets", SUFFIX),
    write([octets("a-bin", "")], [field("a-bin", "")], "no octets", SUFFIX),
    write([octets("a-bin", "00")], [field("a-bin", "AA")], "one octet", SUFFIX),
    write([octets("a-bin", "fbff")], [field("a-bin", "+/8")], "the last characters of the alphabet", SUFFIX),
    write([text("a", "1"), text("b", "2"), text("a", "3")], [field("a", "1"), field("b", "2"), field("a", "3")], "a repeated name", ORDER),
    write([octets("a-bin", "01"), octets("a-bin", "0203")], [field("a-bin", "AQ"), field("a-bin", "AgM")], "two binary values", ORDER),
    write([octets("a-bin", "00".repeat(300))], [field("a-bin", "A".repeat(400))], "three hundred octets", SUFFIX),
    unwritable(text("a b", "1"), "a space in a name", NAME),
    unwritable(text("a:", "1"), "a colon in a name", NAME),
    unwritable(text("", "1"), "an empty name", NAME),
    unwritable(text("\u00e9", "1"), "a letter with an accent in a name", NAME),
    unwritable(text("a", "x\ny"), "a line feed in text", VALUE),
    unwritable(text("a", "x\ry"), "a carriage return in text", VALUE),
    unwritable(text("a", "x\0y"), "NUL in text", VALUE),
    unwritable(text("a", "\u00e9"), "a letter with an accent in text", VALUE),
    unwritable(text("a", "\u007f"), "DEL in text", VALUE),
    unwritable(text("rpc-timeout", "1S"), "the name of a field of the call", RESERVED),
    unwritable(text("rpc-touchstone", "1"), "a name with the prefix of the protocol", RESERVED),
  ],
};
