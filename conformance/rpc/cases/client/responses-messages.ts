import type { MessageSpec } from "../../vocabulary.ts";
import type { Step } from "../../client-vocabulary.ts";
import { all, answer, ask, fails, good, GOOD, head, PAYLOAD, received, refused, type Row, say, trailers } from "./phrases.ts";

/** The messages of responses: their boundaries, sizes, flags and limits, and streams that end inside them. */

const BEGUN: readonly Step[] = [ask(), received()];
const STREAM: readonly Step[] = [ask({ kind: "server-stream" }), received()];
/** The octets of the usual message in its envelope. */
const WHOLE = 5 + PAYLOAD.length;
const THREE: readonly MessageSpec[] = [{ payload: "a" }, { payload: "" }, { payload: "ccc" }];
const TEXTS = ["a", "", "ccc"];

const boundaries: readonly Row[] = [
  ...Array.from({ length: WHOLE - 1 }, (_, at) => at + 1).map((at): Row => ({
    id: `message-cut-at-${at}`,
    title: `A message in two DATA frames, cut after ${at} octets of its envelope, is read.`,
    covers: "rpc-http2#data-frames/boundaries",
    steps: [...BEGUN, head(), say([{}], { cutAt: [at] }), trailers()],
    allowed: answer(),
  })),
  ...([1, 2, 3, 7] as const).map((cut): Row => ({
    id: `messages-in-frames-of-${cut}`,
    title: `Three messages in DATA frames of ${cut} octets are read in their order.`,
    covers: "rpc-http2#data-frames/boundaries",
    needs: ["streams"],
    steps: [...STREAM, head(), say(THREE, { cut }), trailers()],
    allowed: answer({ messages: TEXTS }),
  })),
  {
    id: "messages-in-one-frame",
    title: "Three messages in one DATA frame are read in their order.",
    covers: "rpc-http2#data-frames/boundaries",
    needs: ["streams"],
    steps: [...STREAM, head(), say(THREE), trailers()],
    allowed: answer({ messages: TEXTS }),
  },
  {
    id: "messages-across-frames",
    title: "Messages that begin in the frame where another ends are read.",
    covers: "rpc-http2#data-frames/boundaries",
    needs: ["streams"],
    steps: [...STREAM, head(), say(THREE, { cutAt: [5, 9, 17] }), trailers()],
    allowed: answer({ messages: TEXTS }),
  },
  {
    id: "empty-data-frames",
    title: "Empty DATA frames around a message change nothing.",
    covers: "rpc-http2#data-frames/boundaries",
    steps: [...BEGUN, head(), say([{}], { cutAt: [3, 5], empty: true }), trailers()],
    allowed: answer(),
  },
  {
    id: "padded-data-frames",
    title: "Padding of DATA frames is no part of messages.",
    covers: ["rfc9113#6.1/padded", "rpc-http2#data-frames/boundaries"],
    // A sender may do so: a receiver has to understand it.
    level: "MUST",
    steps: [...BEGUN, head(), say([{}], { cutAt: [5], pad: 9 }), trailers()],
    allowed: answer(),
  },
  {
    id: "headers-in-two-frames",
    title: "Response headers in HEADERS and CONTINUATION are read.",
    covers: "rpc-http2#responses/one-block",
    steps: [...BEGUN, head({ split: 3 }), say(), trailers()],
    allowed: answer(),
  },
  {
    id: "trailers-in-two-frames",
    title: "Trailers in HEADERS and CONTINUATION are read.",
    covers: "rpc-http2#responses/one-block",
    steps: [...BEGUN, head(), say(), trailers({ status: "ABORTED", split: 3 })],
    control: GOOD,
    allowed: answer({ status: "ABORTED" }),
  },
  {
    id: "headers-padded",
    title: "Padding of HEADERS changes nothing.",
    covers: ["rfc9113#6.2/padded", "rpc-http2#responses/one-block"],
    // A sender may do so: a receiver has to understand it.
    level: "MUST",
    steps: [...BEGUN, head({ pad: 20 }), say(), trailers()],
    allowed: answer(),
  },
];

const sizes: readonly Row[] = [
  ...([0, 1, 255, 256, 16_379, 60_000] as const).map((size): Row => ({
    id: `response-of-${size}-octets`,
    title: `A response of ${size} octets is read whole.`,
    covers: "rpc-http2#requests/messages",
    steps: [...BEGUN, head(), say([{ size }], { cut: 16_000 }), trailers()],
    allowed: answer({ sizes: [size] }),
  })),
  {
    id: "responses-of-many",
    title: "A hundred responses of a stream are read in their order.",
    covers: "rpc-http2#outline/response",
    needs: ["streams"],
    steps: [...STREAM, head(), say(Array.from({ length: 100 }, (_, at) => ({ payload: String(at) }))), trailers()],
    allowed: answer({ messages: Array.from({ length: 100 }, (_, at) => String(at)) }),
  },
  {
    id: "responses-none",
    title: "A stream without responses ends with OK.",
    covers: "rpc-http2#outline/response",
    needs: ["streams"],
    steps: [...STREAM, head(), trailers()],
    allowed: answer({ messages: [] }),
  },
  {
    id: "responses-none-alone",
    title: "A stream that is answered with OK in trailers alone ends with OK, without responses.",
    covers: "rpc-http2#responses/trailers-only",
    needs: ["streams"],
    steps: [...STREAM, trailers({ only: true })],
    allowed: answer({ messages: [] }),
  },
  {
    id: "responses-before-a-status",
    title: "The responses before a status that is not OK are delivered, too.",
    covers: "rpc-http2#errors/trailers",
    needs: ["streams"],
    steps: [...STREAM, head(), say(THREE), trailers({ status: "ABORTED", message: "no more" })],
    control: [...STREAM, head(), say(THREE), trailers()],
    allowed: answer({ status: "ABORTED", messages: TEXTS, message: "no more" }),
  },
];

const KEPT = [1, 4, 5, 6, WHOLE - 1] as const;
const ends: readonly Row[] = [
  ...KEPT.map((keep): Row => ({
    id: `end-inside-message-at-${keep}`,
    title: `A response whose trailers come after ${keep} octets of a message is no success.`,
    covers: "rpc-http2#requests/cut-short",
    steps: [...BEGUN, head(), say([{ keep }]), trailers()],
    control: GOOD,
    allowed: fails("INTERNAL"),
  })),
  ...([3, 7] as const).map((keep): Row => ({
    id: `end-inside-second-message-at-${keep}`,
    title: `A stream of responses that ends after ${keep} octets of its second message is no success.`,
    covers: "rpc-http2#requests/cut-short",
    needs: ["streams"],
    steps: [...STREAM, head(), say([{}, { keep }]), trailers()],
    control: [ask({ kind: "server-stream" }), ...good(1, [{}, {}])],
    allowed: fails("INTERNAL"),
  })),
  ...([1, 6] as const).map((keep): Row => ({
    id: `end-of-data-inside-message-at-${keep}`,
    title: `A response that ends on DATA after ${keep} octets of a message is no success.`,
    covers: ["rpc-http2#responses/synthesized", "rpc-http2#requests/cut-short"],
    steps: [...BEGUN, head(), say([{ keep }], { end: true })],
    control: GOOD,
    allowed: refused,
  })),
];

const flags: readonly Row[] = [
  ...([2, 3, 4, 128, 255] as const).map((octet): Row => ({
    id: `flags-reserved-${octet}`,
    title: `A message with the flags octet ${octet} is no success: only 0 and 1 are valid.`,
    covers: "rpc-http2#requests/flags-reserved",
    steps: [...BEGUN, head(), say([{ flags: octet }]), trailers()],
    control: GOOD,
    allowed: fails("INTERNAL"),
  })),
  {
    id: "flags-reserved-of-second-message",
    title: "The second message of a stream with the flags octet 2 is no success.",
    covers: "rpc-http2#requests/flags-reserved",
    needs: ["streams"],
    steps: [...STREAM, head(), say([{}, { flags: 2 }]), trailers()],
    control: [ask({ kind: "server-stream" }), ...good(1, [{}, {}])],
    allowed: fails("INTERNAL"),
  },
];

const LIMIT = 1000;
const LIMITED: readonly Step[] = [ask({}, { channel: { maxMessageOctets: LIMIT } }), received()];
const WITHIN: readonly Step[] = [...LIMITED, head(), say([{ size: LIMIT }]), trailers()];
const GZIP: readonly Step[] = [...LIMITED, head({ fields: [["{rpc}-encoding", "gzip"]] })];
const limits: readonly Row[] = [
  {
    id: "limit-met",
    title: "A message of as many octets as the limit is read.",
    covers: "rpc-status#codes/too-large",
    needs: ["receive-limit"],
    steps: WITHIN,
    allowed: answer({ sizes: [LIMIT] }),
  },
  ...([LIMIT + 1, 20_000] as const).map((size): Row => ({
    id: `limit-exceeded-by-${size}`,
    title: `A message of ${size} octets, above the limit of ${LIMIT}, gives RESOURCE_EXHAUSTED.`,
    covers: "rpc-status#codes/too-large",
    needs: ["receive-limit"],
    steps: [...LIMITED, head(), say([{ size }], { cut: 16_000 }), trailers()],
    control: WITHIN,
    allowed: fails("RESOURCE_EXHAUSTED", "rpc-status#codes"),
  })),
  {
    id: "limit-named",
    title: `The message of a RESOURCE_EXHAUSTED of the client names its limit, here ${LIMIT} octets.`,
    covers: "rpc-status#codes/too-large-named",
    needs: ["receive-limit"],
    steps: [...LIMITED, head(), say([{ size: 20_000 }], { cut: 16_000 }), trailers()],
    control: WITHIN,
    allowed: [{ see: { see: "failed", status: "RESOURCE_EXHAUSTED", mentions: String(LIMIT) } }],
  },
  {
    id: "limit-exceeded-by-announcement",
    title: "A message that announces more than the limit gives RESOURCE_EXHAUSTED, before it is there.",
    covers: "rpc-status#codes/too-large",
    needs: ["receive-limit"],
    steps: [...LIMITED, head(), say([{ length: LIMIT + 1, keep: 5 }])],
    control: WITHIN,
    allowed: fails("RESOURCE_EXHAUSTED", "rpc-status#codes"),
  },
  {
    id: "limit-default-exceeded-by-announcement",
    title: "A message that announces four gigabytes gives RESOURCE_EXHAUSTED.",
    covers: "rpc-status#codes/too-large",
    steps: [...BEGUN, head(), say([{ length: 0xffff_ffff, keep: 9 }])],
    control: GOOD,
    allowed: fails("RESOURCE_EXHAUSTED", "rpc-status#codes"),
  },
  {
    id: "limit-met-after-inflation",
    title: "A compressed message that is as large as the limit is read.",
    covers: "rpc-status#codes/too-large",
    needs: ["receive-limit", "gzip"],
    steps: [...GZIP, say([{ size: LIMIT, compress: "gzip" }]), trailers()],
    allowed: answer({ sizes: [LIMIT] }),
  },
  ...([LIMIT + 1, 1_000_000] as const).map((size): Row => ({
    id: `limit-exceeded-after-inflation-by-${size}`,
    title: `A compressed message of ${size} octets, above the limit of ${LIMIT}, gives RESOURCE_EXHAUSTED.`,
    covers: "rpc-status#codes/too-large",
    needs: ["receive-limit", "gzip"],
    steps: [...GZIP, say([{ hex: "00".repeat(size), compress: "gzip" }]), trailers()],
    control: [...GZIP, say([{ size: LIMIT, compress: "gzip" }]), trailers()],
    allowed: fails("RESOURCE_EXHAUSTED", "rpc-status#codes"),
  })),
  {
    id: "limit-of-each-message",
    title: "The limit counts for each message of a stream by itself.",
    covers: "rpc-status#codes/too-large",
    needs: ["receive-limit", "streams"],
    steps: [
      ask({ kind: "server-stream" }, { channel: { maxMessageOctets: LIMIT } }),
      received(),
      head(),
      say([{ size: LIMIT }, { size: LIMIT }]),
      trailers(),
    ],
    allowed: all(answer({ sizes: [LIMIT, LIMIT] })),
  },
];

export const rows: readonly Row[] = [...boundaries, ...sizes, ...ends, ...flags, ...limits];
