import { malformedResponse, plainExchange, respondWith } from "../phrases.ts";
import type { Case, FieldSpec, Row, Sight } from "../../vocabulary.ts";

const valid = respondWith([":status", "200"], ["content-type", "text/plain"]);

const malformed = ({ covers, fields, ...row }: Row & { readonly covers: Case["covers"]; readonly fields: readonly FieldSpec[] }): Case => ({
  spec: "rfc9113#8.3",
  covers: [...covers, "rfc9113#8.1.1/stream-error", "rfc9113#8.1.1/not-accepted"],
  level: "MUST",
  role: "client",
  fence: "exit",
  steps: respondWith(...fields),
  control: valid,
  allowed: malformedResponse,
  ...row,
});

/** A property of the client's request in an exchange that succeeds. */
const request = ({ monitors, ...row }: Row<"covers" | "spec"> & { readonly monitors: readonly string[] }): Case => ({
  level: "MUST",
  role: "client",
  fence: "exit",
  steps: plainExchange,
  control: plainExchange,
  allowed: [{ see: { see: "all", of: [...monitors.map((monitor): Sight => ({ see: "holds", monitor })), { see: "exit", ok: true }] } }],
  ...row,
});

const type: FieldSpec = ["content-type", "text/plain"];

/** Pseudo-header fields (rfc9113#8.3) of responses, and of the client's request. */
export const cases: readonly Case[] = [
  malformed({
    id: "http2/client-status-missing",
    title: "A client treats a response without :status as malformed.",
    spec: "rfc9113#8.3.2",
    covers: ["rfc9113#8.3.2/status-missing"],
    fields: [type],
  }),
  malformed({
    id: "http2/client-status-twice",
    title: "A client treats a response with two :status fields as malformed.",
    covers: ["rfc9113#8.3/repeated"],
    fields: [[":status", "200"], [":status", "200"], type],
  }),
  malformed({
    id: "http2/client-status-not-digits",
    title: "A client treats a :status that is not a number as malformed.",
    spec: "rfc9113#8.3.2",
    covers: ["rfc9113#8.3/undefined"],
    fields: [[":status", "okay"], type],
  }),
  malformed({
    id: "http2/client-status-of-two-digits",
    title: "A client treats a :status of two digits as malformed.",
    spec: "rfc9113#8.3.2",
    // rfc9110#15 lets clients treat an invalid code as 5xx.
    level: "SHOULD",
    covers: ["rfc9113#8.3/undefined"],
    fields: [[":status", "20"], type],
  }),
  malformed({
    id: "http2/client-status-of-four-digits",
    title: "A client treats a :status of four digits as malformed.",
    spec: "rfc9113#8.3.2",
    level: "SHOULD",
    covers: ["rfc9113#8.3/undefined"],
    fields: [[":status", "2000"], type],
  }),
  malformed({
    id: "http2/client-status-empty",
    title: "A client treats an empty :status as malformed.",
    spec: "rfc9113#8.3.2",
    covers: ["rfc9113#8.3/undefined"],
    fields: [[":status", ""], type],
  }),
  malformed({
    id: "http2/client-status-after-field",
    title: "A client treats :status after a regular field as malformed.",
    covers: ["rfc9113#8.3/before-regular"],
    fields: [type, [":status", "200"]],
  }),
  malformed({
    id: "http2/client-response-with-path",
    title: "A client treats a response with :path as malformed.",
    covers: ["rfc9113#8.3/wrong-direction"],
    fields: [[":status", "200"], [":path", "/"], type],
  }),
  malformed({
    id: "http2/client-response-with-method",
    title: "A client treats a response with :method as malformed.",
    covers: ["rfc9113#8.3/wrong-direction"],
    fields: [[":method", "GET"], [":status", "200"], type],
  }),
  malformed({
    id: "http2/client-response-with-unknown-pseudo-field",
    title: "A client treats a response with an undefined pseudo-header field as malformed.",
    covers: ["rfc9113#8.3/undefined"],
    fields: [[":status", "200"], [":version", "2"], type],
  }),
  request({
    id: "http2/client-request-pseudo-fields",
    title: "A client sends :method, :scheme and :path once each, before other fields, and no undefined pseudo-header field.",
    spec: "rfc9113#8.3.1",
    covers: [
      "rfc9113#8.3.1/mandatory",
      "rfc9113#8.3/pseudo-first",
      "rfc9113#8.3/once",
      "rfc9113#8.3/only-defined",
      "rfc9113#8.3.1/path-not-empty",
    ],
    monitors: ["request-fields-valid", "pseudo-fields-first"],
  }),
  {
    id: "http2/client-request-authority",
    title: "A client sends the authority of its URL in :authority, and no different Host.",
    covers: ["rfc9113#8.3.1/client-authority", "rfc9113#8.3.1/client-host-agrees", "rfc9113#8.3.1/no-userinfo"],
    spec: "rfc9113#8.3.1",
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "request", where: { ":authority": "{authority}" } },
            { see: "holds", monitor: "authority-valid" },
            { see: "exit", ok: true },
          ],
        },
      },
    ],
    level: "MUST",
    role: "client",
    fence: "exit",
    steps: plainExchange,
    control: plainExchange,
  },
  request({
    id: "http2/client-request-field-names",
    title: "A client sends lower-case field names without prohibited octets.",
    spec: "rfc9113#8.2",
    covers: [
      "rfc9113#8.2/lowercase",
      "rfc9113#8.2.1/name-octets-sent",
      "rfc9113#8.2.1/name-colon-sent",
      "rfc9113#8.2.1/value-delimiters-sent",
      "rfc9113#8.2.1/value-edges-sent",
    ],
    monitors: ["field-names-valid", "field-values-valid"],
  }),
  request({
    id: "http2/client-request-no-connection-fields",
    title: "A client sends no connection-specific fields, and TE only with the value trailers.",
    spec: "rfc9113#8.2.2",
    covers: ["rfc9113#8.2.2/not-generated", "rfc9113#8.2.2/te-value"],
    monitors: ["no-connection-fields"],
  }),
  request({
    id: "http2/client-request-block",
    title: "A client sends a field block that decodes, in complete representations, with a table of at most 4,096 octets.",
    spec: "rfc9113#4.3",
    covers: ["rfc7541#6.3/within-limit", "rfc7541#4.2/within-limit", "rfc9113#4.3/decompress"],
    monitors: [
      "field-blocks-decode",
      "field-blocks-well-formed",
      "size-updates-within-limit",
      "size-updates-first",
      "field-blocks-contiguous",
    ],
  }),
];
