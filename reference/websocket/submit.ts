import { Misuse, Utf8Check } from "../core/index.ts";
import { CloseCode, isCloseCode } from "./close-code.ts";
import type { Kind } from "./contract.ts";
import { THRESHOLD } from "./deflate.ts";
import { CONTROL_OCTETS, firstOctet, Opcode, writeHead } from "./frame.ts";
import { mask } from "./mask.ts";
import { isUtf8 } from "./message.ts";
import { answerClose } from "./receive.ts";
import type { Session } from "./session.ts";
import { Input, MISUSE, State, step } from "./state.ts";

/**
 * What the owner asks for, a function an action. What the owner could have known throws `Misuse`, and nothing is written then; what it
 * could not know (the peer has just closed) is let pass in silence, since the event that says so is on its way.
 */

const NOTHING = new Uint8Array(0);
/** Strings up to this length are looked at character by character, in the hope that they are ASCII. */
const SHORT_TEXT = 256;
/** The longest reason: a control frame's payload without the code. */
const REASON_OCTETS = CONTROL_OCTETS - 2;

/** Whether the action may be done now. */
function may(s: Session, input: Input): boolean {
  const next = step(s.state, input);
  if (next === MISUSE) throw new Misuse("the connection is being closed by `close`: nothing may be sent behind a Close (rfc6455#5.5.1)");
  return next >= 0;
}
function mayBegin(s: Session): boolean {
  if (!may(s, Input["send data"])) return false;
  if (s.sending !== "none") throw new Misuse("a message is being sent in fragments: end it before the next one begins (rfc6455#5.4)");
  return hasRoom(s);
}
/** Who does not read is not written to without end. */
function hasRoom(s: Session): boolean {
  if (s.output.length <= s.limits.queuedOctets) return true;
  s.output.take();
  s.fail("readerSlow");
  return false;
}
/** What an action that sends returns. */
function isBelowMark(s: Session): boolean {
  if (s.output.length <= s.limits.highWater) return true;
  s.isWaiting = true;
  return false;
}

/**
 * One frame, compressed where that was agreed on and pays; false: wait for `writable`. `Misuse` behind our Close, or amid a message in
 * fragments (rfc6455#5.4).
 */
export function binary(s: Session, data: Uint8Array): boolean {
  if (!mayBegin(s)) return false;
  frame(s, Opcode.binary, data, true, isCompressed(s, data.length));
  return isBelowMark(s);
}
/** The same of text; octets that are no UTF-8 are `Misuse`, and half a surrogate pair in a string becomes U+FFFD (rfc6455#5.6). */
export function text(s: Session, data: string | Uint8Array): boolean {
  if (typeof data !== "string") {
    mustBeText(data);
    if (!mayBegin(s)) return false;
    frame(s, Opcode.text, data, true, isCompressed(s, data.length));
    return isBelowMark(s);
  }
  if (!mayBegin(s)) return false;
  if (data.length > SHORT_TEXT || isCompressed(s, data.length) || !shortAscii(s, data)) {
    const octets = Buffer.from(data);
    frame(s, Opcode.text, octets, true, isCompressed(s, octets.length));
  }
  return isBelowMark(s);
}
/**
 * One frame of a message (rfc6455#5.4), whose kind and compression are settled by the first; characters may be cut across fragments, and
 * what is no UTF-8 is `Misuse`.
 */
export function fragment(s: Session, kind: Kind, data: Uint8Array, end: boolean): boolean {
  if (!may(s, Input["send data"])) return false;
  const isFirst = s.sending === "none";
  const check = isFirst ? (kind === "text" ? new Utf8Check() : undefined) : s.sendingText?.copy();
  if (check !== undefined) mustGoOn(check, data, end);
  if (!hasRoom(s)) return false;
  s.sendingText = check;
  if (isFirst) s.sending = s.deflate === undefined ? "plain" : "compressed";
  const opcode = isFirst ? Opcode[kind] : Opcode.continuation;
  frame(s, opcode, data, end, s.sending === "compressed");
  if (end) s.sending = "none";
  return isBelowMark(s);
}
function mustBeText(octets: Uint8Array): void {
  mustGoOn(new Utf8Check(), octets, true);
}
function mustGoOn(check: Utf8Check, octets: Uint8Array, end: boolean): void {
  if (isUtf8(check, octets) && (!end || check.isWhole)) return;
  throw new Misuse("the octets are no UTF-8: send them as binary, or give a string");
}
function isCompressed(s: Session, length: number): boolean {
  return s.deflate !== undefined && length >= (s.deflate.threshold ?? THRESHOLD);
}

/** A short text of ASCII goes straight behind its head; false, and nothing is written, where it is not ASCII. */
function shortAscii(s: Session, data: string): boolean {
  const { length } = data;
  const key = s.key4();
  const w = s.output.writer;
  const before = w.length;
  writeHead(w, firstOctet(Opcode.text, true), length, key);
  const from = w.claim(length);
  const { octets } = w;
  for (let i = 0; i < length; i++) {
    const code = data.charCodeAt(i);
    if (code >= 0x80) {
      w.rewind(before);
      return false;
    }
    octets[from + i] = code;
  }
  if (key !== undefined) mask(octets, from, from + length, key);
  return true;
}

/** One data frame. `opcode` is not a continuation where the message begins: RSV1 stands on that frame alone (rfc7692#6). */
function frame(s: Session, opcode: Opcode, data: Uint8Array, fin: boolean, isCompressed: boolean): void {
  const payload = isCompressed ? s.deflater.deflate(data, fin) : data;
  const key = s.key4();
  const { output } = s;
  const w = output.writer;
  const { length } = payload;
  writeHead(w, firstOctet(opcode, fin, isCompressed && opcode !== Opcode.continuation), length, key);
  if (key === undefined) return output.add(payload);
  // Never in place: the octets are the caller's.
  const at = w.claim(length);
  w.octets.set(payload, at);
  mask(w.octets, at, at + length, key);
  return undefined;
}

/** Asks for a pong with the same data, 125 octets at most (rfc6455#5.5.2); more of them is `Misuse`, and so is any behind our Close. */
export function ping(s: Session, data: Uint8Array = NOTHING): void {
  mustFit(data);
  if (may(s, Input["send ping"]) && hasRoom(s)) s.control(Opcode.ping, data);
}
/** A sign of life that no ping has asked for, 125 octets at most (rfc6455#5.5.3); beyond that `Misuse`. */
export function pong(s: Session, data: Uint8Array = NOTHING): void {
  mustFit(data);
  if (may(s, Input["send pong"]) && hasRoom(s)) s.control(Opcode.pong, data);
}
function mustFit(data: Uint8Array): void {
  if (data.length > CONTROL_OCTETS)
    throw new Misuse(`a ping or pong has at most ${CONTROL_OCTETS} octets, these are ${data.length} (rfc6455#5.5)`);
}

/**
 * Begins the closing handshake, or answers the peer's Close if that is still owed (rfc6455#7.1.2); a code or reason that may not be sent is
 * `Misuse`, a second call does nothing.
 */
export function close(s: Session, code: number | undefined, reason: string): void {
  if (code !== undefined && !isCloseCode(code))
    throw new Misuse(`${code} is no code for a Close: give 1000, another that is defined, or 3000 to 4999 (rfc6455#7.4)`);
  if (code === undefined && reason !== "") throw new Misuse("a reason goes with a code (rfc6455#5.5.1)");
  if (Buffer.byteLength(reason) > REASON_OCTETS) throw new Misuse(`a reason has at most ${REASON_OCTETS} octets of UTF-8 (rfc6455#5.5)`);
  if (s.state !== State.open) return;
  if (s.isCloseOwed) return answerClose(s);
  s.settlePing();
  s.writeClose(code, reason);
  s.state = step(s.state, Input["send close"]) as State;
  s.since = s.now;
  s.isSinceUnsure = true;
}
/** Close with 1001, as who is about to leave says it (rfc6455#7.4.1). */
export function shutdown(s: Session): void {
  close(s, CloseCode.goingAway, "");
}
/** Over at once: nothing more is written, and `closed` tells 1006 unless the peer's Close had come. */
export function abort(s: Session): void {
  if (step(s.state, Input.abort) < 0) return;
  // A Close that was still to be taken will not have been sent.
  const isClean = s.state === State.closed && s.output.length === 0;
  s.output.take();
  s.finish(undefined, isClean);
}
/** Puts the answer to the peer's Close off, where one is owed, until `releaseClose` or the deadline of `closeMs`. */
export function holdClose(s: Session): void {
  s.isCloseHeld = s.isCloseOwed;
}
/** The answer that was held back leaves with the next `take` or `events`. */
export function releaseClose(s: Session): void {
  s.isCloseHeld = false;
}
/** While nothing is read the peer cannot be heard, and so it is not asked for signs of life either. */
export function pause(s: Session): void {
  s.isPaused = true;
}
/** The peer's silence is counted anew. */
export function resume(s: Session): void {
  if (!s.isPaused) return;
  s.isPaused = false;
  s.isHeardUnsure = true;
}
