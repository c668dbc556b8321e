import { exchangeSucceeds, malformedResponse, respondWith } from "../phrases.ts";
import type { Case, FieldSpec, Row } from "../../vocabulary.ts";

const valid = respondWith([":status", "200"], ["x-good", "a b"]);

const malformed = ({ covers, field, ...row }: Row<"spec"> & { readonly covers: Case["covers"]; readonly field: FieldSpec }): Case => ({
  covers: [...covers, "rfc9113#8.1.1/stream-error", "rfc9113#8.1.1/not-accepted"],
  level: "MUST",
  role: "client",
  fence: "exit",
  steps: respondWith([":status", "200"], field),
  control: valid,
  allowed: malformedResponse,
  ...row,
});
const badName = ({
  requirement,
  field,
  ...row
}: Row & { readonly requirement: "name-controls" | "name-uppercase" | "name-high" | "name-colon"; readonly field: string }): Case =>
  malformed({ covers: [`rfc9113#8.2.1/${requirement}`], spec: "rfc9113#8.2.1", field: [field, "1"], ...row });
const badValue = ({
  requirement,
  value,
  ...row
}: Row & { readonly requirement: "value-delimiters" | "value-edges"; readonly value: string }): Case =>
  malformed({ covers: [`rfc9113#8.2.1/${requirement}`], spec: "rfc9113#8.2.1", field: ["x-bad", value], ...row });
const forbidden = ({ field, value, ...row }: Row & { readonly field: string; readonly value: string }): Case =>
  malformed({ covers: ["rfc9113#8.2.2/malformed"], spec: "rfc9113#8.2.2", field: [field, value], ...row });

/** Fields of responses (rfc9113#8.2), and of the client's requests. */
export const cases: readonly Case[] = [
  badName({
    id: "http2/client-field-name-upper-case",
    title: "A client treats a response with an upper-case letter in a field name as malformed.",
    requirement: "name-uppercase",
    field: "X-Bad",
  }),
  badName({
    id: "http2/client-field-name-nul",
    title: "A client treats a response with NUL in a field name as malformed.",
    requirement: "name-controls",
    field: "x-\x00bad",
  }),
  badName({
    id: "http2/client-field-name-space",
    title: "A client treats a response with a space in a field name as malformed.",
    requirement: "name-controls",
    field: "x bad",
  }),
  badName({
    id: "http2/client-field-name-line-feed",
    title: "A client treats a response with LF in a field name as malformed.",
    requirement: "name-controls",
    field: "x-bad\nx",
  }),
  badName({
    id: "http2/client-field-name-delete",
    title: "A client treats a response with 0x7f in a field name as malformed.",
    requirement: "name-high",
    field: "x-bad\x7f",
  }),
  badName({
    id: "http2/client-field-name-high-octet",
    title: "A client treats a response with 0xe9 in a field name as malformed.",
    requirement: "name-high",
    field: "x-b\xe9d",
  }),
  badName({
    id: "http2/client-field-name-inner-colon",
    title: "A client treats a response with a colon in a field name as malformed.",
    requirement: "name-colon",
    field: "x-bad:y",
  }),
  malformed({
    id: "http2/client-field-name-empty",
    title: "A client treats a response with an empty field name as malformed.",
    spec: "rfc9113#8.2.1",
    covers: ["rfc9113#8.2.1/http-definitions"],
    level: "SHOULD",
    field: ["", "1"],
  }),
  malformed({
    id: "http2/client-field-name-not-a-token",
    title: "A client treats a response with a parenthesis in a field name as malformed.",
    spec: "rfc9113#8.2.1",
    covers: ["rfc9113#8.2.1/http-definitions"],
    level: "SHOULD",
    field: ["x-(bad)", "1"],
  }),
  badValue({
    id: "http2/client-field-value-nul",
    title: "A client treats a response with NUL in a field value as malformed.",
    requirement: "value-delimiters",
    value: "a\x00b",
  }),
  badValue({
    id: "http2/client-field-value-carriage-return",
    title: "A client treats a response with CR in a field value as malformed.",
    requirement: "value-delimiters",
    value: "a\rb",
  }),
  badValue({
    id: "http2/client-field-value-line-feed",
    title: "A client treats a response with LF in a field value as malformed.",
    requirement: "value-delimiters",
    value: "a\nb",
  }),
  badValue({
    id: "http2/client-field-value-leading-space",
    title: "A client treats a response with a space before a field value as malformed.",
    requirement: "value-edges",
    value: " a",
  }),
  badValue({
    id: "http2/client-field-value-trailing-space",
    title: "A client treats a response with a space after a field value as malformed.",
    requirement: "value-edges",
    value: "a ",
  }),
  badValue({
    id: "http2/client-field-value-leading-tab",
    title: "A client treats a response with HTAB before a field value as malformed.",
    requirement: "value-edges",
    value: "\ta",
  }),
  forbidden({
    id: "http2/client-field-connection",
    title: "A client treats a response with Connection as malformed.",
    field: "connection",
    value: "close",
  }),
  forbidden({
    id: "http2/client-field-proxy-connection",
    title: "A client treats a response with Proxy-Connection as malformed.",
    field: "proxy-connection",
    value: "keep-alive",
  }),
  forbidden({
    id: "http2/client-field-keep-alive",
    title: "A client treats a response with Keep-Alive as malformed.",
    field: "keep-alive",
    value: "timeout=5",
  }),
  forbidden({
    id: "http2/client-field-transfer-encoding",
    title: "A client treats a response with Transfer-Encoding as malformed.",
    field: "transfer-encoding",
    value: "chunked",
  }),
  forbidden({
    id: "http2/client-field-upgrade",
    title: "A client treats a response with Upgrade as malformed.",
    field: "upgrade",
    value: "h2c",
  }),
  {
    id: "http2/client-field-value-obs-text",
    spec: "rfc9113#8.2.1",
    covers: ["rfc9113#8.2.1/value-grammar"],
    level: "MUST NOT",
    role: "client",
    title: "A client accepts field values with octets above 0x7f, with HTAB inside, and against their field's own grammar.",
    fence: "exit",
    steps: respondWith([":status", "200"], ["x-name", "caf\xe9 \xff"], ["x-tab", "a\tb"], ["x-empty", ""], ["expires", "not a date"]),
    control: valid,
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-fields-repeated",
    spec: "rfc9113#8.2",
    covers: ["rfc9113#8.1/message-sequence"],
    level: "MUST",
    role: "client",
    title: "A client accepts repeated fields.",
    fence: "exit",
    steps: respondWith([":status", "200"], ["set-cookie", "a=1"], ["set-cookie", "b=2"], ["x-list", "1"], ["x-list", "2"]),
    control: valid,
    allowed: exchangeSucceeds,
  },
];
