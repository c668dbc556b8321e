import { answerWith, content, malformedResponse, respond, respondWith } from "../phrases.ts";
import type { Case, FieldSpec, Sight } from "../vocabulary.ts";

const plain = answerWith(respond(), content());
const good = respondWith([":status", "200"], ["content-type", "text/plain"]);

const malformed = (
  name: string,
  what: string,
  covers: Case["covers"],
  fields: readonly FieldSpec[],
  spec: Case["spec"] = "rfc9113#8.3",
): Case => ({
  id: `http2/client-${name}`,
  spec,
  covers: [...covers, "rfc9113#8.1.1/stream-error", "rfc9113#8.1.1/not-accepted"],
  level: "MUST",
  role: "client",
  title: `A client takes ${what} for malformed: a stream error of type PROTOCOL_ERROR.`,
  fence: "exit",
  steps: respondWith(...fields),
  control: good,
  allowed: malformedResponse,
});

/** A property of the client's request, with an exchange that comes to its good end. */
const request = (name: string, title: string, covers: Case["covers"], spec: Case["spec"], ...monitors: string[]): Case => ({
  id: `http2/client-${name}`,
  spec,
  covers,
  level: "MUST",
  role: "client",
  title,
  fence: "exit",
  steps: plain,
  control: plain,
  allowed: [{ see: { see: "all", of: [...monitors.map((monitor): Sight => ({ see: "holds", monitor })), { see: "exit", ok: true }] } }],
});

const type: FieldSpec = ["content-type", "text/plain"];

/** Pseudo-fields (rfc9113#8.3) of responses, and of the client's own request. */
export const cases: readonly Case[] = [
  malformed("status-missing", "a response without :status", ["rfc9113#8.3.2/status-missing"], [type], "rfc9113#8.3.2"),
  malformed("status-twice", "a response with :status twice", ["rfc9113#8.3/repeated"], [[":status", "200"], [":status", "200"], type]),
  malformed("status-not-digits", "a :status that is not a number", ["rfc9113#8.3/undefined"], [[":status", "okay"], type], "rfc9113#8.3.2"),
  malformed("status-of-two-digits", "a :status of two digits", ["rfc9113#8.3/undefined"], [[":status", "20"], type], "rfc9113#8.3.2"),
  malformed("status-of-four-digits", "a :status of four digits", ["rfc9113#8.3/undefined"], [[":status", "2000"], type], "rfc9113#8.3.2"),
  malformed("status-empty", "an empty :status", ["rfc9113#8.3/undefined"], [[":status", ""], type], "rfc9113#8.3.2"),
  malformed("status-after-field", ":status behind a regular field", ["rfc9113#8.3/before-regular"], [type, [":status", "200"]]),
  malformed("response-with-path", "a response with :path", ["rfc9113#8.3/wrong-direction"], [[":status", "200"], [":path", "/"], type]),
  malformed(
    "response-with-method",
    "a response with :method",
    ["rfc9113#8.3/wrong-direction"],
    [[":method", "GET"], [":status", "200"], type],
  ),
  malformed(
    "response-with-unknown-pseudo-field",
    "a response with :version",
    ["rfc9113#8.3/undefined"],
    [[":status", "200"], [":version", "2"], type],
  ),
  request(
    "request-pseudo-fields",
    "A client's request has :method, :scheme and :path once each, first of all, and no pseudo-field that is not defined.",
    ["rfc9113#8.3.1/mandatory", "rfc9113#8.3/pseudo-first", "rfc9113#8.3/once", "rfc9113#8.3/only-defined", "rfc9113#8.3.1/path-not-empty"],
    "rfc9113#8.3.1",
    "request-fields-valid",
    "pseudo-fields-first",
  ),
  {
    ...request(
      "request-authority",
      "A client's request names the authority of its URL in :authority, and no other in Host.",
      ["rfc9113#8.3.1/client-authority", "rfc9113#8.3.1/client-host-agrees", "rfc9113#8.3.1/no-userinfo"],
      "rfc9113#8.3.1",
    ),
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
  },
  request(
    "request-field-names",
    "The field names of a client's request are lower-case and hold no octet that is not allowed.",
    ["rfc9113#8.2/lowercase"],
    "rfc9113#8.2",
    "field-names-valid",
    "field-values-valid",
  ),
  request(
    "request-no-connection-fields",
    "A client's request has no connection-specific field, and te only with the value trailers.",
    ["rfc9113#8.2.2/not-generated", "rfc9113#8.2.2/te-value"],
    "rfc9113#8.2.2",
    "no-connection-fields",
  ),
  request(
    "request-block",
    "The field block of a client's request decodes, has whole representations, and sets no table size beyond 4,096.",
    ["rfc7541#6.3/within-limit", "rfc7541#4.2/within-limit", "rfc9113#4.3/decompress"],
    "rfc9113#4.3",
    "field-blocks-decode",
    "field-blocks-well-formed",
    "size-updates-within-limit",
    "size-updates-first",
    "field-blocks-contiguous",
  ),
];
