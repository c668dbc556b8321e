import type { RequirementRef } from "../../../harness/case.ts";
import { accepted, connectionError, data, getOn, handshake, permitted, post, send, trailers, whole } from "../phrases.ts";
import type { Case, FrameSpec, Outcome, Row, Step } from "../../vocabulary.ts";

/** Every frame on every stream that must not carry it (rfc9114#7.2), and those that are ignored everywhere. */

type Kind = {
  readonly slug: string;
  readonly name: string;
  readonly frame: FrameSpec;
  readonly covers: readonly [RequirementRef, ...RequirementRef[]];
  readonly spec: Case["spec"];
  readonly level?: Case["level"];
};

const frameOfHttp2 = (type: number, hex: string): Kind => ({
  slug: `frame-of-http2-${type}`,
  name: `a frame of type 0x0${type}`,
  frame: { type, hex },
  covers: ["rfc9114#7.2.8/http2-types"],
  spec: "rfc9114#7.2.8",
});

/** Frames that do not belong on the stream of a request. */
const ELSEWHERE: readonly Kind[] = [
  { slug: "settings", name: "SETTINGS", frame: { type: "SETTINGS" }, covers: ["rfc9114#7.2.4/other-stream"], spec: "rfc9114#7.2.4" },
  {
    slug: "cancel-push",
    name: "CANCEL_PUSH",
    frame: { type: "CANCEL_PUSH", id: 0 },
    covers: ["rfc9114#7.2.3/other-stream"],
    spec: "rfc9114#7.2.3",
  },
  {
    slug: "max-push-id",
    name: "MAX_PUSH_ID",
    frame: { type: "MAX_PUSH_ID", id: 8 },
    covers: ["rfc9114#7.2.7/other-stream"],
    spec: "rfc9114#7.2.7",
  },
  {
    slug: "goaway",
    name: "GOAWAY",
    frame: { type: "GOAWAY", id: 0 },
    covers: ["rfc9114#7.2.6/other-stream-server"],
    spec: "rfc9114#7.2.6",
    level: "SHOULD",
  },
  {
    slug: "push-promise",
    name: "PUSH_PROMISE",
    frame: {
      type: "PUSH_PROMISE",
      id: 0,
      fields: [
        [":method", "GET"],
        [":scheme", "https"],
        [":authority", "{authority}"],
        [":path", "/"],
      ],
    },
    covers: ["rfc9114#7.2.5/from-client"],
    spec: "rfc9114#7.2.5",
  },
  frameOfHttp2(2, "0000000010"),
  frameOfHttp2(6, "0102030405060708"),
  frameOfHttp2(8, "00000001"),
  frameOfHttp2(9, "0000d1d7c1"),
];

/** Where on the stream of a request a frame comes: the steps with it; without it they are a good request. */
const PLACES: readonly { readonly slug: string; readonly name: string; readonly steps: (...frames: readonly FrameSpec[]) => Step[] }[] = [
  { slug: "first", name: "before the header section", steps: (...frames) => [whole("request", ...frames, post(), data())] },
  {
    slug: "before-content",
    name: "between header section and content",
    steps: (...frames) => [whole("request", post(), ...frames, data())],
  },
  { slug: "after-content", name: "after the content", steps: (...frames) => [whole("request", post(), data(), ...frames)] },
  {
    slug: "after-trailers",
    name: "after the trailers",
    steps: (...frames) => [whole("request", post(), data(), trailers(["x-sum", "1"]), ...frames)],
  },
];

const UNEXPECTED = "H3_FRAME_UNEXPECTED";

const onRequests = ELSEWHERE.flatMap(({ slug, name, frame, covers, spec, level = "MUST" }) =>
  PLACES.map((place): Case => ({
    id: `http3/${slug}-on-a-request-stream-${place.slug}`,
    spec,
    covers,
    level,
    role: "server",
    ...(place.slug === "first" ? {} : { needs: ["reads-content"] }),
    title: `The server treats ${name} on a request stream, ${place.name}, as a connection error of type ${UNEXPECTED}.`,
    steps: [handshake, ...place.steps(frame)],
    control: [handshake, ...place.steps()],
    allowed: connectionError(UNEXPECTED),
  })),
);

/** A frame alone, while the request stays open: the server need not wait for its end. */
const atOnce = ELSEWHERE.map(({ slug, name, frame, covers, spec, level = "MUST" }): Case => ({
  id: `http3/${slug}-on-an-open-request-stream`,
  spec,
  covers,
  level,
  role: "server",
  needs: ["reads-content"],
  title: `The server treats ${name} on a request stream that stays open as a connection error of type ${UNEXPECTED}.`,
  steps: [handshake, send("request", post(), frame)],
  control: [handshake, whole("request", post(), data())],
  allowed: connectionError(UNEXPECTED),
}));

const onControl = ({ frame, ...row }: Row<"spec" | "covers"> & { readonly frame: FrameSpec }): Case => ({
  level: "MUST",
  role: "server",
  steps: [handshake, send("control", frame)],
  control: [handshake, send("control", { type: 0x21, hex: "00" })],
  allowed: connectionError(UNEXPECTED),
  ...row,
});

const controls: readonly Case[] = [
  onControl({
    id: "http3/data-on-the-control-stream",
    spec: "rfc9114#7.2.1",
    covers: ["rfc9114#7.2.1/on-control-stream"],
    title: "The server treats DATA on the control stream as a connection error of type H3_FRAME_UNEXPECTED.",
    frame: data(),
  }),
  onControl({
    id: "http3/empty-data-on-the-control-stream",
    spec: "rfc9114#7.2.1",
    covers: ["rfc9114#7.2.1/on-control-stream"],
    title: "The server treats empty DATA on the control stream as a connection error of type H3_FRAME_UNEXPECTED.",
    frame: data(0),
  }),
  onControl({
    id: "http3/headers-on-the-control-stream",
    spec: "rfc9114#7.2.2",
    covers: ["rfc9114#7.2.2/on-control-stream"],
    title: "The server treats HEADERS on the control stream as a connection error of type H3_FRAME_UNEXPECTED.",
    frame: trailers(["x-name", "1"]),
  }),
  onControl({
    id: "http3/push-promise-on-the-control-stream",
    spec: "rfc9114#7.2.5",
    covers: ["rfc9114#7.2.5/from-client"],
    title: "The server treats PUSH_PROMISE on the control stream as a connection error of type H3_FRAME_UNEXPECTED.",
    frame: { type: "PUSH_PROMISE", id: 0, fields: [["x-name", "1"]] },
  }),
  onControl({
    id: "http3/second-settings",
    spec: "rfc9114#7.2.4",
    covers: ["rfc9114#7.2.4/second"],
    title: "The server treats a second SETTINGS frame as a connection error of type H3_FRAME_UNEXPECTED.",
    frame: { type: "SETTINGS" },
  }),
  onControl({
    id: "http3/second-settings-with-values",
    spec: "rfc9114#7.2.4",
    covers: ["rfc9114#7.2.4/second"],
    title: "The server treats a second SETTINGS frame with a setting as a connection error of type H3_FRAME_UNEXPECTED.",
    frame: { type: "SETTINGS", settings: [["MAX_FIELD_SECTION_SIZE", 65_536]] },
  }),
  ...ELSEWHERE.filter(({ slug }) => slug.startsWith("frame-of-http2")).map(({ slug, name, frame, covers, spec }) =>
    onControl({
      id: `http3/${slug}-on-the-control-stream`,
      title: `The server treats ${name} on the control stream as a connection error of type ${UNEXPECTED}.`,
      spec,
      covers,
      frame,
    }),
  ),
];

/** Types without a meaning: reserved ones (rfc9114#7.2.8), and others that nobody has registered. */
const IGNORED: readonly { readonly slug: string; readonly name: string; readonly frame: FrameSpec; readonly covers: RequirementRef }[] = [
  {
    slug: "reserved-frame",
    name: "a frame of the reserved type 0x21",
    frame: { type: 0x21, hex: "0102030405" },
    covers: "rfc9114#7.2.8/no-meaning",
  },
  {
    slug: "empty-reserved-frame",
    name: "an empty frame of the reserved type 0x40",
    frame: { type: 0x40 },
    covers: "rfc9114#7.2.8/no-meaning",
  },
  {
    slug: "large-reserved-type",
    name: "a frame of a reserved type that takes eight octets",
    frame: { type: 0x1f * 1_000_000_000 + 0x21, hex: "00" },
    covers: "rfc9114#7.2.8/no-meaning",
  },
  {
    slug: "unknown-frame",
    name: "a frame of the unknown type 0x2f",
    frame: { type: 0x2f, hex: "0102" },
    covers: "rfc9114#9/unknown-ignored",
  },
  {
    slug: "large-unknown-frame",
    name: "a frame of an unknown type with 20,000 octets",
    frame: { type: 0xbad, hex: "00".repeat(20_000) },
    covers: "rfc9114#9/unknown-ignored",
  },
];

const ignored = IGNORED.flatMap(({ slug, name, frame, covers }) => [
  ...PLACES.map((place): Case => ({
    id: `http3/${slug}-on-a-request-stream-${place.slug}`,
    spec: covers.startsWith("rfc9114#9") ? "rfc9114#9" : "rfc9114#7.2.8",
    covers: [covers, "rfc9114#4.1/unknown-frames", "rfc9114#7.2.8/anywhere"],
    level: "MUST",
    role: "server",
    title: `The server ignores ${name} on a request stream, ${place.name}.`,
    steps: [
      handshake,
      whole("request", post(), data()),
      ...place.steps(frame).map((step): Step => ("on" in step ? ({ ...step, on: "request 2" } as Step) : step)),
    ],
    control: [handshake, whole("request", post(), data()), whole("request 2", post(), data())],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "response", on: "request 2", sameStatusAs: "request" }] } }],
  })),
  {
    id: `http3/${slug}-on-the-control-stream`,
    spec: covers.startsWith("rfc9114#9") ? "rfc9114#9" : "rfc9114#7.2.8",
    covers: [covers, "rfc9114#7.2.8/anywhere"],
    level: "MUST",
    role: "server",
    title: `The server ignores ${name} on the control stream.`,
    steps: [handshake, send("control", frame), getOn("request")],
    control: [handshake, getOn("request")],
    allowed: accepted,
  } satisfies Case,
]);

const sequence = ({ frames, also = [], ...row }: Row & { readonly frames: FrameSpec[]; readonly also?: Outcome[] }): Case => ({
  spec: "rfc9114#4.1",
  covers: ["rfc9114#4.1/invalid-sequence"],
  level: "MUST",
  role: "server",
  steps: [handshake, whole("request", ...frames)],
  control: [handshake, whole("request", post(), data())],
  allowed: connectionError(UNEXPECTED, ...also),
  ...row,
});
/** A second header section is malformed as trailers, too. */
const malformed = [
  permitted({ see: "stream error", on: "request", code: "H3_MESSAGE_ERROR" }, "rfc9114#4.1.2"),
  permitted({ see: "close", code: "H3_MESSAGE_ERROR" }, "rfc9114#8"),
  permitted({ see: "response", on: "request", status: [400] }, "rfc9114#4.1.2"),
];

const sequences: readonly Case[] = [
  sequence({
    id: "http3/data-before-headers",
    title: "The server treats DATA before the header section as a connection error of type H3_FRAME_UNEXPECTED.",
    frames: [data(), post()],
  }),
  sequence({
    id: "http3/data-alone",
    title: "The server treats a request stream with DATA alone as a connection error of type H3_FRAME_UNEXPECTED.",
    frames: [data()],
  }),
  sequence({
    id: "http3/empty-data-before-headers",
    title: "The server treats empty DATA before the header section as a connection error of type H3_FRAME_UNEXPECTED.",
    frames: [data(0), post()],
  }),
  sequence({
    id: "http3/data-after-trailers",
    needs: ["reads-content"],
    title: "The server treats DATA after the trailers as a connection error of type H3_FRAME_UNEXPECTED.",
    frames: [post(), data(), trailers(["x-sum", "1"]), data()],
  }),
  sequence({
    id: "http3/headers-after-trailers",
    needs: ["reads-content"],
    title: "The server treats HEADERS after the trailers as a connection error of type H3_FRAME_UNEXPECTED.",
    frames: [post(), data(), trailers(["x-sum", "1"]), trailers(["x-more", "1"])],
  }),
  sequence({
    id: "http3/second-request-after-trailers",
    needs: ["reads-content"],
    title: "The server treats a second request after the trailers of the first as H3_FRAME_UNEXPECTED or malformed.",
    covers: ["rfc9114#4.1/invalid-sequence", "rfc9114#4.1/second-request"],
    frames: [post(), data(), trailers(["x-sum", "1"]), post(), data()],
    also: malformed,
  }),
  {
    id: "http3/second-request-on-a-stream",
    needs: ["reads-content"],
    spec: "rfc9114#4.1",
    covers: ["rfc9114#4.1/second-request"],
    level: "MUST",
    role: "server",
    title: "The server treats a second request on a stream as malformed.",
    steps: [handshake, whole("request", post(), data(), post(), data())],
    control: [handshake, whole("request", post(), data())],
    allowed: connectionError(
      "H3_MESSAGE_ERROR",
      ...malformed.slice(0, 1),
      ...malformed.slice(2),
      permitted({ see: "close", code: UNEXPECTED }, "rfc9114#4.1"),
    ),
  },
];

export const cases: readonly Case[] = [...sequences, ...controls, ...onRequests, ...atOnce, ...ignored];
