import { frame, hex, named, OP, refused, utf8, valid, type Draft, type Note, type Source } from "./craft.ts";

const U = "rfc6455#8.1";
/** Octets of the head of a short masked frame. */
const HEAD = 6;

const point = (code: number): Draft => {
  const text = String.fromCodePoint(code);
  return valid({ note: `U+${code.toString(16).toUpperCase().padStart(4, "0")}`, spec: U, wire: frame(OP.text, utf8(text)), messages: [{ text }], flags: ["CodePoint"] });
};
const text = (note: Note, content: string): Draft => valid({ note, spec: U, wire: frame(OP.text, utf8(content)), messages: [{ text: content }], flags: ["Text"] });
/** The first `good` octets may still become text; the next one makes that impossible. */
const wrong = (flag: string) => (note: Note, octets: string, good: number): Draft =>
  refused({ note, spec: U, wire: frame(OP.text, hex(octets)), failure: ["textInvalid", 1007], flags: [flag],  at: HEAD + good + 1 });
const overlong = wrong("OverLong");
const beyond = wrong("Range");
const surrogate = wrong("Surrogate");
const stray = wrong("Stray");
const broken = wrong("Broken");
/** Text whose fault shows only at the end of the message. */
const cut = (note: Note, octets: string): Draft => refused({ note, spec: U, wire: frame(OP.text, hex(octets)), failure: ["textInvalid", 1007], flags: ["CutOff"],  at: HEAD + hex(octets).length / 2 });
/** The same octets in frames of one octet each. */
const inFrames = (octets: string): readonly string[] => {
  const all = hex(octets).match(/../g) ?? [];
  return all.map((octet, i) => frame(i === 0 ? OP.text : OP.more, octet, { fin: i === all.length - 1 }));
};
const apart = (note: Note, octets: string, good: number): Draft =>
  refused({ note, spec: U, wire: inFrames(octets), failure: ["textInvalid", 1007], flags: ["Apart"],  at: (good + 1) * (HEAD + 1) });

const POINTS = [0x00, 0x01, 0x1f, 0x20, 0x7e, 0x7f, 0x80, 0x9f, 0xe9, 0xff, 0x7ff, 0x800, 0xfff, 0x1000, 0x20ac, 0xcfff, 0xd000, 0xd7ff, 0xe000, 0xf8ff, 0xfdd0, 0xfeff, 0xfffd, 0xfffe, 0xffff, 0x10000, 0x1f600, 0x1fffe, 0x1ffff, 0x3ffff, 0x40000, 0xfffff, 0x100000, 0x10fffe, 0x10ffff];

export const source: Source = {
  kind: "websocket-frames",
  about: "Text messages: valid and invalid UTF-8, and how early a fault shows (`at`)",
  spec: U,
  flags: {
    CodePoint: { why: "the limits of each form, and allowed characters that look forbidden", bug: "TOO_STRICT" },
    Text: { why: "text of several characters", bug: "TOO_STRICT" },
    OverLong: { why: "an overlong character", bug: "OVERLONG_FORM" },
    Range: { why: "above U+10FFFF, or an obsolete form", bug: "OUT_OF_RANGE" },
    Surrogate: { why: "a UTF-16 surrogate, which is not a character", bug: "SURROGATE" },
    Stray: { why: "a continuation octet without a first octet", bug: "MISSING_CHECK" },
    Broken: { why: "a character interrupted by another octet", bug: "MISSING_CHECK" },
    CutOff: { why: "a character truncated by the end of the message", bug: "MISSING_CHECK" },
    Apart: { why: "an invalid sequence split over frames", bug: "CHECK_PER_FRAME" },
  },
  vectors: [
    ...POINTS.map(point),
    text(named("nothing", "an empty message"), ""),
    text("Greek", "Κόσμε, γειά σου"),
    text("mixed forms", "aé€😀aé€😀"),
    text(named("a-combining-accent-and-the-letter-with-it", "a combining accent and a precomposed letter"), "e\u0301 é"),
    text("right to left", "שלום, مرحبا"),
    text("a family, with joiners", "👨‍👩‍👧‍👦"),
    text(named("a-long-text-of-two-octets-a-character", "a long text with two octets per character"), "é".repeat(500)),
    text(named("a-long-text-of-four-octets-a-character", "a long text with four octets per character"), "😀".repeat(100)),
    text(named("a-long-text-with-one-character-that-is-not-ascii-at-its-end", "a long text with one non-ASCII character at the end"), `${"a".repeat(600)}é`),

    overlong("NUL in two octets", "c0 80", 0),
    overlong("a slash in two octets", "c0 af", 0),
    overlong("U+007F in two octets", "c1 bf", 0),
    overlong("NUL in three octets", "e0 80 80", 1),
    overlong("a slash in three octets", "e0 80 af", 1),
    overlong("U+07FF in three octets", "e0 9f bf", 1),
    overlong("NUL in four octets", "f0 80 80 80", 1),
    overlong("a slash in four octets", "f0 80 80 af", 1),
    overlong("U+FFFF in four octets", "f0 8f bf bf", 1),
    overlong("NUL in five octets", "f8 80 80 80 80", 0),
    overlong("NUL in six octets", "fc 80 80 80 80 80", 0),

    beyond("U+110000", "f4 90 80 80", 1),
    beyond("U+13FFFF", "f4 bf bf bf", 1),
    beyond("U+140000", "f5 80 80 80", 0),
    beyond("U+1FFFFF", "f7 bf bf bf", 0),
    beyond("U+200000", "f8 88 80 80 80", 0),
    beyond("U+3FFFFFF", "fb bf bf bf bf", 0),
    beyond("U+4000000", "fc 84 80 80 80 80", 0),
    beyond("U+7FFFFFFF", "fd bf bf bf bf bf", 0),
    beyond("0xfe", "fe", 0),
    beyond("0xff", "ff", 0),
    beyond("0xfe and 0xff", "fe fe ff ff", 0),
    beyond(named("u-110000-behind-text", "U+110000 after text"), "ce ba e1 bd b9 f4 90 80 80", 6),

    surrogate("U+D800", "ed a0 80", 1),
    surrogate("U+DB7F", "ed ad bf", 1),
    surrogate("U+DB80", "ed ae 80", 1),
    surrogate("U+DBFF", "ed af bf", 1),
    surrogate("U+DC00", "ed b0 80", 1),
    surrogate("U+DF80", "ed be 80", 1),
    surrogate("U+DFFF", "ed bf bf", 1),
    surrogate(named("a-pair", "a surrogate pair"), "ed a0 80 ed b0 80", 1),
    surrogate(named("another-pair", "another surrogate pair"), "ed af bf ed bf bf", 1),
    surrogate(named("behind-text", "a surrogate after text"), "61 62 ed a0 80 63", 3),

    ...[0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf].map((octet) => stray(named(`0x${octet.toString(16)}`, `a lone 0x${octet.toString(16)}`), octet.toString(16), 0)),
    stray(named("two", "two lone continuation octets"), "80 bf", 0),
    stray(named("seven", "seven lone continuation octets"), "80 bf 80 bf 80 bf 80", 0),
    stray(named("behind-a-letter", "a lone continuation octet after a letter"), "61 80", 1),
    stray(named("one-too-many-behind-a-character-of-two-octets", "one continuation octet too many after a character of two octets"), "c3 a9 a9", 2),
    stray(named("one-too-many-behind-a-character-of-three-octets", "one continuation octet too many after a character of three octets"), "e2 82 ac ac", 3),
    stray(named("one-too-many-behind-a-character-of-four-octets", "one continuation octet too many after a character of four octets"), "f0 9f 98 80 80", 4),
    stray(named("at-the-end-of-a-long-text", "a lone continuation octet at the end of a long text"), `${"61".repeat(100)}80`, 100),

    broken(named("two-octets-by-a-letter", "a character of two octets with a letter in the second place"), "c3 61", 1),
    broken(named("two-octets-by-a-space", "a character of two octets with a space in the second place"), "c3 20", 1),
    broken(named("three-octets-by-a-letter-in-the-second-place", "a character of three octets with a letter in the second place"), "e2 61 62", 1),
    broken(named("three-octets-by-a-letter-in-the-third-place", "a character of three octets with a letter in the third place"), "e2 82 61", 2),
    broken(named("four-octets-by-a-letter-in-the-second-place", "a character of four octets with a letter in the second place"), "f0 61 62 63", 1),
    broken(named("four-octets-by-a-letter-in-the-third-place", "a character of four octets with a letter in the third place"), "f0 9f 61 62", 2),
    broken(named("four-octets-by-a-letter-in-the-fourth-place", "a character of four octets with a letter in the fourth place"), "f0 9f 98 61", 3),
    broken(named("by-another-character", "a character interrupted by another"), "e2 82 c3 a9", 2),
    broken(named("by-itself", "a first octet interrupted by the same octet"), "c3 c3", 1),
    broken(named("by-nul", "a character interrupted by NUL"), "e2 00", 1),
    broken(named("by-0xff", "a character interrupted by 0xff"), "f0 9f ff", 2),
    broken(named("by-0xc0-which-begins-nothing", "a character interrupted by 0xc0, which is never valid"), "e2 c0 80", 1),
    broken(named("in-the-middle-of-a-text", "an interrupted character in the middle of a text"), "ce ba e1 bd b9 cf 83 ce bc ce 65 64 69 74 65 64", 10),

    ...["c3", "df", "e2", "e2 82", "ef bf", "f0", "f0 9f", "f0 9f 98", "f4 8f bf"].map((octets) => cut(named(octets.replaceAll(" ", "-"), `a character truncated after ${octets}`), octets)),
    cut(named("behind-text-2", "a truncated character after text"), "61 62 63 f0 9f 98"),

    valid({ note: named("a-character-of-four-octets-an-octet-a-frame", "a character of four octets, one octet per frame"), spec: U, wire: inFrames("f0 9f 98 80"), messages: [{ text: "😀" }], flags: ["Apart"] }),
    valid({ note: named("characters-of-all-lengths-an-octet-a-frame", "characters of all lengths, one octet per frame"), spec: U, wire: inFrames("61 c3 a9 e2 82 ac f0 9f 98 80"), messages: [{ text: "aé€😀" }], flags: ["Apart"] }),
    apart(named("a-surrogate", "a surrogate, one octet per frame"), "ed a0 80", 1),
    apart(named("an-over-long-form", "an overlong form, one octet per frame"), "c0 af", 0),
    apart(named("above-u-10ffff", "a code point above U+10FFFF, one octet per frame"), "f4 90 80 80", 1),
    apart(named("a-character-that-a-letter-breaks-off", "a character interrupted by a letter, one octet per frame"), "e2 82 61", 2),
    refused({ note: named("a-character-that-is-begun-and-the-message-ended-by-an-empty-frame", "a truncated character before an empty last frame"), spec: U, wire: [frame(OP.text, "e282", { fin: false }), frame(OP.more, "")], failure: ["textInvalid", 1007], flags: ["Apart"] }),
    valid({ note: named("binary-messages-may-be-anything", "invalid UTF-8 in a binary message"), spec: U, wire: frame(OP.binary, "fffec080eda080"), messages: [{ binary: "fffec080eda080" }], flags: ["Text"] }),
    refused({ note: named("wrong-text-behind-good", "invalid text after a valid message"), spec: U, wire: [frame(OP.text, utf8("é")), frame(OP.text, "ff")], failure: ["textInvalid", 1007], flags: ["Range"],  before: [{ text: "é" }] }),
  ],
};
