import { parsePriority } from "../../http/index.ts";
import { charge, fail, finish, goodbye, receiveAbsent, release } from "../endings.ts";
import type { Endpoint } from "../endpoint.ts";
import { errorCode } from "../error-code.ts";
import { fault } from "../faults.ts";
import { widen } from "../flow/window.ts";
import * as goaway from "../frame/goaway.ts";
import { FrameType, type Head } from "../frame/head.ts";
import * as ping from "../frame/ping.ts";
import * as priorityUpdate from "../frame/priority-update.ts";
import * as priority from "../frame/priority.ts";
import * as rstStream from "../frame/rst-stream.ts";
import * as settings from "../frame/settings.ts";
import * as windowUpdate from "../frame/window-update.ts";
import { onContinuation, onHeaders, onPushPromise } from "./block.ts";
import { receiveData } from "./data.ts";
import { schedule } from "../send/content.ts";
import { SettingId } from "../settings/table.ts";
import { applySettings } from "../settings/values.ts";
import { CONNECTION } from "../stream/id.ts";
import { Input, isClosed, refusal, State } from "../stream/state.ts";

/** Handlers of the frames that manage streams and the connection. `block.ts` and `data.ts` have those that carry messages. */

/** One complete frame within the size limit. Its form is judged first, then the state it meets. */
export function receiveFrame(e: Endpoint, head: Head, payload: Uint8Array): void {
  if (e.block !== undefined && e.block.isInterruptedBy(head)) return fail(e, fault("blockInterrupted"));
  switch (head.type) {
    case FrameType.DATA:
      return receiveData(e, head, payload);
    case FrameType.HEADERS:
      return onHeaders(e, head, payload);
    case FrameType.PUSH_PROMISE:
      return onPushPromise(e, head, payload);
    case FrameType.CONTINUATION:
      return onContinuation(e, head, payload);
    case FrameType.PRIORITY:
      return onPriority(e, head, payload);
    case FrameType.RST_STREAM:
      return onRstStream(e, head, payload);
    case FrameType.SETTINGS:
      return onSettings(e, head, payload);
    case FrameType.PING:
      return onPing(e, head, payload);
    case FrameType.GOAWAY:
      return onGoaway(e, head, payload);
    case FrameType.WINDOW_UPDATE:
      return onWindowUpdate(e, head, payload);
    case FrameType.PRIORITY_UPDATE:
      return onPriorityUpdate(e, head, payload);
    default:
      // ALTSVC, ORIGIN and unknown types are ignored (rfc9113#5.5).
      charge(e, "unknownFrames");
  }
}

function onPriority(e: Endpoint, head: Head, payload: Uint8Array): void {
  const frame = priority.read(head, payload);
  if (frame.is === "fault") return fail(e, frame);
  const { stream, priority: weights } = frame;
  // `priorityOnItself` says why this is still refused. On a closed stream it does not matter.
  const isOver = isClosed(e.streams.stateOf(stream));
  if (weights.dependsOn === stream && e.settings.heedsWeights && !isOver) return fail(e, fault("priorityOnItself", stream));
  charge(e, "priorities");
}

function onRstStream(e: Endpoint, head: Head, payload: Uint8Array): void {
  const frame = rstStream.read(head, payload);
  if (frame.is === "fault") return fail(e, frame);
  const { stream: id } = frame;
  const stream = e.streams.find(id);
  if (stream === undefined) return receiveAbsent(e, id, Input["recv RST_STREAM"]);
  const code = errorCode(frame.code);
  // The response is complete, and the server does not need the rest of the request (rfc9113#8.1).
  const isHarmless = stream.state === State.halfClosedRemote && code === "NO_ERROR" && e.side === "client";
  e.streams.advance(id, Input["recv RST_STREAM"], stream);
  if (isHarmless) finish(e, stream);
  else {
    release(e, stream);
    e.emit({ is: "reset", stream: id, code, by: "peer" });
  }
  if (!e.streams.isOurs(id)) charge(e, "resets");
}

function onSettings(e: Endpoint, head: Head, payload: Uint8Array): void {
  const frame = settings.read(head, payload);
  if (frame.is === "fault") return fail(e, frame);
  if (frame.ack) return onSettingsAck(e);
  const isFirst = !e.settings.peerHasSpoken;
  // The first frame is mandatory; only later ones can be too many.
  if (!isFirst && charge(e, "settings")) return undefined;
  e.settings.heard();
  const before = e.settings.peer;
  const next = applySettings(before, frame.settings, { from: e.side === "server" ? "client" : "server", isFirst });
  if ("is" in next) return fail(e, next);
  e.settings.receive(next);
  const delta = next.initialWindowSize - before.initialWindowSize;
  if (delta !== 0 && !moveSendWindows(e, delta)) return fail(e, fault("initialWindowOverflowsStream"));
  // Each value in turn: the encoder signals the smallest before the last (rfc7541#4.2).
  for (const { id, value } of frame.settings) if (id === SettingId.HEADER_TABLE_SIZE) e.encoder.maxTableSize = value;
  settings.write(e.out, { is: "SETTINGS", ack: true, settings: [] });
  e.emit({ is: "settings", settings: next });
  e.madeRoom();
}

/** A new initial size moves every window by the difference, if need be below zero (rfc9113#6.9.2). */
function moveSendWindows(e: Endpoint, delta: number): boolean {
  for (const stream of e.streams) {
    const window = widen(stream.sendWindow, delta);
    if (window === undefined) return false;
    stream.sendWindow = window;
    schedule(e, stream);
  }
  return true;
}

/** The oldest settings that we announced hold from now on (rfc9113#6.5.3). */
function onSettingsAck(e: Endpoint): void {
  const acknowledged = e.settings.acknowledged();
  if (acknowledged === undefined) return fail(e, fault("settingsAckUnasked"));
  const { before, sentAt } = acknowledged;
  const { local } = e.settings;
  const delta = local.initialWindowSize - before.initialWindowSize;
  if (delta !== 0) moveReceiveWindows(e, delta);
  if (local.headerTableSize !== before.headerTableSize) e.decoder.maxTableSize = local.headerTableSize;
  e.credit.sample(e.now - sentAt);
  e.emit({ is: "settingsAcknowledged" });
}

/** Moves the windows of streams that have received content. What was too little to announce may be half of a smaller window. */
function moveReceiveWindows(e: Endpoint, delta: number): void {
  for (const stream of e.streams) {
    stream.inbound?.shift(delta);
    e.credit.giveStream(stream, 0, e.now);
  }
}

function onPing(e: Endpoint, head: Head, payload: Uint8Array): void {
  const frame = ping.read(head, payload);
  if (frame.is === "fault") return fail(e, frame);
  if (!frame.ack) {
    if (e.pings?.received(e.now, e.streams.size) === false) return fail(e, fault("tooManyPings"));
    if (!charge(e, "pings")) ping.write(e.out, { is: "PING", ack: true, data: frame.data });
    return undefined;
  }
  if (e.shutdown.isAwaited(frame.data)) return goodbye(e, "NO_ERROR");
  e.emit({ is: "pong", data: frame.data.slice() });
  charge(e, "pings");
}

function onGoaway(e: Endpoint, head: Head, payload: Uint8Array): void {
  const frame = goaway.read(head, payload);
  if (frame.is === "fault") return fail(e, frame);
  if (!e.shutdown.receive(frame.last)) return fail(e, fault("goawayLastRises"));
  if (charge(e, "unknownFrames")) return undefined;
  e.emit({ is: "goaway", code: frame.code, last: frame.last, debug: frame.debug.slice() });
  // Requests that the peer has not processed may be sent again elsewhere (rfc9113#8.7).
  for (const stream of e.streams) {
    const { id } = stream;
    if (!e.streams.isOurs(id) || id <= frame.last) continue;
    e.streams.advance(id, Input["recv GOAWAY"], stream);
    release(e, stream);
    e.emit({ is: "reset", stream: id, code: "REFUSED_STREAM", by: "peer" });
  }
  return e.madeRoom();
}

function onWindowUpdate(e: Endpoint, head: Head, payload: Uint8Array): void {
  const frame = windowUpdate.read(head, payload);
  if (frame.is === "fault") return fail(e, frame);
  if (charge(e, "windowUpdates")) return undefined;
  const { stream: id, increment } = frame;
  if (id === CONNECTION) {
    if (!e.credit.widen(increment)) fail(e, fault("windowOverflow"));
    return undefined;
  }
  const stream = e.streams.find(id);
  if (stream === undefined) return receiveAbsent(e, id, Input["recv WINDOW_UPDATE"]);
  const wrong = refusal(e.streams.advance(id, Input["recv WINDOW_UPDATE"], stream));
  if (wrong !== undefined) return fail(e, fault(wrong, id));
  const window = widen(stream.sendWindow, increment);
  if (window === undefined) return fail(e, fault("windowOverflow", id));
  stream.sendWindow = window;
  if (window > 0) schedule(e, stream);
  return undefined;
}

/** A client's wish for the priority of a response, perhaps before its request (rfc9218#7.1). */
function onPriorityUpdate(e: Endpoint, head: Head, payload: Uint8Array): void {
  const frame = priorityUpdate.read(head, payload);
  if (frame.is === "fault") return fail(e, frame);
  if (e.side === "client") return fail(e, fault("priorityUpdateByServer"));
  if (charge(e, "priorities")) return undefined;
  const { prioritized: id } = frame;
  const wanted = parsePriority(frame.value);
  const stream = e.streams.find(id);
  if (stream !== undefined) return e.priorities.change(stream, wanted);
  if (!e.streams.isIdle(id)) return undefined;
  if (e.streams.isOurs(id)) return fail(e, fault("priorityUpdateOfIdlePush"));
  if (e.priorities.keep(id, wanted) + e.streams.openByPeer > e.settings.maxStreams) return fail(e, fault("priorityUpdateOfTooMany"));
  return undefined;
}
