import type { RequirementRef } from "../../../harness/case.ts";
import { STATUSES } from "../../../wire/rpc/statuses.ts";
import type { WebForm } from "../../../wire/rpc/web-forms.ts";
import type { WebSight, WebStep } from "../../web-vocabulary.ts";
import { all, answer, call, DETAILS, fails, good, holds, http, MESSAGES, PAYLOAD, planned, refused, type WebRow } from "./phrases.ts";

/** Streaming calls of the dialect connect. */

const FORMATS = ["proto", "json"] as const;
const stream = (format: (typeof FORMATS)[number]): WebForm => `stream ${format}`;
const SERVER = { method: "ServerStream" } as const;
const CLIENT = { method: "ClientStream" } as const;
const BIDI = { method: "BidiStream" } as const;
const HEADERS = "rpc-connect#streaming-request/headers";
const ENVELOPE = "rpc-connect#streaming-request/envelope";
const thrice = [PAYLOAD, PAYLOAD, PAYLOAD];
const GOOD = [planned("stream proto", { responses: 3 }, SERVER)];

const kinds: readonly WebRow[] = FORMATS.flatMap((format): WebRow[] => [
  good(`connect-stream-${format}-responses`, `A stream of responses in ${format} has them in their order.`, {
    covers: HEADERS,
    steps: [planned(stream(format), { responses: 3 }, SERVER)],
    allowed: answer({ payloads: thrice, numbers: [1, 2, 3] }),
  }),
  good(`connect-stream-${format}-requests`, `A stream of requests in ${format} has one response.`, {
    covers: HEADERS,
    steps: [call(stream(format), { ...CLIENT, messages: [{ payload: "a" }, { payload: "b" }, { payload: "c" }] })],
    allowed: answer({ payloads: ["abc"], numbers: [3] }),
  }),
  good(`connect-stream-${format}-no-requests`, `A stream in ${format} may have no requests.`, {
    covers: HEADERS,
    steps: [call(stream(format), { ...CLIENT, messages: [] })],
    allowed: answer({ payloads: [""] }),
  }),
  good(`connect-stream-${format}-no-responses`, `A stream of responses in ${format} may have none.`, {
    covers: "rpc-connect#streaming-response/end",
    steps: [planned(stream(format), {}, SERVER)],
    allowed: all(answer({ payloads: [] }), holds("stream-end")),
  }),
  {
    ...good(`connect-stream-${format}-both`, `Both streams in ${format}: each request has its response.`, {
      covers: HEADERS,
      steps: [call(stream(format), { ...BIDI, messages: [{ payload: "a" }, { payload: "b" }] })],
      allowed: answer({ payloads: ["a", "b"] }),
    }),
    over: ["http2"],
  },
  {
    ...good(`connect-stream-${format}-turns`, `Both streams in ${format}: a response comes before the next request.`, {
      covers: HEADERS,
      steps: [
        call(stream(format), { ...BIDI, messages: [{ payload: "a" }], open: true }),
        { do: "await", see: { see: "messages", call: 1, count: 1 } },
        { do: "say", call: 1, messages: [{ payload: "b" }] },
        { do: "await", see: { see: "messages", call: 1, count: 2 } },
        { do: "say", call: 1, messages: [{ payload: "c" }], end: true },
      ],
      allowed: answer({ payloads: ["a", "b", "c"] }),
    }),
    over: ["http2"],
  },
]);

const cuts: readonly WebRow[] = [1, 2, 3, 4, 5, 6, 7, 11, 16].map((cut) =>
  good(`connect-stream-cut-${cut}-octets`, `Envelopes may be cut into pieces of ${cut} octets.`, {
    covers: ENVELOPE,
    steps: [call("stream proto", { ...CLIENT, messages: [{ payload: "a" }, { payload: "bcd" }, { payload: "" }], cut })],
    allowed: answer({ payloads: ["abcd"], numbers: [3] }),
  }),
);

const KINDS: readonly (readonly [id: string, words: string, steps: readonly WebStep[], see: WebSight])[] = [
  ["responses", "a stream of responses", GOOD, answer({ payloads: thrice })],
  ["responses-json", "a stream of responses in JSON", [planned("stream json", { responses: 3 }, SERVER)], answer({ payloads: thrice })],
  [
    "requests",
    "a stream of requests",
    [call("stream proto", { ...CLIENT, messages: [{ payload: "a" }, { payload: "b" }] })],
    answer({ payloads: ["ab"] }),
  ],
  [
    "failed",
    "a stream that fails",
    [planned("stream proto", { status: 5, message: "gone ö" }, SERVER)],
    answer({ status: "NOT_FOUND", message: "gone ö" }),
  ],
  [
    "failed-late",
    "a stream that fails after two messages",
    [planned("stream json", { responses: 2, status: 10, message: "no" }, SERVER)],
    answer({ status: "ABORTED", message: "no", payloads: [PAYLOAD, PAYLOAD] }),
  ],
  [
    "metadata",
    "a stream with metadata",
    [planned("stream proto", { responses: 1, headers: [["x-h", "1"]], trailers: [["x-t", "2"]] }, SERVER)],
    answer({ headers: { "x-h": "1" }, trailers: { "x-t": "2" } }),
  ],
];
const EVERY = KINDS.map(([id]) => id);
const FAILED = ["failed", "failed-late"];
const PROPERTIES: readonly (readonly [monitor: string, covers: RequirementRef, words: string, of: readonly string[]])[] = [
  ["stream-status", "rpc-connect#streaming-response/status", "has the HTTP status 200", EVERY],
  ["stream-type", "rpc-connect#streaming-response/content-type", "has the content type of its request", EVERY],
  ["stream-end", "rpc-connect#streaming-request/end-flag", "has the flag of the end on its last message only", EVERY],
  ["stream-flags", "rpc-connect#streaming-request/reserved", "has no reserved flags", EVERY],
  ["stream-whole", ENVELOPE, "ends after a whole envelope", EVERY],
  ["stream-end-json", "rpc-connect#error-end-stream/error", "ends with an object in JSON", EVERY],
  ["stream-compressed", "rpc-connect#streaming-request/flag-without-encoding", "has no compressed message without an encoding", EVERY],
  ["stream-error", "rpc-connect#error-end-stream/succeeded", "has no member error at its end", EVERY.filter((id) => !FAILED.includes(id))],
  ["stream-error", "rpc-connect#error-end-stream/failed", "has its error at its end", FAILED],
  ["error-json", "rpc-connect#error-codes/names", "has a code", FAILED],
  ["stream-metadata", "rpc-connect#error-end-stream/metadata", "has lists of texts as trailing metadata", ["metadata"]],
];
const properties: readonly WebRow[] = PROPERTIES.flatMap(([monitor, covers, words, of]) =>
  KINDS.filter(([id]) => of.includes(id)).map(([id, kind, steps, see]) =>
    good(`connect-stream-answer-${monitor.replace("stream-", "")}-of-${id}`, `The answer of ${kind} ${words}.`, {
      covers,
      steps,
      allowed: all(see, holds(monitor)),
    }),
  ),
);

const statuses: readonly WebRow[] = STATUSES.flatMap((name, at): WebRow[] =>
  at === 0
    ? []
    : [
        good(
          `connect-stream-status-${name.toLowerCase().replaceAll("_", "-")}`,
          `A stream that ends with ${name} has its code and its message at its end.`,
          {
            covers: "rpc-connect#error-end-stream/failed",
            steps: [planned(at % 2 === 0 ? "stream proto" : "stream json", { responses: 1, status: at, message: `about ${name}` }, SERVER)],
            allowed: answer({ status: name, message: `about ${name}`, payloads: [PAYLOAD] }),
          },
        ),
      ],
);

const METADATA = "rpc-connect#error-end-stream/metadata";
const others: readonly WebRow[] = [
  ...MESSAGES.filter(([id]) => id !== "plain").map(([id, message]) =>
    good(`connect-stream-message-${id}`, `The message of an error is text in JSON (${id.replaceAll("-", " ")}).`, {
      covers: "rpc-connect#error-end-stream/error",
      steps: [planned("stream proto", { status: 9, message }, SERVER)],
      allowed: answer({ status: "FAILED_PRECONDITION", message }),
    }),
  ),
  good("connect-stream-details", "The error of a stream has its details.", {
    covers: "rpc-connect#error-end-stream/details",
    steps: [planned("stream proto", { status: 5, message: "gone", details: DETAILS.hex }, SERVER)],
    allowed: all(answer({ status: "NOT_FOUND", details: DETAILS.found }), holds("error-details")),
  }),
  good("connect-stream-requests-fail", "A stream of requests fails with the status of its handler.", {
    covers: "rpc-connect#error-end-stream/failed",
    steps: [call("stream proto", { ...CLIENT, messages: [{ plan: { status: 7, message: "no" } }, {}] })],
    allowed: answer({ status: "PERMISSION_DENIED", message: "no" }),
  }),
  good("connect-stream-trailers-twice", "Trailing values of one name keep their order.", {
    covers: METADATA,
    steps: [
      planned(
        "stream proto",
        {
          responses: 1,
          trailers: [
            ["x-t", "1"],
            ["x-t", "2"],
          ],
        },
        SERVER,
      ),
    ],
    allowed: answer({ trailers: { "x-t": "1,2" } }),
  }),
  good("connect-stream-trailers-binary", "A trailing binary value is Base64.", {
    covers: METADATA,
    steps: [planned("stream json", { responses: 1, trailers: [["x-t-bin", "00ff10"]] }, SERVER)],
    allowed: answer({ trailers: { "x-t-bin": "00ff10" } }),
  }),
  good("connect-stream-metadata", "The handler of a stream sees its metadata.", {
    covers: "rpc-connect#unary-request/metadata",
    steps: [
      planned(
        "stream proto",
        { responses: 1 },
        {
          ...SERVER,
          fields: [
            ["x-a", "1"],
            ["x-a-bin", "/w=="],
          ],
        },
      ),
    ],
    allowed: answer({ metadata: { "x-a": "1", "x-a-bin": "ff" } }),
  }),
  good("connect-stream-timeout", "The timeout of a stream is the deadline of its handler.", {
    covers: "rpc-connect#unary-request/timeout-form",
    steps: [planned("stream proto", { responses: 1 }, { ...SERVER, fields: [["connect-timeout-ms", "5000"]] })],
    allowed: answer({ left: [1, 5000] }),
  }),
  {
    id: "connect-stream-timeout-passes",
    title: "A stream whose deadline passes fails with deadline_exceeded.",
    covers: "rpc-connect#error-codes/deadline",
    steps: [planned("stream proto", { responses: 1, delayMs: 1_500 }, { ...SERVER, fields: [["connect-timeout-ms", "100"]] })],
    control: [planned("stream proto", { responses: 1 }, { ...SERVER, fields: [["connect-timeout-ms", "5000"]] })],
    allowed: fails("DEADLINE_EXCEEDED", "rpc-connect#error-codes"),
  },
  {
    id: "connect-stream-handler-throws",
    title: "A handler that fails without a status after two messages gives unknown.",
    covers: "rpc-connect#error-codes/unknown",
    steps: [planned("stream proto", { responses: 2, throws: true }, SERVER)],
    control: GOOD,
    allowed: fails("UNKNOWN", "rpc-connect#error-codes"),
  },
];

const ENCODING = "connect-content-encoding";
const RULES = "rpc-connect#streaming-request/encoding";
const gzip = [ENCODING, "gzip"] as const;
const compression: readonly WebRow[] = [
  {
    ...good("connect-stream-gzip", "Messages may be compressed, each by itself.", {
      covers: "rpc-connect#streaming-request/compressed",
      steps: [
        call("stream proto", {
          ...CLIENT,
          fields: [gzip],
          messages: [
            { payload: "a", compress: "gzip" },
            { payload: "b", compress: "gzip" },
          ],
        }),
      ],
      allowed: answer({ payloads: ["ab"] }),
    }),
    needs: ["gzip"],
  },
  {
    ...good("connect-stream-gzip-mixed", "A message without the flag is not compressed.", {
      covers: "rpc-connect#streaming-request/compressed",
      steps: [
        call("stream proto", {
          ...CLIENT,
          fields: [gzip],
          messages: [{ payload: "a" }, { payload: "b", compress: "gzip" }, { payload: "c" }],
        }),
      ],
      allowed: answer({ payloads: ["abc"] }),
    }),
    needs: ["gzip"],
  },
  good("connect-stream-identity", "The encoding identity is no compression.", {
    covers: RULES,
    steps: [call("stream proto", { ...CLIENT, fields: [[ENCODING, "identity"]] })],
  }),
  ...(
    [
      ["none", [], "lists no encodings"],
      ["identity", [["connect-accept-encoding", "identity"]], "accepts identity only"],
      ["gzip", [["connect-accept-encoding", "gzip"]], "accepts gzip"],
      ["unknown", [["connect-accept-encoding", "touchstone"]], "accepts an encoding that nobody knows"],
    ] as const
  ).map(([id, fields, words]) =>
    good(`connect-stream-accept-${id}`, `A client that ${words} can read a stream.`, {
      covers: RULES,
      steps: [planned("stream proto", { compression: "on", responses: 2, responseOctets: 5_000 }, { ...SERVER, fields })],
      allowed: all(answer({ sizes: [5_000, 5_000] }), holds("encoding-accepted"), holds("stream-compressed")),
    }),
  ),
  {
    id: "connect-stream-encoding-unknown",
    title: "An encoding that the server does not know fails a stream with unimplemented.",
    covers: "rpc-connect#unary-request/encoding-unknown",
    steps: [call("stream proto", { ...CLIENT, fields: [[ENCODING, "touchstone"]], messages: [{ flags: 1 }] })],
    control: [call("stream proto", CLIENT)],
    allowed: fails("UNIMPLEMENTED", "rpc-connect#streaming-request"),
  },
];

const refusal = (id: string, title: string, of: Pick<WebRow, "covers" | "steps"> & { readonly allowed?: WebRow["allowed"] }): WebRow => ({
  id: `connect-stream-${id}`,
  title,
  control: [call("stream proto", CLIENT)],
  allowed: refused,
  ...of,
});
const refusals: readonly WebRow[] = [
  refusal("flag-without-encoding", "A compressed message on a stream without an encoding fails it.", {
    covers: "rpc-connect#streaming-request/flag-without-encoding",
    steps: [call("stream proto", { ...CLIENT, messages: [{ compress: "gzip" }] })],
  }),
  refusal("end-flag", "A request with the flag of the end fails the stream.", {
    covers: "rpc-connect#streaming-request/no-end-flag",
    steps: [call("stream proto", { ...CLIENT, messages: [{ flags: 2 }] })],
  }),
  ...[3, 5, 7].map((keep) =>
    refusal(`cut-short-at-${keep}`, `Content that ends ${keep} octets into an envelope fails the stream.`, {
      covers: "rpc-connect#streaming-request/cut-short",
      steps: [call("stream proto", { ...CLIENT, messages: [{ payload: "a" }, { payload: "b", keep }] })],
    }),
  ),
  refusal("message-damaged", "A malformed message fails the stream.", {
    covers: "rpc-connect#protobuf/formats",
    steps: [call("stream proto", { ...CLIENT, messages: [{ hex: "0a05616263" }] })],
  }),
  ...(
    [
      ["unary-proto", "application/proto"],
      ["unary-json", "application/json"],
      ["octets", "application/octet-stream"],
      ["text", "text/plain"],
    ] as const
  ).map(([id, value]) =>
    refusal(`415-${id}`, `A streaming method called with ${value} answers with the HTTP status 415.`, {
      covers: "rpc-connect#streaming-request/content-type-415",
      steps: [call("stream proto", { ...CLIENT, replace: { "content-type": value } })],
      allowed: [
        { see: http(415) },
        { see: { see: "failed", call: 1, status: "any" }, by: "rpc-connect#streaming-request", verdict: "warn" },
      ],
    }),
  ),
  refusal("unknown-method", "A stream to a method that is not there fails with unimplemented.", {
    covers: "rpc-connect#error-codes/unimplemented",
    steps: [call("stream proto", { path: "/touchstone.conformance.v1.Conformance/Nothing" })],
    allowed: fails("UNIMPLEMENTED", "rpc-connect#http-to-error-code"),
  }),
];

export const rows: readonly WebRow[] = [...kinds, ...cuts, ...properties, ...statuses, ...others, ...compression, ...refusals];
