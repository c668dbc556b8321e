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
} from "../phrases.ts";
import type { Case, FieldSpec, Row } from "../../vocabulary.ts";

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

/** Field names (rfc9113#8.2.1). */
export const cases: readonly Case[] = [
  inHeader({
    id: "http2/field-name-uppercase",
    title: "The server treats a request with an upper-case field name as malformed.",
    requirement: "name-uppercase",
    name: "X-NAME",
  }),
  inHeader({
    id: "http2/field-name-one-uppercase-letter",
    title: "The server treats a request with one upper-case letter in a field name as malformed.",
    requirement: "name-uppercase",
    name: "x-naMe",
  }),
  inHeader({
    id: "http2/field-name-uppercase-known",
    title: "The server treats a request with a static-table field name in mixed case as malformed.",
    requirement: "name-uppercase",
    name: "Accept",
  }),
  controls({
    id: "http2/field-name-nul",
    title: "The server treats a request with NUL in a field name as malformed.",
    name: "x-\u0000name",
  }),
  controls({
    id: "http2/field-name-control-octet",
    title: "The server treats a request with the control octet 0x01 in a field name as malformed.",
    name: "x-\u0001name",
  }),
  controls({
    id: "http2/field-name-tab",
    title: "The server treats a request with HTAB in a field name as malformed.",
    name: "x-\tname",
  }),
  controls({
    id: "http2/field-name-line-feed",
    title: "The server treats a request with LF in a field name as malformed.",
    name: "x-\nname",
  }),
  controls({
    id: "http2/field-name-carriage-return",
    title: "The server treats a request with CR in a field name as malformed.",
    name: "x-\rname",
  }),
  controls({
    id: "http2/field-name-unit-separator",
    title: "The server treats a request with the control octet 0x1f in a field name as malformed.",
    name: "x-\u001fname",
  }),
  controls({
    id: "http2/field-name-space",
    title: "The server treats a request with a space in a field name as malformed.",
    name: "x-na me",
  }),
  controls({
    id: "http2/field-name-leading-space",
    title: "The server treats a request with a space before a field name as malformed.",
    name: " x-name",
  }),
  controls({
    id: "http2/field-name-trailing-space",
    title: "The server treats a request with a space after a field name as malformed.",
    name: "x-name ",
  }),
  high({
    id: "http2/field-name-delete",
    title: "The server treats a request with the octet 0x7f in a field name as malformed.",
    name: "x-\u007fname",
  }),
  high({
    id: "http2/field-name-first-high-octet",
    title: "The server treats a request with the octet 0x80 in a field name as malformed.",
    name: "x-\u0080name",
  }),
  high({
    id: "http2/field-name-latin-letter",
    title: "The server treats a request with the octet 0xe9 in a field name as malformed.",
    name: "x-nam\u00e9",
  }),
  high({
    id: "http2/field-name-last-octet",
    title: "The server treats a request with the octet 0xff in a field name as malformed.",
    name: "x-name\u00ff",
  }),
  inHeader({
    id: "http2/field-name-inner-colon",
    title: "The server treats a request with a colon in a field name as malformed.",
    requirement: "name-colon",
    name: "x:name",
  }),
  inHeader({
    id: "http2/field-name-trailing-colon",
    title: "The server treats a request with a colon at the end of a field name as malformed.",
    requirement: "name-colon",
    name: "x-name:",
  }),
  inHeader({
    id: "http2/field-name-request-line-inside",
    title: "The server treats a request as malformed when a field name would end the header section in HTTP/1.1.",
    requirement: "name-controls",
    name: "x-name: 1\r\n\r\nGET /smuggled HTTP/1.1\r\nx",
  }),
  // Beyond the minimal validation: the definition of names in HTTP (rfc9110#5.1).
  inHeader({
    id: "http2/field-name-empty",
    title: "The server treats a request with an empty field name as malformed.",
    requirement: "http-definitions",
    level: "SHOULD",
    name: "",
  }),
  inHeader({
    id: "http2/field-name-parenthesis",
    title: "The server treats a request with a parenthesis in a field name as malformed.",
    requirement: "http-definitions",
    level: "SHOULD",
    name: "x-(name)",
  }),
  inHeader({
    id: "http2/field-name-slash",
    title: "The server treats a request with a slash in a field name as malformed.",
    requirement: "http-definitions",
    level: "SHOULD",
    name: "x/name",
  }),
  inHeader({
    id: "http2/field-name-quote",
    title: "The server treats a request with a double quote in a field name as malformed.",
    requirement: "http-definitions",
    level: "SHOULD",
    name: 'x-"name"',
  }),
  inTrailers({
    id: "http2/trailer-name-uppercase",
    title: "The server treats a request with an upper-case letter in a trailer name as malformed.",
    requirement: "name-uppercase",
    field: ["X-Name", "1"],
  }),
  inTrailers({
    id: "http2/trailer-name-space",
    title: "The server treats a request with a space in a trailer name as malformed.",
    requirement: "name-controls",
    field: ["x name", "1"],
  }),
  inTrailers({
    id: "http2/trailer-value-line-feed",
    title: "The server treats a request with LF in a trailer value as malformed.",
    requirement: "value-delimiters",
    field: ["x-name", "1\n2"],
  }),
  {
    id: "http2/field-name-every-token-character",
    spec: "rfc9113#8.2.1",
    covers: ["rfc9113#8.2.1/http-definitions", "rfc9110#2.4/semantics"],
    level: "MUST",
    role: "server",
    title: "The server accepts a field name with every kind of token character.",
    steps: [...firstExchange, send(get(3, ["x!#$%&'*+-.^_`|~09az", "1"]))],
    control: [...firstExchange, send(get(3, ["x-name", "1"]))],
    allowed: answeredLikeFirst(3),
  },
  {
    id: "http2/prohibited-octet-answered-400",
    spec: "rfc9113#8.2.1",
    covers: ["rfc9113#8.2.1/status-400"],
    level: "SHOULD",
    title: "The server answers a request with NUL in a field value with 400 before it closes the stream.",
    ...malformedFields(request("GET", ["x-name", "1\u00002"]), request("GET", ["x-name", "12"])),
    allowed: [
      { see: { see: "response", stream: 1, status: [400] } },
      permitted({ see: "response", stream: 1, status: [431] }, "rfc9113#8.2.1"),
      permitted({ see: "RST_STREAM", stream: 1, code: "PROTOCOL_ERROR" }, "rfc9113#8.1.1", "warn"),
      permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc9113#5.4.1", "warn"),
    ],
  },
];
