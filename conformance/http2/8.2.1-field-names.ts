import {
  answeredLikeFirst,
  firstExchange,
  get,
  handshake,
  malformedFields,
  malformedRequest,
  permitted,
  post,
  request,
  send,
} from "./phrases.ts";
import type { Case, FieldSpec, Row } from "./vocabulary.ts";

const inHeader = ({ requirement, name, ...row }: Row & { readonly requirement: string; readonly name: string }): Case => ({
  spec: "rfc9113#8.2.1",
  covers: [`rfc9113#8.2.1/${requirement}`],
  level: "MUST",
  ...malformedFields(request("GET", [name, "1"]), request("GET", ["x-name", "1"])),
  ...row,
});
const controls = ({ name, ...row }: Row & { readonly name: string }): Case => inHeader({ requirement: "name-controls", name, ...row });
const high = ({ name, ...row }: Row & { readonly name: string }): Case => inHeader({ requirement: "name-high", name, ...row });

const inTrailers = ({ requirement, field, ...row }: Row & { readonly requirement: string; readonly field: FieldSpec }): Case => ({
  spec: "rfc9113#8.2.1",
  covers: [`rfc9113#8.2.1/${requirement}`],
  level: "MUST",
  role: "server",
  needs: ["post"],
  steps: [handshake, send(post(1), { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], fields: [field] })],
  control: [handshake, send(post(1), { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], fields: [["x-name", "1"]] })],
  allowed: malformedRequest(1),
  ...row,
});

export const cases: readonly Case[] = [
  inHeader({
    id: "http2/field-name-uppercase",
    title: "The server treats a request as malformed when a field name is in upper case.",
    requirement: "name-uppercase",
    name: "X-NAME",
  }),
  inHeader({
    id: "http2/field-name-one-uppercase-letter",
    title: "The server treats a request as malformed when a field name holds one upper-case letter.",
    requirement: "name-uppercase",
    name: "x-naMe",
  }),
  inHeader({
    id: "http2/field-name-uppercase-known",
    title: "The server treats a request as malformed when a field name of the static table is spelt with an upper-case letter.",
    requirement: "name-uppercase",
    name: "Accept",
  }),
  controls({
    id: "http2/field-name-nul",
    title: "The server treats a request as malformed when a field name holds NUL.",
    name: "x-\u0000name",
  }),
  controls({
    id: "http2/field-name-control-octet",
    title: "The server treats a request as malformed when a field name holds the control octet 0x01.",
    name: "x-\u0001name",
  }),
  controls({
    id: "http2/field-name-tab",
    title: "The server treats a request as malformed when a field name holds HTAB.",
    name: "x-\tname",
  }),
  controls({
    id: "http2/field-name-line-feed",
    title: "The server treats a request as malformed when a field name holds LF.",
    name: "x-\nname",
  }),
  controls({
    id: "http2/field-name-carriage-return",
    title: "The server treats a request as malformed when a field name holds CR.",
    name: "x-\rname",
  }),
  controls({
    id: "http2/field-name-unit-separator",
    title: "The server treats a request as malformed when a field name holds the control octet 0x1f.",
    name: "x-\u001fname",
  }),
  controls({
    id: "http2/field-name-space",
    title: "The server treats a request as malformed when a field name holds a space.",
    name: "x-na me",
  }),
  controls({
    id: "http2/field-name-leading-space",
    title: "The server treats a request as malformed when a field name begins with a space.",
    name: " x-name",
  }),
  controls({
    id: "http2/field-name-trailing-space",
    title: "The server treats a request as malformed when a field name ends with a space.",
    name: "x-name ",
  }),
  high({
    id: "http2/field-name-delete",
    title: "The server treats a request as malformed when a field name holds the octet 0x7f.",
    name: "x-\u007fname",
  }),
  high({
    id: "http2/field-name-first-high-octet",
    title: "The server treats a request as malformed when a field name holds the octet 0x80.",
    name: "x-\u0080name",
  }),
  high({
    id: "http2/field-name-latin-letter",
    title: "The server treats a request as malformed when a field name holds the octet 0xe9.",
    name: "x-nam\u00e9",
  }),
  high({
    id: "http2/field-name-last-octet",
    title: "The server treats a request as malformed when a field name holds the octet 0xff.",
    name: "x-name\u00ff",
  }),
  inHeader({
    id: "http2/field-name-inner-colon",
    title: "The server treats a request as malformed when a field name holds a colon.",
    requirement: "name-colon",
    name: "x:name",
  }),
  inHeader({
    id: "http2/field-name-trailing-colon",
    title: "The server treats a request as malformed when a field name ends with a colon.",
    requirement: "name-colon",
    name: "x-name:",
  }),
  inHeader({
    id: "http2/field-name-request-line-inside",
    title: "The server treats a request as malformed when a field name would end an HTTP/1.1 header section.",
    requirement: "name-controls",
    name: "x-name: 1\r\n\r\nGET /smuggled HTTP/1.1\r\nx",
  }),
  // Beyond the minimal validation: what HTTP itself says of names (rfc9110#5.1).
  inHeader({
    id: "http2/field-name-empty",
    title: "The server treats a request as malformed when a field name is empty.",
    requirement: "http-definitions",
    name: "",
    level: "SHOULD",
  }),
  inHeader({
    id: "http2/field-name-parenthesis",
    title: "The server treats a request as malformed when a field name holds a parenthesis, which no token does.",
    requirement: "http-definitions",
    name: "x-(name)",
    level: "SHOULD",
  }),
  inHeader({
    id: "http2/field-name-slash",
    title: "The server treats a request as malformed when a field name holds a slash, which no token does.",
    requirement: "http-definitions",
    name: "x/name",
    level: "SHOULD",
  }),
  inHeader({
    id: "http2/field-name-quote",
    title: "The server treats a request as malformed when a field name holds a double quote, which no token does.",
    requirement: "http-definitions",
    name: 'x-"name"',
    level: "SHOULD",
  }),
  inTrailers({
    id: "http2/trailer-name-uppercase",
    title: "The server treats a request as malformed when a field name in its trailers holds an upper-case letter.",
    requirement: "name-uppercase",
    field: ["X-Name", "1"],
  }),
  inTrailers({
    id: "http2/trailer-name-space",
    title: "The server treats a request as malformed when a field name in its trailers holds a space.",
    requirement: "name-controls",
    field: ["x name", "1"],
  }),
  inTrailers({
    id: "http2/trailer-value-line-feed",
    title: "The server treats a request as malformed when a field value in its trailers holds LF.",
    requirement: "value-delimiters",
    field: ["x-name", "1\n2"],
  }),
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
