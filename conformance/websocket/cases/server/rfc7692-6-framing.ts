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
} from "../phrases.ts";
import type { RequirementRef } from "../../../harness/case.ts";
import { type Claim, ofServer } from "../claims.ts";
import type { Case, FrameSpec } from "../../vocabulary.ts";

/** RFC 7692, section 6: RSV1, and fragments of compressed messages. */

type Frames = { readonly wrong: readonly FrameSpec[]; readonly right: readonly FrameSpec[] };
const LONG = "Touchstone asks whether network software speaks its protocol. ".repeat(4);
const packed = (content: string, extra: Partial<FrameSpec> = {}): FrameSpec => text(content, { deflate: {}, ...extra });

/** Frames on a connection with permessage-deflate. */
const over = ({ wrong, right }: Frames): Pick<Case, "steps" | "control" | "needs"> => ({
  needs: ["deflate"],
  steps: [open(offering()), send(...wrong)],
  control: [open(offering()), send(...right)],
});
const only = (...frames: readonly FrameSpec[]): ReturnType<typeof over> => over({ wrong: frames, right: frames });

/** A compressed message in fragments that end after these octets. */
function inParts(content: string, ...ends: readonly number[]): readonly FrameSpec[] {
  const starts = [0, ...ends];
  return starts.map((from, at): FrameSpec => {
    const to = ends[at];
    const part = { from, ...(to === undefined ? {} : { to }) };
    const frame: FrameSpec = at === 0 ? packed(content, { part }) : { opcode: "continuation", text: content, deflate: {}, part, rsv: 0 };
    return to === undefined ? frame : { ...frame, fin: false };
  });
}

/** RSV bits that are forbidden even with permessage-deflate. */
const MISUSE: readonly (Frames & { readonly id: string; readonly what: string; readonly covers: RequirementRef })[] = [
  { id: "rsv1-on-ping", what: "RSV1 on a Ping", wrong: [ping("x", { rsv: 4 })], right: [ping("x")], covers: "rfc7692#6/rsv1-control" },
  { id: "rsv1-on-pong", what: "RSV1 on a Pong", wrong: [pong("x", { rsv: 4 })], right: [pong("x")], covers: "rfc7692#6/rsv1-control" },
  {
    id: "rsv1-on-close",
    what: "RSV1 on a Close frame",
    wrong: [{ opcode: "close", code: 1000, rsv: 4 }],
    right: [{ opcode: "close", code: 1000 }],
    covers: "rfc7692#6/rsv1-control",
  },
  {
    id: "rsv1-on-last-fragment",
    what: "RSV1 on the last fragment",
    wrong: [first(text("a")), last({ text: "b", rsv: 4 })],
    right: [first(text("a")), last({ text: "b" })],
    covers: "rfc7692#6/rsv1-continuation",
  },
  {
    id: "rsv1-on-middle-fragment",
    what: "RSV1 on a middle fragment",
    wrong: [first(text("a")), more({ text: "b", rsv: 4 }), last({ text: "c" })],
    right: [first(text("a")), more({ text: "b" }), last({ text: "c" })],
    covers: "rfc7692#6/rsv1-continuation",
  },
  {
    id: "rsv1-on-all-fragments",
    what: "RSV1 on every fragment of a compressed message",
    wrong: inParts(LONG, 20).map((frame) => ({ ...frame, rsv: 4 })),
    right: inParts(LONG, 20),
    covers: "rfc7692#6/rsv1-continuation",
  },
  {
    id: "rsv2-on-compressed",
    what: "RSV2 on a compressed message",
    wrong: [packed(LONG, { rsv: 6 })],
    right: [packed(LONG)],
    covers: "rfc6455#5.2/rsv",
  },
  {
    id: "rsv3-on-compressed",
    what: "RSV3 on a compressed message",
    wrong: [packed(LONG, { rsv: 5 })],
    right: [packed(LONG)],
    covers: "rfc6455#5.2/rsv",
  },
  {
    id: "rsv2-on-uncompressed",
    what: "RSV2 on an uncompressed message",
    wrong: [text("a", { rsv: 2 })],
    right: [text("a")],
    covers: "rfc6455#5.2/rsv",
  },
];

export const claims: readonly Claim[] = [
  {
    id: "websocket/deflate-message",
    spec: "rfc7692#6.2",
    covers: ["rfc7692#7.2.2/inflate"],
    level: "MUST",
    title: "The {subject} echoes a compressed text message.",
    ...only(packed(LONG)),
    allowed: comesBackWith(holds("inflatable messages")),
  },
  {
    id: "websocket/deflate-binary-message",
    spec: "rfc7692#6.2",
    covers: ["rfc7692#7.2.2/inflate"],
    level: "MUST",
    title: "The {subject} echoes a compressed binary message as binary.",
    ...only({ opcode: "binary", hex: "00ff00ff00ff00ff00ff00ff", deflate: {} }),
    allowed: comesBackWith(holds("inflatable messages")),
  },
  {
    id: "websocket/deflate-uncompressed-message",
    spec: "rfc7692#6.2",
    covers: ["rfc7692#6.2/uncompressed"],
    level: "MUST",
    title: "The {subject} reads a message without RSV1 as uncompressed even with permessage-deflate.",
    ...only(text(LONG)),
    allowed: comesBack,
  },
  {
    id: "websocket/deflate-messages-of-both-kinds",
    spec: "rfc7692#6.2",
    covers: ["rfc7692#6.2/uncompressed"],
    level: "MUST",
    title: "The {subject} echoes compressed and uncompressed messages in turn.",
    ...only(packed(LONG), text("plain"), packed("Hello"), { opcode: "binary", hex: "00ff" }, packed(LONG)),
    allowed: comesBackWith(holds("inflatable messages")),
  },
  {
    id: "websocket/deflate-fragmented-uncompressed-message",
    spec: "rfc7692#6.2",
    covers: ["rfc7692#6.2/uncompressed"],
    level: "MUST",
    title: "The {subject} reads a fragmented message without RSV1 as uncompressed.",
    ...only(first(text("Hello")), more({ text: " " }), last({ text: "world" })),
    allowed: comesBack,
  },
  ...([1, 2, 5, 20, 40] as const).map((at): Claim => ({
    id: `websocket/deflate-fragments-behind-${at}`,
    spec: "rfc7692#6.1",
    covers: ["rfc7692#6.1/fragments"],
    level: "MUST",
    title: `The {subject} echoes a compressed message split after octet ${at}.`,
    ...only(...inParts(LONG, at)),
    allowed: comesBack,
  })),
  {
    id: "websocket/deflate-fragments-many",
    spec: "rfc7692#6.1",
    covers: ["rfc7692#6.1/fragments"],
    level: "MUST",
    title: "The {subject} echoes a compressed message whose first twenty octets are one-octet fragments.",
    ...only(...inParts(LONG, ...Array.from({ length: 20 }, (_, at) => at + 1))),
    allowed: comesBack,
  },
  {
    id: "websocket/deflate-fragments-first-empty",
    spec: "rfc7692#6.1",
    covers: ["rfc7692#6.1/fragments"],
    level: "MUST",
    title: "The {subject} echoes a compressed message whose first fragment is empty.",
    ...only(...inParts(LONG, 0)),
    allowed: comesBack,
  },
  {
    id: "websocket/deflate-fragments-last-empty",
    spec: "rfc7692#6.1",
    covers: ["rfc7692#6.1/fragments"],
    level: "MUST",
    title: "The {subject} echoes a compressed message whose last fragment is empty.",
    ...only({ ...packed(LONG), fin: false }, last()),
    allowed: [{ see: { see: "all", of: [{ see: "still open" }, { see: "message", type: "text", text: LONG }] } }],
  },
  {
    id: "websocket/deflate-fragments-with-ping",
    spec: "rfc7692#6.1",
    covers: ["rfc7692#6.1/fragments", "rfc6455#5.4/control-inside"],
    level: "MUST",
    title: "The {subject} echoes a compressed message with an uncompressed Ping between its fragments.",
    ...only(...inParts(LONG, 20).flatMap((frame, at) => (at === 0 ? [frame, ping("between")] : [frame]))),
    allowed: comesBackWith({ see: "pong", text: "between" }),
  },
  {
    id: "websocket/deflate-server-frames-legal",
    client: { id: "websocket/client-deflate-client-frames-legal" },
    spec: "rfc7692#6",
    covers: ["rfc7692#6/rsv1-first", "rfc7692#7.2.1/tail"],
    level: "MUST",
    title: "The {subject} sets RSV1 only on the first frame of a compressed message.",
    ...only(packed(LONG), ping("x"), text(LONG), { opcode: "text", fill: { text: "0123456789", count: 8_000 }, deflate: {} }),
    allowed: comesBackWith(holds("valid frames")),
  },
  ...MISUSE.map(({ id, what, wrong, right, covers }): Claim => ({
    id: `websocket/deflate-${id}`,
    spec: covers.startsWith("rfc7692") ? "rfc7692#6" : "rfc6455#5.2",
    covers: [covers],
    level: "MUST",
    title: `The {subject} fails the connection on ${what} with permessage-deflate.`,
    ...over({ wrong, right }),
    allowed: failsWith(PROTOCOL_ERROR),
  })),
];

export const cases = claims.map(ofServer);
