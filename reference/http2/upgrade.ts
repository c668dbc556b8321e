import { Writer, type Field } from "../core/index.ts";
import { FrameType, HEAD_LENGTH } from "./frame/head.ts";
import * as settings from "./frame/settings.ts";
import { onRequest } from "./receive-block.ts";
import type { Session } from "./session.ts";
import { applySettings, INITIAL_SETTINGS, settingsFrame, type Settings } from "./settings.ts";
import { CONNECTION, nextStreamId, streamId } from "./stream-id.ts";
import { State } from "./stream-state.ts";
import { Phase, Stream } from "./streams.ts";

/** A connection that began in HTTP/1.1: its first request was sent there, and is stream 1 here (rfc7540#3.2). */
export type Upgraded = {
  /** Server: what HTTP2-Settings held, the payload of a SETTINGS frame (rfc7540#3.2.1). */
  readonly settings?: Uint8Array;
  /** The request as HTTP/2 has it, pseudo-fields first. It has no content. */
  readonly fields: readonly Field[];
};

/** Settings as HTTP2-Settings carries them: the payload of a frame that announces them. */
export function offered(ours: Settings): Uint8Array {
  const w = new Writer();
  settings.write(w, { is: "SETTINGS", ack: false, settings: settingsFrame(INITIAL_SETTINGS, ours) });
  return w.take().subarray(HEAD_LENGTH);
}

/**
 * The server takes the settings as if they had come in a frame, but for the acknowledgement, which 101 was; then the request. It does so when
 * the client's preface has come: clients have been seen to fail over more than 32 KiB that arrive together with 101.
 */
export function acceptUpgrade(s: Session, { settings: payload = new Uint8Array(0), fields }: Upgraded): void {
  const frame = settings.read({ length: payload.length, type: FrameType.SETTINGS, flags: 0, stream: CONNECTION }, payload);
  const next = frame.is === "fault" ? frame : applySettings(s.peer, frame.settings, "client", true);
  if ("is" in next) return s.fail(next);
  s.peer = next;
  s.encoder.maxTableSize = Math.min(next.headerTableSize, s.limits.encoderTable);
  return onRequest(s, streamId(1), fields, true);
}

/** The client has sent its request already: what it announced with it holds, and a response to it is awaited on stream 1. */
export function adoptUpgrade(s: Session, announced: Settings, { fields }: Upgraded): void {
  s.local = announced;
  s.check.request(fields, false);
  const stream = new Stream(nextStreamId("client", s.streams.lastByUs)!, State.halfClosedLocal, s.peer.initialWindowSize);
  stream.outgoing = Phase.over;
  stream.isHead = s.check.method === "HEAD";
  s.streams.add(stream);
}
