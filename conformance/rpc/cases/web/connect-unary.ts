import type { RequirementRef } from "../../../harness/case.ts";
import { STATUSES } from "../../../wire/rpc/statuses.ts";
import type { WebForm } from "../../../wire/rpc/web-forms.ts";
import type { WebSight, WebStep } from "../../web-vocabulary.ts";
import {
  all,
  answer,
  call,
  callWith,
  DETAILS,
  EVERY_OCTET,
  fails,
  good,
  holds,
  http,
  MESSAGES,
  planned,
  refused,
  type WebRow,
} from "./phrases.ts";

/** Unary calls of the dialect connect by POST. */

const FORMATS = ["proto", "json"] as const;
const unary = (format: (typeof FORMATS)[number]): WebForm => `unary ${format}`;
const HEADERS = "rpc-connect#unary-request/headers";
const GOOD = [call("unary proto")];

const basics: readonly WebRow[] = FORMATS.flatMap((format) => [
  good(`connect-unary-${format}`, `A call in ${format} is answered in ${format}.`, {
    covers: "rpc-connect#unary-response/success",
    steps: [call(unary(format))],
    allowed: all(answer({ numbers: [1] }), holds("success-type"), holds("content-readable")),
  }),
  good(`connect-unary-${format}-octets`, `A payload in ${format} has every octet.`, {
    covers: "rpc-connect#protobuf/formats",
    steps: [call(unary(format), { messages: [{ size: 251 }] })],
    allowed: answer({ sizes: [251] }),
  }),
  good(`connect-unary-${format}-empty`, `A message in ${format} may be empty.`, {
    covers: "rpc-connect#protobuf/formats",
    steps: [call(unary(format), { messages: [format === "proto" ? { hex: "" } : { text: "{}" }] })],
    allowed: answer({ payloads: [""] }),
  }),
  good(`connect-unary-${format}-long`, `A message in ${format} may have 40,000 octets.`, {
    covers: HEADERS,
    steps: [call(unary(format), { messages: [{ size: 40_000 }] })],
    allowed: answer({ sizes: [40_000] }),
  }),
  ...[1, 3, 10].map((cut) =>
    good(`connect-unary-${format}-cut-${cut}-octets`, `A message in ${format} may come in pieces of ${cut} octets.`, {
      covers: HEADERS,
      steps: [call(unary(format), { cut })],
    }),
  ),
]);

const JSON_TEXTS: readonly (readonly [id: string, words: string, text: string])[] = [
  ["spaces", "white space between its members", ' {\r\n\t"payload" : "dG91Y2hzdG9uZQ==" }\n'],
  ["escapes", "escapes in its texts", '{"p\\u0061yload":"dG91Y2hzdG9uZQ=="}'],
  ["unpadded", "octets in Base64 without padding", '{"payload":"dG91Y2hzdG9uZQ"}'],
  ["source-names", "names as the contract has them", '{"payload":"dG91Y2hzdG9uZQ==","plan":{"response_octets":0}}'],
  ["enum-number", "a number in place of the name of an enum", '{"payload":"dG91Y2hzdG9uZQ==","plan":{"compression":2}}'],
  ["null", "null in place of a message", '{"payload":"dG91Y2hzdG9uZQ==","plan":null}'],
  ["number-as-text", "a number as a text", '{"payload":"dG91Y2hzdG9uZQ==","plan":{"responses":"3"}}'],
];
const jsons: readonly WebRow[] = JSON_TEXTS.map(([id, words, text]) =>
  good(`connect-json-${id}`, `A message in JSON may have ${words}.`, {
    covers: "rpc-connect#protobuf/formats",
    steps: [call("unary json", { messages: [{ text }] })],
  }),
);

const type = (value: string): WebStep[] => [call("unary proto", { replace: { "content-type": value } })];
const refusals: readonly WebRow[] = [
  ...["xml", "x-touchstone", "octet-stream", "protobuf", "x-protobuf", "jsonp", "prot"].map((format): WebRow => ({
    id: `connect-unary-415-${format}`,
    title: `A call in the format ${format} gets the HTTP status 415.`,
    covers: "rpc-connect#unary-request/content-type-415",
    steps: type(`application/${format}`),
    control: GOOD,
    allowed: http(415),
  })),
  ...["Unary/more", "unary", "Nothing", "Missing"].map((method): WebRow => ({
    id: `connect-unary-path-${method.toLowerCase().replace("/", "-")}${method === "unary" ? "-in-lower-case" : ""}`,
    title: `A call of ${method} fails with unimplemented.`,
    covers: ["rpc-connect#error-codes/unimplemented", "rpc-connect#unary-request/path"],
    steps: [call("unary proto", { path: `/touchstone.conformance.v1.Conformance/${method}` })],
    control: GOOD,
    allowed: fails("UNIMPLEMENTED", "rpc-connect#http-to-error-code"),
  })),
  ...["PUT", "DELETE", "PATCH"].map((verb): WebRow => ({
    id: `connect-unary-method-${verb.toLowerCase()}`,
    title: `A request with the method ${verb} is no call.`,
    covers: HEADERS,
    steps: [call("unary proto", { verb })],
    control: GOOD,
    allowed: refused,
  })),
  ...(
    [
      ["proto-damaged", "unary proto", { hex: "0a05616263" }, "octets that are no message"],
      ["json-damaged", "unary json", { text: '{"payload":' }, "JSON that is cut short"],
      ["json-list", "unary json", { text: "[]" }, "a list in place of a message"],
      ["json-wrong-type", "unary json", { text: '{"payload":7}' }, "a number in place of octets"],
    ] as const
  ).map(([id, form, message, words]): WebRow => ({
    id: `connect-unary-${id}`,
    title: `A call with ${words} fails.`,
    covers: "rpc-connect#protobuf/formats",
    steps: [call(form, { messages: [message] })],
    control: [call(form)],
    allowed: refused,
  })),
];

const BINARY = EVERY_OCTET.toString("base64");
const seen = (
  id: string,
  title: string,
  of: { covers: RequirementRef; fields: readonly (readonly [string, string])[]; metadata: Record<string, string | false> },
): WebRow =>
  good(`connect-unary-metadata-${id}`, title, {
    covers: of.covers,
    steps: [callWith("unary proto", ...of.fields)],
    allowed: answer({ metadata: of.metadata }),
  });
const METADATA = "rpc-connect#unary-request/metadata";
const PADDING = "rpc-connect#unary-request/binary-padding";
const metadata: readonly WebRow[] = [
  seen("text", "A handler sees a text value.", { covers: METADATA, fields: [["x-text", "a value"]], metadata: { "x-text": "a value" } }),
  seen("twice", "A handler sees all values of a name in their order.", {
    covers: METADATA,
    fields: [
      ["x-a", "1"],
      ["x-a", "2"],
    ],
    metadata: { "x-a": "1,2" },
  }),
  seen("binary", "A handler sees a binary value without padding.", {
    covers: PADDING,
    fields: [["x-a-bin", BINARY.replaceAll("=", "")]],
    metadata: { "x-a-bin": EVERY_OCTET.toString("hex") },
  }),
  seen("binary-padded", "A handler sees a binary value with padding.", {
    covers: PADDING,
    fields: [["x-a-bin", BINARY]],
    metadata: { "x-a-bin": EVERY_OCTET.toString("hex") },
  }),
  seen("binary-short", "A handler sees a binary value of one octet with padding.", {
    covers: PADDING,
    fields: [["x-a-bin", "/w=="]],
    metadata: { "x-a-bin": "ff" },
  }),
];

const sent = (
  id: string,
  title: string,
  of: { covers: RequirementRef; form?: WebForm; plan: Parameters<typeof planned>[1]; see: WebSight },
): WebRow =>
  good(`connect-unary-${id}`, title, { covers: of.covers, steps: [planned(of.form ?? "unary proto", of.plan)], allowed: of.see });
const TRAILER = "rpc-connect#unary-response/trailer-prefix";
const answered: readonly WebRow[] = [
  sent("headers", "Leading metadata stands in the headers.", {
    covers: "rpc-connect#unary-response/leading",
    plan: { headers: [["x-h", "1"]] },
    see: answer({ headers: { "x-h": "1" }, trailers: { "x-h": false } }),
  }),
  sent("headers-binary", "A leading binary value is Base64.", {
    covers: "rpc-connect#unary-response/leading",
    plan: { headers: [["x-h-bin", "00ff10"]] },
    see: answer({ headers: { "x-h-bin": "00ff10" } }),
  }),
  sent("headers-first", "A handler that sends its headers early gets an answer like any other.", {
    covers: "rpc-connect#unary-response/leading",
    plan: { headersFirst: true, headers: [["x-h", "1"]], delayMs: 20 },
    see: answer({ headers: { "x-h": "1" } }),
  }),
  sent("trailers", "Trailing metadata has the prefix trailer-.", {
    covers: TRAILER,
    plan: { trailers: [["x-t", "2"]] },
    see: answer({ trailers: { "x-t": "2" }, headers: { "x-t": false } }),
  }),
  sent("trailers-json", "Trailing metadata has the prefix trailer- in JSON, too.", {
    covers: TRAILER,
    form: "unary json",
    plan: { trailers: [["x-t", "2"]] },
    see: answer({ trailers: { "x-t": "2" }, headers: { "x-t": false } }),
  }),
  sent("trailers-twice", "Trailing values of one name keep their order.", {
    covers: TRAILER,
    plan: {
      trailers: [
        ["x-t", "1"],
        ["x-t", "2"],
      ],
    },
    see: answer({ trailers: { "x-t": "1,2" } }),
  }),
  sent("trailers-binary", "A trailing binary value has the prefix trailer-.", {
    covers: TRAILER,
    plan: { trailers: [["x-t-bin", "00ff10"]] },
    see: answer({ trailers: { "x-t-bin": "00ff10" } }),
  }),
];

const TIMEOUT = "connect-timeout-ms";
const deadlines: readonly WebRow[] = [
  ...(
    [
      ["seconds", "5000", [1, 5000]],
      ["ten-digits", "9999999999", [1, 10_000_000_000]],
    ] as const
  ).map(([id, value, left]) =>
    good(`connect-unary-timeout-${id}`, `A timeout of ${value} ms is the deadline of the handler.`, {
      covers: "rpc-connect#unary-request/timeout-form",
      steps: [callWith("unary proto", [TIMEOUT, value])],
      allowed: answer({ left }),
    }),
  ),
  good("connect-unary-timeout-none", "A call without a timeout has no deadline.", {
    covers: "rpc-connect#unary-request/timeout-none",
    steps: [call("unary proto")],
    allowed: answer({ left: false }),
  }),
  {
    id: "connect-unary-timeout-passes",
    title: "A call whose deadline passes fails with deadline_exceeded.",
    covers: "rpc-connect#error-codes/deadline",
    steps: [planned("unary proto", { delayMs: 1_500 }, { fields: [[TIMEOUT, "100"]] })],
    control: [planned("unary proto", { delayMs: 1 }, { fields: [[TIMEOUT, "5000"]] })],
    allowed: fails("DEADLINE_EXCEEDED", "rpc-connect#error-codes"),
  },
  {
    id: "connect-unary-timeout-not-a-number",
    title: "A timeout that is no number fails the call.",
    covers: "rpc-connect#unary-request/timeout-form",
    steps: [callWith("unary proto", [TIMEOUT, "1s"])],
    control: [callWith("unary proto", [TIMEOUT, "1000"])],
    allowed: refused,
  },
];

const ENCODING = "content-encoding";
const ACCEPTED = "rpc-connect#unary-response/encoding-accepted";
const zips = { compress: "gzip" } as const;
const compression: readonly WebRow[] = [
  good("connect-unary-encoding-identity", "The encoding identity is no compression.", {
    covers: "rpc-connect#unary-request/content-encoding",
    steps: [callWith("unary proto", [ENCODING, "identity"])],
  }),
  {
    ...good("connect-unary-encoding-gzip", "A message may be compressed.", {
      covers: "rpc-connect#unary-request/content-encoding",
      steps: [call("unary proto", { fields: [[ENCODING, "gzip"]], messages: [zips] })],
      allowed: all(answer(), holds("content-readable")),
    }),
    needs: ["gzip"],
  },
  {
    ...good("connect-unary-encoding-gzip-json", "A message in JSON may be compressed.", {
      covers: "rpc-connect#unary-request/content-encoding",
      steps: [call("unary json", { fields: [[ENCODING, "gzip"]], messages: [zips] })],
      allowed: all(answer(), holds("content-readable")),
    }),
    needs: ["gzip"],
  },
  {
    ...good("connect-unary-encoding-zero-length", "Content of no octets is not decompressed.", {
      covers: "rpc-connect#unary-request/zero-length",
      steps: [call("unary proto", { fields: [[ENCODING, "gzip"]], messages: [{ hex: "" }] })],
      allowed: answer({ payloads: [""] }),
    }),
    needs: ["gzip"],
  },
  {
    id: "connect-unary-encoding-unknown",
    title: "An encoding that the server does not know fails the call with unimplemented.",
    covers: "rpc-connect#unary-request/encoding-unknown",
    steps: [callWith("unary proto", [ENCODING, "touchstone"])],
    control: [callWith("unary proto", [ENCODING, "identity"])],
    allowed: fails("UNIMPLEMENTED", "rpc-connect#unary-request"),
  },
  {
    id: "connect-unary-encoding-corrupt",
    title: "Content that is not what its encoding says fails the call.",
    covers: "rpc-connect#unary-request/content-encoding",
    needs: ["gzip"],
    steps: [callWith("unary proto", [ENCODING, "gzip"])],
    control: [call("unary proto", { fields: [[ENCODING, "gzip"]], messages: [zips] })],
    allowed: refused,
  },
  ...(
    [
      ["none", [], "lists no encodings"],
      ["identity", [["accept-encoding", "identity"]], "accepts identity only"],
      ["gzip", [["accept-encoding", "gzip"]], "accepts gzip"],
      ["two", [["accept-encoding", "touchstone, gzip"]], "accepts two encodings"],
      ["unknown", [["accept-encoding", "touchstone"]], "accepts an encoding that nobody knows"],
    ] as const
  ).map(([id, fields, words]) =>
    good(`connect-unary-accept-${id}`, `A client that ${words} can read the answer.`, {
      covers: id === "none" ? "rpc-connect#unary-request/accept-identity" : ACCEPTED,
      steps: [planned("unary proto", { compression: "on", responseOctets: 5_000 }, { fields })],
      allowed: all(answer({ sizes: [5_000] }), holds("encoding-accepted"), holds("content-readable")),
    }),
  ),
];

const statuses: readonly WebRow[] = STATUSES.flatMap((name, at): WebRow[] => {
  if (at === 0) return [];
  const id = name.toLowerCase().replaceAll("_", "-");
  const steps = [planned(at % 2 === 0 ? "unary proto" : "unary json", { status: at, message: `about ${name}` })];
  const see = answer({ status: name, message: `about ${name}` });
  return [
    good(`connect-unary-status-${id}`, `A handler that ends its call with ${name} sends its code and its message.`, {
      covers: "rpc-connect#error-codes/names",
      steps,
      allowed: all(see, holds("error-json")),
    }),
    good(`connect-unary-status-${id}-in-http`, `The HTTP status of ${name} is that of its code.`, {
      covers: ["rpc-connect#unary-response/error-http", "rpc-connect#unary-response/error-status"],
      steps,
      allowed: all(see, holds("error-http")),
    }),
  ];
});

const ERROR = "rpc-connect#error-end-stream/error";
const errors: readonly WebRow[] = [
  ...MESSAGES.map(([id, message]) =>
    good(`connect-unary-message-${id}`, `The message of an error is text in JSON (${id.replaceAll("-", " ")}).`, {
      covers: ERROR,
      steps: [planned("unary proto", { status: 5, message })],
      allowed: all(answer({ status: "NOT_FOUND", message }), holds("error-json")),
    }),
  ),
  good("connect-unary-message-none", "An error may have no message.", {
    covers: ERROR,
    steps: [planned("unary proto", { status: 10 })],
    allowed: all(answer({ status: "ABORTED", message: "" }), holds("error-json")),
  }),
  ...FORMATS.map((format) =>
    good(`connect-unary-error-type-${format}`, `An error of a call in ${format} has the content type application/json.`, {
      covers: "rpc-connect#unary-response/error-content-type",
      steps: [planned(unary(format), { status: 7, message: "no" })],
      allowed: all(answer({ status: "PERMISSION_DENIED" }), holds("error-type"), holds("error-json")),
    }),
  ),
  good("connect-unary-error-details", "A detail of an error has its type, and its octets in Base64 without padding.", {
    covers: "rpc-connect#error-end-stream/details",
    steps: [planned("unary proto", { status: 5, message: "gone", details: DETAILS.hex })],
    allowed: all(answer({ status: "NOT_FOUND", message: "gone", details: DETAILS.found }), holds("error-details")),
  }),
  {
    id: "connect-unary-handler-throws",
    title: "A handler that fails without a status gives unknown.",
    covers: "rpc-connect#error-codes/unknown",
    steps: [planned("unary proto", { throws: true })],
    control: GOOD,
    allowed: fails("UNKNOWN", "rpc-connect#error-codes"),
  },
];

export const rows: readonly WebRow[] = [
  ...basics,
  ...jsons,
  ...refusals,
  ...metadata,
  ...answered,
  ...deadlines,
  ...compression,
  ...statuses,
  ...errors,
];
