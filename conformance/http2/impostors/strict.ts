import type { ErrorName } from "../vocabulary.ts";
import { DEFAULTS } from "../../wire/http2/numbers.ts";
import type { ReadFrame } from "../../wire/http2/read.ts";
import type { Fields, Peer } from "./peer.ts";

/** An error and its scope. */
export type Broken = { readonly scope: "connection" | "stream"; readonly code: ErrorName };

const connection = (code: ErrorName): Broken => ({ scope: "connection", code });
const stream = (code: ErrorName): Broken => ({ scope: "stream", code });

const ON_STREAM = new Set(["DATA", "HEADERS", "PRIORITY", "RST_STREAM", "PUSH_PROMISE", "CONTINUATION"]);
const ON_CONNECTION = new Set(["SETTINGS", "PING", "GOAWAY"]);
const LENGTHS: Readonly<Record<string, number>> = { PRIORITY: 5, RST_STREAM: 4, PING: 8, WINDOW_UPDATE: 4 };
const MOST = 0x7fff_ffff;

/** The error that a single frame shows. Peers that report the wrong code use it to know when an error is due. */
export function brokenBy(frame: ReadFrame, peer: Peer, fields: Fields | undefined): Broken | undefined {
  return layout(frame) ?? settings(frame) ?? windows(frame, peer) ?? message(fields);
}

function layout(frame: ReadFrame): Broken | undefined {
  const { type, length } = frame;
  if (length > DEFAULTS.maxFrameSize) return connection("FRAME_SIZE_ERROR");
  if (ON_STREAM.has(type) && frame.stream === 0) return connection("PROTOCOL_ERROR");
  if (ON_CONNECTION.has(type) && frame.stream !== 0) return connection("PROTOCOL_ERROR");
  const wanted = LENGTHS[type];
  if (wanted !== undefined && length !== wanted) return type === "PRIORITY" ? stream("FRAME_SIZE_ERROR") : connection("FRAME_SIZE_ERROR");
  if (type === "GOAWAY" && length < 8) return connection("FRAME_SIZE_ERROR");
  if (type === "SETTINGS" && (length % 6 !== 0 || (frame.ack === true && length > 0))) return connection("FRAME_SIZE_ERROR");
  if (type === "PRIORITY_UPDATE") return connection("PROTOCOL_ERROR");
  return frame.problem === undefined ? undefined : connection("PROTOCOL_ERROR");
}

function settings(frame: ReadFrame): Broken | undefined {
  for (const [name, value] of frame.settings ?? []) {
    if (name === "ENABLE_PUSH" && value > 0) return connection("PROTOCOL_ERROR");
    if (name === "INITIAL_WINDOW_SIZE" && value > MOST) return connection("FLOW_CONTROL_ERROR");
    if (name === "MAX_FRAME_SIZE" && (value < DEFAULTS.maxFrameSize || value > 0xff_ffff)) return connection("PROTOCOL_ERROR");
  }
  return undefined;
}

function windows(frame: ReadFrame, peer: Peer): Broken | undefined {
  if (frame.type !== "WINDOW_UPDATE" || frame.increment === undefined) return undefined;
  const reach = frame.stream === 0 ? connection : stream;
  if (frame.increment === 0) return reach("PROTOCOL_ERROR");
  const size = frame.stream === 0 ? peer.sendWindows.connection : peer.sendWindows.stream(frame.stream);
  return size + frame.increment > MOST ? reach("FLOW_CONTROL_ERROR") : undefined;
}

function message(fields: Fields | undefined): Broken | undefined {
  if (fields === undefined) return undefined;
  if (fields.problem !== undefined) return connection("COMPRESSION_ERROR");
  // oxlint-disable-next-line no-control-regex
  const odd = fields.fields.some(([name, value]) => /[\x00-\x20A-Z\x7f-\xff]/.test(name) || /[\x00\r\n]|^[ \t]|[ \t]$/.test(value));
  if (odd || fields.fields.some(([name, value]) => name === ":status" && (!/^\d{3}$/.test(value) || value === "101")))
    return stream("PROTOCOL_ERROR");
  return undefined;
}
