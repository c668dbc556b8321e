import { parsePriority } from "../http/index.ts";
import { errorCode } from "./error-code.ts";
import { fault } from "./faults.ts";
import { widen } from "./flow-window.ts";
import * as goaway from "./frame/goaway.ts";
import { FrameType, type Head } from "./frame/head.ts";
import * as ping from "./frame/ping.ts";
import * as priorityUpdate from "./frame/priority-update.ts";
import * as priority from "./frame/priority.ts";
import * as rstStream from "./frame/rst-stream.ts";
import * as settings from "./frame/settings.ts";
import * as windowUpdate from "./frame/window-update.ts";
import { onContinuation, onHeaders, onPushPromise } from "./receive-block.ts";
import { receiveData } from "./receive-data.ts";
import type { Session } from "./session.ts";
import { applySettings, type Settings } from "./settings.ts";
import { Closed, Input, refusal, step } from "./stream-state.ts";
import { Phase } from "./streams.ts";

/** Handlers of the frames that manage streams and the connection; those that carry messages are in `receive-block.ts` and `receive-data.ts`. */

/** One frame, whole and within the size limit. Form first, then the state that it meets. */
export function receiveFrame(s: Session, head: Head, payload: Uint8Array): void {
  if (s.block !== undefined && s.block.interruptedBy(head, FrameType.CONTINUATION)) return s.fail(fault("blockInterrupted"));
  switch (head.type) {
    case FrameType.DATA:
      return receiveData(s, head, payload);
    case FrameType.HEADERS:
      return onHeaders(s, head, payload);
    case FrameType.PUSH_PROMISE:
      return onPushPromise(s, head, payload);
    case FrameType.CONTINUATION:
      return onContinuation(s, head, payload);
    case FrameType.PRIORITY:
      return onPriority(s, head, payload);
    case FrameType.RST_STREAM:
      return onRstStream(s, head, payload);
    case FrameType.SETTINGS:
      return onSettings(s, head, payload);
    case FrameType.PING:
      return onPing(s, head, payload);
    case FrameType.GOAWAY:
      return onGoaway(s, head, payload);
    case FrameType.WINDOW_UPDATE:
      return onWindowUpdate(s, head, payload);
    case FrameType.PRIORITY_UPDATE:
      return onPriorityUpdate(s, head, payload);
    default:
      // ALTSVC, ORIGIN and what nobody here knows say nothing to this endpoint (rfc9113#5.5).
      s.charge("unknownFrames");
  }
}

function onPriority(s: Session, head: Head, payload: Uint8Array): void {
  const frame = priority.read(head, payload);
  if (frame.is === "fault") return s.fail(frame);
  const { stream, priority: weights } = frame;
  // `priorityOnItself` says why this is still refused. A stream that has ended is past caring.
  const isOver = s.streams.find(stream) === undefined && !s.streams.isIdle(stream);
  if (weights.dependsOn === stream && s.heedsWeights && !isOver) return s.fail(fault("priorityOnItself", stream));
  s.charge("priorities");
}

function onRstStream(s: Session, head: Head, payload: Uint8Array): void {
  const frame = rstStream.read(head, payload);
  if (frame.is === "fault") return s.fail(frame);
  const stream = s.streams.find(frame.stream);
  if (stream === undefined) return s.late(frame.stream, "RST_STREAM");
  const code = errorCode(frame.code);
  // The response is complete: the reset only says that the rest of the request is not needed (rfc9113#8.1).
  const isSpare = stream.incoming === Phase.over && code === "NO_ERROR" && s.side === "client";
  s.closeStream(stream, Closed.resetByPeer);
  s.emit(isSpare ? { is: "done", stream: frame.stream } : { is: "reset", stream: frame.stream, code, by: "peer" });
  if (!s.streams.isOurs(frame.stream)) s.charge("resets");
}

function onSettings(s: Session, head: Head, payload: Uint8Array): void {
  const frame = settings.read(head, payload);
  if (frame.is === "fault") return s.fail(frame);
  if (frame.ack) return onSettingsAck(s);
  const isFirst = !s.peerHasSpoken;
  // The first are owed; only what follows can be too much.
  if (!isFirst && s.charge("settings")) return undefined;
  s.peerHasSpoken = true;
  const next = applySettings(s.peer, frame.settings, s.side === "server" ? "client" : "server", isFirst);
  if ("is" in next) return s.fail(next);
  const before = s.peer;
  s.peer = next;
  const delta = next.initialWindowSize - before.initialWindowSize;
  if (delta !== 0 && !moveSendWindows(s, delta)) return s.fail(fault("initialWindowOverflowsStream"));
  if (next.headerTableSize !== before.headerTableSize) s.encoder.maxTableSize = Math.min(next.headerTableSize, s.limits.encoderTable);
  settings.write(s.out, { is: "SETTINGS", ack: true, settings: [] });
  s.emit({ is: "settings", settings: next });
  if (s.onRoom !== undefined) s.onRoom();
}

/** A new initial size moves every window by the difference, below zero where need be (rfc9113#6.9.2). */
function moveSendWindows(s: Session, delta: number): boolean {
  for (const stream of s.streams) {
    const window = widen(stream.sendWindow, delta);
    if (window === undefined) return false;
    stream.sendWindow = window;
    s.schedule(stream);
  }
  return true;
}

/** The oldest settings that we announced hold from now on (rfc9113#6.5.3). */
function onSettingsAck(s: Session): void {
  const oldest = s.unacknowledged.shift();
  if (oldest === undefined) return s.fail(fault("settingsAckUnasked"));
  const before: Settings = s.local;
  s.local = oldest.settings;
  const delta = s.local.initialWindowSize - before.initialWindowSize;
  if (delta !== 0) moveReceiveWindows(s, delta);
  if (s.local.headerTableSize !== before.headerTableSize) s.decoder.maxTableSize = s.local.headerTableSize;
  s.tune?.sample(s.now - oldest.sentAt);
  s.emit({ is: "settingsAcknowledged" });
}

/** The windows of streams that have received content; credit that was too little to announce may be half of a smaller window. */
function moveReceiveWindows(s: Session, delta: number): void {
  for (const stream of s.streams) {
    stream.inbound?.shift(delta);
    s.giveStream(stream, 0);
  }
}

function onPing(s: Session, head: Head, payload: Uint8Array): void {
  const frame = ping.read(head, payload);
  if (frame.is === "fault") return s.fail(frame);
  if (frame.ack) {
    if (s.farewellPing !== undefined && isSame(s.farewellPing, frame.data)) return s.finishFarewell();
    s.emit({ is: "pong", data: frame.data.slice() });
    s.charge("pings");
  } else if (!s.charge("pings")) ping.write(s.out, { is: "PING", ack: true, data: frame.data });
}
const isSame = (one: Uint8Array, other: Uint8Array): boolean => one.every((octet, at) => octet === other[at]);

function onGoaway(s: Session, head: Head, payload: Uint8Array): void {
  const frame = goaway.read(head, payload);
  if (frame.is === "fault") return s.fail(frame);
  if (frame.last > s.admittedByPeer) return s.fail(fault("goawayLastRises"));
  if (s.charge("unknownFrames")) return undefined;
  s.admittedByPeer = frame.last;
  s.peerSaidGoodbye = true;
  s.emit({ is: "goaway", code: frame.code, last: frame.last, debug: frame.debug.slice() });
  // What the peer has not looked at may be sent again elsewhere (rfc9113#8.7).
  for (const stream of s.streams) {
    if (!s.streams.isOurs(stream.id) || stream.id <= frame.last) continue;
    s.closeStream(stream, Closed.resetByPeer);
    s.emit({ is: "reset", stream: stream.id, code: "REFUSED_STREAM", by: "peer" });
  }
  if (s.onRoom !== undefined) s.onRoom();
  return undefined;
}

function onWindowUpdate(s: Session, head: Head, payload: Uint8Array): void {
  const frame = windowUpdate.read(head, payload);
  if (frame.is === "fault") return s.fail(frame);
  if (s.charge("windowUpdates")) return undefined;
  if (frame.stream === 0) {
    const window = widen(s.sendWindow, frame.increment);
    if (window === undefined) return s.fail(fault("windowOverflow"));
    s.sendWindow = window;
    return undefined;
  }
  const stream = s.streams.find(frame.stream);
  if (stream === undefined) return s.late(frame.stream, "WINDOW_UPDATE");
  const next = step(stream.state, Input["recv WINDOW_UPDATE"]);
  if (next < 0) return s.fail(fault(refusal(next), frame.stream));
  const window = widen(stream.sendWindow, frame.increment);
  if (window === undefined) return s.fail(fault("windowOverflow", frame.stream));
  stream.sendWindow = window;
  if (window > 0 && stream.outbound !== undefined) s.schedule(stream);
  return undefined;
}

/** rfc9218#7.1: the latest word on a response's priority, perhaps before its request. */
function onPriorityUpdate(s: Session, head: Head, payload: Uint8Array): void {
  const frame = priorityUpdate.read(head, payload);
  if (frame.is === "fault") return s.fail(frame);
  if (s.side === "client") return s.fail(fault("priorityUpdateByServer"));
  if (s.charge("priorities")) return undefined;
  const { prioritized: id } = frame;
  const stream = s.streams.find(id);
  if (stream !== undefined) return s.prioritize(stream, parsePriority(frame.value));
  if (!s.streams.isIdle(id)) return undefined;
  if (s.streams.isOurs(id)) return s.fail(fault("priorityUpdateOfIdlePush"));
  if (!s.foretell(id, parsePriority(frame.value))) return s.fail(fault("priorityUpdateOfTooMany"));
  return undefined;
}
