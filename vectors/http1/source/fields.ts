import { DELIMITERS, get, head, named, refused, tolerated, TOKEN_SIGNS, valid, type Draft, type Line, type Source } from "./craft.ts";

const N = "rfc9110#5.1";
const V = "rfc9110#5.5";
const plain = (note: string, spec: string, flag: string, ...lines: readonly Line[]): Draft => valid(note, spec, get(lines), [flag]);
const bad = (note: string, spec: string, line: string, fault: string, flag: string): Draft =>
  refused(note, spec, head("GET / HTTP/1.1", "Host: a", line), fault, [flag]);
const value = (note: string, octets: string, meant: string, fault: string, lenient?: string): Draft =>
  tolerated(note, V, get([[`X: ${octets}`, "x", meant]]), fault, ["Control"], lenient === undefined ? {} : { lenient });
/** A line that is read on in the next, and what comes of it: how many spaces stand for the fold is the reader's choice. */
const folded = (note: string, octets: string, meant: string): Draft =>
  tolerated(note, "rfc9112#5.2", get([[octets, "x", meant]]), "lineFolded", ["Fold"], { lenient: "obsFold" });

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
    plain("one field more", N, "Name", "Accept: b"),
    plain("a name in capitals", N, "Name", "ACCEPT: b"),
    plain("a name in mixed case", N, "Name", "aCCept: b"),
    plain("a name of one letter", N, "Name", "x: b"),
    plain("a name of digits", N, "Name", "123: b"),
    plain("a name of 100 octets", N, "Name", `${"n".repeat(100)}: b`),
    ...TOKEN_SIGNS.map((sign) => plain(`${sign} in a name`, N, "Name", `a${sign}b: c`)),
    ...DELIMITERS.filter((sign) => sign !== ":").map((sign) => bad(`${sign} in a name`, N, `a${sign}b: c`, "fieldNameInvalid", "NotAToken")),
    ...[0x00, 0x01, 0x0b, 0x1f, 0x7f, 0x80, 0xff].map((octet) =>
      bad(`${named(octet)} in a name`, N, `a${String.fromCharCode(octet)}b: c`, "fieldNameInvalid", "NotAToken"),
    ),
    bad("a space within a name", N, "a b: c", "fieldNameInvalid", "NotAToken"),
    bad("an empty name", N, ": c", "fieldNameInvalid", "NotAToken"),
    plain("an empty value", V, "Value", ["X:", "x", ""]),
    plain("an empty value behind a space", V, "Value", ["X: ", "x", ""]),
    plain("a value without the space", V, "Space", ["X:b", "x", "b"]),
    plain("tabs and spaces around a value", V, "Space", ["X: \t b\t \t", "x", "b"]),
    plain("white space alone", V, "Space", ["X: \t ", "x", ""]),
    plain("spaces within a value", V, "Value", "X: b  c"),
    plain("a tab within a value", V, "Value", "X: b\tc"),
    plain("a colon in a value", V, "Value", "X: b:c"),
    plain("a value that begins with a colon", V, "Value", ["X::c", "x", ":c"]),
    plain("all visible characters", V, "Value", "X: !\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~"),
    plain("octets from 0x80 to 0xff", V, "Value", "X: \u0080\u0085\u00a0\u00e9\u00ff"),
    plain("quotes that do not close", V, "Value", 'X: "b'),
    plain("a comma", V, "Value", "X: b, c"),
    plain("an octet of UTF-8 that ends in 0x8a, which is no line end", "rfc9112#2.2", "Value", "X: \u00e2\u0080\u008a"),
    plain("a value of 1,000 octets", V, "Value", `X: ${"v".repeat(1000)}`),
    value("NUL in a value", "b\0c", "b c", "fieldValueInvalid"),
    value("NUL at the end of a value", "b\0", "b", "fieldValueInvalid"),
    ...[0x01, 0x07, 0x08, 0x0b, 0x0c, 0x1b, 0x1f, 0x7f].map((octet) =>
      value(`${named(octet)} in a value`, `b${String.fromCharCode(octet)}c`, `b${String.fromCharCode(octet)}c`, "fieldValueInvalid"),
    ),
    value("a bare CR in a value", "b\rc", "b c", "bareCr", "bareCr"),
    value("a bare CR at the beginning of a value", "\rb", "b", "bareCr", "bareCr"),
    value("two CR before LF", "b\r", "b", "bareCr", "bareCr"),
    plain("a name twice", "rfc9110#5.2", "Repeated", "X: b", "X: c"),
    plain("a name twice with another between", "rfc9110#5.2", "Repeated", "X: b", "Y: d", "x: c"),
    plain("a name twice with the same value", "rfc9110#5.2", "Repeated", "X: b", "X: b"),
    plain("Cookie twice", "rfc9110#5.3", "Repeated", "Cookie: a=1", "Cookie: b=2"),
    bad("a space before the colon", "rfc9112#5.1", "X : b", "spaceBeforeColon", "Colon"),
    bad("a tab before the colon", "rfc9112#5.1", "X\t: b", "spaceBeforeColon", "Colon"),
    bad("a space before the colon of Content-Length", "rfc9112#5.1", "Content-Length : 0", "spaceBeforeColon", "Colon"),
    bad("a space before the colon of Transfer-Encoding", "rfc9112#5.1", "Transfer-Encoding : chunked", "spaceBeforeColon", "Colon"),
    bad("no colon", "rfc9112#5", "X", "colonMissing", "Colon"),
    bad("no colon, but an equals sign", "rfc9112#5", "X=b", "colonMissing", "Colon"),
    bad("another request line", "rfc9112#5", "GET / HTTP/1.1", "colonMissing", "Colon"),
    folded("a fold of one space", "X: b\r\n c", "b c"),
    folded("a fold of one tab", "X: b\r\n\tc", "b c"),
    folded("a fold with white space on both sides", "X: b \t\r\n \t c", "b c"),
    folded("two folds", "X: b\r\n c\r\n d", "b c d"),
    folded("a fold before the value", "X:\r\n b", "b"),
    folded("a fold that looks like a field", "X: b\r\n Content-Length: 5", "b Content-Length: 5"),
    folded("a fold of white space alone", "X: b\r\n ", "b"),
    bad("a fold that holds NUL", V, "X: b\r\n c\0d", "lineFolded", "Fold"),
    tolerated("a space before the first field", "rfc9112#2.2", { ...get(), octets: "GET / HTTP/1.1\r\n X: b\r\nHost: a\r\n\r\n" }, "spaceBeforeFields", ["FirstLine"]),
    tolerated("a line of white space before the first field", "rfc9112#2.2", { ...get(), octets: "GET / HTTP/1.1\r\n \t\r\nHost: a\r\n\r\n" }, "spaceBeforeFields", [
      "FirstLine",
    ]),
    tolerated("LF alone", "rfc9112#2.2", { ...get(["X: b"]), octets: "GET / HTTP/1.1\r\nHost: a\r\nX: b\n\r\n" }, "bareLf", ["LineEnd"], { lenient: "bareLf" }),
    tolerated("LF alone at the end of the section", "rfc9112#2.2", { ...get(["X: b"]), octets: "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n\n" }, "bareLf", ["LineEnd"], {
      lenient: "bareLf",
    }),
    refused("CR alone", "rfc9112#2.2", "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", "bareCr", ["LineEnd"]),
    refused("an LF that would end the section early", "rfc9112#2.2", "GET / HTTP/1.1\r\nHost: a\r\n\rX: b\r\n\r\n", "bareCr", ["LineEnd"]),
    refused("the connection ends within a line", "rfc9112#8", "GET / HTTP/1.1\r\nHost: a\r\nX: b", "endedEarly", ["Section"], { ended: true }),
    refused("the connection ends before the empty line", "rfc9112#8", "GET / HTTP/1.1\r\nHost: a\r\n", "endedEarly", ["Section"], { ended: true }),
    refused("the connection ends within the empty line", "rfc9112#8", "GET / HTTP/1.1\r\nHost: a\r\n\r", "endedEarly", ["Section"], { ended: true }),
    refused("the connection ends within the request line", "rfc9112#8", "GET / HT", "endedEarly", ["Section"], { ended: true }),
    plain("fifty fields", "rfc9110#5.4", "Section", ...Array.from({ length: 50 }, (_, i) => `X-${i}: ${i}`)),
  ],
};
