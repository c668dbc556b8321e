import type { RequirementRef } from "../../../harness/case.ts";
import type { WebCallSpec, WebChannelSpec, WebClientSight } from "../../web-client-vocabulary.ts";
import { all, answer, ask, callOf, good, hex, holds, PAYLOAD, pathOf, request, type Row } from "./phrases.ts";

/** What a client of the dialect connect sends. */

const JSON_CHANNEL: WebChannelSpec = { format: "json" };
const METADATA = "rpc-connect#unary-request/metadata";
const HEADERS = "rpc-connect#unary-request/headers";
const STREAM_HEADERS = "rpc-connect#streaming-request/headers";
const GET = "rpc-connect#unary-get-request/form";

type Of = {
  readonly call?: Partial<WebCallSpec>;
  readonly channel?: WebChannelSpec;
  readonly see?: WebClientSight;
  readonly monitors?: readonly string[];
  readonly needs?: readonly string[];
};
/** A call that is answered with OK, and what its request must be like. */
const sent = (id: string, title: string, covers: RequirementRef | readonly [RequirementRef, ...RequirementRef[]], of: Of): Row =>
  good(`connect-${id}`, title, covers, {
    ...(of.needs === undefined ? {} : { needs: of.needs }),
    steps: [ask(of.call, of.channel === undefined ? {} : { channel: of.channel })],
    see: all(answer(), request(of.see?.see === "request" ? of.see : {}), ...(of.monitors ?? []).map(holds)),
  });
const is = (more: Parameters<typeof request>[0]): WebClientSight => request(more);

const unary: readonly Row[] = [
  sent("request-proto", "A unary call is a POST whose content is its message as octets.", HEADERS, {
    see: is({ verb: "POST", path: pathOf("unary"), payloads: [PAYLOAD], compressed: [false] }),
    monitors: ["path", "unary-type"],
  }),
  sent("request-json", "A unary call in JSON is a POST whose content is its message in JSON.", HEADERS, {
    channel: JSON_CHANNEL,
    needs: ["json"],
    see: is({ verb: "POST", path: pathOf("unary"), payloads: [PAYLOAD] }),
    monitors: ["path", "unary-type"],
  }),
  ...([0, 1, 16_384, 200_000] as const).map((size) =>
    good(`connect-request-of-${size}-octets`, `A message with ${size} octets of payload arrives whole.`, HEADERS, {
      steps: [ask({ messages: ["61".repeat(size)] })],
      see: all(answer(), request({ sizes: [size] })),
    }),
  ),
  sent("request-version", "A unary call names the version of the protocol.", "rpc-connect#unary-request/version-sent", {
    monitors: ["version"],
  }),
  sent("request-accept", "A unary call lists encodings without quality values.", "rpc-connect#unary-get-request/accept-subset", {
    monitors: ["accept-subset"],
  }),
  sent("request-gzip", "A compressed message has its encoding in Content-Encoding.", "rpc-connect#unary-request/content-encoding", {
    call: { encoding: "gzip", messages: [hex(PAYLOAD.repeat(500))] },
    needs: ["gzip"],
    see: is({ payloads: [PAYLOAD.repeat(500)], compressed: ["gzip"] }),
  }),
  sent("request-not-compressed", "A message that is not compressed has no encoding.", "rpc-connect#unary-request/content-encoding", {
    see: is({ payloads: [PAYLOAD], compressed: [false] }),
  }),
  good("connect-request-path-case", "The path keeps upper and lower case.", "rpc-connect#unary-request/path", {
    steps: [ask({ path: "/touchstone.conformance.v1.Conformance/Missing" })],
    see: all(answer(), request({ path: "/touchstone.conformance.v1.Conformance/Missing" })),
  }),
];

const metadata: readonly Row[] = (["unary", "server-stream"] as const).flatMap((kind): Row[] => {
  const needs = kind === "unary" ? [] : ["streams"];
  const of = (more: Of): Of => ({ ...more, needs, call: { kind, ...more.call } });
  const binary: Partial<WebCallSpec> = { metadata: [["x-a-bin", "00ff10"]] };
  return [
    sent(`metadata-text-${kind}`, `Text metadata of a call of the kind ${kind} is a header field.`, METADATA, {
      ...of({ call: { metadata: [["x-text", "a value"]] }, see: is({ fields: { "x-text": "a value" } }) }),
    }),
    sent(`metadata-twice-${kind}`, `All values of a name are sent in their order (${kind}).`, METADATA, {
      ...of({
        call: {
          metadata: [
            ["x-a", "1"],
            ["x-a", "2"],
          ],
        },
        see: is({ fields: { "x-a": "1,2" } }),
      }),
    }),
    sent(`metadata-binary-${kind}`, `A binary value is sent in Base64 (${kind}).`, METADATA, {
      ...of({ call: binary, see: is({ fields: { "x-a-bin": "00ff10" } }), monitors: ["binary-values"] }),
    }),
    sent(`metadata-unpadded-${kind}`, `A binary value is sent without padding (${kind}).`, "rpc-connect#unary-request/binary-unpadded", {
      ...of({ call: { metadata: [["x-a-bin", "00ff"]] }, see: is({ fields: { "x-a-bin": "00ff" } }), monitors: ["binary-unpadded"] }),
    }),
  ];
});

const TIMEOUT = "rpc-connect#unary-request/timeout-form";
const timeouts: readonly Row[] = (
  [
    ["seconds", 5_000, [1_000, 5_000]],
    ["an-hour", 3_600_000, [3_590_000, 3_600_000]],
    ["a-day", 86_400_000, [86_390_000, 86_400_000]],
  ] as const
).flatMap(([id, timeoutMs, timeout]) =>
  (["unary", "server-stream"] as const).map((kind) =>
    sent(`timeout-${id}-${kind}`, `A deadline of ${timeoutMs} ms is sent in milliseconds (${kind}).`, TIMEOUT, {
      call: { kind, timeoutMs },
      needs: kind === "unary" ? ["deadline"] : ["deadline", "streams"],
      see: is({ timeout }),
      monitors: ["timeout-form"],
    }),
  ),
);

const get = (id: string, title: string, covers: RequirementRef, of: Of): Row =>
  sent(`get-${id}`, title, covers, { ...of, call: { get: true, ...of.call }, needs: ["get", ...(of.needs ?? [])] });
const gets: readonly Row[] = [
  get("proto", "A call without side effects is a GET with its message in the query.", GET, {
    see: is({ verb: "GET", path: pathOf("unary"), payloads: [PAYLOAD] }),
    monitors: ["path", "get-method", "query-form"],
  }),
  get("json", "A call without side effects in JSON is a GET with its message in the query.", GET, {
    channel: JSON_CHANNEL,
    needs: ["json"],
    see: is({ verb: "GET", payloads: [PAYLOAD] }),
    monitors: ["get-method", "query-form"],
  }),
  get("octets", "Every octet of a message survives the query.", GET, {
    call: { messages: [hex("\u{1f600}ÿ&=+%#?/ \u0000\u007f")] },
    see: is({ payloads: ["\u{1f600}ÿ&=+%#?/ \u0000\u007f"] }),
  }),
  get("json-octets", "Every character of JSON survives the query.", GET, {
    channel: JSON_CHANNEL,
    needs: ["json"],
    call: { messages: [hex("\u00fb\u00ff?>>>&&&+++")] },
    see: is({ payloads: ["\u00fb\u00ff?>>>&&&+++"] }),
  }),
  get("base64", "A query with octets says that they are in Base64.", "rpc-connect#unary-get-request/base64-named", {
    monitors: ["get-method", "query-base64"],
  }),
  get("gzip", "A compressed message is in Base64, and the query names its encoding.", GET, {
    call: { encoding: "gzip", messages: [hex(PAYLOAD.repeat(500))] },
    needs: ["gzip"],
    see: is({ verb: "GET", payloads: [PAYLOAD.repeat(500)] }),
    monitors: ["query-base64"],
  }),
  get("order", "The parameters of the query have the order that caches expect.", "rpc-connect#unary-get-request/param-order", {
    monitors: ["get-method", "query-order"],
  }),
  get("version", "The query names the version of the protocol.", "rpc-connect#unary-get-request/version-sent", {
    monitors: ["get-method", "version"],
  }),
  get("accept", "A GET lists encodings without quality values.", "rpc-connect#unary-get-request/accept-subset", {
    monitors: ["get-method", "accept-subset"],
  }),
  get("metadata", "Metadata of a GET is sent as header fields.", METADATA, {
    call: {
      metadata: [
        ["x-a", "1"],
        ["x-a-bin", "00ff"],
      ],
    },
    see: is({ verb: "GET", fields: { "x-a": "1", "x-a-bin": "00ff" } }),
  }),
  get("timeout", "The timeout of a GET is in its header field.", "rpc-connect#unary-get-request/timeout", {
    call: { timeoutMs: 5_000 },
    needs: ["deadline"],
    see: is({ verb: "GET", timeout: [1_000, 5_000] }),
    monitors: ["timeout-form"],
  }),
  sent("post-without-mark", "A call that may have side effects is no GET.", "rpc-connect#unary-get-request/marked", {
    needs: ["get"],
    monitors: ["method"],
  }),
];

const streams: readonly Row[] = [
  sent("stream-proto", "A streaming call is a POST with one message in its envelope.", STREAM_HEADERS, {
    call: { kind: "server-stream" },
    needs: ["streams"],
    see: is({ verb: "POST", path: pathOf("server-stream"), payloads: [PAYLOAD], compressed: [false] }),
    monitors: ["path", "stream-type", "whole-messages"],
  }),
  sent("stream-json", "A streaming call in JSON has its messages in JSON.", STREAM_HEADERS, {
    call: { kind: "server-stream" },
    channel: JSON_CHANNEL,
    needs: ["streams", "json"],
    see: is({ payloads: [PAYLOAD] }),
    monitors: ["stream-type"],
  }),
  good("connect-stream-of-requests", "The messages of a stream of requests are sent in their order.", STREAM_HEADERS, {
    needs: ["streams"],
    steps: [ask({ kind: "client-stream", messages: ["a", "b", "", "c"].map(hex) })],
    see: all(answer(), request({ payloads: ["a", "b", "", "c"] }), holds("stream-type"), holds("whole-messages")),
  }),
  good("connect-stream-of-no-request", "A stream of requests may have no message.", STREAM_HEADERS, {
    needs: ["streams"],
    steps: [ask({ kind: "client-stream", messages: [] })],
    see: all(answer(), request({ payloads: [], ended: true }), holds("stream-type")),
  }),
  good("connect-stream-long-requests", "Long messages of a stream of requests arrive whole.", "rpc-connect#streaming-request/envelope", {
    needs: ["streams"],
    steps: [ask({ kind: "client-stream", messages: ["61".repeat(70_000), "62".repeat(40_000)] })],
    see: all(answer(), request({ sizes: [70_000, 40_000] })),
  }),
  sent("stream-version", "A streaming call names the version of the protocol.", "rpc-connect#unary-request/version-sent", {
    call: { kind: "server-stream" },
    needs: ["streams"],
    monitors: ["version"],
  }),
  sent("stream-accept", "A streaming call lists encodings without quality values.", "rpc-connect#unary-get-request/accept-subset", {
    call: { kind: "server-stream" },
    needs: ["streams"],
    monitors: ["accept-subset"],
  }),
  ...(
    [
      ["no-end-flag", "has no flag of the end", "rpc-connect#streaming-request/no-end-flag"],
      ["reserved-flags", "has no reserved flag", "rpc-connect#streaming-request/reserved"],
      ["flag-with-encoding", "is compressed only if its stream has an encoding", "rpc-connect#streaming-request/flag-without-encoding"],
    ] as const
  ).map(([monitor, words, covers]) =>
    good(`connect-stream-${monitor}`, `Every message of a stream of requests ${words}.`, covers, {
      needs: ["streams"],
      steps: [ask({ kind: "client-stream", messages: ["a", "b", "c"].map(hex) })],
      see: all(answer(), request({ payloads: ["a", "b", "c"] }), holds(monitor)),
    }),
  ),
  good("connect-stream-gzip", "Compressed messages of a stream are compressed one by one.", "rpc-connect#streaming-request/compressed", {
    needs: ["streams", "gzip"],
    steps: [ask({ kind: "client-stream", encoding: "gzip", messages: [hex(PAYLOAD.repeat(500)), hex("a".repeat(5_000))] })],
    see: all(
      answer(),
      request({ payloads: [PAYLOAD.repeat(500), "a".repeat(5_000)], fields: { "connect-content-encoding": "gzip" } }),
      holds("flag-with-encoding"),
    ),
  }),
  {
    id: "connect-two-calls",
    title: "Two calls at the same time each get their own answer.",
    covers: HEADERS,
    steps: [{ do: "ask", calls: [callOf(), callOf({ messages: [hex("other")] })] }],
    allowed: all(answer(), answer({ call: 2 }), { see: "requests", count: 2 }),
  },
];

export const rows: readonly Row[] = [...unary, ...metadata, ...timeouts, ...gets, ...streams];
