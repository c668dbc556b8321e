import { reading, type Other, type Rule, type Source, writing } from "./craft.ts";

const CODE: readonly [Rule] = ["rpc-http2#responses/message-encoding"];
const INVALID: readonly [Rule] = ["rpc-http2#responses/message-invalid"];
const DIGITS: readonly [Rule, Rule] = ["rpc-http2#responses/message-digits", "rpc-http2#responses/message-encoding"];

const read = (value: string, text: string, note: string) =>
  reading("message", value, { note, rules: CODE, messages: [{ text }], flag: "Decode" });
/** An invalid value: the valid parts are decoded, or it stays as it is; `texts` replace the invalid parts. */
const broken = (value: string, text: string, note: string, ...texts: readonly string[]) => {
  const others = [...new Set([value, ...texts])].filter((one) => one !== text);
  const or = others.map((one): Other => ({ messages: [{ text: one }], by: "rpc-http2#responses" }));
  return reading("message", value, { note, rules: INVALID, messages: [{ text }], ...(or.length === 0 ? {} : { or }), flag: "Invalid" });
};
const ALL_PLAIN = Array.from({ length: 95 }, (_, at) => String.fromCharCode(0x20 + at))
  .join("")
  .replace("%", "");

export const source: Source = {
  kind: "rpc-read",
  about: "status messages that are read",
  spec: "rpc-http2#responses",
  flags: {
    Decode: { why: "percent-encoded UTF-8", bug: "WRONG_TEXT" },
    Invalid: { why: "an invalid message, which is no error", bug: "TOO_STRICT" },
  },
  vectors: [
    read("", "", "an empty message"),
    read("not found", "not found", "plain words"),
    read(ALL_PLAIN, ALL_PLAIN, "every character that stands for itself"),
    read("100%25", "100%", "a percent sign"),
    read("%2541", "%41", "an encoded percent sign before two digits"),
    read("%0D%0A%09", "\r\n\t", "line end and tab"),
    read("%00", "\0", "NUL"),
    read("%41%62c", "Abc", "letters that need no encoding"),
    read("%20%2B%20", " + ", "spaces and a plus sign that need no encoding"),
    read("a+b", "a+b", "a plus sign, which is no space"),
    read("%7F", "\u007f", "DEL"),
    read("caf%C3%A9", "café", "two octets of UTF-8"),
    read("%E2%98%BA", "☺", "three octets of UTF-8"),
    read("%F0%9F%98%80!", "😀!", "four octets of UTF-8"),
    read("%e2%98%ba", "☺", "hexadecimal digits in lower case"),
    read("%EF%BB%BFa", "\ufeffa", "a byte order mark"),
    read("%EF%BF%BF", "\uffff", "a noncharacter"),
    broken("100%", "100%", "a percent sign at the end", "100?", "100\ufffd"),
    broken("%", "%", "a percent sign alone", "?", "\ufffd"),
    broken("%4", "%4", "one digit at the end", "?4", "\ufffd4", "?", "\ufffd"),
    broken("%zz", "%zz", "letters that are no digits", "?zz", "\ufffdzz", "?", "\ufffd"),
    broken("%4g", "%4g", "one digit and another letter", "?4g", "\ufffd4g", "?", "\ufffd"),
    broken("%%41", "%A", "two percent signs", "?A", "\ufffdA"),
    broken("%41%", "A%", "a valid part before a broken one", "A?", "A\ufffd"),
    broken("%+1%41", "%+1A", "a sign in place of a digit", "?+1A", "\ufffd+1A", "?A", "\ufffdA"),
    broken("% 1", "% 1", "a space in place of a digit", "? 1", "\ufffd 1", "?", "\ufffd"),
    broken("%FF", "\ufffd", "an octet that UTF-8 does not have", "?"),
    broken("a%C3", "a\ufffd", "half a character", "a?"),
    broken("%C3%28", "\ufffd(", "half a character before another", "?("),
    broken("%ED%A0%80", "\ufffd\ufffd\ufffd", "a surrogate", "\ufffd", "?", "???"),
    broken("%C0%AF", "\ufffd\ufffd", "an overlong form", "\ufffd", "?", "??"),
    // Values with such octets may be dropped (rpc-http2#requests).
    broken("caf\u00c3\u00a9", "café", "UTF-8 that should have been encoded", ""),
  ],
};

const write = (text: string, value: string, note: string, rules: readonly [Rule, ...Rule[]] = CODE) =>
  writing("message", text, { note, rules, messages: [{ text: value }], flag: "Encode" });

export const written: Source = {
  kind: "rpc-write",
  about: "status messages that are written",
  spec: "rpc-http2#responses",
  flags: { Encode: { why: "octets that must be encoded, and may be", bug: "FORBIDDEN_OCTET" } },
  vectors: [
    write("not found", "not found", "plain words"),
    write(`a${ALL_PLAIN}`, `a${ALL_PLAIN}`, "every character that stands for itself"),
    write("100%", "100%25", "a percent sign"),
    write("%41", "%2541", "what looks encoded"),
    write("a\r\nb", "a%0D%0Ab", "a line end", DIGITS),
    write("\0\u001f\u007f", "%00%1F%7F", "control characters", DIGITS),
    write("\t", "%09", "a tab"),
    write(" x ", "%20x%20", "spaces at the ends"),
    write("café", "caf%C3%A9", "two octets of UTF-8", DIGITS),
    write("☺", "%E2%98%BA", "three octets of UTF-8", DIGITS),
    write("😀", "%F0%9F%98%80", "four octets of UTF-8", DIGITS),
    write("~é~", "~%C3%A9~", "a tilde beside another character"),
    write("\ufeffa", "%EF%BB%BFa", "a byte order mark", DIGITS),
    write("é".repeat(500), "%C3%A9".repeat(500), "five hundred characters", DIGITS),
  ],
};
