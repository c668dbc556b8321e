import { Writer, type Field } from "../core/index.ts";
import { fail } from "./endings.ts";
import type { Endpoint } from "./endpoint.ts";
import { FrameType, HEAD_LENGTH } from "./frame/head.ts";
import * as settings from "./frame/settings.ts";
import { begin, onRequest } from "./receive/block.ts";
import { applySettings, settingsFrame } from "./settings/values.ts";
import { INITIAL_SETTINGS, type Settings } from "./settings/table.ts";
import { CONNECTION, streamId, type StreamId } from "./stream/id.ts";
import { Input } from "./stream/state.ts";
import { Stream } from "./stream/streams.ts";

/** A connection that began in HTTP/1.1: its first request was sent there, and is stream 1 here (rfc7540#3.2). */
export type Upgraded = {
  /** Server: the value of HTTP2-Settings, the payload of a SETTINGS frame (rfc7540#3.2.1). */
  readonly settings?: Uint8Array;
  /** The request in the form of HTTP/2, pseudo-fields first. It has no content. */
  readonly fields: readonly Field[];
};

const FIRST: StreamId = streamId(1);

/** Settings as HTTP2-Settings carries them: the payload of a frame that announces them. */
export function offered(ours: Settings): Uint8Array {
  const w = new Writer();
  settings.write(w, { is: "SETTINGS", ack: false, settings: settingsFrame(INITIAL_SETTINGS, ours) });
  return w.take().subarray(HEAD_LENGTH);
}

/**
 * The server applies the settings as if they had come in a frame, without an acknowledgement, since 101 was one; then it has the request.
 * It does so after the client's preface: some clients fail if more than 32 KiB arrive together with 101.
 */
export function acceptUpgrade(e: Endpoint, { settings: payload = new Uint8Array(0), fields }: Upgraded): void {
  const frame = settings.read({ length: payload.length, type: FrameType.SETTINGS, flags: 0, stream: CONNECTION }, payload);
  const next = frame.is === "fault" ? frame : applySettings(e.settings.peer, frame.settings, { from: "client", isFirst: true });
  if ("is" in next) return fail(e, next);
  e.settings.receive(next);
  e.encoder.maxTableSize = next.headerTableSize;
  return onRequest(e, begin(e, { stream: FIRST, endStream: true }), { is: "fields", fields });
}

/** The client has sent its request already: the settings that came with it hold, and stream 1 awaits a response. */
export function adoptUpgrade(e: Endpoint, announced: Settings, { fields }: Upgraded): void {
  e.settings.adopt(announced);
  e.check.request(fields, false);
  const stream = new Stream(FIRST, e.settings.peer.initialWindowSize);
  stream.isHead = e.check.method === "HEAD";
  stream.hasSentHead = true;
  e.streams.advance(FIRST, Input["send HEADERS"], stream);
  e.streams.advance(FIRST, Input["send END_STREAM"], stream);
}
