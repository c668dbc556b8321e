import { skipAscii, Utf8Check } from "../core/index.ts";
import { CloseCode, isCloseCode } from "./close-code.ts";
import { CONTROL_OCTETS, HEAD_OCTETS, Opcode, REFUSED, SHORT } from "./frame.ts";
import { mask, NOT_ASCII, rotateKey } from "./mask.ts";
import { isUtf8, wholeMessage } from "./message.ts";
import type { Session } from "./session.ts";
import { Input, State, step } from "./state.ts";

/** Octets from the peer, as far as they go (rfc6455#6.2): heads, payloads, and what follows from each frame. */

const NO_PAYLOAD = new Uint8Array(0);

/**
 * Takes what the peer has sent, cut anywhere; payloads are unmasked where they lie, and a frame that is not whole yet is remembered in the
 * session. Never throws.
 */
export function receive(s: Session, octets: Uint8Array): void {
  const end = octets.length;
  let at = 0;
  // Nothing is looked at that comes behind the peer's Close.
  while (s.state <= State.closing && !s.isCloseOwed) {
    if (s.left < 0) {
      at = readHead(s, octets, at, end);
      if (s.left < 0) return;
    } else if (at === end) return;
    const { opcode } = s.head;
    if (opcode >= Opcode.close) at = readControl(s, octets, at, end);
    else if (s.isInMessage || s.left > end - at || !s.head.fin || s.head.rsv1 || s.telling.asFragments) at = readPiece(s, octets, at, end);
    else at = readWhole(s, octets, at);
  }
}

/** Reads a head, which may have come in part before; `left` is what follows it, or still -1. Gives where it ends. */
function readHead(s: Session, octets: Uint8Array, at: number, end: number): number {
  const { head, stashed } = s;
  let size: number;
  let from = at;
  if (stashed === 0) {
    size = head.read(octets, at, end);
    if (size === SHORT) {
      if (at === end) return end;
      if (s.stash.length === 0) s.stash = new Uint8Array(CONTROL_OCTETS);
      s.stash.set(octets.subarray(at, end), 0);
      s.stashed = end - at;
      return end;
    }
  } else {
    const more = Math.min(end - at, HEAD_OCTETS - stashed);
    s.stash.set(octets.subarray(at, at + more), stashed);
    size = head.read(s.stash, 0, stashed + more);
    if (size === SHORT) {
      s.stashed = stashed + more;
      return end;
    }
    from = at - stashed;
    s.stashed = 0;
  }
  if (size === REFUSED) {
    s.fail(head.fault);
    return end;
  }
  if (!beginFrame(s)) return end;
  s.left = head.length;
  s.key = head.key;
  return from + size;
}

/** What a head says, against what came before it. */
function beginFrame(s: Session): boolean {
  const { head, limits } = s;
  const { opcode } = head;
  if (opcode >= Opcode.close) {
    if (head.rsv1) return refuse(s, "compressedBitMisplaced");
    return opcode === Opcode.close || spendControl(s) || refuse(s, "tooManyControls");
  }
  if (opcode === Opcode.continuation) {
    if (!s.isInMessage) return refuse(s, "continuationUnexpected");
    if (head.rsv1) return refuse(s, "compressedBitMisplaced");
    if (++s.incoming.frames >= limits.frames) return refuse(s, "tooManyFrames");
    return !s.incoming.isBeyond(head.length) || refuse(s, "messageTooLarge");
  }
  if (s.isInMessage) return refuse(s, "messageInterrupted");
  return head.length <= limits.messageOctets || refuse(s, "messageTooLarge");
}
function refuse(s: Session, name: Parameters<Session["fail"]>[0]): false {
  s.fail(name);
  return false;
}
/** Pings and pongs have a budget, which is not asked what time it is before it is empty. */
function spendControl(s: Session): boolean {
  if (s.controlsLeft < 1) {
    const { controls, controlsPerSecond } = s.limits;
    s.controlsLeft = Math.min(controls, s.controlsLeft + ((s.now - s.controlsSince) * controlsPerSecond) / 1_000);
    s.controlsSince = s.now;
    if (s.controlsLeft < 1) return false;
  }
  s.controlsLeft--;
  return true;
}

/** A message in one frame that is all there: the usual case. */
function readWhole(s: Session, octets: Uint8Array, at: number): number {
  const to = at + s.left;
  const isText = s.head.opcode === Opcode.text;
  const isAscii = unmask(s, octets, at, to, isText);
  s.left = -1;
  const payload = octets.subarray(at, to);
  if (isText && !isAscii) {
    const check = new Utf8Check();
    if (!isUtf8(check, payload) || !check.isWhole) {
      s.fail("textInvalid");
      return to;
    }
  }
  s.emit(wholeMessage(payload, isText, isAscii, s.telling.asOctets));
  return to;
}

/** What is there of the payload of a data frame, which may be all of it, or nothing where it is empty. */
function readPiece(s: Session, octets: Uint8Array, at: number, end: number): number {
  const { head, incoming } = s;
  if (!s.isInMessage) {
    s.isInMessage = true;
    incoming.begin(head.opcode === Opcode.text, head.rsv1 ? s.inflater : undefined);
  }
  incoming.announced = s.left;
  const to = at + Math.min(s.left, end - at);
  const isAscii = unmask(s, octets, at, to, true);
  s.left -= to - at;
  const isFrameEnd = s.left === 0;
  const isEnd = isFrameEnd && head.fin;
  const wrong = incoming.piece(octets.subarray(at, to), isAscii, isEnd);
  if (wrong !== undefined) {
    s.fail(wrong);
    return to;
  }
  if (isFrameEnd) s.left = -1;
  if (isEnd) s.isInMessage = false;
  return to;
}

/** Unmasks in place where the peer masks; tells, where it is asked, whether all of it is ASCII. */
function unmask(s: Session, octets: Uint8Array, from: number, to: number, asksAscii: boolean): boolean {
  if (s.side === "client") return asksAscii && skipAscii(octets, from, to) === to;
  const seen = mask(octets, from, to, s.key);
  if (to - from < s.left) s.key = rotateKey(s.key, to - from);
  return (seen & NOT_ASCII) === 0;
}

/** A control frame, which is looked at when it is whole. */
function readControl(s: Session, octets: Uint8Array, at: number, end: number): number {
  const { stashed, left } = s;
  const there = Math.min(left, end - at);
  const to = at + there;
  if (there < left) {
    if (s.stash.length === 0) s.stash = new Uint8Array(CONTROL_OCTETS);
    s.stash.set(octets.subarray(at, to), stashed);
    s.stashed = stashed + there;
    s.left = left - there;
    return to;
  }
  let payload: Uint8Array = NO_PAYLOAD;
  if (stashed > 0) {
    payload = s.stash.slice(0, stashed + there);
    payload.set(octets.subarray(at, to), stashed);
    s.stashed = 0;
  } else if (there > 0) payload = octets.subarray(at, to);
  s.left = -1;
  if (s.side === "server") mask(payload, 0, payload.length, s.key);
  switch (s.head.opcode) {
    case Opcode.ping:
      takePing(s, payload);
      break;
    case Opcode.pong:
      s.emit({ is: "pong", data: payload });
      break;
    default:
      takeClose(s, payload);
  }
  return to;
}

function takePing(s: Session, payload: Uint8Array): void {
  s.emit({ is: "ping", data: payload });
  if (s.pongs < s.limits.pongs) {
    s.pongs++;
    s.control(Opcode.pong, payload);
  } else s.lastPing = payload;
}

function takeClose(s: Session, payload: Uint8Array): void {
  const { length } = payload;
  if (length === 1) return s.fail("closeTooShort");
  if (length === 0) s.code = CloseCode.noStatus;
  else {
    const code = (payload[0]! << 8) | payload[1]!;
    if (!isCloseCode(code)) return s.fail("closeCodeInvalid");
    const check = new Utf8Check();
    if (!check.push(payload, 2, length) || !check.isWhole) return s.fail("closeReasonInvalid");
    s.code = code;
    s.reason = Buffer.prototype.utf8Slice.call(payload, 2, length);
  }
  s.since = s.now;
  s.isSinceUnsure = false;
  // What the owner has to say to messages before it may go first (rfc6455#5.5.1).
  s.isCloseOwed = s.state === State.open && s.hasNews;
  s.emit({ is: "closing", code: s.code, reason: s.reason });
  return s.isCloseOwed ? undefined : answerClose(s);
}

/** Says our Close, where that is not done; a server's connection is then over. */
export function answerClose(s: Session): void {
  const { code } = s;
  s.isCloseOwed = false;
  // What is owed to pings before it goes first; the answer has the code that came (rfc6455#5.5.1).
  s.settlePing();
  if (s.state === State.open) s.writeClose(code === CloseCode.noStatus ? undefined : code, "");
  s.state = step(s.state, Input["receive close"]) as State;
  // The server ends the transport at once, the client lets it (rfc6455#7.1.1).
  if (s.side === "server") return s.finish();
  return undefined;
}
