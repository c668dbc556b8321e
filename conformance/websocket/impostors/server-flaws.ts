import { membersOf, type ReadRequest, valueOf } from "../../wire/http1/read.ts";
import { fromLatin1, toHex, toLatin1 } from "../../wire/octets.ts";
import type { FrameSpec } from "../../wire/websocket/build.ts";
import { isUtf8, type ReadFrame } from "../../wire/websocket/read.ts";
import { NAME_FIELD } from "../telling.ts";
import type { Reaction, WebSocketPeer } from "./peer.ts";
import type { WebSocketFlaw } from "./flaw.ts";

/** A handshake in its usual spelling. */
const PLAIN =
  /^GET \/ HTTP\/1\.1\nHost: [\w.:[\]]+\nUpgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Key: [\w]{22}==\nSec-WebSocket-Version: 13(?:\nSec-WebSocket-Extensions: permessage-deflate)?$/;
/** The head as it arrived, octet by octet. */
const headOf = ({ start, fields }: ReadRequest): string =>
  toLatin1(fromLatin1([start, ...fields.filter(({ name }) => name !== NAME_FIELD).map(({ line }) => line)].join("\n")));
const isPlain = (request: ReadRequest): boolean => PLAIN.test(headOf(request)) && request.oddities.length === 0;

const NORMAL = { code: 1000, reason: "", clean: true };
const ASCII = /^[\x20-\x7e]*$/;
/** Anything but short text in one frame, a short PING, and a normal Close. */
function isUnusual(frame: ReadFrame, peer: WebSocketPeer): boolean {
  const { fin, rsv, opcode, masked, length, lengthBits, payload, code } = frame;
  if (!fin || (rsv !== 0 && peer.came.deflate === undefined) || masked !== peer.came.expectsMask || length > 125 || lengthBits !== 7)
    return true;
  if (opcode === 8) return code !== 1000 || length > 2;
  if (opcode === 9) return false;
  return opcode !== 1 || length === 0 || (rsv === 0 && !ASCII.test(toLatin1(payload)));
}

const meets = (about: string, meet: NonNullable<WebSocketFlaw["meets"]>): WebSocketFlaw => ({ about, meets: meet });
const rejects = (
  about: string,
  dislike: (frame: ReadFrame, peer: WebSocketPeer) => boolean,
  reaction: Reaction = { code: 1002 },
): WebSocketFlaw => meets(about, (frame, peer) => (dislike(frame, peer) ? reaction : undefined));
const answers = (about: string, answer: NonNullable<WebSocketFlaw["answers"]>): WebSocketFlaw => ({ about, answers: answer });
const refuses = (about: string, refuse: NonNullable<WebSocketFlaw["refuses"]>): WebSocketFlaw => ({ about, refuses: refuse });
const sends = (about: string, send: (frame: FrameSpec, peer: WebSocketPeer) => readonly FrameSpec[] | undefined): WebSocketFlaw => ({
  about,
  sends: (frame, peer) => send(frame, peer) ?? [frame],
});
const isData = ({ opcode }: FrameSpec): boolean => opcode === "text" || opcode === "binary";

const setField = (fields: [string, string][], name: string, value: string | undefined): void => {
  const at = fields.findIndex(([one]) => one === name);
  if (at >= 0) fields.splice(at, 1);
  if (value !== undefined) fields.push([name, value]);
};
const offersDeflate = ({ fields }: ReadRequest): boolean =>
  membersOf(fields, "sec-websocket-extensions").some((one) => one.startsWith("permessage-deflate"));
const EXTENSIONS = "Sec-WebSocket-Extensions";
const PROTOCOL = "Sec-WebSocket-Protocol";

/** WebSocket servers with one flaw each. The blunt ones come first: they fail most cases at once. */
export const WEBSOCKET_SERVER_FLAWS: Readonly<Record<string, WebSocketFlaw>> = {
  lenient: { about: "accepts everything as what it looks like" },
  silent: { about: "answers nothing", mute: true },
  slams: { about: "ends every connection at once", slams: true },
  parrots: { about: "sends back every octet after the handshake, masks included", parrots: "octets" },
  "parrots-frames": { about: "sends back every frame without its mask, PINGs as PINGs", parrots: "frames" },
  "tells-of-normal-ends": { about: "tells its program of a normal end, whatever happens", tells: () => NORMAL },
  "fails-without-saying-so": { about: "closes with 1005 when its program fails, which no Close frame has", fails: 1005 },
  "refuses-the-unusual": rejects("fails the connection on what is not written as everybody writes it", isUnusual),
  "ignores-the-unusual": rejects("passes over what is not written as everybody writes it", isUnusual, "ignore"),
  "ignores-long-lengths": rejects(
    "passes over frames whose length is not in the shortest form",
    ({ length, lengthBits }) => (lengthBits === 64 && length < 65_536) || (lengthBits === 16 && length < 126),
    "ignore",
  ),
  "fails-and-stays": meets("sends the right Close frame, and goes on", (frame, peer) => {
    if (!isUnusual(frame, peer)) return undefined;
    peer.send({ opcode: "close", code: 1002 });
    return "ignore";
  }),
  "refuses-plain-handshakes-only-if-unusual": refuses("answers 400 to a handshake that is not written as everybody writes it", (request) =>
    isPlain(request) ? undefined : 400,
  ),
  "refuses-without-an-answer": refuses("ends the connection on a handshake that is not written as everybody writes it", (request) =>
    isPlain(request) ? undefined : "close",
  ),
  "answers-200": refuses("answers 200 to a handshake that is not written as everybody writes it", (request) =>
    isPlain(request) ? undefined : 200,
  ),
  "answers-500": refuses("answers 500 to a handshake that is not written as everybody writes it", (request) =>
    isPlain(request) ? undefined : 500,
  ),

  "answers-401": refuses("answers 401 without a challenge to a handshake that is not written as everybody writes it", (request) =>
    isPlain(request) ? undefined : 401,
  ),
  "answers-426": refuses("answers 426 without Upgrade to whatever is no WebSocket handshake", ({ fields }) =>
    valueOf(fields, "upgrade") === "websocket" && valueOf(fields, "sec-websocket-version") === "13" ? undefined : 426,
  ),
  "answers-405": refuses("answers 405 without Allow to a handshake that is not written as everybody writes it", (request) =>
    isPlain(request) ? undefined : 405,
  ),

  // Reading.
  "wants-whole-handshakes": {
    about: "needs the handshake in one read",
    dislikes: (octets, peer) => !peer.open && !toLatin1(octets).endsWith("\r\n\r\n"),
  },
  "wants-whole-frames": { about: "needs whole frames in one read", dislikes: (octets, peer) => peer.open && octets.length < 6 },
  "wants-few-reads": { about: "gives up after eight reads", dislikes: (_, peer) => peer.reads > 8 },
  "knows-no-fragments": rejects("refuses fragments", ({ fin }) => !fin),
  "knows-no-pings-inside": rejects("takes no control frames inside a message", ({ opcode }, { came }) => opcode > 8 && came.inMessage),
  "knows-no-binary": rejects("takes no binary messages", ({ opcode }) => opcode === 2, { code: 1003 }),
  "knows-ascii-only": rejects(
    "takes ASCII text only",
    ({ opcode, payload, rsv }) => opcode < 2 && rsv === 0 && !ASCII.test(toLatin1(payload)),
    { code: 1007 },
  ),
  "checks-utf8-by-the-frame": rejects(
    "wants every fragment to be UTF-8 by itself",
    ({ opcode, payload, rsv }) => (opcode === 0 || opcode === 1) && rsv === 0 && !isUtf8(payload),
    { code: 1007 },
  ),
  "checks-utf8-everywhere": rejects(
    "wants binary messages and PINGs to be UTF-8",
    ({ payload, rsv, opcode }) => opcode !== 8 && rsv === 0 && !isUtf8(payload),
    { code: 1007 },
  ),
  "knows-no-empty-frames": rejects("takes no frames without payload", ({ length, opcode }) => length === 0 && opcode < 8),
  "knows-short-frames-only": rejects("takes no frames of more than 125 octets", ({ length }) => length > 125, { code: 1009 }),
  "knows-16-bits-only": rejects("takes no frames of more than 65,535 octets", ({ length }) => length > 65_535, { code: 1009 }),
  "shortens-long-frames": { about: "treats a frame of many gigabytes as one of five octets", shortens: true },
  "knows-no-pongs": rejects("takes no PONG that answers nothing", ({ opcode }) => opcode === 10),
  "answers-pongs": meets("answers PONGs", (frame, peer) => {
    if (frame.opcode === 10) peer.send({ opcode: "pong", hex: toHex(frame.payload) });
    return undefined;
  }),
  "one-frame-a-read": {
    about: "gives up after a read with more than one frame",
    meets: (_, peer) => (peer.came.frames.length > peer.reads ? "drop" : undefined),
  },
  "fails-with-1000": rejects("calls every fault a normal end", isUnusual, { code: 1000 }),
  "gives-back-and-fails": meets("gives back what it should refuse, and refuses it then", (frame, peer) => {
    if (!isUnusual(frame, peer)) return undefined;
    peer.give({ type: "text", payload: frame.payload, frames: 1, compressed: false });
    return { code: 1002 };
  }),

  "chokes-on-floods": meets("reads nothing more after five hundred frames", (_, { came }) =>
    came.frames.length > 500 ? "ignore" : undefined,
  ),

  // Echoing.
  "gives-back-fragments": {
    about: "echoes fragments as messages",
    meets: (frame, peer) => {
      if (frame.opcode < 3 && (!frame.fin || frame.opcode === 0)) {
        peer.give({ type: "text", payload: frame.payload, frames: 1, compressed: false });
        return "ignore";
      }
      return undefined;
    },
  },
  "gives-back-binary": { about: "echoes text as binary", echoes: (message) => [{ ...message, type: "binary" }] },
  "gives-back-text": { about: "echoes binary messages as text", echoes: (message) => [{ ...message, type: "text" }] },
  "gives-back-twice": { about: "echoes every message twice", echoes: (message) => [message, message] },
  "gives-back-short": {
    about: "echoes 100 octets at most",
    echoes: (message) => [{ ...message, payload: message.payload.subarray(0, 100) }],
  },
  "limits-frames-only": {
    about: "refuses long frames, and echoes 100 octets of long messages in fragments",
    limits: true,
    echoes: (message) => [{ ...message, payload: message.payload.subarray(0, 100) }],
  },
  "gives-back-capitals": {
    about: "echoes in capitals",
    echoes: (message) => [{ ...message, payload: fromLatin1(toLatin1(message.payload).toUpperCase()) }],
  },
  "swallows-empty-messages": {
    about: "does not echo empty messages",
    echoes: (message) => (message.payload.length === 0 ? [] : [message]),
  },
  "swallows-second-messages": {
    about: "does not echo every second message",
    echoes: (message, { came }) => (came.messages.indexOf(message) % 2 === 1 ? [] : [message]),
  },

  // Sending.
  masks: sends("masks what it sends", (frame) => [{ ...frame, mask: "0a0b0c0d" }]),
  "masks-close": sends("masks its Close frame", (frame) => (frame.opcode === "close" ? [{ ...frame, mask: "0a0b0c0d" }] : undefined)),
  "sends-long-lengths": sends("writes every length in 64 bits", (frame) => (isData(frame) ? [{ ...frame, lengthBits: 64 }] : undefined)),
  "sets-rsv3": sends("sets RSV3", (frame) => (isData(frame) ? [{ ...frame, rsv: 1 }] : undefined)),
  "sends-marked-fragments": sends("sends messages in two fragments, the second with RSV3", (frame) =>
    isData(frame)
      ? [
          { ...frame, part: { from: 0, to: 1 }, fin: false },
          { ...frame, opcode: "continuation", part: { from: 1 }, rsv: 1 },
        ]
      : undefined,
  ),
  "sets-rsv1-on-pong": sends("sets RSV1 on PONG", (frame) => (frame.opcode === "pong" ? [{ ...frame, rsv: 4 }] : undefined)),
  "never-pongs": sends("answers no PING but that which asks last", (frame) =>
    frame.opcode === "pong" && !(frame.hex ?? "").startsWith("66656e6365") ? [] : undefined,
  ),
  "pongs-empty": sends("answers PINGs without their payload", (frame) =>
    frame.opcode === "pong" && !(frame.hex ?? "").startsWith("66656e6365") ? [{ opcode: "pong" }] : undefined,
  ),
  "pongs-twice": sends("answers PINGs twice", (frame) => (frame.opcode === "pong" ? [frame, frame] : undefined)),
  "pongs-once": sends("answers the first PING only, and that which asks last", (frame, peer) =>
    frame.opcode === "pong" && peer.came.of(9).length > 1 && !(frame.hex ?? "").startsWith("66656e6365") ? [] : undefined,
  ),
  "pings-each-time": sends("sends a PING with every message", (frame) => (isData(frame) ? [frame, { opcode: "ping" }] : undefined)),
  "pongs-late": {
    about: "answers PINGs when the message is whole",
    meets: (frame, { came }) => (frame.opcode === 9 && came.inMessage ? "ignore" : undefined),
  },
  "pongs-in-fragments": sends("sends PONG in fragments", (frame) =>
    frame.opcode === "pong" ? [{ ...frame, fin: false }, { opcode: "continuation" }] : undefined,
  ),
  "sends-behind-close": sends("sends a message behind its Close frame", (frame) =>
    frame.opcode === "close" ? [frame, { opcode: "text", text: "and another thing" }] : undefined,
  ),

  // Closing.
  "closes-with-1002": { about: "answers every Close frame with 1002", closes: { code: 1002 } },
  "closes-with-1005": { about: "answers every Close frame with 1005", closes: { code: 1005 } },
  "closes-without-code": { about: "answers Close frames without a code", closes: { code: "none" } },
  "closes-in-latin-1": sends("has a reason in Latin-1 in its Close frame", (frame) =>
    frame.opcode === "close" ? [{ opcode: "close", hex: "03e863616665e9" }] : undefined,
  ),
  "reads-behind-close": { about: "echoes messages after a Close frame", closes: { late: true } },
  "never-ends": { about: "keeps the connection open after the Close frames", closes: { stays: true } },
  "answers-no-close": {
    about: "ends the connection on a Close frame without a response",
    meets: ({ opcode }) => (opcode === 8 ? "drop" : undefined),
  },
  "dies-when-left": { about: "stops serving when a client leaves without a Close frame", dies: true },

  // The response to the handshake.
  "wants-mixed-keys": refuses("takes no key that is one letter over and over", ({ fields }) =>
    /^(.)\1+==$/.test(valueOf(fields, "sec-websocket-key") ?? "") ? 400 : undefined,
  ),
  "accepts-wrongly": answers("answers every key with the same accept value", ({ fields }) =>
    setField(fields, "Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
  ),
  "announces-content": answers("announces content behind 101", ({ fields }) => void fields.push(["Content-Length", "0"])),
  "upgrades-to-others": answers("says that it goes over to h2c", ({ status, fields }) =>
    status === 101 ? setField(fields, "Upgrade", "h2c") : undefined,
  ),
  "chooses-its-own-protocol": answers("chooses a sub-protocol that nobody offered", ({ status, fields }) =>
    status === 101 ? setField(fields, PROTOCOL, "mine") : undefined,
  ),
  "chooses-every-protocol": answers("chooses every sub-protocol that is offered", ({ fields }, request) => {
    const offered = membersOf(request.fields, "sec-websocket-protocol");
    if (offered.length > 1) setField(fields, PROTOCOL, offered.join(", "));
  }),
  "knows-no-versions": refuses("answers 400 to other versions, and says of none that it is understood", ({ fields }) =>
    valueOf(fields, "sec-websocket-version") === "13" ? undefined : 400,
  ),
  "wants-an-origin": refuses("takes no handshake without Origin but the plainest", (request) =>
    valueOf(request.fields, "user-agent") !== undefined && valueOf(request.fields, "origin") === undefined ? 403 : undefined,
  ),
  "crashes-on-origins": refuses("answers 500 to Origin", ({ fields }) => (valueOf(fields, "origin") === undefined ? undefined : 500)),
  "repeats-fields": answers("writes what it agrees to in two fields", ({ fields }) => {
    fields.push(...fields.filter(([name]) => name === EXTENSIONS || name === PROTOCOL));
  }),
  "declines-no-takeover": answers("compresses, but not where the client wants no context takeover", ({ fields }, request) => {
    if (membersOf(request.fields, "sec-websocket-extensions").some((one) => one.includes("server_no_context_takeover")))
      setField(fields, EXTENSIONS, undefined);
  }),
  "resets-at-the-end": { about: "ends connections with a reset after the Close frames", closes: { resets: true } },
  "extends-unasked": answers("lists permessage-deflate, whether or not it was offered", ({ status, fields }) =>
    status === 101 ? setField(fields, EXTENSIONS, "permessage-deflate") : undefined,
  ),
  "repeats-extensions": answers("lists every extension that is offered as it stands", ({ status, fields }, request) => {
    const offered = valueOf(request.fields, "sec-websocket-extensions");
    if (status === 101 && offered !== undefined) setField(fields, EXTENSIONS, offered === "" ? "x" : offered);
  }),
};

/** Its response to an offer of permessage-deflate. */
const DEFLATE_FLAWS: Readonly<Record<string, WebSocketFlaw>> = {
  "takes-over-all-the-same": { about: "refers to earlier messages although it agreed not to", deflate: { takesOver: true } },
  "keeps-its-window": { about: "refers further back than it agreed to", deflate: { windowBits: 15 } },
  "forgets-its-window": { about: "inflates every message on its own", deflate: { forgets: true } },
  "answers-a-larger-window": answers("answers with a window of 15 bits whatever was offered", ({ fields }, request) => {
    if (offersDeflate(request)) setField(fields, EXTENSIONS, "permessage-deflate; server_max_window_bits=15");
  }),
  "answers-a-window-of-7": answers("answers with a window of 7 bits", ({ fields }, request) => {
    if (offersDeflate(request)) setField(fields, EXTENSIONS, "permessage-deflate; server_max_window_bits=7");
  }),
  "answers-a-client-window": answers("limits the client's window although that was not offered", ({ fields }, request) => {
    if (offersDeflate(request)) setField(fields, EXTENSIONS, "permessage-deflate; client_max_window_bits=10");
  }),
  "answers-what-nobody-knows": answers("answers with an unknown parameter", ({ fields }, request) => {
    if (offersDeflate(request)) setField(fields, EXTENSIONS, "permessage-deflate; touchstone");
  }),
  "sends-rsv1-uncompressed": sends("sets RSV1 on what is not compressed", (frame) =>
    isData(frame) ? [{ opcode: frame.opcode, hex: frame.hex ?? "", rsv: 4 }] : undefined,
  ),
  "knows-no-stored-blocks": rejects(
    "takes no blocks without compression",
    ({ rsv, payload: [head = 1] }) => rsv === 4 && ((head >> 1) & 3) === 0,
  ),
  "knows-no-fixed-blocks": rejects(
    "takes no blocks with fixed codes",
    ({ rsv, payload: [head = 1] }) => rsv === 4 && ((head >> 1) & 3) === 1,
  ),
  "gives-back-garbled": {
    about: "garbles compressed messages",
    echoes: (message) => [message.compressed ? { ...message, payload: fromLatin1("garbled") } : message],
  },
  "gives-back-only-compressed": {
    about: "does not echo uncompressed messages after negotiating compression",
    echoes: (message, { came }) => (message.compressed || came.deflate === undefined ? [message] : []),
  },
  "ends-with-the-last-block": meets("gives up behind a block that is the last", (_, { came }) =>
    came.messages.slice(0, -1).some(({ inflated }) => inflated?.final === true) ? "drop" : undefined,
  ),
};

/** Flaws only in the stream that carries it over HTTP/2 or HTTP/3. */
const STREAM_FLAWS: Readonly<Record<string, WebSocketFlaw>> = {
  "announces-no-connect": { about: "accepts extended CONNECT without having announced it", streams: { announces: false } },
  "answers-with-connection-fields": {
    about: "answers over streams as over HTTP/1.1, with Upgrade, Connection and the accept value",
    streams: { answers: (fields) => void fields.push(["upgrade", "websocket"], ["connection", "Upgrade"], ["sec-websocket-accept", "?"]) },
  },
  "wants-no-key": {
    about: "refuses an extended CONNECT with a key",
    streams: { refuses: (fields) => fields.has("sec-websocket-key") },
  },
  "resets-streams": { about: "resets its streams", streams: { resets: true } },
  "holds-streams": { about: "does not end a stream that the client has ended", streams: { holds: true } },
  "ends-all-with-one": { about: "ends the connection with the first of its streams", streams: { takesAllAlong: true } },
};

Object.assign(WEBSOCKET_SERVER_FLAWS, DEFLATE_FLAWS, STREAM_FLAWS);
