import type { MessageSpec } from "../../vocabulary.ts";
import {
  all,
  answered,
  arrives,
  asked,
  begun,
  call,
  end,
  good,
  head,
  lastly,
  PAYLOAD,
  received,
  reply,
  type Row,
  say,
  trailers,
  until,
  whole,
} from "./phrases.ts";

/** Messages both ways: octets, their frames, and when they pass. */

const boundaries = "rpc-http2#data-frames/proxy-boundaries";
/** HTTP/2 permits it to both ends, so a proxy has to read it. */
const padded = ["rfc9113#6.1/padded", boundaries] as const;
const LARGE = 1_500_000;
const MANY: readonly MessageSpec[] = Array.from({ length: 200 }, (_, at) => ({ payload: `message ${at}` }));
const TEXTS = MANY.map(({ payload }) => payload ?? "");
const PACKED: readonly MessageSpec[] = [{ compress: "gzip", payload: "packed" }];

/** A request that is sent in another way than in one frame. */
const sent = (id: string, title: string, message: Parameters<typeof lastly>[1], messages: readonly MessageSpec[] = [{}]): Row => ({
  id,
  title,
  ...(message?.pad === undefined ? { covers: boundaries } : { covers: padded, level: "MUST" as const }),
  steps: [call(), lastly(messages, message), received(), ...answered()],
  control: [...asked(), received(), ...answered()],
  allowed: all(arrives({ ended: true, messages: messages.map(({ payload = PAYLOAD }) => payload) }), good()),
});
/** A response that is sent in another way than in one frame. */
const replied = (id: string, title: string, message: Parameters<typeof reply>[1], messages: readonly MessageSpec[] = [{}]): Row => ({
  id,
  title,
  ...(message?.pad === undefined ? { covers: boundaries } : { covers: padded, level: "MUST" as const }),
  steps: [...asked(), received(), head(), reply(messages, message), trailers()],
  control: [...asked(), received(), ...answered()],
  allowed: good({ messages: messages.map(({ payload = PAYLOAD }) => payload) }),
});
const TWO: readonly MessageSpec[] = [{ payload: "one" }, { payload: "two" }];

export const rows: readonly Row[] = [
  sent("request-octet-by-octet", "A request whose frames have one octet each reaches the origin whole.", { cut: 1 }),
  sent("request-cut-in-envelope", "A request that is cut inside the head of an envelope reaches the origin whole.", { cutAt: [3, 9] }, TWO),
  sent("requests-in-one-frame", "Two messages of a request in one frame reach the origin.", {}, TWO),
  sent("request-with-padding", "A request with padded frames reaches the origin whole.", { pad: 100, cut: 7 }),
  sent("request-with-empty-frames", "A request with empty frames between reaches the origin whole.", { empty: true, cut: 7 }),
  sent("empty-request-message", "An empty message reaches the origin.", {}, [{ payload: "" }]),
  replied("response-octet-by-octet", "A response whose frames have one octet each reaches the client whole.", { cut: 1 }),
  replied(
    "response-cut-in-envelope",
    "A response that is cut inside the head of an envelope reaches the client whole.",
    { cutAt: [3, 9] },
    TWO,
  ),
  replied("responses-in-one-frame", "Two messages of a response in one frame reach the client.", {}, TWO),
  replied("response-with-padding", "A response with padded frames reaches the client whole.", { pad: 100, cut: 7 }),
  replied("response-with-empty-frames", "A response with empty frames reaches the client whole.", { empty: true }),
  replied("empty-response-message", "An empty message reaches the client.", {}, [{ payload: "" }]),
  {
    id: "large-request",
    title: "A message of 1.5 million octets reaches the origin unchanged.",
    covers: boundaries,
    steps: [call(), lastly([{ size: LARGE }], { patient: true }), received(), ...answered()],
    allowed: all(arrives({ ended: true, sizes: [LARGE] }), good()),
  },
  {
    id: "large-response",
    title: "A message of 1.5 million octets reaches the client unchanged.",
    covers: boundaries,
    steps: [...asked(), received(), head(), { do: "pour", size: LARGE }, trailers()],
    allowed: good({ sizes: [LARGE] }),
  },
  {
    id: "many-requests-in-order",
    title: "Two hundred messages of a request reach the origin in order.",
    covers: boundaries,
    steps: [call(), lastly(MANY, { cut: 50 }), received(), ...answered()],
    allowed: all(arrives({ ended: true, messages: TEXTS }), good()),
  },
  {
    id: "many-responses-in-order",
    title: "Two hundred messages of a response reach the client in order.",
    covers: boundaries,
    steps: [...asked(), received(), head(), reply(MANY, { cut: 50 }), trailers()],
    allowed: good({ messages: TEXTS }),
  },
  {
    id: "compressed-messages-kept",
    title: "Compressed messages pass both ways as they are.",
    covers: boundaries,
    steps: [
      call(1, { fields: [["{rpc}-encoding", "gzip"]] }),
      lastly([{ hex: "1f8b0800", flags: 1 }]),
      received(),
      head({ fields: [["{rpc}-encoding", "gzip"]] }),
      reply(PACKED),
      trailers(),
    ],
    allowed: all(arrives({ ended: true, octets: ["1f8b0800"] }), good({ count: 1, headers: { "{rpc}-encoding": "gzip" } })),
  },
  {
    id: "no-encoding-of-http",
    title: "The content of a response is not compressed a second time.",
    covers: boundaries,
    steps: [...asked(1, ["accept-encoding", "gzip"]), received(), head(), reply([{ payload: "a".repeat(5000) }]), trailers()],
    allowed: good({ messages: ["a".repeat(5000)], headers: { "content-encoding": false } }),
  },
  {
    id: "headers-before-messages",
    title: "The headers of a call reach the origin before the first message.",
    covers: "rpc-http2#requests/proxy-streams",
    steps: [call(), until(arrives()), lastly(), received(), ...answered()],
    allowed: all(whole(), good()),
  },
  {
    id: "request-streams",
    title: "A message reaches the origin before the next one is sent.",
    covers: "rpc-http2#requests/proxy-streams",
    steps: [
      call(),
      say([{ payload: "one" }]),
      until(arrives({ messages: ["one"] })),
      lastly([{ payload: "two" }]),
      received(),
      ...answered(),
    ],
    allowed: all(arrives({ ended: true, messages: ["one", "two"] }), good()),
  },
  {
    id: "request-ends-later",
    title: "The end of a request in an empty frame reaches the origin.",
    covers: "rpc-http2#requests/proxy-streams",
    steps: [call(), say(), until(arrives({ messages: [PAYLOAD] })), end(), received(), ...answered()],
    allowed: all(whole(), good()),
  },
  {
    id: "request-without-message-ends",
    title: "The end of a request without a message reaches the origin.",
    covers: "rpc-http2#requests/proxy-streams",
    steps: [call(), end(), received(), ...answered()],
    allowed: all(arrives({ ended: true, messages: [] }), good()),
  },
  {
    id: "response-headers-stream",
    title: "Response headers reach the client before the first message.",
    covers: "rpc-http2#requests/proxy-streams",
    steps: [...asked(), received(), head(), until(begun()), reply(), trailers()],
    allowed: good(),
  },
  {
    id: "response-streams",
    title: "A response message reaches the client before the next one is sent.",
    covers: "rpc-http2#requests/proxy-streams",
    steps: [
      ...asked(),
      received(),
      head(),
      reply([{ payload: "one" }]),
      until(begun({ messages: ["one"] })),
      reply([{ payload: "two" }]),
      trailers(),
    ],
    allowed: good({ messages: ["one", "two"] }),
  },
  {
    id: "both-ways-in-turns",
    title: "Messages pass in turns while both directions are open.",
    covers: "rpc-http2#requests/proxy-streams",
    steps: [
      call(),
      say([{ payload: "1" }]),
      until(arrives({ messages: ["1"] })),
      head(),
      reply([{ payload: "2" }]),
      until(begun({ messages: ["2"] })),
      say([{ payload: "3" }]),
      until(arrives({ messages: ["1", "3"] })),
      reply([{ payload: "4" }]),
      until(begun({ messages: ["2", "4"] })),
      end(),
      received(),
      trailers(),
    ],
    allowed: good({ messages: ["2", "4"] }),
  },
  {
    id: "response-before-request",
    title: "A response that begins before the first message of the request reaches the client.",
    covers: "rpc-http2#requests/proxy-streams",
    steps: [call(), head(), reply(), until(begun({ messages: [PAYLOAD] })), lastly(), received(), trailers()],
    allowed: all(whole(), good()),
  },
  {
    id: "half-closed-goes-on",
    title: "Messages reach the client after the request has ended.",
    covers: "rpc-http2#requests/proxy-streams",
    steps: [...asked(), received(), head(), reply(), until(begun({ messages: [PAYLOAD] })), reply(), trailers()],
    allowed: good({ messages: [PAYLOAD, PAYLOAD] }),
  },
];
