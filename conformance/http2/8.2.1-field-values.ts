import { accepted, answeredLikeFirst, get, handshake, firstExchange, request, send, malformedFields } from "./phrases.ts";
import type { Case, FieldSpec } from "./vocabulary.ts";

const wrongValue = (words: string, requirement: string, what: string, value: string): Case => ({
  id: `http2/field-value-${words}`,
  spec: "rfc9113#8.2.1",
  covers: [`rfc9113#8.2.1/${requirement}`],
  level: "MUST",
  title: `The server treats a request as malformed when a field value ${what}.`,
  ...malformedFields(request("GET", ["x-name", value]), request("GET", ["x-name", "one two"])),
});
const delimiter = (words: string, what: string, value: string): Case => wrongValue(words, "value-delimiters", what, value);
const edge = (words: string, what: string, value: string): Case => wrongValue(words, "value-edges", what, value);

const takenValue = (words: string, what: string, field: FieldSpec, level: Case["level"] = "MUST"): Case => ({
  id: `http2/field-value-${words}`,
  spec: "rfc9113#8.2.1",
  covers: ["rfc9113#8.2.1/http-definitions"],
  level,
  role: "server",
  title: `The server takes a field value ${what}.`,
  steps: [...firstExchange, send(get(3, field))],
  control: [...firstExchange, send(get(3, ["x-name", "one two"]))],
  allowed: answeredLikeFirst(3),
});

export const cases: readonly Case[] = [
  delimiter("nul", "holds NUL", "one\u0000two"),
  delimiter("line-feed", "holds LF", "one\ntwo"),
  delimiter("carriage-return", "holds CR", "one\rtwo"),
  delimiter("leading-nul", "begins with NUL", "\u0000one"),
  delimiter("trailing-nul", "ends with NUL", "one\u0000"),
  delimiter("trailing-line-feed", "ends with LF", "one\n"),
  delimiter("trailing-carriage-return", "ends with CR", "one\r"),
  delimiter("second-field-inside", "would become a second field in HTTP/1.1", "one\r\nx-smuggled: two"),
  delimiter("request-inside", "would become a second request in HTTP/1.1", "one\r\n\r\nGET /smuggled HTTP/1.1\r\nhost: a"),
  delimiter("folded", "is folded over two lines", "one\r\n two"),
  edge("leading-space", "begins with a space", " one"),
  edge("trailing-space", "ends with a space", "one "),
  edge("leading-tab", "begins with HTAB", "\tone"),
  edge("trailing-tab", "ends with HTAB", "one\t"),
  edge("only-space", "is nothing but a space", " "),
  {
    id: "http2/field-value-nul-in-cookie",
    spec: "rfc9113#8.2.1",
    covers: ["rfc9113#8.2.1/value-delimiters"],
    level: "MUST",
    title: "The server treats a request as malformed when the value of a field that it knows holds NUL.",
    ...malformedFields(request("GET", ["cookie", "a=\u0000b"]), request("GET", ["cookie", "a=b"])),
  },
  takenValue("empty", "that is empty", ["x-name", ""]),
  takenValue("inner-white-space", "with spaces and HTAB inside", ["x-name", "one  two\tthree"]),
  takenValue("obsolete-text", "with octets from 0x80 to 0xff", ["x-name", "caf\u00e9 \u0080\u00ff"], "SHOULD"),
  takenValue("long", "of 3,000 octets", ["x-name", "a".repeat(3000)], "SHOULD"),
  {
    id: "http2/field-value-against-its-own-grammar",
    spec: "rfc9113#8.2.1",
    covers: ["rfc9113#8.2.1/value-grammar"],
    level: "MUST NOT",
    role: "server",
    title: "The server does not treat a request as malformed because the value of accept or of a date breaks that field's own grammar.",
    steps: [handshake, send(get(1, ["accept", ";;q=x,,/"], ["if-modified-since", "the day before yesterday"]))],
    control: [handshake, send(get(1, ["accept", "*/*"]))],
    allowed: accepted,
  },
];
