import { Misuse, Utf8Check } from "../core/index.ts";
import { CloseCode, isCloseCode } from "./close-code.ts";
import type { Compression } from "./compression.ts";
import type { Kind } from "./contract.ts";
import type { Endpoint } from "./endpoint.ts";
import { CONTROL_OCTETS, Opcode } from "./frame.ts";
import { isUtf8 } from "./message.ts";
import { Input, MISUSE, State, step } from "./state.ts";

/**
 * The owner's actions, a function each. A mistake that the owner could avoid throws `Misuse`, and nothing is written. An action that comes
 * too late (the peer has just closed) is ignored: the event that explains why is on its way.
 */

const NOTHING = new Uint8Array(0);
/** Strings up to this length are first written character by character, since most are ASCII. */
const SHORT_TEXT = 256;
/** The longest reason: a control frame's payload without the code. */
const REASON_OCTETS = CONTROL_OCTETS - 2;

/** Whether the state allows the input. */
function may(e: Endpoint, input: Input): boolean {
  const next = step(e.state, input);
  if (next === MISUSE) throw new Misuse("`close` was called: nothing may be sent after a Close (rfc6455#5.5.1)");
  return next >= 0;
}
function mayBegin(e: Endpoint): boolean {
  if (!may(e, Input["send data"])) return false;
  if (e.fragments !== undefined) throw new Misuse("end the message in fragments before you send another (rfc6455#5.4)");
  return mayQueue(e);
}
/** False if the peer reads too slowly, which ends the connection. */
function mayQueue(e: Endpoint): boolean {
  const { output } = e;
  if (output.length <= e.limits.queuedOctets) return true;
  output.take();
  e.fail("readerSlow");
  return false;
}

/**
 * Sends one frame, compressed if that was agreed and pays; false: wait for `writable`. After our Close, or within a message in fragments
 * (rfc6455#5.4), it is `Misuse`.
 */
export function binary(e: Endpoint, data: Uint8Array): boolean {
  if (!mayBegin(e)) return false;
  e.output.data(Opcode.binary, data, true, compressionFor(e, data.length));
  return e.hasRoom();
}
/** The same for text. Octets that are not UTF-8 are `Misuse`; an unpaired surrogate in a string becomes U+FFFD (rfc6455#5.6). */
export function text(e: Endpoint, data: string | Uint8Array): boolean {
  const isString = typeof data === "string";
  if (!isString) mustBeUtf8(new Utf8Check(), data, true);
  if (!mayBegin(e)) return false;
  const isShort = isString && data.length <= SHORT_TEXT && compressionFor(e, data.length) === undefined;
  if (!isShort || !e.output.asciiText(data)) {
    const octets = isString ? Buffer.from(data) : data;
    e.output.data(Opcode.text, octets, true, compressionFor(e, octets.length));
  }
  return e.hasRoom();
}
/**
 * Sends one frame of a message (rfc6455#5.4), whose first fragment decides on its kind and compression. Text may be cut within a
 * character; text that is not UTF-8 is `Misuse`.
 */
export function fragment(e: Endpoint, kind: Kind, data: Uint8Array, end: boolean): boolean {
  if (!may(e, Input["send data"])) return false;
  const before = e.fragments;
  // A copy, so that a refused fragment leaves the check as it was.
  const check = before === undefined ? (kind === "text" ? new Utf8Check() : undefined) : before.check?.copy();
  if (check !== undefined) mustBeUtf8(check, data, end);
  if (!mayQueue(e)) return false;
  const compression = before === undefined ? e.compression : before.compression;
  e.fragments = end ? undefined : { compression, check };
  e.output.data(before === undefined ? Opcode[kind] : Opcode.continuation, data, end, compression);
  return e.hasRoom();
}
function mustBeUtf8(check: Utf8Check, octets: Uint8Array, end: boolean): void {
  if (isUtf8(check, octets) && (!end || check.isWhole)) return;
  throw new Misuse("the octets are not UTF-8: send them as binary, or give a string");
}
function compressionFor({ compression }: Endpoint, length: number): Compression | undefined {
  return compression?.pays(length) === true ? compression : undefined;
}

/** Sends a ping with at most 125 octets (rfc6455#5.5.2); more octets, or a ping after our Close, are `Misuse`. */
export function ping(e: Endpoint, data: Uint8Array = NOTHING): void {
  mustFit(data);
  if (may(e, Input["send ping"]) && mayQueue(e)) e.output.control(Opcode.ping, data);
}
/** Sends an unsolicited pong with at most 125 octets (rfc6455#5.5.3); more are `Misuse`. */
export function pong(e: Endpoint, data: Uint8Array = NOTHING): void {
  mustFit(data);
  if (may(e, Input["send pong"]) && mayQueue(e)) e.output.control(Opcode.pong, data);
}
function mustFit(data: Uint8Array): void {
  if (data.length > CONTROL_OCTETS)
    throw new Misuse(`a ping or pong has at most ${CONTROL_OCTETS} octets, not ${data.length} (rfc6455#5.5)`);
}

/**
 * Begins the closing handshake, or answers the peer's Close if that is still owed (rfc6455#7.1.2). An invalid code or reason is `Misuse`;
 * a second call does nothing.
 */
export function close(e: Endpoint, code: number | undefined, reason: string): void {
  if (code !== undefined && !isCloseCode(code))
    throw new Misuse(`${code} is not a code for a Close: give 1000, another defined code, or 3000 to 4999 (rfc6455#7.4)`);
  if (code === undefined && reason !== "") throw new Misuse("a reason needs a code (rfc6455#5.5.1)");
  if (Buffer.byteLength(reason) > REASON_OCTETS) throw new Misuse(`a reason has at most ${REASON_OCTETS} octets of UTF-8 (rfc6455#5.5)`);
  if (e.state !== State.open) return;
  if (e.isCloseOwed) e.payClose();
  else e.sendClose(code, reason);
}
/** Sends Close with 1001, "going away" (rfc6455#7.4.1). */
export function shutdown(e: Endpoint): void {
  close(e, CloseCode.goingAway, "");
}
/** Ends at once and drops what is queued; `closed` reports 1006 unless the peer's Close has arrived. */
export function abort(e: Endpoint): void {
  if (step(e.state, Input.abort) < 0) return;
  const { output } = e;
  // A Close that has not been taken will not be sent.
  const isClean = e.state === State.closed && output.length === 0;
  output.take();
  e.finish(Input.abort, undefined, isClean);
}
