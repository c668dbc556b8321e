import { DELIMITERS, get, head, named, refused, tolerated, TOKEN_SIGNS, valid, type Draft, type Line, type Source } from "./craft.ts";

const N = "rfc9110#5.1";
const V = "rfc9110#5.5";
const plain = (note: string, spec: string, flag: string, ...lines: readonly Line[]): Draft => valid({ note, spec, given: get(lines), flags: [flag] });
const bad = ({ note, spec, line, fault, flag }: { readonly note: string; readonly spec: string; readonly line: string; readonly fault: string; readonly flag: string }): Draft =>
  refused({ note, spec, octets: head("GET / HTTP/1.1", "Host: a", line), fault, flags: [flag] });
const value = ({ note, octets, meant, fault, lenient }: { readonly note: string; readonly octets: string; readonly meant: string; readonly fault: string; readonly lenient?: string }): Draft =>
  tolerated({ note, spec: V, given: get([[`X: ${octets}`, "x", meant]]), fault, flags: ["Control"], ...lenient === undefined ? {} : { lenient } });
/** A line that is read on in the next, and what comes of it: how many spaces stand for the fold is the reader's choice. */
const folded = (note: string, octets: string, meant: string): Draft =>
  tolerated({ note, spec: "rfc9112#5.2", given: get([[octets, "x", meant]]), fault: "lineFolded", flags: ["Fold"],  lenient: "obsFold" });

export const source: Source = {
  about: "Field lines of a header section: names, colons, values, white space, folds, line ends",
  spec: "rfc9112#5",
  flags: {
    Name: { why: "any token is a name, in any case", bug: "TOO_STRICT" },
    NotAToken: { why: "the name has an octet that is not allowed in a token", bug: "MISSING_CHECK" },
    Value: { why: "a valid value", bug: "MISREAD_VALUE" },
    Space: { why: "white space around a value is not part of it", bug: "MISREAD_VALUE" },
    Control: { why: "a control character in a value: refused, or harmless if accepted", bug: "MISSING_CHECK" },
    Repeated: { why: "a repeated name: the order of its lines is kept", bug: "LOST_FIELD" },
    Colon: { why: "white space before the colon, or no colon", bug: "MISSING_CHECK" },
    Fold: { why: "a line begins with white space and continues the one before", bug: "MISREAD_LINE" },
    FirstLine: { why: "white space before the first field", bug: "MISREAD_LINE" },
    LineEnd: { why: "a line ends in something other than CRLF", bug: "MISREAD_LINE" },
    Section: { why: "the end of the section", bug: "MISREAD_LINE" },
  },
  vectors: [
    plain("one more field", N, "Name", "Accept: b"),
    plain("a name in capitals", N, "Name", "ACCEPT: b"),
    plain("a name in mixed case", N, "Name", "aCCept: b"),
    plain("a name of one letter", N, "Name", "x: b"),
    plain("a name of digits", N, "Name", "123: b"),
    plain("a name of 100 octets", N, "Name", `${"n".repeat(100)}: b`),
    ...TOKEN_SIGNS.map((sign) => plain(`${sign} in a name`, N, "Name", `a${sign}b: c`)),
    ...DELIMITERS.filter((sign) => sign !== ":").map((sign) => bad({ note: `${sign} in a name`, spec: N, line: `a${sign}b: c`, fault: "fieldNameInvalid", flag: "NotAToken" })),
    ...[0x00, 0x01, 0x0b, 0x1f, 0x7f, 0x80, 0xff].map((octet) =>
      bad({ note: `${named(octet)} in a name`, spec: N, line: `a${String.fromCharCode(octet)}b: c`, fault: "fieldNameInvalid", flag: "NotAToken" }),
    ),
    bad({ note: "a space within a name", spec: N, line: "a b: c", fault: "fieldNameInvalid", flag: "NotAToken" }),
    bad({ note: "an empty name", spec: N, line: ": c", fault: "fieldNameInvalid", flag: "NotAToken" }),
    plain("an empty value", V, "Value", ["X:", "x", ""]),
    plain("an empty value after a space", V, "Value", ["X: ", "x", ""]),
    plain("a value without the space", V, "Space", ["X:b", "x", "b"]),
    plain("tabs and spaces around a value", V, "Space", ["X: \t b\t \t", "x", "b"]),
    plain("white space alone", V, "Space", ["X: \t ", "x", ""]),
    plain("spaces within a value", V, "Value", "X: b  c"),
    plain("a tab within a value", V, "Value", "X: b\tc"),
    plain("a colon in a value", V, "Value", "X: b:c"),
    plain("a value that begins with a colon", V, "Value", ["X::c", "x", ":c"]),
    plain("all visible characters", V, "Value", "X: !\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~"),
    plain("octets from 0x80 to 0xff", V, "Value", "X: \u0080\u0085\u00a0\u00e9\u00ff"),
    plain("unclosed quotes", V, "Value", 'X: "b'),
    plain("a comma", V, "Value", "X: b, c"),
    plain("a UTF-8 character that ends in 0x8a, which is not a line end", "rfc9112#2.2", "Value", "X: \u00e2\u0080\u008a"),
    plain("a value of 1,000 octets", V, "Value", `X: ${"v".repeat(1000)}`),
    value({ note: "NUL in a value", octets: "b\0c", meant: "b c", fault: "fieldValueInvalid" }),
    value({ note: "NUL at the end of a value", octets: "b\0", meant: "b", fault: "fieldValueInvalid" }),
    ...[0x01, 0x07, 0x08, 0x0b, 0x0c, 0x1b, 0x1f, 0x7f].map((octet) =>
      value({ note: `${named(octet)} in a value`, octets: `b${String.fromCharCode(octet)}c`, meant: `b${String.fromCharCode(octet)}c`, fault: "fieldValueInvalid" }),
    ),
    value({ note: "a bare CR in a value", octets: "b\rc", meant: "b c", fault: "bareCr", lenient: "bareCr" }),
    value({ note: "a bare CR at the beginning of a value", octets: "\rb", meant: "b", fault: "bareCr", lenient: "bareCr" }),
    value({ note: "two CR before LF", octets: "b\r", meant: "b", fault: "bareCr", lenient: "bareCr" }),
    plain("a name twice", "rfc9110#5.2", "Repeated", "X: b", "X: c"),
    plain("a name twice with another between", "rfc9110#5.2", "Repeated", "X: b", "Y: d", "x: c"),
    plain("a name twice with the same value", "rfc9110#5.2", "Repeated", "X: b", "X: b"),
    plain("Cookie twice", "rfc9110#5.3", "Repeated", "Cookie: a=1", "Cookie: b=2"),
    bad({ note: "a space before the colon", spec: "rfc9112#5.1", line: "X : b", fault: "spaceBeforeColon", flag: "Colon" }),
    bad({ note: "a tab before the colon", spec: "rfc9112#5.1", line: "X\t: b", fault: "spaceBeforeColon", flag: "Colon" }),
    bad({ note: "a space before the colon of Content-Length", spec: "rfc9112#5.1", line: "Content-Length : 0", fault: "spaceBeforeColon", flag: "Colon" }),
    bad({ note: "a space before the colon of Transfer-Encoding", spec: "rfc9112#5.1", line: "Transfer-Encoding : chunked", fault: "spaceBeforeColon", flag: "Colon" }),
    bad({ note: "no colon", spec: "rfc9112#5", line: "X", fault: "colonMissing", flag: "Colon" }),
    bad({ note: "no colon, but an equals sign", spec: "rfc9112#5", line: "X=b", fault: "colonMissing", flag: "Colon" }),
    bad({ note: "another request line", spec: "rfc9112#5", line: "GET / HTTP/1.1", fault: "colonMissing", flag: "Colon" }),
    folded("a fold of one space", "X: b\r\n c", "b c"),
    folded("a fold of one tab", "X: b\r\n\tc", "b c"),
    folded("a fold with white space on both sides", "X: b \t\r\n \t c", "b c"),
    folded("two folds", "X: b\r\n c\r\n d", "b c d"),
    folded("a fold before the value", "X:\r\n b", "b"),
    folded("a fold that looks like a field", "X: b\r\n Content-Length: 5", "b Content-Length: 5"),
    folded("a fold of white space alone", "X: b\r\n ", "b"),
    bad({ note: "a fold that holds NUL", spec: V, line: "X: b\r\n c\0d", fault: "lineFolded", flag: "Fold" }),
    tolerated({ note: "a space before the first field", spec: "rfc9112#2.2", given: { ...get(), octets: "GET / HTTP/1.1\r\n X: b\r\nHost: a\r\n\r\n" }, fault: "spaceBeforeFields", flags: ["FirstLine"] }),
    tolerated({ note: "a line of white space before the first field", spec: "rfc9112#2.2", given: { ...get(), octets: "GET / HTTP/1.1\r\n \t\r\nHost: a\r\n\r\n" }, fault: "spaceBeforeFields", flags: [
      "FirstLine",
    ] }),
    tolerated({ note: "LF alone", spec: "rfc9112#2.2", given: { ...get(["X: b"]), octets: "GET / HTTP/1.1\r\nHost: a\r\nX: b\n\r\n" }, fault: "bareLf", flags: ["LineEnd"],  lenient: "bareLf" }),
    tolerated({ note: "LF alone at the end of the section", spec: "rfc9112#2.2", given: { ...get(["X: b"]), octets: "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n\n" }, fault: "bareLf", flags: ["LineEnd"], 
      lenient: "bareLf" }),
    refused({ note: "CR alone", spec: "rfc9112#2.2", octets: "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", fault: "bareCr", flags: ["LineEnd"] }),
    refused({ note: "an LF that would end the section early", spec: "rfc9112#2.2", octets: "GET / HTTP/1.1\r\nHost: a\r\n\rX: b\r\n\r\n", fault: "bareCr", flags: ["LineEnd"] }),
    refused({ note: "the connection ends within a line", spec: "rfc9112#8", octets: "GET / HTTP/1.1\r\nHost: a\r\nX: b", fault: "endedEarly", flags: ["Section"],  ended: true }),
    refused({ note: "the connection ends before the empty line", spec: "rfc9112#8", octets: "GET / HTTP/1.1\r\nHost: a\r\n", fault: "endedEarly", flags: ["Section"],  ended: true }),
    refused({ note: "the connection ends within the empty line", spec: "rfc9112#8", octets: "GET / HTTP/1.1\r\nHost: a\r\n\r", fault: "endedEarly", flags: ["Section"],  ended: true }),
    refused({ note: "the connection ends within the request line", spec: "rfc9112#8", octets: "GET / HT", fault: "endedEarly", flags: ["Section"],  ended: true }),
    plain("fifty fields", "rfc9110#5.4", "Section", ...Array.from({ length: 50 }, (_, i) => `X-${i}: ${i}`)),
  ],
};
