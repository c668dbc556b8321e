import { CODES } from "../../../wire/rpc/web-forms.ts";
import { STATUSES } from "../../../wire/rpc/statuses.ts";
import type { Kind } from "../../client-vocabulary.ts";
import type { WebClientStep } from "../../web-client-vocabulary.ts";
import { DETAILS } from "../web/phrases.ts";
import {
  all,
  answer,
  ask,
  close,
  drop,
  end,
  ends,
  good as goodOf,
  GOOD_STREAM,
  head,
  headWith,
  hex,
  last,
  PAYLOAD,
  preferably,
  received,
  refused,
  request,
  type Row,
  say,
  stream,
  words,
} from "./phrases.ts";

/** What a client of the dialect connect makes of answers to streaming calls. */

const STREAMS = ["streams"];
const good: typeof goodOf = (id, title, covers, of) => goodOf(id, title, covers, { ...of, needs: [...STREAMS, ...(of.needs ?? [])] });
const END = "rpc-connect#streaming-response/end";
const METADATA = "rpc-connect#error-end-stream/metadata";
const ENVELOPE = "rpc-connect#streaming-request/envelope";
const COMPRESSED = "rpc-connect#streaming-request/compressed";
const GZIP = headWith(["connect-content-encoding", "gzip"]);
const thrice = [PAYLOAD, PAYLOAD, PAYLOAD];
const failing = (at: number, more: object = {}): WebClientStep => end({ error: { code: CODES[at], ...more } });

const successes: readonly Row[] = [
  good("connect-responses-three", "A stream of responses has them in their order.", END, {
    steps: stream(head(), say([{ payload: "a" }, { payload: "b" }, { payload: "c" }]), end()),
    see: answer({ payloads: ["a", "b", "c"] }),
  }),
  good("connect-responses-none", "A stream of responses may have none.", END, {
    steps: stream(head(), end()),
    see: answer({ payloads: [] }),
  }),
  good("connect-responses-json", "Responses of a stream may be in JSON.", "rpc-connect#protobuf/formats", {
    needs: ["json"],
    steps: [ask({ kind: "server-stream" }, { channel: { format: "json" } }), received(), head(), say([{}, {}]), end(), close],
    see: answer({ payloads: [PAYLOAD, PAYLOAD] }),
  }),
  ...[1, 2, 3, 4, 5, 7].map((cut) =>
    good(`connect-responses-cut-${cut}`, `A stream of responses may come in pieces of ${cut} octets.`, ENVELOPE, {
      steps: stream(head(), say([{}, {}, {}], { cut }), end({ metadata: { "x-t": ["1"] } }, { cut })),
      see: answer({ payloads: thrice, trailers: { "x-t": "1" } }),
    }),
  ),
  good("connect-responses-long", "Long responses arrive whole.", ENVELOPE, {
    steps: stream(head(), say([{ size: 100_000 }, { size: 0 }, { size: 70_000 }]), end()),
    see: answer({ sizes: [100_000, 0, 70_000] }),
  }),
  good("connect-response-of-stream", "A stream of requests has one response.", END, {
    steps: [ask({ kind: "client-stream", messages: [hex("a"), hex("b")] }), received(), head(), say(), end(), close],
  }),
  good("connect-bidi-turns", "Both sides may take turns.", ENVELOPE, {
    needs: ["bidi"],
    steps: [
      ask({ kind: "bidi", turns: true, messages: [hex("a"), hex("b")] }),
      { do: "await", see: request({ payloads: ["a"] }) },
      head(),
      say([{ payload: "A" }]),
      { do: "await", see: request({ payloads: ["a", "b"], ended: true }) },
      say([{ payload: "B" }]),
      end(),
      close,
    ],
    see: answer({ payloads: ["A", "B"] }),
  }),
  good("connect-responses-gzip", "Compressed responses are decompressed one by one.", COMPRESSED, {
    needs: ["gzip"],
    steps: stream(GZIP, say([{ compress: "gzip" }, { compress: "gzip" }]), end()),
    see: answer({ payloads: [PAYLOAD, PAYLOAD] }),
  }),
  good("connect-responses-gzip-mixed", "Responses without the flag are not decompressed.", COMPRESSED, {
    needs: ["gzip"],
    steps: stream(GZIP, say([{}, { compress: "gzip" }, {}]), end()),
    see: answer({ payloads: thrice }),
  }),
  good("connect-end-gzip", "The message of the end may be compressed.", COMPRESSED, {
    needs: ["gzip"],
    steps: stream(GZIP, say(), last('{"metadata":{"x-t":["1"]}}', { compress: "gzip" })),
    see: answer({ trailers: { "x-t": "1" } }),
  }),
  good("connect-stream-leading", "Leading metadata of a stream is reported.", "rpc-connect#unary-response/leading", {
    steps: stream(headWith(["x-a", "1"], ["x-b-bin", "AP8"]), say(), end()),
    see: answer({ headers: { "x-a": "1", "x-b-bin": "00ff" } }),
  }),
  good("connect-end-metadata", "Trailing metadata of a stream is reported.", METADATA, {
    steps: stream(head(), say(), end({ metadata: { "x-t": ["1", "2"], "x-b-bin": ["AP8"] } })),
    see: answer({ trailers: { "x-t": "1,2", "x-b-bin": "00ff" } }),
  }),
  good("connect-end-metadata-padded", "Trailing binary values may be padded.", "rpc-connect#unary-request/binary-padding", {
    steps: stream(head(), say(), end({ metadata: { "x-b-bin": ["AP8="] } })),
    see: answer({ trailers: { "x-b-bin": "00ff" } }),
  }),
  good("connect-end-metadata-case", "Names of trailing metadata are read regardless of case.", "rpc-connect#error-end-stream/as-headers", {
    steps: stream(head(), say(), end({ metadata: { "X-Upper": ["1"] } })),
    see: answer({ trailers: { "x-upper": "1" } }),
  }),
  good("connect-end-more", "The message of the end may have other members.", METADATA, {
    steps: stream(head(), say(), end({ more: { error: 1 } })),
  }),
];

const codes: readonly Row[] = CODES.flatMap((code, at): Row[] =>
  at === 0
    ? []
    : [
        good(
          `connect-end-code-${words(code)}`,
          `A stream whose last message has the code ${code} ends with it.`,
          "rpc-connect#error-end-stream/failed",
          {
            steps: stream(head(), say(), failing(at, { message: "as asked" })),
            see: ends(STATUSES[at]!, { message: "as asked", payloads: [PAYLOAD] }),
          },
        ),
      ],
);

const [DETAIL] = DETAILS.found;
const errors: readonly Row[] = [
  good("connect-end-error-metadata", "A stream that fails has trailing metadata.", METADATA, {
    steps: stream(head(), end({ error: { code: "aborted" }, metadata: { "x-t": ["1"] } })),
    see: ends("ABORTED", { trailers: { "x-t": "1" } }),
  }),
  good("connect-end-error-unicode", "The message of a stream that fails is text in JSON.", "rpc-connect#error-end-stream/error", {
    steps: stream(head(), failing(10, { message: 'ü "☺" \\ 😈' })),
    see: ends("ABORTED", { message: 'ü "☺" \\ 😈' }),
  }),
  good("connect-end-details", "A stream that fails has details.", "rpc-connect#error-end-stream/details", {
    needs: ["details"],
    steps: stream(head(), failing(10, { details: [{ type: DETAIL[0], value: "CgF4" }] })),
    see: ends("ABORTED", { details: [[DETAIL[0], "0a0178"]] }),
  }),
  good("connect-end-early", "A server may end a call before its requests have ended.", "rpc-connect#error-end-stream/failed", {
    needs: ["bidi"],
    steps: [ask({ kind: "bidi", open: true }), { do: "await", see: request({ payloads: [PAYLOAD] }) }, head(), failing(9), close],
    see: ends("FAILED_PRECONDITION"),
  }),
  ...(["client-stream", "server-stream"] as const satisfies readonly Kind[]).map((kind) =>
    good(
      `connect-end-error-of-${kind}`,
      `A call of the kind ${kind} fails with the error of its stream.`,
      "rpc-connect#error-end-stream/failed",
      {
        steps: [ask({ kind }), received(), head(), failing(7, { message: "no" }), close],
        see: ends("PERMISSION_DENIED", { message: "no" }),
      },
    ),
  ),
];

const wrong = (id: string, title: string, covers: Row["covers"], of: Pick<Row, "steps"> & Partial<Row>): Row => ({
  id: `connect-${id}`,
  title,
  covers,
  control: GOOD_STREAM,
  allowed: refused,
  ...of,
  needs: [...STREAMS, ...(of.needs ?? [])],
});
const INVALID = "rpc-connect#error-end-stream/valid";
const refusals: readonly Row[] = [
  wrong("end-missing", "A stream without a message of its end does not succeed.", END, { steps: stream(head(), say()) }),
  wrong("end-missing-empty", "A stream without any message does not succeed.", END, { steps: stream(head()) }),
  wrong("end-then-message", "A stream with a message after its end does not succeed.", END, {
    steps: stream(head(), say(), end(), say()),
  }),
  wrong("end-twice", "A stream with two messages of its end does not succeed.", END, { steps: stream(head(), say(), end(), end()) }),
  wrong("end-cut-short", "A stream that ends inside the message of its end does not succeed.", "rpc-connect#streaming-request/cut-short", {
    steps: stream(head(), say(), end({}, { keep: 6 })),
  }),
  ...[3, 9].map((keep) =>
    wrong(
      `message-cut-after-${keep}`,
      `A stream that ends ${keep} octets into a message does not succeed.`,
      "rpc-connect#streaming-request/cut-short",
      {
        steps: stream(head(), say([{}, { keep }])),
      },
    ),
  ),
  ...(
    [
      ["text", "go away"],
      ["cut", '{"error":'],
      ["list", "[]"],
      ["empty", ""],
    ] as const
  ).map(([id, text]) =>
    wrong(`end-malformed-${id}`, `A stream whose end is no object in JSON (${id}) does not succeed.`, INVALID, {
      steps: stream(head(), say(), last(text)),
    }),
  ),
  ...(
    [
      ["null", null],
      ["empty", {}],
      ["null-code", { code: null }],
      ["text", "not_found"],
      ["unknown-code", { code: "no_such_code", message: "m" }],
    ] as const
  ).map(([id, error]) =>
    wrong(`end-error-${id}`, `A stream whose error is invalid (${id.replaceAll("-", " ")}) does not succeed.`, INVALID, {
      steps: stream(head(), say(), end({ error })),
    }),
  ),
  wrong("stream-flag-without-encoding", "A compressed message on a stream without an encoding fails the call.", COMPRESSED, {
    steps: stream(head(), say([{ compress: "gzip" }]), end()),
  }),
  wrong("stream-gzip-damaged", "A compressed message that is damaged fails the call.", COMPRESSED, {
    needs: ["gzip"],
    steps: stream(GZIP, say([{ flags: 1 }]), end()),
  }),
  wrong("stream-encoding-unknown", "A message in an encoding that the client does not know fails the call.", COMPRESSED, {
    steps: stream(headWith(["connect-content-encoding", "x-none"]), say([{ flags: 1 }]), end()),
  }),
  ...(
    [
      ["html", "text/html"],
      ["unary", "application/proto"],
      ["other-format", "application/connect+json"],
    ] as const
  ).map(([id, type]) =>
    wrong(`stream-type-${id}`, `A stream with the content type ${type} does not succeed.`, "rpc-connect#streaming-response/content-type", {
      steps: stream(head({ type }), say(), end()),
    }),
  ),
  ...(
    [
      [404, "UNIMPLEMENTED"],
      [401, "UNAUTHENTICATED"],
      [403, "PERMISSION_DENIED"],
      [429, "UNAVAILABLE"],
      [503, "UNAVAILABLE"],
      [500, "UNKNOWN"],
    ] as const
  ).map(([http, status]) =>
    wrong(
      `stream-http-${http}`,
      `An answer to a streaming call with the HTTP status ${http} is ${status}.`,
      "rpc-connect#error-codes/inferred",
      {
        steps: stream(head({ status: http, type: "text/html" })),
        allowed: preferably(status, "rpc-connect#error-codes"),
      },
    ),
  ),
  ...(
    [
      ["none", [head(), end()]],
      ["two", [head(), say([{}, {}]), end()]],
    ] as const
  ).map(([id, steps]) =>
    wrong(
      `responses-of-client-stream-${id}`,
      `A stream of requests with ${id === "none" ? "no response" : "two responses"} does not succeed.`,
      "rpc-connect#protobuf/formats",
      {
        steps: [ask({ kind: "client-stream" }), received(), ...steps, close],
        control: [ask({ kind: "client-stream" })],
      },
    ),
  ),
  ...(
    [
      ["after-the-head", [head()]],
      ["behind-a-message", [head(), say()]],
    ] as const
  ).map(([id, steps]) =>
    wrong(`stream-cut-off-${id}`, `A stream that is broken off ${id.replaceAll("-", " ")} does not succeed.`, END, {
      steps: [ask({ kind: "server-stream" }), received(), ...steps, drop],
    }),
  ),
  wrong("stream-late", "A stream that goes on at its deadline fails with DEADLINE_EXCEEDED.", "rpc-connect#error-codes/deadline", {
    needs: ["deadline"],
    steps: [ask({ kind: "server-stream", timeoutMs: 150 }), received(), head(), say()],
    allowed: answer({ status: "DEADLINE_EXCEEDED" }),
  }),
  wrong("stream-cancelled", "A stream that the application leaves after a message ends with CANCELLED.", "rpc-connect#error-codes/names", {
    needs: ["cancel"],
    steps: [ask({ kind: "server-stream", cancel: { afterMessages: 1 } }), received(), head(), say()],
    allowed: all(answer({ status: "CANCELLED" }), { see: "left" }),
  }),
];

export const rows: readonly Row[] = [...successes, ...codes, ...errors, ...refusals];
