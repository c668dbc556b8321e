import type { RequirementRef } from "../../../harness/case.ts";
import type { Case, FrameSpec, Outcome, Row, Step } from "../../vocabulary.ts";
import { trailers } from "../phrases.ts";
import {
  answerWith,
  clientError,
  exchangeSucceeds,
  onControl,
  plainExchange,
  respond,
  responseContent,
  untilRequest,
} from "../phrases-client.ts";

const UNEXPECTED = "H3_FRAME_UNEXPECTED";
type Kind = {
  readonly slug: string;
  readonly name: string;
  readonly frame: FrameSpec;
  readonly spec: Case["spec"];
  readonly covers: readonly [RequirementRef];
};
const frameOfHttp2 = (type: number): Kind => ({
  slug: `frame-of-http2-${type}`,
  name: `a frame of type 0x0${type}`,
  frame: { type, hex: "0000000001" },
  spec: "rfc9114#7.2.8",
  covers: ["rfc9114#7.2.8/http2-types"],
});

const ON_MESSAGES: readonly Kind[] = [
  { slug: "settings", name: "SETTINGS", frame: { type: "SETTINGS" }, spec: "rfc9114#7.2.4", covers: ["rfc9114#7.2.4/other-stream"] },
  {
    slug: "cancel-push",
    name: "CANCEL_PUSH",
    frame: { type: "CANCEL_PUSH", id: 0 },
    spec: "rfc9114#7.2.3",
    covers: ["rfc9114#7.2.3/other-stream"],
  },
  { slug: "goaway", name: "GOAWAY", frame: { type: "GOAWAY", id: 0 }, spec: "rfc9114#7.2.6", covers: ["rfc9114#7.2.6/other-stream"] },
  {
    slug: "max-push-id",
    name: "MAX_PUSH_ID",
    frame: { type: "MAX_PUSH_ID", id: 0 },
    spec: "rfc9114#7.2.7",
    covers: ["rfc9114#7.2.7/other-stream"],
  },
  ...[2, 6, 8, 9].map(frameOfHttp2),
];
const PLACES: readonly {
  readonly slug: string;
  readonly name: string;
  readonly steps: (...frames: readonly FrameSpec[]) => readonly Step[];
}[] = [
  { slug: "first", name: "before the header section", steps: (...frames) => answerWith(...frames, respond(), responseContent()) },
  {
    slug: "before-content",
    name: "between header section and content",
    steps: (...frames) => answerWith(respond(), ...frames, responseContent()),
  },
  { slug: "after-content", name: "after the content", steps: (...frames) => answerWith(respond(), responseContent(), ...frames) },
];

const onControlStream = ({
  frame,
  code = UNEXPECTED,
  also = [],
  ...row
}: Row<"spec" | "covers"> & {
  readonly frame: FrameSpec;
  readonly code?: "H3_FRAME_UNEXPECTED" | "H3_ID_ERROR" | "H3_FRAME_ERROR";
  readonly also?: readonly Outcome[];
}): Case => ({
  level: "MUST",
  role: "client",
  steps: onControl(frame),
  control: onControl({ type: 0x21, hex: "00" }),
  allowed: clientError(code, ...also),
  ...row,
});

const sequence = ({ frames, ...row }: Row & { readonly frames: readonly FrameSpec[] }): Case => ({
  spec: "rfc9114#4.1",
  covers: ["rfc9114#4.1/invalid-sequence"],
  level: "MUST",
  role: "client",
  steps: answerWith(...frames),
  control: plainExchange,
  allowed: clientError(UNEXPECTED),
  ...row,
});

/** A frame that must be ignored, or another legal form of a response. */
const takes = ({ steps, ...row }: Row<"spec" | "covers" | "steps">): Case => ({
  level: "MUST",
  role: "client",
  control: plainExchange,
  allowed: exchangeSucceeds,
  ...row,
  steps,
});

/** Frames of a server on every stream that must not carry them (rfc9114#7.2), and what a client ignores. */
export const cases: readonly Case[] = [
  ...ON_MESSAGES.flatMap(({ slug, name, frame, spec, covers }) =>
    PLACES.map((place): Case => ({
      id: `http3/client-${slug}-with-a-response-${place.slug}`,
      spec,
      covers,
      level: "MUST",
      role: "client",
      title: `The client treats ${name} on a request stream, ${place.name}, as a connection error of type ${UNEXPECTED}.`,
      steps: place.steps(frame),
      control: place.steps(),
      allowed: clientError(UNEXPECTED),
    })),
  ),
  onControlStream({
    id: "http3/client-data-on-the-control-stream",
    spec: "rfc9114#7.2.1",
    covers: ["rfc9114#7.2.1/on-control-stream"],
    title: "The client treats DATA on the control stream as a connection error of type H3_FRAME_UNEXPECTED.",
    frame: responseContent(),
  }),
  onControlStream({
    id: "http3/client-headers-on-the-control-stream",
    spec: "rfc9114#7.2.2",
    covers: ["rfc9114#7.2.2/on-control-stream"],
    title: "The client treats HEADERS on the control stream as a connection error of type H3_FRAME_UNEXPECTED.",
    frame: respond(),
  }),
  onControlStream({
    id: "http3/client-push-promise-on-the-control-stream",
    spec: "rfc9114#7.2.5",
    covers: ["rfc9114#7.2.5/on-control-stream"],
    title: "The client treats PUSH_PROMISE on the control stream as a connection error of type H3_FRAME_UNEXPECTED.",
    frame: { type: "PUSH_PROMISE", id: 0, fields: [] },
  }),
  onControlStream({
    id: "http3/client-second-settings",
    spec: "rfc9114#7.2.4",
    covers: ["rfc9114#7.2.4/second"],
    title: "The client treats a second SETTINGS frame as a connection error of type H3_FRAME_UNEXPECTED.",
    frame: { type: "SETTINGS" },
  }),
  onControlStream({
    id: "http3/client-max-push-id",
    spec: "rfc9114#7.2.7",
    covers: ["rfc9114#7.2.7/from-server"],
    title: "The client treats MAX_PUSH_ID as a connection error of type H3_FRAME_UNEXPECTED.",
    frame: { type: "MAX_PUSH_ID", id: 1 },
  }),
  ...[2, 6, 8, 9].map((type) =>
    onControlStream({
      id: `http3/client-frame-of-http2-${type}-on-the-control-stream`,
      spec: "rfc9114#7.2.8",
      covers: ["rfc9114#7.2.8/http2-types"],
      title: `The client treats a frame of type 0x0${type} on the control stream as a connection error of type H3_FRAME_UNEXPECTED.`,
      frame: { type, hex: "00000001" },
    }),
  ),
  onControlStream({
    id: "http3/client-goaway-without-id",
    spec: "rfc9114#7.1",
    covers: ["rfc9114#7.1/wrong-size"],
    title: "The client treats an empty GOAWAY as a connection error of type H3_FRAME_ERROR.",
    code: "H3_FRAME_ERROR",
    frame: { type: "GOAWAY" },
  }),
  onControlStream({
    id: "http3/client-goaway-too-long",
    spec: "rfc9114#7.1",
    covers: ["rfc9114#7.1/wrong-size"],
    title: "The client treats an octet after the identifier of GOAWAY as a connection error of type H3_FRAME_ERROR.",
    code: "H3_FRAME_ERROR",
    frame: { type: "GOAWAY", id: 8, hex: "00" },
  }),
  ...[1, 2, 3].map((id) =>
    onControlStream({
      id: `http3/client-goaway-for-stream-${["one", "two", "three"][id - 1] ?? ""}`,
      spec: "rfc9114#7.2.6",
      covers: ["rfc9114#7.2.6/stream-type"],
      title: `The client treats GOAWAY for stream ${id} as a connection error of type H3_ID_ERROR.`,
      code: "H3_ID_ERROR",
      frame: { type: "GOAWAY", id },
    }),
  ),
  {
    id: "http3/client-goaway-rises",
    spec: "rfc9114#5.2",
    covers: ["rfc9114#5.2/rises"],
    level: "MUST",
    role: "client",
    title: "The client treats a GOAWAY with a greater identifier as a connection error of type H3_ID_ERROR.",
    steps: onControl({ type: "GOAWAY", id: 8 }, { type: "GOAWAY", id: 12 }),
    control: onControl({ type: "GOAWAY", id: 12 }, { type: "GOAWAY", id: 8 }),
    allowed: clientError("H3_ID_ERROR"),
  },
  {
    id: "http3/client-push-promise-without-max-push-id",
    spec: "rfc9114#7.2.5",
    covers: ["rfc9114#7.2.5/beyond-maximum"],
    level: "MUST",
    role: "client",
    needs: ["no-push"],
    title: "The client that has sent no MAX_PUSH_ID treats a promise as a connection error of type H3_ID_ERROR.",
    steps: answerWith(
      {
        type: "PUSH_PROMISE",
        id: 0,
        fields: [
          [":method", "GET"],
          [":scheme", "https"],
          [":authority", "{authority}"],
          [":path", "/pushed"],
        ],
      },
      respond(),
      responseContent(),
    ),
    control: plainExchange,
    allowed: clientError("H3_ID_ERROR"),
  },
  {
    id: "http3/client-push-stream-without-max-push-id",
    spec: "rfc9114#4.6",
    covers: ["rfc9114#4.6/push-stream-beyond"],
    level: "MUST",
    role: "client",
    needs: ["no-push"],
    title: "The client that has sent no MAX_PUSH_ID treats a push stream as a connection error of type H3_ID_ERROR.",
    steps: [...untilRequest, { do: "open", on: "extra", kind: "push" }, { do: "octets", on: "extra", hex: "00", note: "push ID 0" }],
    control: [...untilRequest, { do: "open", on: "extra", kind: 0x21 }, { do: "octets", on: "extra", hex: "00", note: "an octet" }],
    allowed: clientError("H3_ID_ERROR"),
  },
  {
    id: "http3/client-bidirectional-stream-of-server",
    spec: "rfc9114#6.1",
    covers: ["rfc9114#6.1/server-bidirectional"],
    level: "MUST",
    role: "client",
    title: "The client treats a bidirectional stream of the server as a connection error of type H3_STREAM_CREATION_ERROR.",
    steps: [
      ...untilRequest,
      { do: "open", on: "bidirectional" },
      { do: "octets", on: "bidirectional", hex: "2100", note: "a frame of a reserved type" },
    ],
    control: plainExchange,
    allowed: clientError("H3_STREAM_CREATION_ERROR"),
  },
  sequence({
    id: "http3/client-data-before-headers",
    title: "The client treats DATA before the header section as a connection error of type H3_FRAME_UNEXPECTED.",
    frames: [responseContent(), respond()],
  }),
  sequence({
    id: "http3/client-data-after-trailers",
    title: "The client treats DATA after the trailers as a connection error of type H3_FRAME_UNEXPECTED.",
    frames: [respond(), responseContent(), trailers(["x-sum", "1"]), responseContent()],
  }),
  sequence({
    id: "http3/client-headers-after-trailers",
    title: "The client treats HEADERS after the trailers as a connection error of type H3_FRAME_UNEXPECTED.",
    frames: [respond(), responseContent(), trailers(["x-sum", "1"]), trailers(["x-more", "1"])],
  }),
  ...(
    [
      ["headers", [{ ...respond(), length: 200 }]],
      ["data", [respond(), { type: "DATA", data: "ok", length: 20 }]],
      ["unknown-frame", [respond(), responseContent(), { type: 0x21, length: 9, hex: "00" }]],
    ] as const
  ).map(([slug, frames]): Case => ({
    id: `http3/client-${slug}-cut`,
    spec: "rfc9114#7.1",
    covers: ["rfc9114#7.1/truncated"],
    level: "MUST",
    role: "client",
    title: `The client treats a response that ends within a frame (${slug.replaceAll("-", " ")}) as a connection error of type H3_FRAME_ERROR.`,
    steps: answerWith(...frames),
    control: plainExchange,
    allowed: clientError("H3_FRAME_ERROR"),
  })),
  takes({
    id: "http3/client-interim-responses",
    spec: "rfc9114#4.1",
    covers: ["rfc9114#4.1/interim-then-final"],
    title: "The client accepts interim responses.",
    steps: answerWith(
      {
        type: "HEADERS",
        fields: [
          [":status", "103"],
          ["link", "</a.css>"],
        ],
      },
      { type: "HEADERS", fields: [[":status", "100"]] },
      respond(),
      responseContent(),
    ),
  }),
  takes({
    id: "http3/client-trailers",
    spec: "rfc9114#4.1",
    covers: ["rfc9114#4.1/message-sequence"],
    title: "The client accepts trailers.",
    steps: answerWith(respond(), responseContent(), trailers(["x-sum", "1"])),
  }),
  takes({
    id: "http3/client-empty-data",
    spec: "rfc9114#4.1",
    covers: ["rfc9114#4.1/message-sequence"],
    title: "The client accepts empty DATA frames.",
    steps: answerWith(respond(), responseContent(0), responseContent(), responseContent(0)),
  }),
  takes({
    id: "http3/client-reserved-frames-with-a-response",
    spec: "rfc9114#7.2.8",
    covers: ["rfc9114#7.2.8/no-meaning", "rfc9114#7.2.8/anywhere"],
    title: "The client ignores frames of reserved types on a request stream.",
    steps: answerWith({ type: 0x21, hex: "01" }, respond(), { type: 0x40 }, responseContent(), { type: 0x21, hex: "00".repeat(3_000) }),
  }),
  takes({
    id: "http3/client-reserved-frame-on-the-control-stream",
    spec: "rfc9114#7.2.8",
    covers: ["rfc9114#7.2.8/no-meaning", "rfc9114#7.2.8/anywhere"],
    title: "The client ignores a frame of a reserved type on the control stream.",
    steps: onControl({ type: 0x21, hex: "0102" }),
  }),
  takes({
    id: "http3/client-stream-of-reserved-type",
    spec: "rfc9114#6.2.3",
    covers: ["rfc9114#6.2.3/no-meaning"],
    title: "The client accepts a unidirectional stream of a reserved type.",
    steps: [...untilRequest, { do: "open", on: "extra", kind: 0x21 }],
  }),
  takes({
    id: "http3/client-response-octet-by-octet",
    spec: "rfc9114#7",
    covers: ["rfc9114#7/spans-packets"],
    title: "The client reads a response that comes octet by octet.",
    steps: [...untilRequest, { do: "send", on: "request", frames: [respond(), responseContent()], end: true, cut: 1 }],
  }),
];
