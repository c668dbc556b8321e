import {
  get,
  halfClosedRemote,
  handshake,
  holds,
  permitted,
  post,
  openStreamWindows,
  request,
  send,
  acceptedAndAnswered,
} from "./phrases.ts";
import type { Case, FrameName, FrameSpec, Step } from "./vocabulary.ts";

const PING: FrameSpec = { type: "PING", hex: "746f756368737421" };
const content: FrameSpec = { type: "DATA", stream: 1, flags: ["END_STREAM"], data: "content" };

type Exchange = Pick<Case, "allowed"> & {
  readonly steps: (changed: (frame: FrameSpec) => FrameSpec) => readonly Step[];
  /** Where the frame itself may end the exchange: the same without it. */
  readonly control?: readonly Step[];
  readonly needs?: NonNullable<Case["needs"]>;
  readonly fence?: NonNullable<Case["fence"]>;
};

/** An exchange for each type of frame that shows whether the frame has been understood. */
const EXCHANGES: Readonly<Partial<Record<FrameName, Exchange>>> = {
  DATA: { steps: (c) => [handshake, send(post(1), c(content))], allowed: acceptedAndAnswered(1) },
  HEADERS: { steps: (c) => [handshake, send(c(get(1)))], allowed: acceptedAndAnswered(1) },
  PRIORITY: {
    steps: (c) => [handshake, send(c({ type: "PRIORITY", stream: 1, priority: { on: 0, weight: 16 } }), get(1))],
    allowed: acceptedAndAnswered(1),
  },
  RST_STREAM: {
    needs: ["body"],
    steps: (c) => [...halfClosedRemote, send(c({ type: "RST_STREAM", stream: 1, code: "CANCEL" }), openStreamWindows)],
    allowed: [{ see: { see: "accepted without", not: [{ see: "frame", type: "DATA", stream: 1 }] } }],
  },
  SETTINGS: {
    steps: (c) => [handshake, send(c({ type: "SETTINGS", settings: [["MAX_FRAME_SIZE", 20_000]] }))],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "frame", type: "SETTINGS", where: { ack: true } }] } }],
  },
  PING: {
    steps: (c) => [handshake, send(c(PING))],
    allowed: [
      { see: { see: "all", of: [{ see: "accepted" }, { see: "frame", type: "PING", where: { ack: true, hex: "746f756368737421" } }] } },
    ],
  },
  GOAWAY: {
    steps: (c) => [handshake, send(get(1), c({ type: "GOAWAY", last: 0, code: "NO_ERROR" }))],
    control: [handshake, send(get(1))],
    fence: { stream: 1 },
    // Who is told that the other side leaves may leave too, at once if it likes (rfc9113#5.4.1), but says that in good order.
    allowed: [
      { see: { see: "response", stream: 1, complete: true } },
      permitted({ see: "all", of: [{ see: "response", stream: 1, complete: true }, { see: "closed" }] }, "rfc9113#6.8"),
      permitted({ see: "all", of: [{ see: "frame", type: "GOAWAY", where: { code: "NO_ERROR" } }, { see: "closed" }] }, "rfc9113#5.4.1"),
    ],
  },
  WINDOW_UPDATE: {
    needs: ["body"],
    steps: (c) => [...halfClosedRemote, send(c({ type: "WINDOW_UPDATE", stream: 1, increment: 65_535 }))],
    fence: { stream: 1 },
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "response", stream: 1, complete: true }] } }],
  },
  CONTINUATION: {
    steps: (c) => [
      handshake,
      send(
        { type: "HEADERS", stream: 1, flags: ["END_STREAM"], fields: request().slice(0, 2) },
        c({ type: "CONTINUATION", stream: 1, flags: ["END_HEADERS"], fields: request().slice(2) }),
      ),
    ],
    allowed: acceptedAndAnswered(1),
  },
};

/** All flags but those that would mean something in the exchange and do not belong there. */
const ALL_UNUSED: Readonly<Partial<Record<FrameName, number>>> = {
  DATA: 0xf7,
  HEADERS: 0xd7,
  PRIORITY: 0xff,
  RST_STREAM: 0xff,
  SETTINGS: 0xfe,
  PING: 0xfe,
  GOAWAY: 0xff,
  WINDOW_UPDATE: 0xff,
  CONTINUATION: 0xff,
};

const same = (frame: FrameSpec): FrameSpec => frame;
const words = (type: string): string => type.toLowerCase().replace("_", "-");

const ignoring = (
  { steps, control = steps(same), ...exchange }: Exchange,
  about: { id: Case["id"]; title: string; covers: Case["covers"] },
  change: (frame: FrameSpec) => FrameSpec,
): Case => ({ spec: "rfc9113#4.1", level: "MUST", role: "server", ...about, steps: steps(change), control, ...exchange });

const unusedFlags = Object.entries(EXCHANGES).map(([type, exchange]) =>
  ignoring(
    exchange,
    {
      id: `http2/unused-flags-on-${words(type)}`,
      title: `The server ignores flags that have no meaning on ${type}.`,
      covers: ["rfc9113#4.1/unused-flags"],
    },
    (frame) => ({ ...frame, flags: ALL_UNUSED[type as FrameName] ?? 0 }),
  ),
);
const reservedBit = Object.entries(EXCHANGES).map(([type, exchange]) =>
  ignoring(
    exchange,
    {
      id: `http2/reserved-bit-on-${words(type)}`,
      title: `The server ignores the reserved bit in the header of ${type}.`,
      covers: ["rfc9113#4.1/reserved-bit"],
    },
    (frame) => ({ ...frame, reservedBit: true }),
  ),
);

const unknown = (id: Case["id"], title: string, steps: Step[], control: Step[]): Case => ({
  id,
  spec: "rfc9113#4.1",
  covers: ["rfc9113#4.1/unknown-type", "rfc9113#5.5/frames-discarded"],
  level: "MUST",
  role: "server",
  title,
  steps,
  control,
  allowed: acceptedAndAnswered(1),
});

const sends = (id: Case["id"], title: string, covers: Case["covers"], ...monitors: [string, ...string[]]): Case => ({
  id,
  spec: "rfc9113#4.1",
  covers,
  level: "MUST",
  role: "server",
  title,
  steps: [handshake, send(PING, get(1), post(3), { ...content, stream: 3 }, { type: "SETTINGS" })],
  control: [handshake, send(PING, get(1), post(3), { ...content, stream: 3 }, { type: "SETTINGS" })],
  allowed: holds(...monitors),
});

/** The frame header (rfc9113#4.1). */
export const cases: readonly Case[] = [
  unknown(
    "http2/unknown-frame-on-connection",
    "The server discards a frame of an unknown type on the connection.",
    [handshake, send({ type: 0xbe, hex: "01020304" }, get(1))],
    [handshake, send(get(1))],
  ),
  unknown(
    "http2/unknown-frame-on-open-stream",
    "The server discards a frame of an unknown type between the HEADERS and the DATA of a request.",
    [handshake, send(post(1), { type: 0xbe, stream: 1, hex: "01020304" }, content)],
    [handshake, send(post(1), content)],
  ),
  unknown(
    "http2/unknown-frame-with-every-flag",
    "The server discards a frame of an unknown type with all of its flags set, as if none meant anything.",
    [handshake, send(post(1), { type: 0xff, stream: 1, flags: 0xff, hex: "ff" }, content)],
    [handshake, send(post(1), content)],
  ),
  unknown(
    "http2/unknown-frame-empty",
    "The server discards a frame of an unknown type without a payload.",
    [handshake, send(post(1), { type: 0xbe, stream: 1 }, content)],
    [handshake, send(post(1), content)],
  ),
  ...unusedFlags,
  ...reservedBit,
  {
    id: "http2/frames-in-single-octets",
    spec: "rfc9113#4.1",
    covers: ["rfc9113#4.1/frame-header", "rfc9113#5.2.2/read-promptly"],
    level: "MUST",
    role: "server",
    title: "The server takes a request with content that arrives one octet at a time.",
    steps: [handshake, { do: "send", frames: [post(1), content], cut: 1 }],
    control: [handshake, send(post(1), content)],
    allowed: acceptedAndAnswered(1),
  },
  {
    id: "http2/frames-cut-within-headers",
    spec: "rfc9113#4.1",
    covers: ["rfc9113#4.1/frame-header"],
    level: "MUST",
    role: "server",
    title: "The server takes frames that arrive in pieces of seven octets, so that headers and payloads are cut anywhere.",
    steps: [handshake, { do: "send", frames: [PING, post(1), { type: "SETTINGS" }, content, PING], cut: 7 }],
    control: [handshake, send(PING, post(1), { type: "SETTINGS" }, content, PING)],
    allowed: acceptedAndAnswered(1),
  },
  {
    id: "http2/frames-of-every-type-at-once",
    spec: "rfc9113#5",
    covers: ["rfc9113#4.1/frame-header", "rfc9113#5/order"],
    level: "MUST",
    role: "server",
    title: "The server processes a dozen frames that arrive at once, in their order.",
    steps: [
      handshake,
      send(
        { type: "SETTINGS", settings: [["MAX_FRAME_SIZE", 16_384]] },
        { type: "WINDOW_UPDATE", increment: 1 },
        { type: "PRIORITY", stream: 1, priority: { on: 0, weight: 1 } },
        post(1),
        { type: "WINDOW_UPDATE", stream: 1, increment: 1 },
        { ...content, flags: [] },
        PING,
        get(3),
        content,
      ),
    ],
    control: [handshake, send(post(1), content, get(3))],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "response", stream: 1 }, { see: "response", stream: 3 }] } }],
  },
  sends(
    "http2/frames-sent-well-formed",
    "The server sends frames whose lengths and layouts are those of their types.",
    ["rfc9113#4.1/frame-header", "rfc9113#6.5/ack-empty", "rfc9113#6.7/eight-octets", "rfc9113#7/defined-codes"],
    "frames-well-formed",
  ),
  sends(
    "http2/frames-sent-without-unused-flags",
    "The server leaves flags without a meaning unset.",
    ["rfc9113#4.1/unused-flags-unset"],
    "undefined-flags-unset",
  ),
  sends(
    "http2/frames-sent-without-reserved-bit",
    "The server leaves the reserved bit of its frames unset.",
    ["rfc9113#4.1/reserved-bit-unset"],
    "reserved-bit-unset",
  ),
  sends(
    "http2/frames-sent-on-their-streams",
    "The server sends SETTINGS, PING and GOAWAY on stream 0, and what belongs to a stream on that.",
    ["rfc9113#4.1/stream-zero", "rfc9113#6.5/stream-zero-sent"],
    "stream-identifiers",
  ),
  sends(
    "http2/frames-sent-with-zero-padding",
    "The server fills what it pads with zeros.",
    ["rfc9113#6.1/padding-zero", "rfc9113#6.2/padding-zero", "rfc9113#6.6/padding-zero"],
    "padding-zero",
  ),
  sends(
    "http2/field-blocks-sent-whole",
    "The server sends nothing between the frames of a field block, and ends it with END_HEADERS.",
    ["rfc9113#4.3/contiguous", "rfc9113#4.3/last-end-headers", "rfc9113#6.2/continuation-sent", "rfc9113#6.3/not-inside-block"],
    "field-blocks-contiguous",
  ),
  sends(
    "http2/nothing-sent-after-the-end",
    "The server sends neither HEADERS nor DATA on a stream that it has ended or reset.",
    ["rfc9113#5.1/closed-sending", "rfc9113#5.1/half-closed-local-sending", "rfc9113#5.4.2/last-frame", "rfc9113#6.1/sending-states"],
    "nothing-after-end-stream",
  ),
  {
    id: "http2/frames-sent-within-default-size",
    spec: "rfc9113#4.1",
    covers: ["rfc9113#4.1/length-limit", "rfc9113#4.2/oversize"],
    level: "MUST NOT",
    role: "server",
    needs: ["body"],
    title: "The server sends no frame beyond 16,384 octets to a client that allows no more.",
    steps: [handshake, send(get(1))],
    control: [handshake, send(get(1))],
    allowed: holds("frame-sizes"),
  },
];
