import { Reader, type Instant } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import {
  FrameType,
  isAckEliciting,
  isProbing,
  readFrame,
  type Ack,
  type Frame,
  type PacketType,
  type Stream as StreamFrame,
} from "../frame/index.ts";
import type { Address } from "../path/path.ts";
import type { SpaceName } from "../recovery/recovery.ts";
import type { StreamId } from "../stream-id.ts";
import type { Stream } from "../stream/streams.ts";
import { closedByPeer } from "./closing.ts";
import { acknowledged, lost, settle } from "./delivered.ts";
import { confirm, drainHandshake, LEVEL_OF } from "./handshaking.ts";
import type { Space } from "./space.ts";
import type { State } from "./state.ts";

/** The packet that carries the frames. */
export type Packet = {
  readonly type: PacketType;
  readonly number: number;
  readonly destination: Uint8Array;
  readonly from: Address;
  /** The octets of its datagram. */
  readonly size: number;
};

export const spaceNameOf = (type: PacketType): SpaceName => (type === "0-RTT" || type === "1-RTT" ? "application" : type);

/** Handles all frames of a packet. `elicits`: it has to be acknowledged; `isProbe`: it only probes a path. */
export function handleFrames(
  state: State,
  packet: Packet,
  payload: Uint8Array,
  now: Instant,
): { readonly elicits: boolean; readonly isProbe: boolean } | Fault {
  if (payload.length === 0) return fault("packetWithoutFrames");
  const reader = new Reader(payload);
  let elicits = false;
  let isProbe = true;
  while (reader.left > 0 && state.closed === undefined) {
    const frame = readFrame(reader, packet.type);
    if (frame.is === "fault") return frame;
    if (frame.is === "PADDING") continue;
    elicits ||= isAckEliciting(frame.is);
    isProbe &&= isProbing(frame.is);
    const wrong = handle(state, frame, packet, now);
    if (wrong !== undefined) return wrong;
  }
  return { elicits, isProbe };
}

function handle(state: State, frame: Frame, packet: Packet, now: Instant): Fault | undefined {
  switch (frame.is) {
    case "PADDING":
    case "PING":
      return undefined;
    case "ACK":
      return onAck(state, frame, spaceNameOf(packet.type), now);
    case "CRYPTO":
      return onCrypto(state, state.spaces[spaceNameOf(packet.type)], frame, now);
    case "STREAM":
      return onStream(state, frame);
    case "RESET_STREAM":
      return onReset(state, frame);
    case "STOP_SENDING":
      return onStop(state, frame);
    case "MAX_DATA":
      if (state.streams.sendCredit.raise(frame.max))
        for (const { id, send } of state.streams.all) if ((send?.unsent ?? 0) > 0) state.streams.touch(id);
      return undefined;
    case "MAX_STREAM_DATA":
      return onStreamOf(
        state,
        frame.stream,
        { part: "send", unopened: "maxStreamDataOnUnopened", wrongWay: "maxStreamDataOnReceiveOnly", frame: 0x11 },
        ({ id, send }) => {
          if (send?.credit.raise(frame.max) === true) state.streams.touch(id);
          return undefined;
        },
      );
    case "MAX_STREAMS":
      if (state.streams.raiseStreams(frame.direction, frame.max)) state.events.push({ is: "streams", direction: frame.direction });
      return undefined;
    case "DATA_BLOCKED":
    case "STREAMS_BLOCKED":
      return undefined;
    case "STREAM_DATA_BLOCKED":
      return onStreamOf(
        state,
        frame.stream,
        { part: "recv", unopened: "streamDataBlockedOnUnopened", wrongWay: "streamDataBlockedOnSendOnly", frame: 0x15 },
        () => undefined,
      );
    case "NEW_CONNECTION_ID": {
      const wrong = state.peerIds.add(frame);
      for (const sequence of state.peerIds.takeRetirements()) state.control.push({ is: "RETIRE_CONNECTION_ID", sequence });
      return wrong;
    }
    case "RETIRE_CONNECTION_ID":
      return state.issued.retire(frame.sequence, packet.destination);
    case "PATH_CHALLENGE":
      // More challenges than answers that may wait are ignored: a peer repeats them (rfc9000#8.2.2).
      if (state.responses.length < state.limits.pathResponses)
        state.responses.push({ data: frame.data.slice(), to: packet.from, room: 3 * packet.size });
      return undefined;
    case "PATH_RESPONSE":
      if (!state.path.isValidated && state.path.answers(frame.data)) {
        state.path.validate();
        state.formerPath = undefined;
        state.events.push({ is: "migrated", remote: state.path.remote });
      }
      return undefined;
    case "NEW_TOKEN":
      if (state.side === "server") return fault("newTokenByClient", FrameType.NEW_TOKEN);
      state.events.push({ is: "token", token: frame.token.slice() });
      return undefined;
    case "HANDSHAKE_DONE":
      if (state.side === "server") return fault("handshakeDoneByClient", FrameType.HANDSHAKE_DONE);
      confirm(state);
      return undefined;
    case "CONNECTION_CLOSE":
      closedByPeer(state, frame, now);
      return undefined;
    case "DATAGRAM":
      return onDatagram(state, frame.data);
  }
}

function onAck(state: State, frame: Ack, name: SpaceName, now: Instant): Fault | undefined {
  const exponent = name === "application" ? (state.peer?.ack_delay_exponent ?? 3) : 3;
  const delayMs = (frame.delay * 2 ** exponent) / 1_000;
  const outcome = state.recovery.acknowledge(name, frame, delayMs, { now, situation: state.situation });
  if ("is" in outcome) return { ...outcome, frame: frame.ecn === undefined ? FrameType.ACK : FrameType.ACK_ECN };
  if (name === "handshake" && outcome.acknowledged.length > 0) state.isHandshakeAcknowledged = true;
  acknowledged(state, name, outcome.acknowledged);
  lost(state, name, outcome.lost);
  return undefined;
}

function onCrypto(
  state: State,
  space: Space | undefined,
  { offset, data }: { readonly offset: number; readonly data: Uint8Array },
  now: Instant,
): Fault | undefined {
  if (space === undefined) return undefined;
  const { cryptoIn } = space;
  if (offset + data.length - cryptoIn.next > state.limits.cryptoOctets) return fault("cryptoBufferExceeded", FrameType.CRYPTO);
  const pieces = cryptoIn.push(offset, data);
  if (pieces !== undefined) return fault("cryptoBufferExceeded", FrameType.CRYPTO);
  for (let octets = cryptoIn.pull(); octets !== undefined; octets = cryptoIn.pull()) {
    const wrong = drainHandshake(state, state.handshake.receive(LEVEL_OF[space.name], octets, now), now);
    if (wrong !== undefined) return { ...wrong, frame: FrameType.CRYPTO };
    if (state.isOver) return undefined;
  }
  return undefined;
}

type Misplaced = Parameters<State["streams"]["forFrame"]>[2] & { readonly part: "send" | "recv"; readonly frame: number };

/** Finds the stream of a frame, and reports those that it opens. */
function onStreamOf(state: State, id: StreamId, misplaced: Misplaced, act: (stream: Stream) => Fault | undefined): Fault | undefined {
  const found = state.streams.forFrame(id, misplaced.part, misplaced, misplaced.frame);
  if ("is" in found) return found;
  for (const { id: opened } of found.opened) state.events.push({ is: "opened", stream: opened });
  const wrong = found.stream === undefined ? undefined : act(found.stream);
  return wrong === undefined ? undefined : { ...wrong, frame: misplaced.frame };
}

function onStream(state: State, frame: StreamFrame): Fault | undefined {
  return onStreamOf(
    state,
    frame.stream,
    { part: "recv", unopened: "streamOnUnopened", wrongWay: "streamOnSendOnly", frame: FrameType.STREAM },
    ({ id, recv }) => {
      const wrong = recv!.receive(frame, state.streams.receiveCredit);
      if (wrong !== undefined) return wrong;
      for (let arrival = recv!.pull(); arrival !== undefined; arrival = recv!.pull())
        state.events.push({ is: "data", stream: id, ...arrival });
      settle(state, id);
      return undefined;
    },
  );
}

function onReset(state: State, { stream, code, finalSize }: Extract<Frame, { readonly is: "RESET_STREAM" }>): Fault | undefined {
  return onStreamOf(
    state,
    stream,
    { part: "recv", unopened: "streamOnUnopened", wrongWay: "resetStreamOnSendOnly", frame: FrameType.RESET_STREAM },
    ({ id, recv }) => {
      const wrong = recv!.reset(code, finalSize, state.streams.receiveCredit);
      if (wrong !== undefined) return wrong;
      const reason = recv!.pullReset();
      if (reason !== undefined) state.events.push({ is: "reset", stream: id, code: reason });
      settle(state, id);
      return undefined;
    },
  );
}

function onStop(state: State, { stream, code }: Extract<Frame, { readonly is: "STOP_SENDING" }>): Fault | undefined {
  return onStreamOf(
    state,
    stream,
    { part: "send", unopened: "stopSendingOnUnopened", wrongWay: "stopSendingOnReceiveOnly", frame: FrameType.STOP_SENDING },
    ({ id, send }) => {
      if (!send!.reset(code)) return undefined;
      state.streams.touch(id);
      state.events.push({ is: "stopped", stream: id, code });
      return undefined;
    },
  );
}

function onDatagram(state: State, data: Uint8Array): Fault | undefined {
  const most = state.begin.parameters.max_datagram_frame_size;
  if (most === 0) return fault("datagramUnwanted", FrameType.DATAGRAM);
  // The limit counts the type and the length (rfc9221#3).
  if (data.length + 1 > most) return fault("datagramTooLarge", FrameType.DATAGRAM);
  state.events.push({ is: "datagram", octets: data.slice() });
  return undefined;
}
