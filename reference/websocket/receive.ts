import { Utf8Check } from "../core/index.ts";
import { CloseCode, isCloseCode } from "./close-code.ts";
import type { Endpoint } from "./endpoint.ts";
import type { FaultName } from "./faults.ts";
import { Opcode, REFUSED, SHORT } from "./frame.ts";
import { formOf, isUtf8, wholeMessage } from "./message.ts";
import { Input, step } from "./state.ts";

const NO_PAYLOAD = new Uint8Array(0);

/**
 * Reads what the peer has sent, cut anywhere: heads, payloads, and what follows from each frame (rfc6455#6.2). It unmasks payloads where
 * they lie, and remembers an incomplete frame. It never throws.
 */
export function receive(e: Endpoint, octets: Uint8Array): void {
  const { reader } = e;
  const end = octets.length;
  let at = 0;
  // Nothing after the peer's Close is read.
  while (step(e.state, Input["receive data"]) >= 0 && !e.isCloseOwed) {
    if (reader.left < 0) {
      const from = reader.readHead(octets, at, end);
      if (from === SHORT) return;
      if (from === REFUSED) return e.fail(reader.fault);
      const wrong = judgeHead(e);
      if (wrong !== undefined) return e.fail(wrong);
      reader.beginPayload();
      at = from;
    } else if (at === end) return;
    const to = Math.min(end, at + reader.left);
    const payload = at === to ? NO_PAYLOAD : octets.subarray(at, to);
    const isWhole = reader.fin && payload.length === reader.left;
    if (reader.opcode >= Opcode.close) readControl(e, payload);
    else if (!isWhole || reader.isInMessage || reader.rsv1 || e.delivery.asFragments) readPiece(e, payload);
    else readWhole(e, payload);
    at = to;
  }
}

/** What is wrong with a head after the frames before it. */
function judgeHead(e: Endpoint): FaultName | undefined {
  const { reader, limits } = e;
  const { opcode, rsv1, length } = reader;
  if (opcode >= Opcode.close) {
    if (rsv1) return "compressedBitMisplaced";
    return opcode === Opcode.close || e.controls.spend(e.clock.now) ? undefined : "tooManyControls";
  }
  if (opcode === Opcode.continuation) {
    if (!reader.isInMessage) return "continuationUnexpected";
    if (rsv1) return "compressedBitMisplaced";
    if (e.message.countFrame() >= limits.frames) return "tooManyFrames";
    return e.message.exceeds(length) ? "messageTooLarge" : undefined;
  }
  if (reader.isInMessage) return "messageInterrupted";
  return length > limits.messageOctets ? "messageTooLarge" : undefined;
}

/** A message in one frame that has arrived complete: the usual case. */
function readWhole(e: Endpoint, payload: Uint8Array): void {
  const { reader } = e;
  const isText = reader.opcode === Opcode.text;
  const isAscii = reader.unmask(payload, isText);
  reader.endFrame();
  if (isText && !isAscii) {
    const check = new Utf8Check();
    if (!isUtf8(check, payload) || !check.isWhole) return e.fail("textInvalid");
  }
  return e.emit(wholeMessage(payload, formOf(isText, isAscii, e.delivery)));
}

/** What has arrived of a data frame's payload: all of it, a part, or nothing if it is empty. */
function readPiece(e: Endpoint, payload: Uint8Array): void {
  const { reader, message } = e;
  if (!reader.isInMessage) {
    reader.beginMessage();
    message.begin(reader.opcode === Opcode.text, reader.rsv1 ? e.compression?.inflater : undefined);
  }
  message.announce(reader.left);
  const isAscii = reader.unmask(payload, true);
  const isFrameEnd = reader.left === 0;
  const isEnd = isFrameEnd && reader.fin;
  const wrong = message.piece(payload, isAscii, isEnd);
  if (wrong !== undefined) return e.fail(wrong);
  if (isFrameEnd) reader.endFrame();
  if (isEnd) reader.endMessage();
  return undefined;
}

/** A control frame, which is read once it is complete. */
function readControl(e: Endpoint, octets: Uint8Array): void {
  const { opcode } = e.reader;
  const payload = e.reader.control(octets);
  if (payload === undefined) return undefined;
  switch (opcode) {
    case Opcode.ping:
      e.emit({ is: "ping", data: payload });
      return e.answerPing(payload);
    case Opcode.pong:
      return e.emit({ is: "pong", data: payload });
    default:
      return readClose(e, payload);
  }
}

function readClose(e: Endpoint, payload: Uint8Array): void {
  const { length } = payload;
  if (length === 1) return e.fail("closeTooShort");
  if (length === 0) return e.receiveClose(CloseCode.noStatus, "");
  const code = (payload[0]! << 8) | payload[1]!;
  if (!isCloseCode(code)) return e.fail("closeCodeInvalid");
  const check = new Utf8Check();
  if (!check.push(payload, 2, length) || !check.isWhole) return e.fail("closeReasonInvalid");
  return e.receiveClose(code, Buffer.prototype.utf8Slice.call(payload, 2, length));
}
