import {
  acceptedAndAnswered,
  finalData,
  get,
  halfClosedRemote,
  handshake,
  holds,
  openStreamWindows,
  permitted,
  post,
  request,
  send,
} from "../phrases.ts";
import type { Case, FrameName, FrameSpec, Row, Step } from "../../vocabulary.ts";

const PING: FrameSpec = { type: "PING", hex: "746f756368737421" };

type Exchange = Pick<Case, "allowed"> & {
  readonly type: FrameName;
  /** The type as it appears in ids. */
  readonly name: string;
  /** All flags except those that would change the exchange. */
  readonly unusedFlags: number;
  readonly steps: (changed: (frame: FrameSpec) => FrameSpec) => readonly Step[];
  /** The exchange without the frame, where the frame itself may end the connection. */
  readonly control?: readonly Step[];
  readonly needs?: NonNullable<Case["needs"]>;
  readonly fence?: NonNullable<Case["fence"]>;
};

/** For each frame type, an exchange that shows whether the server understood the frame. */
const EXCHANGES: readonly Exchange[] = [
  {
    type: "DATA",
    name: "data",
    unusedFlags: 0xf7,
    steps: (change) => [handshake, send(post(1), change(finalData))],
    allowed: acceptedAndAnswered(1),
  },
  {
    type: "HEADERS",
    name: "headers",
    unusedFlags: 0xd7,
    steps: (change) => [handshake, send(change(get(1)))],
    allowed: acceptedAndAnswered(1),
  },
  {
    type: "PRIORITY",
    name: "priority",
    unusedFlags: 0xff,
    steps: (change) => [handshake, send(change({ type: "PRIORITY", stream: 1, priority: { on: 0, weight: 16 } }), get(1))],
    allowed: acceptedAndAnswered(1),
  },
  {
    type: "RST_STREAM",
    name: "rst-stream",
    unusedFlags: 0xff,
    needs: ["body"],
    steps: (change) => [...halfClosedRemote, send(change({ type: "RST_STREAM", stream: 1, code: "CANCEL" }), openStreamWindows)],
    allowed: [{ see: { see: "accepted without", not: [{ see: "frame", type: "DATA", stream: 1 }] } }],
  },
  {
    type: "SETTINGS",
    name: "settings",
    unusedFlags: 0xfe,
    steps: (change) => [handshake, send(change({ type: "SETTINGS", settings: [["MAX_FRAME_SIZE", 20_000]] }))],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "frame", type: "SETTINGS", where: { ack: true } }] } }],
  },
  {
    type: "PING",
    name: "ping",
    unusedFlags: 0xfe,
    steps: (change) => [handshake, send(change(PING))],
    allowed: [
      { see: { see: "all", of: [{ see: "accepted" }, { see: "frame", type: "PING", where: { ack: true, hex: "746f756368737421" } }] } },
    ],
  },
  {
    type: "GOAWAY",
    name: "goaway",
    unusedFlags: 0xff,
    steps: (change) => [handshake, send(get(1), change({ type: "GOAWAY", last: 0, code: "NO_ERROR" }))],
    control: [handshake, send(get(1))],
    fence: { stream: 1 },
    // A server that receives GOAWAY may close the connection at once (rfc9113#5.4.1), but sends GOAWAY with NO_ERROR first.
    allowed: [
      { see: { see: "response", stream: 1, complete: true } },
      permitted({ see: "all", of: [{ see: "response", stream: 1, complete: true }, { see: "closed" }] }, "rfc9113#6.8"),
      permitted({ see: "all", of: [{ see: "frame", type: "GOAWAY", where: { code: "NO_ERROR" } }, { see: "closed" }] }, "rfc9113#5.4.1"),
    ],
  },
  {
    type: "WINDOW_UPDATE",
    name: "window-update",
    unusedFlags: 0xff,
    needs: ["body"],
    steps: (change) => [...halfClosedRemote, send(change({ type: "WINDOW_UPDATE", stream: 1, increment: 65_535 }))],
    fence: { stream: 1 },
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "response", stream: 1, complete: true }] } }],
  },
  {
    type: "CONTINUATION",
    name: "continuation",
    unusedFlags: 0xff,
    steps: (change) => [
      handshake,
      send(
        { type: "HEADERS", stream: 1, flags: ["END_STREAM"], fields: request().slice(0, 2) },
        change({ type: "CONTINUATION", stream: 1, flags: ["END_HEADERS"], fields: request().slice(2) }),
      ),
    ],
    allowed: acceptedAndAnswered(1),
  },
];

type Ignoring = Pick<Case, "id" | "title" | "covers"> & {
  readonly exchange: Exchange;
  readonly change: (frame: FrameSpec) => FrameSpec;
};
/** The changed frame must have the effect of the original. */
const ignoring = ({ exchange, change, ...about }: Ignoring): Case => {
  const { steps, control = steps((frame) => frame), allowed, needs, fence } = exchange;
  return {
    spec: "rfc9113#4.1",
    level: "MUST",
    role: "server",
    ...about,
    ...(needs === undefined ? {} : { needs }),
    ...(fence === undefined ? {} : { fence }),
    steps: steps(change),
    control,
    allowed,
  };
};

const unusedFlags = EXCHANGES.map((exchange) =>
  ignoring({
    id: `http2/unused-flags-on-${exchange.name}`,
    title: `The server ignores undefined flags on ${exchange.type}.`,
    covers: ["rfc9113#4.1/unused-flags"],
    exchange,
    change: (frame) => ({ ...frame, flags: exchange.unusedFlags }),
  }),
);
const reservedBit = EXCHANGES.map((exchange) =>
  ignoring({
    id: `http2/reserved-bit-on-${exchange.name}`,
    title: `The server ignores the reserved bit in the header of ${exchange.type}.`,
    covers: ["rfc9113#4.1/reserved-bit"],
    exchange,
    change: (frame) => ({ ...frame, reservedBit: true }),
  }),
);

const unknown = (row: Row<"steps" | "control">): Case => ({
  spec: "rfc9113#4.1",
  covers: ["rfc9113#4.1/unknown-type", "rfc9113#5.5/frames-discarded"],
  level: "MUST",
  role: "server",
  allowed: acceptedAndAnswered(1),
  ...row,
});

const sends = ({ monitors, ...row }: Row<"covers"> & { readonly monitors: readonly [string, ...string[]] }): Case => ({
  spec: "rfc9113#4.1",
  level: "MUST",
  role: "server",
  steps: [handshake, send(PING, get(1), post(3), { ...finalData, stream: 3 }, { type: "SETTINGS" })],
  control: [handshake, send(PING, get(1), post(3), { ...finalData, stream: 3 }, { type: "SETTINGS" })],
  allowed: holds(...monitors),
  ...row,
});

/** The frame header (rfc9113#4.1). */
export const cases: readonly Case[] = [
  unknown({
    id: "http2/unknown-frame-on-connection",
    title: "The server discards a frame of unknown type on stream 0.",
    steps: [handshake, send({ type: 0xbe, hex: "01020304" }, get(1))],
    control: [handshake, send(get(1))],
  }),
  unknown({
    id: "http2/unknown-frame-on-open-stream",
    title: "The server discards a frame of unknown type between HEADERS and DATA of a request.",
    steps: [handshake, send(post(1), { type: 0xbe, stream: 1, hex: "01020304" }, finalData)],
    control: [handshake, send(post(1), finalData)],
  }),
  unknown({
    id: "http2/unknown-frame-with-every-flag",
    title: "The server discards a frame of unknown type with all flags set.",
    steps: [handshake, send(post(1), { type: 0xff, stream: 1, flags: 0xff, hex: "ff" }, finalData)],
    control: [handshake, send(post(1), finalData)],
  }),
  unknown({
    id: "http2/unknown-frame-empty",
    title: "The server discards an empty frame of unknown type.",
    steps: [handshake, send(post(1), { type: 0xbe, stream: 1 }, finalData)],
    control: [handshake, send(post(1), finalData)],
  }),
  ...unusedFlags,
  ...reservedBit,
  {
    id: "http2/frames-in-single-octets",
    spec: "rfc9113#4.1",
    covers: ["rfc9113#4.1/frame-header", "rfc9113#5.2.2/read-promptly"],
    level: "MUST",
    role: "server",
    title: "The server accepts a request with content that arrives one octet at a time.",
    steps: [handshake, { do: "send", frames: [post(1), finalData], cut: 1 }],
    control: [handshake, send(post(1), finalData)],
    allowed: acceptedAndAnswered(1),
  },
  {
    id: "http2/frames-cut-within-headers",
    spec: "rfc9113#4.1",
    covers: ["rfc9113#4.1/frame-header"],
    level: "MUST",
    role: "server",
    title: "The server accepts frames that arrive in pieces of seven octets, cut inside headers and payloads.",
    steps: [handshake, { do: "send", frames: [PING, post(1), { type: "SETTINGS" }, finalData, PING], cut: 7 }],
    control: [handshake, send(PING, post(1), { type: "SETTINGS" }, finalData, PING)],
    allowed: acceptedAndAnswered(1),
  },
  {
    id: "http2/frames-of-every-type-at-once",
    spec: "rfc9113#5",
    covers: ["rfc9113#4.1/frame-header", "rfc9113#5/order"],
    level: "MUST",
    role: "server",
    title: "The server processes nine frames that arrive in one write, in order.",
    steps: [
      handshake,
      send(
        { type: "SETTINGS", settings: [["MAX_FRAME_SIZE", 16_384]] },
        { type: "WINDOW_UPDATE", increment: 1 },
        { type: "PRIORITY", stream: 1, priority: { on: 0, weight: 1 } },
        post(1),
        { type: "WINDOW_UPDATE", stream: 1, increment: 1 },
        { ...finalData, flags: [] },
        PING,
        get(3),
        finalData,
      ),
    ],
    control: [handshake, send(post(1), finalData, get(3))],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "response", stream: 1 }, { see: "response", stream: 3 }] } }],
  },
  sends({
    id: "http2/frames-sent-well-formed",
    title: "The server sends frames with the length and layout of their type.",
    covers: ["rfc9113#4.1/frame-header", "rfc9113#6.5/ack-empty", "rfc9113#6.7/eight-octets", "rfc9113#7/defined-codes"],
    monitors: ["frames-well-formed"],
  }),
  sends({
    id: "http2/frames-sent-without-unused-flags",
    title: "The server leaves undefined flags unset.",
    covers: ["rfc9113#4.1/unused-flags-unset"],
    monitors: ["undefined-flags-unset"],
  }),
  sends({
    id: "http2/frames-sent-without-reserved-bit",
    title: "The server leaves the reserved bit of frame headers unset.",
    covers: ["rfc9113#4.1/reserved-bit-unset"],
    monitors: ["reserved-bit-unset"],
  }),
  sends({
    id: "http2/frames-sent-on-their-streams",
    title: "The server sends SETTINGS, PING and GOAWAY on stream 0, and stream frames on their stream.",
    covers: [
      "rfc9113#4.1/stream-zero",
      "rfc9113#6.5/stream-zero-sent",
      "rfc9113#6.1/on-a-stream",
      "rfc9113#6.2/on-a-stream",
      "rfc9113#6.4/on-a-stream",
      "rfc9113#6.10/on-a-stream",
    ],
    monitors: ["stream-identifiers"],
  }),
  sends({
    id: "http2/frames-sent-with-zero-padding",
    title: "The server sends padding of zeros only.",
    covers: ["rfc9113#6.1/padding-zero", "rfc9113#6.2/padding-zero", "rfc9113#6.6/padding-zero"],
    monitors: ["padding-zero"],
  }),
  sends({
    id: "http2/field-blocks-sent-whole",
    title: "The server sends the frames of a field block back to back, and ends the last with END_HEADERS.",
    covers: [
      "rfc9113#4.3/contiguous",
      "rfc9113#4.3/last-end-headers",
      "rfc9113#6.2/continuation-sent",
      "rfc9113#6.3/not-inside-block",
      "rfc9113#6.10/preceded",
    ],
    monitors: ["field-blocks-contiguous"],
  }),
  sends({
    id: "http2/nothing-sent-after-the-end",
    title: "The server sends no HEADERS or DATA on a stream that it has ended or reset.",
    covers: [
      "rfc9113#5.1/closed-sending",
      "rfc9113#5.1/half-closed-local-sending",
      "rfc9113#5.4.2/last-frame",
      "rfc9113#6.1/sending-states",
    ],
    monitors: ["nothing-after-end-stream"],
  }),
  {
    id: "http2/frames-sent-within-default-size",
    spec: "rfc9113#4.1",
    covers: ["rfc9113#4.1/length-limit", "rfc9113#4.2/oversize"],
    level: "MUST NOT",
    role: "server",
    needs: ["body"],
    title: "The server sends no frame larger than 16,384 octets unless the client allows it.",
    steps: [handshake, send(get(1))],
    control: [handshake, send(get(1))],
    allowed: holds("frame-sizes"),
  },
];
