import {
  PROTOCOL_ERROR,
  comesBack,
  comesBackWith,
  failsWith,
  first,
  holds,
  last,
  more,
  offering,
  open,
  ping,
  pong,
  send,
  text,
} from "./phrases.ts";
import type { RequirementRef } from "../harness/case.ts";
import type { Case, FrameSpec } from "./vocabulary.ts";

const LONG = "Touchstone asks whether network software speaks its protocol. ".repeat(4);
const packed = (content: string, extra: Partial<FrameSpec> = {}): FrameSpec => text(content, { deflate: {}, ...extra });

const over = (wrong: readonly FrameSpec[], right: readonly FrameSpec[]): Pick<Case, "role" | "steps" | "control" | "needs"> => ({
  role: "server",
  needs: ["deflate"],
  steps: [open(offering()), send(...wrong)],
  control: [open(offering()), send(...right)],
});
const only = (...frames: readonly FrameSpec[]): ReturnType<typeof over> => over(frames, frames);

/** A compressed message in parts that end behind these octets. */
function inParts(content: string, ...ends: readonly number[]): readonly FrameSpec[] {
  const starts = [0, ...ends];
  return starts.map((from, at): FrameSpec => {
    const to = ends[at];
    const part = { from, ...(to === undefined ? {} : { to }) };
    const frame: FrameSpec = at === 0 ? packed(content, { part }) : { opcode: "continuation", text: content, deflate: {}, part, rsv: 0 };
    return to === undefined ? frame : { ...frame, fin: false };
  });
}

/** RSV bits where they must not be, in a session with compression. */
const MISUSE: readonly (readonly [
  id: string,
  what: string,
  wrong: readonly FrameSpec[],
  right: readonly FrameSpec[],
  covers: RequirementRef,
])[] = [
  ["rsv1-on-ping", "RSV1 on a PING", [ping("x", { rsv: 4 })], [ping("x")], "rfc7692#6/rsv1-control"],
  ["rsv1-on-pong", "RSV1 on a PONG", [pong("x", { rsv: 4 })], [pong("x")], "rfc7692#6/rsv1-control"],
  [
    "rsv1-on-close",
    "RSV1 on a Close frame",
    [{ opcode: "close", code: 1000, rsv: 4 }],
    [{ opcode: "close", code: 1000 }],
    "rfc7692#6/rsv1-control",
  ],
  [
    "rsv1-on-last-fragment",
    "RSV1 on the last fragment",
    [first(text("a")), last({ text: "b", rsv: 4 })],
    [first(text("a")), last({ text: "b" })],
    "rfc7692#6/rsv1-continuation",
  ],
  [
    "rsv1-on-middle-fragment",
    "RSV1 on a fragment in the middle",
    [first(text("a")), more({ text: "b", rsv: 4 }), last({ text: "c" })],
    [first(text("a")), more({ text: "b" }), last({ text: "c" })],
    "rfc7692#6/rsv1-continuation",
  ],
  [
    "rsv1-on-all-fragments",
    "RSV1 on every fragment of a compressed message",
    inParts(LONG, 20).map((frame) => ({ ...frame, rsv: 4 })),
    inParts(LONG, 20),
    "rfc7692#6/rsv1-continuation",
  ],
  ["rsv2-on-compressed", "RSV2 on a compressed message", [packed(LONG, { rsv: 6 })], [packed(LONG)], "rfc6455#5.2/rsv"],
  ["rsv3-on-compressed", "RSV3 on a compressed message", [packed(LONG, { rsv: 5 })], [packed(LONG)], "rfc6455#5.2/rsv"],
  ["rsv2-on-uncompressed", "RSV2 on a message that is not compressed", [text("a", { rsv: 2 })], [text("a")], "rfc6455#5.2/rsv"],
];

export const cases: readonly Case[] = [
  {
    id: "websocket/deflate-message",
    spec: "rfc7692#6.2",
    covers: ["rfc7692#7.2.2/inflate"],
    level: "MUST",
    title: "A compressed text message comes back.",
    ...only(packed(LONG)),
    allowed: comesBackWith(holds("inflatable messages")),
  },
  {
    id: "websocket/deflate-binary-message",
    spec: "rfc7692#6.2",
    covers: ["rfc7692#7.2.2/inflate"],
    level: "MUST",
    title: "A compressed binary message comes back as binary.",
    ...only({ opcode: "binary", hex: "00ff00ff00ff00ff00ff00ff", deflate: {} }),
    allowed: comesBackWith(holds("inflatable messages")),
  },
  {
    id: "websocket/deflate-uncompressed-message",
    spec: "rfc7692#6.2",
    covers: ["rfc7692#6.2/uncompressed"],
    level: "MUST",
    title: "A message without RSV1 is taken as it is, also where compression was agreed to.",
    ...only(text(LONG)),
    allowed: comesBack,
  },
  {
    id: "websocket/deflate-messages-of-both-kinds",
    spec: "rfc7692#6.2",
    covers: ["rfc7692#6.2/uncompressed"],
    level: "MUST",
    title: "Compressed messages and others come back by turns.",
    ...only(packed(LONG), text("plain"), packed("Hello"), { opcode: "binary", hex: "00ff" }, packed(LONG)),
    allowed: comesBackWith(holds("inflatable messages")),
  },
  {
    id: "websocket/deflate-fragmented-uncompressed-message",
    spec: "rfc7692#6.2",
    covers: ["rfc7692#6.2/uncompressed"],
    level: "MUST",
    title: "A message in fragments without RSV1 is taken as it is.",
    ...only(first(text("Hello")), more({ text: " " }), last({ text: "world" })),
    allowed: comesBack,
  },
  ...([1, 2, 5, 20, 40] as const).map((at): Case => ({
    id: `websocket/deflate-fragments-behind-${at}`,
    spec: "rfc7692#6.1",
    covers: ["rfc7692#6.1/fragments"],
    level: "MUST",
    title: `A compressed message that is cut behind octet ${at} comes back.`,
    ...only(...inParts(LONG, at)),
    allowed: comesBack,
  })),
  {
    id: "websocket/deflate-fragments-many",
    spec: "rfc7692#6.1",
    covers: ["rfc7692#6.1/fragments"],
    level: "MUST",
    title: "A compressed message whose first twenty octets are fragments of one octet comes back.",
    ...only(...inParts(LONG, ...Array.from({ length: 20 }, (_, at) => at + 1))),
    allowed: comesBack,
  },
  {
    id: "websocket/deflate-fragments-first-empty",
    spec: "rfc7692#6.1",
    covers: ["rfc7692#6.1/fragments"],
    level: "MUST",
    title: "A compressed message whose first fragment is empty comes back.",
    ...only(...inParts(LONG, 0)),
    allowed: comesBack,
  },
  {
    id: "websocket/deflate-fragments-last-empty",
    spec: "rfc7692#6.1",
    covers: ["rfc7692#6.1/fragments"],
    level: "MUST",
    title: "A compressed message whose last fragment is empty comes back.",
    ...only({ ...packed(LONG), fin: false }, last()),
    allowed: [{ see: { see: "all", of: [{ see: "still open" }, { see: "message", type: "text", text: LONG }] } }],
  },
  {
    id: "websocket/deflate-fragments-with-ping",
    spec: "rfc7692#6.1",
    covers: ["rfc7692#6.1/fragments", "rfc6455#5.4/control-inside"],
    level: "MUST",
    title: "A compressed message comes back that has a PING, not compressed, between its fragments.",
    ...only(...inParts(LONG, 20).flatMap((frame, at) => (at === 0 ? [frame, ping("between")] : [frame]))),
    allowed: comesBackWith({ see: "pong", text: "between" }),
  },
  {
    id: "websocket/deflate-server-frames-legal",
    spec: "rfc7692#6",
    covers: ["rfc7692#6/rsv1-first", "rfc7692#7.2.1/tail"],
    level: "MUST",
    title: "RSV1 is on no other frame of the server than the first of a compressed message.",
    ...only(packed(LONG), ping("x"), text(LONG), { opcode: "text", fill: { text: "0123456789", count: 8_000 }, deflate: {} }),
    allowed: comesBackWith(holds("valid frames")),
  },
  ...MISUSE.map(([id, what, wrong, right, covers]): Case => ({
    id: `websocket/deflate-${id}`,
    spec: covers.startsWith("rfc7692") ? "rfc7692#6" : "rfc6455#5.2",
    covers: [covers],
    level: "MUST",
    title: `Where compression was agreed to, ${what} fails the connection.`,
    ...over(wrong, right),
    allowed: failsWith(PROTOCOL_ERROR),
  })),
];
