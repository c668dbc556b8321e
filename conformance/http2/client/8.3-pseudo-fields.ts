import { answerWith, content, malformedResponse, respond, respondWith } from "../phrases.ts";
import type { Case, FieldSpec, Row, Sight } from "../vocabulary.ts";

const plain = answerWith(respond(), content());
const good = respondWith([":status", "200"], ["content-type", "text/plain"]);

const malformed = ({ covers, fields, ...row }: Row & { readonly covers: Case["covers"]; readonly fields: readonly FieldSpec[] }): Case => ({
  spec: "rfc9113#8.3",
  covers: [...covers, "rfc9113#8.1.1/stream-error", "rfc9113#8.1.1/not-accepted"],
  level: "MUST",
  role: "client",
  fence: "exit",
  steps: respondWith(...fields),
  control: good,
  allowed: malformedResponse,
  ...row,
});

/** A property of the client's request, with an exchange that comes to its good end. */
const request = ({ monitors, ...row }: Row<"covers" | "spec"> & { readonly monitors: readonly string[] }): Case => ({
  level: "MUST",
  role: "client",
  fence: "exit",
  steps: plain,
  control: plain,
  allowed: [{ see: { see: "all", of: [...monitors.map((monitor): Sight => ({ see: "holds", monitor })), { see: "exit", ok: true }] } }],
  ...row,
});

const type: FieldSpec = ["content-type", "text/plain"];

/** Pseudo-fields (rfc9113#8.3) of responses, and of the client's own request. */
export const cases: readonly Case[] = [
  malformed({
    id: "http2/client-status-missing",
    title: "A client takes a response without :status for malformed: a stream error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#8.3.2/status-missing"],
    fields: [type],
    spec: "rfc9113#8.3.2",
  }),
  malformed({
    id: "http2/client-status-twice",
    title: "A client takes a response with :status twice for malformed: a stream error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#8.3/repeated"],
    fields: [[":status", "200"], [":status", "200"], type],
  }),
  malformed({
    id: "http2/client-status-not-digits",
    title: "A client takes a :status that is not a number for malformed: a stream error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#8.3/undefined"],
    fields: [[":status", "okay"], type],
    spec: "rfc9113#8.3.2",
  }),
  malformed({
    id: "http2/client-status-of-two-digits",
    title: "A client takes a :status of two digits for malformed: a stream error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#8.3/undefined"],
    fields: [[":status", "20"], type],
    spec: "rfc9113#8.3.2",
  }),
  malformed({
    id: "http2/client-status-of-four-digits",
    title: "A client takes a :status of four digits for malformed: a stream error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#8.3/undefined"],
    fields: [[":status", "2000"], type],
    spec: "rfc9113#8.3.2",
  }),
  malformed({
    id: "http2/client-status-empty",
    title: "A client takes an empty :status for malformed: a stream error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#8.3/undefined"],
    fields: [[":status", ""], type],
    spec: "rfc9113#8.3.2",
  }),
  malformed({
    id: "http2/client-status-after-field",
    title: "A client takes :status behind a regular field for malformed: a stream error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#8.3/before-regular"],
    fields: [type, [":status", "200"]],
  }),
  malformed({
    id: "http2/client-response-with-path",
    title: "A client takes a response with :path for malformed: a stream error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#8.3/wrong-direction"],
    fields: [[":status", "200"], [":path", "/"], type],
  }),
  malformed({
    id: "http2/client-response-with-method",
    title: "A client takes a response with :method for malformed: a stream error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#8.3/wrong-direction"],
    fields: [[":method", "GET"], [":status", "200"], type],
  }),
  malformed({
    id: "http2/client-response-with-unknown-pseudo-field",
    title: "A client takes a response with :version for malformed: a stream error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#8.3/undefined"],
    fields: [[":status", "200"], [":version", "2"], type],
  }),
  request({
    id: "http2/client-request-pseudo-fields",
    title: "A client's request has :method, :scheme and :path once each, first of all, and no pseudo-field that is not defined.",
    covers: [
      "rfc9113#8.3.1/mandatory",
      "rfc9113#8.3/pseudo-first",
      "rfc9113#8.3/once",
      "rfc9113#8.3/only-defined",
      "rfc9113#8.3.1/path-not-empty",
    ],
    spec: "rfc9113#8.3.1",
    monitors: ["request-fields-valid", "pseudo-fields-first"],
  }),
  {
    id: "http2/client-request-authority",
    title: "A client's request names the authority of its URL in :authority, and no other in Host.",
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
    steps: plain,
    control: plain,
  },
  request({
    id: "http2/client-request-field-names",
    title: "The field names of a client's request are lower-case and hold no octet that is not allowed.",
    covers: ["rfc9113#8.2/lowercase"],
    spec: "rfc9113#8.2",
    monitors: ["field-names-valid", "field-values-valid"],
  }),
  request({
    id: "http2/client-request-no-connection-fields",
    title: "A client's request has no connection-specific field, and te only with the value trailers.",
    covers: ["rfc9113#8.2.2/not-generated", "rfc9113#8.2.2/te-value"],
    spec: "rfc9113#8.2.2",
    monitors: ["no-connection-fields"],
  }),
  request({
    id: "http2/client-request-block",
    title: "The field block of a client's request decodes, has whole representations, and sets no table size beyond 4,096.",
    covers: ["rfc7541#6.3/within-limit", "rfc7541#4.2/within-limit", "rfc9113#4.3/decompress"],
    spec: "rfc9113#4.3",
    monitors: [
      "field-blocks-decode",
      "field-blocks-well-formed",
      "size-updates-within-limit",
      "size-updates-first",
      "field-blocks-contiguous",
    ],
  }),
];
