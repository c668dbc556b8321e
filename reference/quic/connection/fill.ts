import type { Instant } from "../../core/index.ts";
import { cryptoOverhead, fittingAck, streamOverhead, type Frame } from "../frame/index.ts";
import type { Draft } from "../packet/draft.ts";
import type { Carried } from "../recovery/sent.ts";
import type { Direction, StreamId } from "../stream-id.ts";
import type { Space } from "./space.ts";
import type { State } from "./state.ts";

/** Which frames go into a packet, and in which order. Each function adds what fits to the draft, and what it was to `carried`. */

/** A packet that is being filled. */
type Cargo = { readonly draft: Draft; readonly carried: Carried[] };
const DIRECTIONS: readonly Direction[] = Object.freeze(["bidirectional", "unidirectional"] as const);
/** A piece of a stream smaller than this waits for the next packet, if there is more than this. */
const WORTH = 64;

export function addAck(state: State, space: Space, { draft, carried }: Cargo, now: Instant): void {
  const exponent = state.begin.parameters.ack_delay_exponent;
  const ack = space.acks.frame(now, exponent);
  const fitting = ack === undefined ? undefined : fittingAck(ack, draft.room);
  if (fitting === undefined || !draft.add(fitting)) return;
  space.acks.reported();
  carried.push({ is: "acknowledgment", largest: fitting.ranges[0]!.largest });
}

export function addCrypto({ cryptoOut }: Space, draft: Draft, carried: Carried[]): void {
  for (let offset = cryptoOut.nextOffset(); offset !== undefined; offset = cryptoOut.nextOffset()) {
    const room = draft.room - cryptoOverhead(offset, draft.room);
    if (room <= 0) return;
    const chunk = cryptoOut.take(room)!;
    draft.add({ is: "CRYPTO", offset, data: chunk.octets });
    carried.push({ is: "octets of the handshake", from: offset, to: offset + chunk.octets.length });
  }
}

/** Whether the application's space has anything to send that asks for an acknowledgment. */
export function hasApplicationData(state: State): boolean {
  const { streams } = state;
  if (state.control.length > 0 || state.datagrams.length > 0 || streams.receiveCredit.hasNews) return true;
  if (DIRECTIONS.some((direction) => streams.streamNews(direction) !== undefined)) return true;
  for (const id of streams.queue) {
    if (isWaiting(state, id)) return true;
    streams.rest(id);
  }
  return false;
}

function isWaiting({ streams }: State, id: StreamId): boolean {
  const stream = streams.find(id);
  if (stream === undefined) return false;
  const { send, recv } = stream;
  return (
    send?.wantsReset !== undefined ||
    recv?.wantsStop !== undefined ||
    (recv?.isOpen === true && recv.credit.hasNews) ||
    send?.wants(streams.sendCredit) === true
  );
}

export function addApplication(state: State, draft: Draft, carried: Carried[], isEarly: boolean): void {
  addControl(state, draft, carried, isEarly);
  if (!isEarly) addCredit(state, draft, carried);
  // Datagrams do not wait for streams: their use is to be early.
  while (state.datagrams.length > 0 && draft.add({ is: "DATAGRAM", data: state.datagrams[0]! }))
    carried.push({ is: "DATAGRAM", data: state.datagrams.shift()! });
  // Turns change the queue.
  const turn = [...state.streams.queue];
  for (const id of turn) {
    if (draft.room < 8) return;
    addStream(state, id, draft, carried);
  }
  addBlocked(state, draft, carried);
}

function addControl(state: State, draft: Draft, carried: Carried[], isEarly: boolean): void {
  if (isEarly) return;
  let count = 0;
  while (count < state.control.length && draft.add(state.control[count]!)) carried.push(state.control[count++] as Carried);
  state.control.splice(0, count);
}

function put(frame: Exclude<Frame, { readonly is: "STREAM" | "CRYPTO" | "ACK" | "PADDING" }>, draft: Draft, carried: Carried[]): boolean {
  if (!draft.add(frame)) return false;
  carried.push(frame);
  return true;
}

function addCredit({ streams }: State, draft: Draft, carried: Carried[]): void {
  const { receiveCredit } = streams;
  if (receiveCredit.hasNews && put({ is: "MAX_DATA", max: receiveCredit.limit }, draft, carried)) receiveCredit.announce();
  for (const direction of DIRECTIONS) {
    const max = streams.streamNews(direction);
    if (max !== undefined && put({ is: "MAX_STREAMS", direction, max }, draft, carried)) streams.announceStreams(direction);
  }
}

function addStream(state: State, id: StreamId, draft: Draft, carried: Carried[]): void {
  const { streams } = state;
  const stream = streams.find(id);
  if (stream === undefined) return streams.rest(id);
  const { send, recv } = stream;
  const stop = recv?.wantsStop;
  if (stop !== undefined && put({ is: "STOP_SENDING", stream: id, code: stop }, draft, carried)) recv!.stopSent(true);
  if (recv?.isOpen === true && recv.credit.hasNews && put({ is: "MAX_STREAM_DATA", stream: id, max: recv.credit.limit }, draft, carried))
    recv.credit.announce();
  const reset = send?.wantsReset;
  if (reset !== undefined && put({ is: "RESET_STREAM", stream: id, ...reset }, draft, carried)) send!.resetSent(true);
  if (send?.wants(streams.sendCredit) === true) {
    const room = draft.room - streamOverhead(id, send.nextOffset, draft.room);
    if (room < Math.min(WORTH, send.unsent)) return;
    const piece = send.take(room, streams.sendCredit);
    if (piece !== undefined) {
      draft.add({ is: "STREAM", stream: id, ...piece });
      carried.push({ is: "octets of a stream", stream: id, from: piece.offset, to: piece.offset + piece.data.length, fin: piece.fin });
    }
  }
  const limit = send?.blocked();
  if (limit !== undefined) put({ is: "STREAM_DATA_BLOCKED", stream: id, limit }, draft, carried);
  if (isWaiting(state, id)) streams.rotate(id);
  else streams.rest(id);
}

function addBlocked(state: State, draft: Draft, carried: Carried[]): void {
  const { streams } = state;
  let isHeldUp = false;
  if (streams.sendCredit.left === 0) for (const { send } of streams.all) isHeldUp ||= (send?.unsent ?? 0) > 0;
  const limit = isHeldUp ? streams.sendCredit.blocked() : undefined;
  if (limit !== undefined) put({ is: "DATA_BLOCKED", limit }, draft, carried);
}
