import {
  answeredLikeFirst,
  get,
  handshake,
  malformedRequest,
  firstExchange,
  permitted,
  post,
  request,
  send,
  malformedFields,
} from "./phrases.ts";
import type { Case, FieldSpec } from "./vocabulary.ts";

const inHeader = (words: string, requirement: string, what: string, name: string, level: Case["level"] = "MUST"): Case => ({
  id: `http2/field-name-${words}`,
  spec: "rfc9113#8.2.1",
  covers: [`rfc9113#8.2.1/${requirement}`],
  level,
  title: `The server treats a request as malformed when a field name ${what}.`,
  ...malformedFields(request("GET", [name, "1"]), request("GET", ["x-name", "1"])),
});
const controls = (words: string, what: string, name: string): Case => inHeader(words, "name-controls", what, name);
const high = (words: string, what: string, name: string): Case => inHeader(words, "name-high", what, name);

const inTrailers = (words: string, requirement: string, what: string, field: FieldSpec): Case => ({
  id: `http2/trailer-${words}`,
  spec: "rfc9113#8.2.1",
  covers: [`rfc9113#8.2.1/${requirement}`],
  level: "MUST",
  role: "server",
  needs: ["post"],
  title: `The server treats a request as malformed when ${what}.`,
  steps: [handshake, send(post(1), { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], fields: [field] })],
  control: [handshake, send(post(1), { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], fields: [["x-name", "1"]] })],
  allowed: malformedRequest(1),
});

export const cases: readonly Case[] = [
  inHeader("uppercase", "name-uppercase", "is in upper case", "X-NAME"),
  inHeader("one-uppercase-letter", "name-uppercase", "holds one upper-case letter", "x-naMe"),
  inHeader("uppercase-known", "name-uppercase", "of the static table is spelt with an upper-case letter", "Accept"),
  controls("nul", "holds NUL", "x-\u0000name"),
  controls("control-octet", "holds the control octet 0x01", "x-\u0001name"),
  controls("tab", "holds HTAB", "x-\tname"),
  controls("line-feed", "holds LF", "x-\nname"),
  controls("carriage-return", "holds CR", "x-\rname"),
  controls("unit-separator", "holds the control octet 0x1f", "x-\u001fname"),
  controls("space", "holds a space", "x-na me"),
  controls("leading-space", "begins with a space", " x-name"),
  controls("trailing-space", "ends with a space", "x-name "),
  high("delete", "holds the octet 0x7f", "x-\u007fname"),
  high("first-high-octet", "holds the octet 0x80", "x-\u0080name"),
  high("latin-letter", "holds the octet 0xe9", "x-nam\u00e9"),
  high("last-octet", "holds the octet 0xff", "x-name\u00ff"),
  inHeader("inner-colon", "name-colon", "holds a colon", "x:name"),
  inHeader("trailing-colon", "name-colon", "ends with a colon", "x-name:"),
  inHeader("request-line-inside", "name-controls", "would end an HTTP/1.1 header section", "x-name: 1\r\n\r\nGET /smuggled HTTP/1.1\r\nx"),
  // Beyond the minimal validation: what HTTP itself says of names (rfc9110#5.1).
  inHeader("empty", "http-definitions", "is empty", "", "SHOULD"),
  inHeader("parenthesis", "http-definitions", "holds a parenthesis, which no token does", "x-(name)", "SHOULD"),
  inHeader("slash", "http-definitions", "holds a slash, which no token does", "x/name", "SHOULD"),
  inHeader("quote", "http-definitions", "holds a double quote, which no token does", 'x-"name"', "SHOULD"),
  inTrailers("name-uppercase", "name-uppercase", "a field name in its trailers holds an upper-case letter", ["X-Name", "1"]),
  inTrailers("name-space", "name-controls", "a field name in its trailers holds a space", ["x name", "1"]),
  inTrailers("value-line-feed", "value-delimiters", "a field value in its trailers holds LF", ["x-name", "1\n2"]),
  {
    id: "http2/field-name-every-token-character",
    spec: "rfc9113#8.2.1",
    covers: ["rfc9113#8.2.1/http-definitions"],
    level: "MUST",
    role: "server",
    title: "The server takes a field name of every kind of character that a token may have.",
    steps: [...firstExchange, send(get(3, ["x!#$%&'*+-.^_`|~09az", "1"]))],
    control: [...firstExchange, send(get(3, ["x-name", "1"]))],
    allowed: answeredLikeFirst(3),
  },
  {
    id: "http2/prohibited-octet-answered-400",
    spec: "rfc9113#8.2.1",
    covers: ["rfc9113#8.2.1/status-400"],
    level: "SHOULD",
    title: "The server answers a request whose field value holds NUL with 400 before the stream is closed.",
    ...malformedFields(request("GET", ["x-name", "1\u00002"]), request("GET", ["x-name", "12"])),
    allowed: [
      { see: { see: "response", stream: 1, status: [400] } },
      permitted({ see: "response", stream: 1, status: [431] }, "rfc9113#8.2.1"),
      permitted({ see: "RST_STREAM", stream: 1, code: "PROTOCOL_ERROR" }, "rfc9113#8.1.1", "warn"),
      permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc9113#5.4.1", "warn"),
    ],
  },
];
