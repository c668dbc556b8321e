import type { RequirementRef } from "../../../harness/case.ts";
import { STATUSES } from "../../../wire/rpc/statuses.ts";
import type { WebForm } from "../../../wire/rpc/web-forms.ts";
import type { WebSight, WebStep } from "../../web-vocabulary.ts";
import {
  all,
  answer,
  call,
  callWith,
  EVERY_OCTET,
  fails,
  good,
  holds,
  http,
  MESSAGES,
  PAYLOAD,
  planned,
  refused,
  type WebRow,
} from "./phrases.ts";

/** Calls of the dialect grpc-web: the kinds that browsers make. */

const SERVER = { method: "ServerStream" } as const;
const FORMS = [
  ["binary", "web", "application/grpc-web"],
  ["binary-proto", "web proto", "application/grpc-web+proto"],
  ["text", "web text", "application/grpc-web-text"],
  ["text-proto", "web text proto", "application/grpc-web-text+proto"],
] as const satisfies readonly (readonly [string, WebForm, string])[];
const thrice = [PAYLOAD, PAYLOAD, PAYLOAD];
const GOOD = [call("web proto")];

const kindOf = (id: string): RequirementRef => (id.startsWith("text") ? "rpc-web#content-type/text" : "rpc-web#content-type/binary");
const basics: readonly WebRow[] = FORMS.flatMap(([id, form, type]) => [
  good(`web-unary-${id}`, `A call with ${type} is answered in the same kind.`, {
    covers: kindOf(id),
    steps: [call(form)],
    allowed: all(answer({ numbers: [1] }), holds("web-type")),
  }),
  good(`web-responses-${id}`, `A stream of responses with ${type} has them in their order.`, {
    covers: "rpc-web#http/any-version",
    steps: [planned(form, { responses: 3 }, SERVER)],
    allowed: answer({ payloads: thrice, numbers: [1, 2, 3] }),
  }),
  good(`web-failure-${id}`, `A call with ${type} fails with the status of its handler.`, {
    covers: "rpc-web#framing/status",
    steps: [planned(form, { status: 5, message: "gone" })],
    allowed: answer({ status: "NOT_FOUND", message: "gone" }),
  }),
  ...[1, 2, 3, 4, 5, 7, 11].map((cut) =>
    good(`web-cut-${cut}-octets-${id}`, `Content with ${type} may come in pieces of ${cut} octets.`, {
      covers: id.startsWith("text") ? "rpc-web#text/request" : "rpc-web#framing/messages",
      steps: [call(form, { cut })],
    }),
  ),
  good(`web-long-${id}`, `A message with ${type} may have 40,000 octets.`, {
    covers: "rpc-web#framing/messages",
    steps: [call(form, { messages: [{ size: 40_000 }] })],
    allowed: answer({ sizes: [40_000] }),
  }),
  good(`web-empty-${id}`, `A message with ${type} may be empty.`, {
    covers: "rpc-web#framing/messages",
    steps: [call(form, { messages: [{ hex: "" }] })],
    allowed: answer({ payloads: [""] }),
  }),
]);

const IN_OCTETS = { replace: { "content-type": "application/grpc-web+proto" }, inOctets: true } as const;
const accepted: readonly WebRow[] = [
  good("web-text-accepted", "A client that sends octets and accepts text gets text.", {
    covers: "rpc-web#text/accept",
    steps: [call("web text proto", IN_OCTETS)],
    allowed: all(answer(), holds("web-type"), holds("web-base64")),
  }),
  good("web-text-responses-accepted", "A client that sends octets and accepts text gets a stream of responses in text.", {
    covers: "rpc-web#text/accept",
    steps: [planned("web text proto", { responses: 3 }, { ...SERVER, ...IN_OCTETS })],
    allowed: all(answer({ payloads: thrice }), holds("web-type"), holds("web-base64")),
  }),
];

const KINDS: readonly (readonly [id: string, words: string, steps: readonly WebStep[], see: WebSight])[] = [
  ["unary", "a call", GOOD, answer()],
  ["text", "a call in text", [call("web text")], answer()],
  ["responses", "a stream of responses", [planned("web", { responses: 3 }, SERVER)], answer({ payloads: thrice })],
  ["text-responses", "a stream of responses in text", [planned("web text proto", { responses: 3 }, SERVER)], answer({ payloads: thrice })],
  [
    "failure",
    "a call that fails",
    [planned("web proto", { status: 7, message: "100% ö" })],
    answer({ status: "PERMISSION_DENIED", message: "100% ö" }),
  ],
  [
    "failed-stream",
    "a stream that fails after two messages",
    [planned("web", { responses: 2, status: 10, message: "no" }, SERVER)],
    answer({ status: "ABORTED", message: "no", payloads: [PAYLOAD, PAYLOAD] }),
  ],
  [
    "metadata",
    "a call with metadata",
    [planned("web proto", { headers: [["x-h", "1"]], trailers: [["x-t", "2"]] })],
    answer({ headers: { "x-h": "1" }, trailers: { "x-t": "2" } }),
  ],
];
const EVERY = KINDS.map(([id]) => id);
const TEXTS = ["text", "text-responses"];
const PROPERTIES: readonly (readonly [monitor: string, covers: RequirementRef, words: string, of: readonly string[]])[] = [
  ["web-trailers", "rpc-web#framing/status-in-body", "has its trailers in its content", EVERY],
  ["web-trailers-last", "rpc-web#framing/trailers-last", "ends with its trailers", EVERY],
  ["web-trailers-form", "rpc-web#framing/trailers-form", "has trailers in lines", EVERY],
  ["web-names", "rpc-web#http/lower-case", "has trailers with names in lower case", EVERY],
  ["web-status", "rpc-web#framing/status", "has a status in its trailers", EVERY],
  ["web-whole", "rpc-web#http/end", "ends after a whole envelope", EVERY],
  ["web-flags", "rpc-web#framing/messages", "has messages without flags", ["unary", "responses", "text-responses", "failed-stream"]],
  ["web-base64", "rpc-web#text/response", "is Base64", TEXTS],
  ["web-message", "rpc-web#framing/status", "has a percent-encoded status message", ["failure", "failed-stream"]],
];
const properties: readonly WebRow[] = PROPERTIES.flatMap(([monitor, covers, words, of]) =>
  KINDS.filter(([id]) => of.includes(id)).map(([id, kind, steps, see]) =>
    good(`${monitor}-of-${id}`, `The answer of ${kind} ${words}.`, { covers, steps, allowed: all(see, holds(monitor)) }),
  ),
);

const statuses: readonly WebRow[] = STATUSES.flatMap((name, at): WebRow[] =>
  at === 0
    ? []
    : [
        good(
          `web-code-${name.toLowerCase().replaceAll("_", "-")}`,
          `A handler that ends its call with ${name} sends ${at} and its message.`,
          {
            covers: "rpc-web#framing/status",
            steps: [planned(at % 2 === 0 ? "web proto" : "web", { status: at, message: `about ${name}` })],
            allowed: answer({ status: name, message: `about ${name}` }),
          },
        ),
      ],
);

const METADATA = "rpc-web#framing/metadata";
const others: readonly WebRow[] = [
  ...MESSAGES.map(([id, message]) =>
    good(`web-message-text-${id}`, `A status message is percent-encoded UTF-8 (${id.replaceAll("-", " ")}).`, {
      covers: "rpc-web#framing/status",
      steps: [planned("web proto", { status: 2, message })],
      allowed: answer({ status: "UNKNOWN", message }),
    }),
  ),
  good("web-metadata-text", "A handler sees a text value.", {
    covers: METADATA,
    steps: [callWith("web proto", ["x-text", "a value"])],
    allowed: answer({ metadata: { "x-text": "a value" } }),
  }),
  good("web-metadata-twice", "A handler sees all values of a name in their order.", {
    covers: METADATA,
    steps: [callWith("web", ["x-a", "1"], ["x-a", "2"])],
    allowed: answer({ metadata: { "x-a": "1,2" } }),
  }),
  good("web-metadata-binary", "A handler sees a binary value.", {
    covers: METADATA,
    steps: [callWith("web proto", ["x-a-bin", EVERY_OCTET.toString("base64")])],
    allowed: answer({ metadata: { "x-a-bin": EVERY_OCTET.toString("hex") } }),
  }),
  good("web-headers", "Leading metadata stands in the headers.", {
    covers: METADATA,
    steps: [
      planned("web proto", {
        headers: [
          ["x-h", "1"],
          ["x-h-bin", "00ff"],
        ],
      }),
    ],
    allowed: answer({ headers: { "x-h": "1", "x-h-bin": "00ff" } }),
  }),
  good("web-trailers-twice", "Trailing values of one name keep their order.", {
    covers: METADATA,
    steps: [
      planned("web proto", {
        trailers: [
          ["x-t", "1"],
          ["x-t", "2"],
        ],
      }),
    ],
    allowed: answer({ trailers: { "x-t": "1,2" } }),
  }),
  good("web-trailers-binary", "A trailing binary value is Base64.", {
    covers: METADATA,
    steps: [planned("web proto", { trailers: [["x-t-bin", "00ff10"]] })],
    allowed: answer({ trailers: { "x-t-bin": "00ff10" } }),
  }),
  ...(
    [
      ["milliseconds", "5000m", [1, 5_000]],
      ["seconds", "60S", [1_000, 60_000]],
      ["hours", "2H", [1_000_000, 7_200_000]],
    ] as const
  ).map(([id, value, left]) =>
    good(`web-timeout-${id}`, `A timeout in ${id} is the deadline of the handler.`, {
      covers: "rpc-web#framing/timeout",
      steps: [callWith("web proto", ["grpc-timeout", value])],
      allowed: answer({ left }),
    }),
  ),
  {
    id: "web-timeout-passes",
    title: "A call whose deadline passes fails with DEADLINE_EXCEEDED.",
    covers: "rpc-web#framing/timeout",
    steps: [planned("web proto", { delayMs: 1_500 }, { fields: [["grpc-timeout", "100m"]] })],
    control: [planned("web proto", { delayMs: 1 }, { fields: [["grpc-timeout", "5S"]] })],
    allowed: fails("DEADLINE_EXCEEDED", "rpc-web#framing"),
  },
  {
    id: "web-unknown-method",
    title: "A method that is not there fails with UNIMPLEMENTED.",
    covers: "rpc-web#framing/status",
    steps: [call("web proto", { path: "/touchstone.conformance.v1.Conformance/Nothing" })],
    control: GOOD,
    allowed: fails("UNIMPLEMENTED", "rpc-web#framing"),
  },
  {
    id: "web-message-cut-short",
    title: "Content that ends inside a message fails the call.",
    covers: "rpc-web#framing/messages",
    steps: [call("web proto", { messages: [{ keep: 8 }] })],
    control: GOOD,
    allowed: refused,
  },
  {
    id: "web-text-damaged",
    needs: ["text"],
    title: "Text that is not Base64 fails the call.",
    covers: "rpc-web#text/request",
    steps: [call("web proto", { replace: { "content-type": "application/grpc-web-text" } })],
    control: GOOD,
    allowed: refused,
  },
  ...(
    [
      ["plain", "text/plain"],
      ["xml", "application/xml"],
      ["web-suffix", "application/grpc-webby"],
    ] as const
  ).map(([id, value]): WebRow => ({
    id: `web-415-${id}`,
    title: `A request with the content type ${value} gets the HTTP status 415.`,
    covers: "rpc-web#content-type/unknown",
    steps: [call("web proto", { replace: { "content-type": value } })],
    control: GOOD,
    allowed: [{ see: http(415) }, { see: { see: "failed", call: 1, status: "any" }, by: "rpc-web#content-type", verdict: "warn" }],
  })),
];

export const rows: readonly WebRow[] = [...basics, ...accepted, ...properties, ...statuses, ...others];
