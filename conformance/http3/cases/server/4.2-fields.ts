import {
  acceptedFields,
  data,
  handshake,
  malformedFields,
  malformedRequest,
  permitted,
  post,
  request,
  trailers,
  whole,
} from "../phrases.ts";
import type { Case, FieldSpec, Row } from "../../vocabulary.ts";

/** A GET with one more field, which makes it malformed; the control has a harmless one in its place. */
const malformed = ({ field, ...row }: Row<"covers"> & { readonly field: FieldSpec | readonly FieldSpec[] }): Case => ({
  spec: "rfc9114#4.2",
  level: "MUST",
  ...malformedFields(
    request("GET", ...(Array.isArray(field[0]) ? (field as readonly FieldSpec[]) : [field as FieldSpec])),
    request("GET", ["x-name", "1"]),
  ),
  ...row,
});
/** A field that a server must take. */
const takes = ({ fields, ...row }: Row<"covers"> & { readonly fields: readonly FieldSpec[] }): Case => ({
  spec: "rfc9114#4.2",
  level: "MUST",
  ...acceptedFields(request("GET", ...fields)),
  ...row,
});

const CONNECTION_SPECIFIC: readonly (readonly [slug: string, words: string, field: FieldSpec])[] = [
  ["connection-keep-alive", "Connection: keep-alive", ["connection", "keep-alive"]],
  ["connection-close", "Connection: close", ["connection", "close"]],
  ["proxy-connection", "Proxy-Connection", ["proxy-connection", "keep-alive"]],
  ["keep-alive", "Keep-Alive", ["keep-alive", "timeout=5"]],
  ["transfer-encoding-chunked", "Transfer-Encoding: chunked", ["transfer-encoding", "chunked"]],
  ["transfer-encoding-identity", "Transfer-Encoding: identity", ["transfer-encoding", "identity"]],
  ["upgrade", "Upgrade", ["upgrade", "websocket"]],
];
const TE: readonly (readonly [slug: string, words: string, fields: readonly FieldSpec[]])[] = [
  ["te-gzip", "TE: gzip", [["te", "gzip"]]],
  ["te-trailers-and-more", "TE: trailers, deflate", [["te", "trailers, deflate"]]],
  [
    "te-twice",
    "TE: trailers and a second TE field",
    [
      ["te", "trailers"],
      ["te", "gzip"],
    ],
  ],
];
const UPPER: readonly (readonly [slug: string, name: string])[] = [
  ["field-name-upper-case", "X-NAME"],
  ["field-name-capitalized", "X-Name"],
  ["field-name-with-one-capital", "x-namE"],
  ["known-field-name-upper-case", "Accept"],
];
const INVALID_NAMES: readonly (readonly [slug: string, words: string, name: string])[] = [
  ["empty", "an empty field name", ""],
  ["space", "a space in a field name", "x name"],
  ["leading-space", "a space before a field name", " x-name"],
  ["trailing-space", "a space after a field name", "x-name "],
  ["colon", "a colon in a field name", "x:name"],
  ["nul", "NUL in a field name", "x\0name"],
  ["cr", "CR in a field name", "x\rname"],
  ["lf", "LF in a field name", "x\nname"],
  ["tab", "a tab in a field name", "x\tname"],
  ["del", "DEL in a field name", "x\x7fname"],
  ["obs-text", "an octet above ASCII in a field name", "x\xe4name"],
  ["parenthesis", "a parenthesis in a field name", "x(name"],
  ["comma", "a comma in a field name", "x,name"],
  ["slash", "a slash in a field name", "x/name"],
  ["at", "an @ in a field name", "x@name"],
  ["bracket", "a bracket in a field name", "x[name"],
  ["brace", "a brace in a field name", "x}name"],
  ["quote", "a quotation mark in a field name", 'x"name'],
  ["equals", "an equals sign in a field name", "x=name"],
];
const INVALID_VALUES: readonly (readonly [slug: string, words: string, value: string])[] = [
  ["nul", "NUL in a field value", "a\0b"],
  ["cr", "CR in a field value", "a\rb"],
  ["lf", "LF in a field value", "a\nb"],
  ["cr-lf", "CR LF in a field value", "a\r\nx-other: b"],
  ["nul-first", "NUL at the beginning of a field value", "\0a"],
  ["lf-last", "LF at the end of a field value", "a\n"],
  ["cr-alone", "a field value of CR alone", "\r"],
];
const VALUES: readonly (readonly [slug: string, words: string, fields: readonly FieldSpec[]])[] = [
  ["empty-value", "an empty field value", [["x-name", ""]]],
  ["obs-text", "octets above ASCII in a field value", [["x-name", "\xe4\xf6\xfc"]]],
  ["tab", "a tab within a field value", [["x-name", "a\tb"]]],
  ["long-value", "a field value of 2,000 octets", [["x-name", "a".repeat(2_000)]]],
  [
    "repeated",
    "a field twice",
    [
      ["x-name", "1"],
      ["x-name", "2"],
    ],
  ],
  ["token-characters", "a field name with every character of a token", [["!#$%&'*+-.^_`|~09az", "1"]]],
  ["hundred-fields", "forty more fields", Array.from({ length: 40 }, (_, at): FieldSpec => [`x-name-${at}`, "1"])],
];

/** Field names and values (rfc9114#4.2, rfc9114#10.3). */
export const cases: readonly Case[] = [
  ...CONNECTION_SPECIFIC.map(([slug, words, field]) =>
    malformed({
      id: `http3/${slug}`,
      title: `The server treats a request with ${words} as malformed.`,
      covers: ["rfc9114#4.2/connection-specific"],
      field,
    }),
  ),
  ...TE.map(([slug, words, field]) =>
    malformed({
      id: `http3/${slug}`,
      title: `The server treats a request with ${words} as malformed.`,
      covers: ["rfc9114#4.2/te-malformed"],
      field,
    }),
  ),
  takes({
    id: "http3/te-trailers",
    title: "The server accepts TE: trailers.",
    covers: ["rfc9114#4.2/te-allowed"],
    fields: [["te", "trailers"]],
  }),
  takes({
    id: "http3/cookie-crumbs",
    title: "The server accepts a Cookie field that is split into several.",
    spec: "rfc9114#4.2.1",
    covers: ["rfc9114#4.2.1/crumbs"],
    fields: [
      ["cookie", "a=1"],
      ["cookie", "b=2"],
      ["cookie", "c=3"],
    ],
  }),
  ...UPPER.map(([slug, name]) =>
    malformed({
      id: `http3/${slug}`,
      title: `The server treats a request with the field name ${name} as malformed.`,
      covers: ["rfc9114#4.2/uppercase"],
      field: [name, "1"],
    }),
  ),
  ...INVALID_NAMES.map(([slug, words, name]) =>
    malformed({
      id: `http3/field-name-${slug}`,
      spec: "rfc9114#10.3",
      title: `The server treats ${words} as malformed.`,
      covers: ["rfc9114#10.3/invalid-name"],
      field: [name, "1"],
      // Some QPACK decoders refuse an empty name already.
      ...(name === "" && {
        allowed: [...malformedRequest(), permitted({ see: "close", code: "QPACK_DECOMPRESSION_FAILED" }, "rfc9204#2.2", "warn")],
      }),
    }),
  ),
  ...INVALID_VALUES.map(([slug, words, value]) =>
    malformed({
      id: `http3/field-value-${slug}`,
      spec: "rfc9114#10.3",
      title: `The server treats ${words} as malformed.`,
      covers: ["rfc9114#10.3/invalid-value"],
      field: ["x-name", value],
    }),
  ),
  ...VALUES.map(([slug, words, fields]) =>
    takes({
      id: `http3/field-with-${slug}`,
      spec: "rfc9114#4.1",
      title: `The server accepts ${words}.`,
      covers: ["rfc9114#4.1/message-sequence"],
      fields,
    }),
  ),
  {
    id: "http3/upper-case-in-trailers",
    spec: "rfc9114#4.2",
    covers: ["rfc9114#4.2/uppercase"],
    level: "MUST",
    role: "server",
    needs: ["reads-content"],
    title: "The server treats an upper-case field name in trailers as malformed.",
    steps: [handshake, whole("request", post(), data(), trailers(["X-Sum", "1"]))],
    control: [handshake, whole("request", post(), data(), trailers(["x-sum", "1"]))],
    allowed: malformedRequest(),
  },
  {
    id: "http3/connection-in-trailers",
    spec: "rfc9114#4.2",
    covers: ["rfc9114#4.2/connection-specific"],
    level: "MUST",
    role: "server",
    needs: ["reads-content"],
    title: "The server treats Connection in trailers as malformed.",
    steps: [handshake, whole("request", post(), data(), trailers(["connection", "close"]))],
    control: [handshake, whole("request", post(), data(), trailers(["x-sum", "1"]))],
    allowed: malformedRequest(),
  },
  {
    id: "http3/field-value-nul-in-trailers",
    spec: "rfc9114#10.3",
    covers: ["rfc9114#10.3/invalid-value"],
    level: "MUST",
    role: "server",
    needs: ["reads-content"],
    title: "The server treats NUL in the value of a trailer as malformed.",
    steps: [handshake, whole("request", post(), data(), trailers(["x-sum", "a\0b"]))],
    control: [handshake, whole("request", post(), data(), trailers(["x-sum", "1"]))],
    allowed: malformedRequest(),
  },
  {
    id: "http3/transfer-encoding-with-content",
    spec: "rfc9114#4.2",
    covers: ["rfc9114#4.2/connection-specific", "rfc9114#4.1/no-transfer-encoding"],
    level: "MUST",
    role: "server",
    title: "The server treats a request with chunked content as malformed.",
    steps: [handshake, whole("request", post(["transfer-encoding", "chunked"]), data("3\r\none\r\n0\r\n\r\n"))],
    control: [handshake, whole("request", post(), data("3\r\none\r\n0\r\n\r\n"))],
    allowed: malformedRequest(),
  },
];
