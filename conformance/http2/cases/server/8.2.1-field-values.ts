import { accepted, answeredLikeFirst, firstExchange, get, handshake, malformedFields, request, send } from "../phrases.ts";
import type { Case, FieldSpec, Row } from "../../vocabulary.ts";

const wrongValue = ({ requirement, value, ...row }: Row & { readonly requirement: string; readonly value: string }): Case => ({
  spec: "rfc9113#8.2.1",
  covers: [`rfc9113#8.2.1/${requirement}`],
  level: "MUST",
  ...malformedFields(request("GET", ["x-name", value]), request("GET", ["x-name", "one two"])),
  ...row,
});
const delimiter = ({ value, ...row }: Row & { readonly value: string }): Case =>
  wrongValue({ requirement: "value-delimiters", value, ...row });
const edge = ({ value, ...row }: Row & { readonly value: string }): Case => wrongValue({ requirement: "value-edges", value, ...row });

const acceptsValue = ({ field, ...row }: Row & { readonly field: FieldSpec }): Case => ({
  spec: "rfc9113#8.2.1",
  covers: ["rfc9113#8.2.1/http-definitions", "rfc9110#2.4/semantics"],
  level: "MUST",
  role: "server",
  steps: [...firstExchange, send(get(3, field))],
  control: [...firstExchange, send(get(3, ["x-name", "one two"]))],
  allowed: answeredLikeFirst(3),
  ...row,
});

/** Field values (rfc9113#8.2.1). */
export const cases: readonly Case[] = [
  delimiter({
    id: "http2/field-value-nul",
    title: "The server treats a request with NUL in a field value as malformed.",
    value: "one\u0000two",
  }),
  delimiter({
    id: "http2/field-value-line-feed",
    title: "The server treats a request with LF in a field value as malformed.",
    value: "one\ntwo",
  }),
  delimiter({
    id: "http2/field-value-carriage-return",
    title: "The server treats a request with CR in a field value as malformed.",
    value: "one\rtwo",
  }),
  delimiter({
    id: "http2/field-value-leading-nul",
    title: "The server treats a request with NUL at the start of a field value as malformed.",
    value: "\u0000one",
  }),
  delimiter({
    id: "http2/field-value-trailing-nul",
    title: "The server treats a request with NUL at the end of a field value as malformed.",
    value: "one\u0000",
  }),
  delimiter({
    id: "http2/field-value-trailing-line-feed",
    title: "The server treats a request with LF at the end of a field value as malformed.",
    value: "one\n",
  }),
  delimiter({
    id: "http2/field-value-trailing-carriage-return",
    title: "The server treats a request with CR at the end of a field value as malformed.",
    value: "one\r",
  }),
  delimiter({
    id: "http2/field-value-second-field-inside",
    title: "The server treats a request as malformed when a field value would become a second field in HTTP/1.1.",
    value: "one\r\nx-smuggled: two",
  }),
  delimiter({
    id: "http2/field-value-request-inside",
    title: "The server treats a request as malformed when a field value would become a second request in HTTP/1.1.",
    value: "one\r\n\r\nGET /smuggled HTTP/1.1\r\nhost: a",
  }),
  delimiter({
    id: "http2/field-value-folded",
    title: "The server treats a request with a field value folded over two lines as malformed.",
    value: "one\r\n two",
  }),
  edge({
    id: "http2/field-value-leading-space",
    title: "The server treats a request with a space before a field value as malformed.",
    value: " one",
  }),
  edge({
    id: "http2/field-value-trailing-space",
    title: "The server treats a request with a space after a field value as malformed.",
    value: "one ",
  }),
  edge({
    id: "http2/field-value-leading-tab",
    title: "The server treats a request with HTAB before a field value as malformed.",
    value: "\tone",
  }),
  edge({
    id: "http2/field-value-trailing-tab",
    title: "The server treats a request with HTAB after a field value as malformed.",
    value: "one\t",
  }),
  edge({
    id: "http2/field-value-only-space",
    title: "The server treats a request with a single space as a field value as malformed.",
    value: " ",
  }),
  {
    id: "http2/field-value-nul-in-cookie",
    spec: "rfc9113#8.2.1",
    covers: ["rfc9113#8.2.1/value-delimiters"],
    level: "MUST",
    title: "The server treats a request with NUL in the value of a known field as malformed.",
    ...malformedFields(request("GET", ["cookie", "a=\u0000b"]), request("GET", ["cookie", "a=b"])),
  },
  acceptsValue({ id: "http2/field-value-empty", title: "The server accepts an empty field value.", field: ["x-name", ""] }),
  acceptsValue({
    id: "http2/field-value-inner-white-space",
    title: "The server accepts a field value with spaces and HTAB inside.",
    field: ["x-name", "one  two\tthree"],
  }),
  acceptsValue({
    id: "http2/field-value-obsolete-text",
    title: "The server accepts a field value with octets from 0x80 to 0xff.",
    level: "SHOULD",
    field: ["x-name", "caf\u00e9 \u0080\u00ff"],
  }),
  acceptsValue({
    id: "http2/field-value-long",
    title: "The server accepts a field value of 3,000 octets.",
    level: "SHOULD",
    field: ["x-name", "a".repeat(3000)],
  }),
  {
    id: "http2/field-value-against-its-own-grammar",
    spec: "rfc9113#8.2.1",
    covers: ["rfc9113#8.2.1/value-grammar"],
    level: "MUST NOT",
    role: "server",
    title: "The server does not treat a request as malformed when an Accept or date value breaks that field's own grammar.",
    steps: [handshake, send(get(1, ["accept", ";;q=x,,/"], ["if-modified-since", "the day before yesterday"]))],
    control: [handshake, send(get(1, ["accept", "*/*"]))],
    allowed: accepted,
  },
];
