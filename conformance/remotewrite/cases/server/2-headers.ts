import type { Case } from "../../vocabulary.ts";
import { both, made, plain, PROTOCOLS, refusal, series, shows, success, write } from "./phrases.ts";

/** Content types and codings, and which message they name. */

const V2 = "application/x-protobuf;proto=io.prometheus.write.v2.Request";

const ALIKE: readonly (readonly [protocol: 1 | 2, id: string, what: string, value: string])[] = [
  [1, "named", "the name of the message", "application/x-protobuf;proto=prometheus.WriteRequest"],
  [1, "capitals", "capital letters in the media type", "Application/X-Protobuf"],
  [1, "space-before-parameter", "a space before the parameter", "application/x-protobuf; proto=prometheus.WriteRequest"],
  [2, "capitals", "capital letters in the media type", "Application/X-Protobuf;proto=io.prometheus.write.v2.Request"],
  [2, "space-before-parameter", "a space before the parameter", "application/x-protobuf; proto=io.prometheus.write.v2.Request"],
  [2, "quoted-parameter", "a quoted parameter", 'application/x-protobuf;proto="io.prometheus.write.v2.Request"'],
  [2, "capital-parameter", "capital letters in the name of the parameter", "application/x-protobuf;Proto=io.prometheus.write.v2.Request"],
];
const alike = ALIKE.map(([protocol, id, what, value]) =>
  made(protocol, {
    id: `content-type-${id}`,
    covers: protocol === 1 && id !== "capitals" ? ["2.content-type/identifies"] : ["2.content-type/rfc9110"],
    level: id === "named" ? "MUST" : "SHOULD",
    title: `The receiver recognizes a Content-Type with ${what}`,
    needs: protocol === 1 ? ["two"] : [],
    steps: [write(protocol, [series()], { fields: { "content-type": value } })],
    control: [plain(protocol)],
    allowed: [{ see: success(protocol, 1) }],
  }),
);

/** Only a receiver of protocol 2 is bound to answer these with 415. */
const UNKNOWN_TYPES: readonly (readonly [id: string, what: string, value: string])[] = [
  ["json", "application/json", "application/json"],
  ["text", "text/plain", "text/plain"],
  ["octets", "application/octet-stream", "application/octet-stream"],
  ["other-protobuf", "application/protobuf", "application/protobuf"],
  ["form", "a form", "application/x-www-form-urlencoded"],
  ["unknown-message", "a message that nobody knows", "application/x-protobuf;proto=example.Unknown"],
  ["later-message", "the message of a later version", "application/x-protobuf;proto=io.prometheus.write.v3.Request"],
  ["longer-name", "a longer name than that of the message", `${V2}s`],
];
const CODINGS: readonly (readonly [id: string, value: string, packing?: "gzip" | "raw" | "framed"])[] = [
  ["gzip", "gzip", "gzip"],
  ["deflate", "deflate"],
  ["zstd", "zstd"],
  ["br", "br"],
  ["identity", "identity", "raw"],
  ["snappy-framed", "x-snappy-framed", "framed"],
];
const unsupported = PROTOCOLS.flatMap((protocol) => [
  ...UNKNOWN_TYPES.map(([id, what, value]) =>
    made(protocol, {
      id: `unknown-type-${id}`,
      covers: ["2.unsupported-request-content/status-415"],
      level: "MUST",
      title: `The receiver answers 415 to ${what} as the Content-Type of a message`,
      needs: ["two"],
      steps: [write(protocol, [series()], { fields: { "content-type": value } })],
      control: [plain(protocol)],
      allowed: [{ see: { see: "refused", status: 415 } }],
    }),
  ),
  ...CODINGS.map(([id, value, packing]) =>
    made(protocol, {
      id: `unknown-coding-${id}`,
      covers: ["2.unsupported-request-content/status-415"],
      level: "MUST",
      title: `The receiver answers 415 to the Content-Encoding ${value}, or decodes it`,
      needs: ["two"],
      steps: [write(protocol, [series()], { fields: { "content-encoding": value }, ...(packing && { packing }) })],
      control: [plain(protocol)],
      allowed:
        packing === "gzip" || packing === "raw"
          ? [
              { see: { see: "refused", status: 415 } },
              { see: success(protocol, 1), by: "prometheus-remotewrite#2.unsupported-request-content" },
            ]
          : [{ see: { see: "refused", status: 415 } }],
    }),
  ),
]);

/** The number of what the other schema reads in a message: nothing, since its fields are reserved. */
const mixed = PROTOCOLS.map((protocol) =>
  made(protocol, {
    id: "other-message",
    covers: ["2.content-type/identifies"],
    level: "MUST",
    title: `The receiver reads a message as its Content-Type names it, and so writes nothing of one of protocol ${3 - protocol} sent`,
    needs: ["two", "query"],
    steps: [write(protocol, [series()], { contentOf: protocol === 1 ? 2 : 1 })],
    control: [plain(protocol)],
    allowed: [
      { see: both(success(protocol, 0), shows()) },
      { see: both(refusal(protocol, undefined), shows()), by: "prometheus-remotewrite#2.content-type" },
    ],
  }),
);

export const cases: readonly Case[] = [...alike, ...unsupported, ...mixed];
