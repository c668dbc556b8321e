import {
  accepted,
  acceptedAndAnswered,
  data,
  firstExchange,
  getOn,
  handshake,
  permitted,
  post,
  request,
  send,
  streamError,
  trailers,
  whole,
} from "../phrases.ts";
import type { Case, FrameSpec, Row, Step } from "../../vocabulary.ts";

const twin = { see: "response", on: "request 2", sameStatusAs: "request" } as const;
const posted: Step = whole("request", post(), data());

/** A good request in another form, on the second stream, answered like a plain one. */
const answers = ({ steps, ...row }: Row<"covers" | "steps">): Case => ({
  spec: "rfc9114#4.1",
  level: "MUST",
  role: "server",
  steps: [handshake, posted, ...steps],
  control: [handshake, posted, whole("request 2", post(), data())],
  allowed: [{ see: { see: "all", of: [{ see: "accepted" }, twin] } }],
  ...row,
});

const incomplete = ({ steps, ...row }: Row<"steps">): Case => ({
  spec: "rfc9114#4.1",
  covers: ["rfc9114#4.1/request-incomplete"],
  level: "SHOULD",
  role: "server",
  steps: [handshake, ...steps],
  control: [handshake, getOn("request")],
  allowed: streamError(
    "request",
    "H3_REQUEST_INCOMPLETE",
    permitted({ see: "response", on: "request", status: [400, 408] }, "rfc9114#4.1", "warn"),
  ),
  ...row,
});

const served = { see: "response", on: "request 2", complete: true } as const;

const empty: FrameSpec = data(0);

/** Requests and responses on their streams (rfc9114#4.1). */
export const cases: readonly Case[] = [
  answers({
    id: "http3/request-with-content-in-one-frame",
    title: "The server answers a request with content in one DATA frame.",
    covers: ["rfc9114#4.1/message-sequence"],
    steps: [whole("request 2", post(), data("other content"))],
  }),
  answers({
    id: "http3/request-with-content-in-many-frames",
    title: "The server answers a request with content in many DATA frames.",
    covers: ["rfc9114#4.1/message-sequence"],
    steps: [whole("request 2", post(), ...Array.from({ length: 20 }, (_, at) => data(`${at}`)))],
  }),
  answers({
    id: "http3/request-with-empty-data",
    title: "The server accepts empty DATA frames in a request.",
    covers: ["rfc9114#4.1/message-sequence"],
    steps: [whole("request 2", post(), empty, data(), empty)],
  }),
  answers({
    id: "http3/request-with-empty-content",
    title: "The server answers a request whose content is one empty DATA frame.",
    covers: ["rfc9114#4.1/message-sequence"],
    steps: [whole("request 2", post(), empty)],
  }),
  answers({
    id: "http3/request-with-trailers",
    title: "The server answers a request with trailers.",
    covers: ["rfc9114#4.1/message-sequence"],
    steps: [whole("request 2", post(), data(), trailers(["x-sum", "1"]))],
  }),
  answers({
    id: "http3/request-with-trailers-and-no-content",
    title: "The server answers a request with trailers and no content.",
    covers: ["rfc9114#4.1/message-sequence"],
    steps: [whole("request 2", post(), trailers(["x-sum", "1"]))],
  }),
  answers({
    id: "http3/request-with-empty-trailers",
    title: "The server answers a request with a trailer section without fields.",
    covers: ["rfc9114#4.1/message-sequence", "rfc9204#4.5/possibly-empty"],
    steps: [whole("request 2", post(), data(), trailers())],
  }),
  answers({
    id: "http3/request-ended-alone",
    title: "The server takes the end of the stream, which comes alone, as the end of a request.",
    covers: ["rfc9114#4.1/end-of-message"],
    steps: [send("request 2", post(), data()), { do: "end", on: "request 2" }],
  }),
  answers({
    id: "http3/request-in-three-steps",
    title: "The server answers a request whose frames come one by one.",
    covers: ["rfc9114#4.1/end-of-message", "rfc9114#4.1/message-sequence"],
    steps: [send("request 2", post()), send("request 2", data()), whole("request 2", data())],
  }),
  answers({
    id: "http3/request-octet-by-octet",
    title: "The server answers a request that comes octet by octet.",
    spec: "rfc9114#7",
    covers: ["rfc9114#7/spans-packets"],
    steps: [{ do: "send", on: "request 2", frames: [post(), data(), trailers(["x-sum", "1"])], end: true, cut: 1 }],
  }),
  answers({
    id: "http3/request-in-pieces-of-seven-octets",
    title: "The server answers a request that comes in pieces of seven octets.",
    spec: "rfc9114#7",
    covers: ["rfc9114#7/spans-packets"],
    steps: [{ do: "send", on: "request 2", frames: [post(["x-name", "value"]), data("a".repeat(100)), data()], end: true, cut: 7 }],
  }),
  answers({
    id: "http3/request-with-content-of-40000-octets",
    title: "The server answers a request with 40,000 octets of content in one frame.",
    needs: ["post"],
    covers: ["rfc9114#4.1/message-sequence", "rfc9114#7/spans-packets"],
    steps: [whole("request 2", post(), data(40_000))],
  }),
  answers({
    id: "http3/content-length-agrees",
    title: "The server answers a request whose Content-Length is the sum of its DATA payloads.",
    spec: "rfc9114#4.1.2",
    covers: ["rfc9114#4.1.2/content-length"],
    level: "SHOULD",
    steps: [whole("request 2", post(["content-length", "14"]), data(), data())],
  }),

  incomplete({
    id: "http3/request-stream-without-frames",
    title: "The server treats a request stream that ends at once as H3_REQUEST_INCOMPLETE.",
    steps: [whole("request")],
  }),
  incomplete({
    id: "http3/request-stream-with-reserved-frame-alone",
    title: "The server treats a request stream with a frame of a reserved type alone as H3_REQUEST_INCOMPLETE.",
    steps: [whole("request", { type: 0x21, hex: "0102" })],
  }),

  {
    id: "http3/head-without-content",
    spec: "rfc9110#6.4.1",
    covers: ["rfc9110#6.4.1/head"],
    level: "MUST NOT",
    role: "server",
    needs: ["head", "body"],
    title: "The server answers HEAD without content.",
    steps: [...firstExchange, whole("request 2", { type: "HEADERS", fields: request("HEAD") })],
    control: [...firstExchange, getOn("request 2")],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "accepted without", not: [{ see: "content", on: "request 2", octets: 1 }] },
            { see: "response", on: "request 2", complete: true },
          ],
        },
      },
    ],
  },
  {
    id: "http3/many-requests-at-once",
    spec: "rfc9114#4.1",
    covers: ["rfc9114#4.1/request-stream"],
    level: "MUST",
    role: "server",
    title: "The server answers each of many requests on its own stream.",
    steps: [handshake, ...Array.from({ length: 12 }, (_, at) => getOn(`request ${at + 1}`))],
    control: [handshake, getOn("request 1")],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "accepted" },
            ...Array.from({ length: 12 }, (_, at) => ({ see: "response", on: `request ${at + 1}`, complete: true }) as const),
          ],
        },
      },
    ],
  },
  {
    id: "http3/request-streams-in-any-order",
    spec: "rfc9114#6.1",
    covers: ["rfc9114#6.1/request-streams"],
    level: "MUST",
    role: "server",
    title: "The server answers a later request stream while an earlier one has begun.",
    steps: [handshake, send("request", post()), getOn("request 2"), { do: "await", see: served }, whole("request", data())],
    control: [handshake, getOn("request"), getOn("request 2")],
    allowed: acceptedAndAnswered("request"),
  },
  {
    id: "http3/hundred-request-streams",
    spec: "rfc9114#6.1",
    covers: ["rfc9114#6.1/hundred-streams", "rfc9114#6.1/permits-streams"],
    level: "SHOULD",
    role: "server",
    title: "The server permits 100 request streams at a time.",
    steps: [handshake, { do: "repeat", times: 99, frames: [post()], after: "leave" }],
    control: [handshake, { do: "repeat", times: 2, frames: [post()], after: "leave" }],
    allowed: accepted,
  },
  {
    id: "http3/connection-stays-open",
    spec: "rfc9114#3.3",
    covers: ["rfc9114#3.3/persistent"],
    level: "SHOULD",
    role: "server",
    title: "The server answers several requests on a connection, one after the other.",
    steps: [
      handshake,
      ...[1, 2, 3].flatMap((nth): Step[] => [
        getOn(`request ${nth}`),
        { do: "await", see: { see: "response", on: `request ${nth}`, complete: true } },
      ]),
    ],
    control: [handshake, getOn("request 1")],
    allowed: accepted,
  },
];
