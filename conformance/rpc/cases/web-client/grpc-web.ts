import type { RequirementRef } from "../../../harness/case.ts";
import { STATUSES } from "../../../wire/rpc/statuses.ts";
import type { WebCallSpec, WebClientStep } from "../../web-client-vocabulary.ts";
import { MESSAGES } from "../web/phrases.ts";
import { percentEncoded } from "../../../wire/rpc/percent.ts";
import {
  all,
  answer,
  ask,
  callOf,
  close,
  content,
  drop,
  ends,
  GOOD,
  good,
  GOOD_STREAM,
  head,
  headWith,
  hex,
  holds,
  last,
  lines,
  PAYLOAD,
  pathOf,
  preferably,
  received,
  refused,
  request,
  type Row,
  say,
  stream,
  unary,
  words,
} from "./phrases.ts";

/** Clients of the dialect grpc-web: what they send, and what they make of answers. */

const MESSAGES_OF = "rpc-web#framing/messages";
const STATUS = "rpc-web#framing/status";
const METADATA = "rpc-web#framing/metadata";
const TEXT_CHANNEL = { channel: { text: true } } as const;
const streams = (needs: readonly string[] = []): readonly string[] => ["streams", ...needs];

const sent = (
  id: string,
  title: string,
  covers: RequirementRef,
  of: { readonly call?: Partial<WebCallSpec>; readonly text?: true; readonly needs?: readonly string[] } & {
    readonly see?: Parameters<typeof request>[0];
    readonly monitors?: readonly string[];
  },
): Row =>
  good(`web-${id}`, title, covers, {
    needs: [...(of.text === true ? ["text"] : []), ...(of.needs ?? [])],
    steps: [ask(of.call, of.text === true ? TEXT_CHANNEL : {})],
    see: all(answer(), request(of.see ?? {}), ...(of.monitors ?? []).map(holds)),
  });

const requests: readonly Row[] = [
  sent("request", "A call is a POST with its message in an envelope.", "rpc-web#content-type/binary", {
    see: { verb: "POST", path: pathOf("unary"), payloads: [PAYLOAD] },
    monitors: ["path", "web-type"],
  }),
  sent("request-stream", "A call for a stream of responses is a POST with its message in an envelope.", "rpc-web#content-type/binary", {
    call: { kind: "server-stream" },
    needs: ["streams"],
    see: { verb: "POST", path: pathOf("server-stream"), payloads: [PAYLOAD] },
    monitors: ["web-type"],
  }),
  sent("request-flags", "A message has no flags.", MESSAGES_OF, { see: { payloads: [PAYLOAD] }, monitors: ["no-flags"] }),
  sent("request-whole", "A request ends after a whole envelope.", MESSAGES_OF, { see: { ended: true }, monitors: ["whole-messages"] }),
  ...([0, 16_384, 200_000] as const).map((size) =>
    sent(`request-of-${size}-octets`, `A message with ${size} octets of payload arrives whole.`, MESSAGES_OF, {
      call: { messages: ["61".repeat(size)] },
      see: { sizes: [size] },
    }),
  ),
  sent("request-text", "A request in text is Base64.", "rpc-web#content-type/text", {
    text: true,
    see: { verb: "POST", payloads: [PAYLOAD] },
    monitors: ["text-type", "base64"],
  }),
  sent("request-text-long", "A long request in text is Base64.", "rpc-web#content-type/text", {
    text: true,
    call: { messages: ["61".repeat(70_001)] },
    see: { sizes: [70_001] },
    monitors: ["base64"],
  }),
  sent("request-text-accept", "A client that needs text accepts it.", "rpc-web#text/accept-sent", {
    text: true,
    monitors: ["text-accept"],
  }),
  sent("metadata-text", "Text metadata is a header field.", METADATA, {
    call: { metadata: [["x-text", "a value"]] },
    see: { fields: { "x-text": "a value" } },
  }),
  sent("metadata-twice", "All values of a name are sent in their order.", METADATA, {
    call: {
      metadata: [
        ["x-a", "1"],
        ["x-a", "2"],
      ],
    },
    see: { fields: { "x-a": "1,2" } },
  }),
  sent("metadata-binary", "A binary value is sent in Base64.", METADATA, {
    call: { metadata: [["x-a-bin", "00ff10"]] },
    see: { fields: { "x-a-bin": "00ff10" } },
    monitors: ["binary-values"],
  }),
  ...(
    [
      ["seconds", 5_000, [1_000, 5_000]],
      ["an-hour", 3_600_000, [3_590_000, 3_600_000]],
    ] as const
  ).map(([id, timeoutMs, timeout]) =>
    sent(`timeout-${id}`, `A deadline of ${timeoutMs} ms is sent in the form of the dialect grpc.`, "rpc-web#framing/timeout", {
      call: { timeoutMs },
      needs: ["deadline"],
      see: { timeout },
      monitors: ["timeout-form"],
    }),
  ),
  {
    id: "web-two-calls",
    title: "Two calls at the same time each get their own answer.",
    covers: MESSAGES_OF,
    steps: [{ do: "ask", calls: [callOf(), callOf({ messages: [hex("other")] })] }],
    allowed: all(answer(), answer({ call: 2 }), { see: "requests", count: 2 }),
  },
];

const text = (...steps: WebClientStep[]): WebClientStep[] => [ask({ kind: "server-stream" }, TEXT_CHANNEL), received(), ...steps, close];
const thrice = [PAYLOAD, PAYLOAD, PAYLOAD];
const successes: readonly Row[] = [
  good("web-success", "A message and then trailers are a success.", STATUS, { steps: unary(head(), say(), lines(0)) }),
  good("web-responses", "A stream of responses has them in their order.", STATUS, {
    needs: streams(),
    steps: stream(head(), say([{ payload: "a" }, { payload: "" }, { payload: "c" }]), lines(0)),
    see: answer({ payloads: ["a", "", "c"] }),
  }),
  good("web-responses-none", "A stream of responses may have none.", STATUS, {
    needs: streams(),
    steps: stream(head(), lines(0)),
    see: answer({ payloads: [] }),
  }),
  ...(["application/grpc-web", "application/grpc-web+proto"] as const).map((type) =>
    good(
      `web-type-${type.endsWith("proto") ? "proto" : "alone"}`,
      `An answer may have the content type ${type}.`,
      "rpc-web#content-type/binary",
      {
        steps: unary(head({ type }), say(), lines(0)),
      },
    ),
  ),
  ...[1, 2, 3, 4, 5, 7].map((cut) =>
    good(`web-cut-${cut}`, `An answer may come in pieces of ${cut} octets.`, MESSAGES_OF, {
      needs: streams(),
      steps: stream(head(), say([{}, {}, {}], { cut }), last("grpc-status: 0\r\nx-t: 1\r\n", { cut })),
      see: answer({ payloads: thrice, trailers: { "x-t": "1" } }),
    }),
  ),
  good("web-long", "Long responses arrive whole.", MESSAGES_OF, {
    needs: streams(),
    steps: stream(head(), say([{ size: 100_000 }, { size: 70_000 }]), lines(0)),
    see: answer({ sizes: [100_000, 70_000] }),
  }),
  good("web-text", "An answer in text is read.", "rpc-web#content-type/text", {
    needs: ["text", "streams"],
    steps: text(head(), say([{}, {}]), lines(0)),
    see: answer({ payloads: [PAYLOAD, PAYLOAD] }),
  }),
  ...[1, 2, 3, 4, 5, 7, 8].map((cut) =>
    good(`web-text-padded-every-${cut}`, `Text may be padded after every ${cut} octets.`, "rpc-web#text/padding-anywhere", {
      needs: ["text", "streams"],
      steps: text(head(), say([{}, {}], { cut }), last("grpc-status: 0\r\nx-t: 1\r\n", { cut })),
      see: answer({ payloads: [PAYLOAD, PAYLOAD], trailers: { "x-t": "1" } }),
    }),
  ),
];

const METADATA_LINES = ["x-t: 1", "x-t: 2", "x-b-bin: AP8"];
const trailers: readonly Row[] = [
  ...STATUSES.flatMap((name, at): Row[] =>
    at === 0
      ? []
      : [
          good(`web-status-${words(name)}`, `Trailers with the status ${at} end the call with ${name}.`, STATUS, {
            steps: unary(head(), lines(at, "grpc-message: as asked")),
            see: ends(name, { message: "as asked" }),
          }),
        ],
  ),
  ...(["NOT_FOUND", "UNAUTHENTICATED", "UNAVAILABLE"] as const).map((name) =>
    good(
      `web-trailers-only-${words(name)}`,
      `A status ${name} among the response headers ends the call.`,
      [STATUS, "rpc-web#framing/trailers-only"],
      {
        steps: unary(headWith(["grpc-status", String(STATUSES.indexOf(name))], ["grpc-message", "no"])),
        see: ends(name, { message: "no" }),
      },
    ),
  ),
  good("web-failure-behind-messages", "A stream that fails keeps the messages before.", STATUS, {
    needs: streams(),
    steps: stream(head(), say([{}, {}]), lines(10, "grpc-message: enough")),
    see: ends("ABORTED", { message: "enough", payloads: [PAYLOAD, PAYLOAD] }),
  }),
  ...MESSAGES.map(([id, message]) =>
    good(`web-message-${id}`, `A status message is percent-encoded UTF-8 (${id.replaceAll("-", " ")}).`, STATUS, {
      steps: unary(head(), lines(2, `grpc-message: ${percentEncoded(message)}`)),
      see: ends("UNKNOWN", { message }),
    }),
  ),
  good("web-trailers-metadata", "Trailing metadata is reported.", METADATA, {
    steps: unary(head(), say(), lines(0, ...METADATA_LINES)),
    see: answer({ trailers: { "x-t": "1,2", "x-b-bin": "00ff" } }),
  }),
  good("web-trailers-metadata-of-failure", "Trailing metadata of a call that fails is reported.", METADATA, {
    steps: unary(head(), lines(10, ...METADATA_LINES)),
    see: ends("ABORTED", { trailers: { "x-t": "1,2", "x-b-bin": "00ff" } }),
  }),
  good("web-trailers-order", "The status may stand after metadata.", "rpc-web#framing/trailers-form", {
    steps: unary(head(), say(), last("x-t: 1\r\ngrpc-status: 0\r\n")),
    see: answer({ trailers: { "x-t": "1" } }),
  }),
  good("web-trailers-no-space", "A value of a trailer may follow its colon at once.", "rpc-web#framing/trailers-form", {
    steps: unary(head(), say(), last("grpc-status:0\r\nx-t:1\r\n")),
    see: answer({ trailers: { "x-t": "1" } }),
  }),
  good("web-trailers-colon", "A value of a trailer may have colons.", "rpc-web#framing/trailers-form", {
    steps: unary(head(), say(), lines(0, "x-t: a:b: c")),
    see: answer({ trailers: { "x-t": "a:b: c" } }),
  }),
  good("web-leading", "Leading metadata is reported.", METADATA, {
    steps: unary(headWith(["x-a", "1"], ["x-b-bin", "AP8"]), say(), lines(0)),
    see: answer({ headers: { "x-a": "1", "x-b-bin": "00ff" } }),
  }),
];

const wrong = (id: string, title: string, covers: Row["covers"], of: Pick<Row, "steps"> & Partial<Row>): Row => ({
  id: `web-${id}`,
  title,
  covers,
  control: GOOD,
  allowed: refused,
  ...of,
});
const LAST = "rpc-web#framing/trailers-last";
const HTTP = [
  [400, "INTERNAL"],
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "UNIMPLEMENTED"],
  [429, "UNAVAILABLE"],
  [502, "UNAVAILABLE"],
  [503, "UNAVAILABLE"],
  [504, "UNAVAILABLE"],
  [405, "UNKNOWN"],
  [415, "UNKNOWN"],
  [418, "UNKNOWN"],
  [500, "UNKNOWN"],
] as const;
const refusals: readonly Row[] = [
  wrong("trailers-missing", "An answer without trailers does not succeed.", STATUS, { steps: unary(head(), say()) }),
  wrong("content-missing", "An answer without content does not succeed.", STATUS, { steps: unary(head()) }),
  wrong("status-missing", "Trailers without a status do not succeed.", STATUS, { steps: unary(head(), say(), lines(false, "x-t: 1")) }),
  wrong("trailers-empty", "Empty trailers do not succeed.", STATUS, { steps: unary(head(), say(), last("")) }),
  ...(["", "abc", "-1", "5x"] as const).map((value, at) =>
    wrong(
      `status-unparsable-${["empty", "word", "negative", "letter-behind"][at]}`,
      `A status that cannot be parsed, here "${value}", is UNKNOWN.`,
      "rpc-status#codes/unparsable",
      {
        steps: unary(head(), say(), last(`grpc-status: ${value}\r\n`)),
        allowed: preferably("UNKNOWN", "rpc-status#codes"),
      },
    ),
  ),
  wrong("message-behind-trailers", "An answer with a message after its trailers does not succeed.", LAST, {
    needs: ["streams"],
    steps: stream(head(), say(), lines(0), say()),
    control: GOOD_STREAM,
  }),
  wrong("trailers-cut-short", "An answer that ends inside its trailers does not succeed.", MESSAGES_OF, {
    steps: unary(head(), say(), last("grpc-status: 0\r\n", { keep: 9 })),
  }),
  ...[3, 9].map((keep) =>
    wrong(`message-cut-after-${keep}`, `An answer that ends ${keep} octets into a message does not succeed.`, MESSAGES_OF, {
      needs: ["streams"],
      steps: stream(head(), say([{}, { keep }])),
      control: GOOD_STREAM,
    }),
  ),
  ...(
    [
      ["none", [head(), lines(0)]],
      ["two", [head(), say([{}, {}]), lines(0)]],
    ] as const
  ).map(([id, steps]) =>
    wrong(
      `responses-of-unary-${id}`,
      `A unary call with ${id === "none" ? "no response" : "two responses"} does not succeed.`,
      "rpc-status#codes/cardinality",
      {
        steps: unary(...steps),
      },
    ),
  ),
  ...(
    [
      ["html", "text/html"],
      ["json", "application/json"],
      ["other-protocol", "application/connect+proto"],
    ] as const
  ).map(([id, type]) =>
    wrong(`answer-type-${id}`, `An answer with the content type ${type} does not succeed.`, "rpc-web#content-type/binary", {
      steps: unary(head({ type }), say(), lines(0)),
    }),
  ),
  wrong("text-damaged", "An answer in text that is not Base64 does not succeed.", "rpc-web#content-type/text", {
    needs: ["text", "streams"],
    steps: text(head(), content("AAAA!!!!AAAA")),
    control: [ask({ kind: "server-stream" }, TEXT_CHANNEL)],
  }),
  ...HTTP.map(([http, status]) =>
    wrong(
      `http-${http}`,
      `An answer with the HTTP status ${http} and no status of the call is ${status}.`,
      status === "UNKNOWN" ? "rpc-http-status#table/others" : "rpc-http-status#table/mapping",
      {
        steps: unary(head({ status: http, type: "text/html" })),
        allowed: preferably(status, "rpc-http-status#table"),
      },
    ),
  ),
  ...(
    [
      ["before-the-head", []],
      ["after-the-head", [head()]],
      ["behind-the-message", [head(), say()]],
    ] as const
  ).map(([id, steps]) =>
    wrong(`cut-off-${id}`, `An answer that is broken off ${id.replaceAll("-", " ")} does not succeed.`, STATUS, {
      steps: [ask(), received(), ...steps, drop],
    }),
  ),
  wrong("late", "A call without a status at its deadline ends with DEADLINE_EXCEEDED.", "rpc-status#codes/deadline", {
    needs: ["deadline"],
    steps: [ask({ timeoutMs: 100 }), received()],
    allowed: answer({ status: "DEADLINE_EXCEEDED" }),
  }),
  wrong("cancelled", "A call that the application cancels ends with CANCELLED, and the client leaves it.", "rpc-status#codes/cancelled", {
    needs: ["cancel"],
    steps: [ask({ cancel: { afterMs: 50 } }), received()],
    allowed: all(answer({ status: "CANCELLED" }), { see: "left" }),
  }),
  wrong("stream-cancelled", "A stream that the application leaves after a message ends with CANCELLED.", "rpc-status#codes/cancelled", {
    needs: ["cancel", "streams"],
    steps: [ask({ kind: "server-stream", cancel: { afterMessages: 1 } }), received(), head(), say()],
    control: GOOD_STREAM,
    allowed: all(answer({ status: "CANCELLED" }), { see: "left" }),
  }),
];

export const rows: readonly Row[] = [...requests, ...successes, ...trailers, ...refusals];
