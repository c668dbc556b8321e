import { isSizeProbe, type Carried, type SentPacket } from "../recovery/sent.ts";
import type { SpaceName } from "../recovery/recovery.ts";
import type { StreamId } from "../stream-id.ts";
import type { State } from "./state.ts";

/** What follows for the content of packets that were acknowledged, or lost (rfc9000#13.3). */

export function acknowledged(state: State, name: SpaceName, packets: readonly SentPacket[]): void {
  for (const packet of packets) {
    if (name === "application") state.phases?.acknowledged(packet.number);
    state.path.sizes.note(packet.octets, false, state.now);
    for (const carried of packet.carried) acknowledgedOne(state, name, carried);
  }
}

function acknowledgedOne(state: State, name: SpaceName, carried: Carried): void {
  switch (carried.is) {
    case "octets of a stream": {
      const send = state.streams.find(carried.stream)?.send;
      if (send === undefined) return;
      send.acknowledged(carried.from, carried.to, carried.fin);
      if (state.full.has(carried.stream) && send.waiting <= state.limits.highWater / 2) {
        state.full.delete(carried.stream);
        if (send.isWritable) state.events.push({ is: "writable", stream: carried.stream });
      }
      settle(state, carried.stream);
      return;
    }
    case "octets of the handshake":
      state.spaces[name]?.cryptoOut.acknowledge(carried.from, carried.to);
      return;
    case "acknowledgment":
      state.spaces[name]?.acks.confirmed(carried.largest);
      return;
    case "RESET_STREAM":
      state.streams.find(carried.stream)?.send?.resetAcknowledged();
      settle(state, carried.stream);
      return;
    case "RETIRE_CONNECTION_ID":
      state.peerIds.acknowledged(carried.sequence);
      return;
    case "size":
      if (state.path.sizes.arrived(carried.octets)) state.recovery.resize(carried.octets);
  }
}

export function lost(state: State, name: SpaceName, packets: readonly SentPacket[]): void {
  for (const packet of packets) {
    state.begin.observer?.({ is: "lost", type: name, number: packet.number }, state.now);
    if (!packet.isRepeated) repeat(state, name, [packet]);
  }
}

/** The content of packets has to be sent again: they are lost, or a probe goes ahead of that (rfc9002#6.2.4). */
export function repeat(state: State, name: SpaceName, packets: readonly SentPacket[]): void {
  for (const packet of packets) {
    if (!isSizeProbe(packet) && state.path.sizes.note(packet.octets, true, state.now)) state.recovery.resize(state.path.sizes.size);
    for (const carried of packet.carried) lostOne(state, name, carried);
  }
}

function lostOne(state: State, name: SpaceName, carried: Carried): void {
  switch (carried.is) {
    case "octets of a stream":
      state.streams.find(carried.stream)?.send?.lost(carried.from, carried.to, carried.fin);
      state.streams.touch(carried.stream);
      return;
    case "octets of the handshake":
      state.spaces[name]?.cryptoOut.lose(carried.from, carried.to);
      return;
    case "size":
      state.path.sizes.missing(carried.octets, state.now);
      return;
    case "RESET_STREAM":
      state.streams.find(carried.stream)?.send?.resetSent(false);
      state.streams.touch(carried.stream);
      return;
    case "STOP_SENDING":
      state.streams.find(carried.stream)?.recv?.stopSent(false);
      state.streams.touch(carried.stream);
      return;
    case "MAX_DATA":
      state.streams.receiveCredit.lose();
      return;
    case "MAX_STREAM_DATA":
      state.streams.find(carried.stream)?.recv?.credit.lose();
      state.streams.touch(carried.stream);
      return;
    case "MAX_STREAMS":
      state.streams.loseStreams(carried.direction);
      return;
    case "DATA_BLOCKED":
      state.streams.sendCredit.lose();
      return;
    case "STREAM_DATA_BLOCKED":
      state.streams.find(carried.stream)?.send?.credit.lose();
      state.streams.touch(carried.stream);
      return;
    case "NEW_CONNECTION_ID":
      if (state.issued.isActive(carried.sequence)) state.control.push(carried);
      return;
    case "RETIRE_CONNECTION_ID":
    case "NEW_TOKEN":
    case "HANDSHAKE_DONE":
      state.control.push(carried);
  }
}

/** Forgets a stream if both of its parts are done. */
export function settle(state: State, id: StreamId): void {
  if (state.streams.forgetIfDone(id)) {
    state.full.delete(id);
    state.events.push({ is: "done", stream: id });
  }
}
