import { Bug, type Writer } from "../../core/index.ts";
import type { Fault } from "../faults.ts";
import * as altsvc from "./altsvc.ts";
import * as continuation from "./continuation.ts";
import * as data from "./data.ts";
import * as goaway from "./goaway.ts";
import { FrameType, HEAD_LENGTH, readHead, type Head } from "./head.ts";
import * as headers from "./headers.ts";
import * as origin from "./origin.ts";
import * as ping from "./ping.ts";
import * as priorityUpdate from "./priority-update.ts";
import * as priority from "./priority.ts";
import * as pushPromise from "./push-promise.ts";
import * as rstStream from "./rst-stream.ts";
import * as settings from "./settings.ts";
import type { Unknown } from "./unknown.ts";
import * as windowUpdate from "./window-update.ts";

export type Frame =
  | data.Data
  | headers.Headers
  | priority.Priority
  | rstStream.RstStream
  | settings.SettingsFrame
  | pushPromise.PushPromise
  | ping.Ping
  | goaway.Goaway
  | windowUpdate.WindowUpdate
  | continuation.Continuation
  | altsvc.Altsvc
  | origin.Origin
  | priorityUpdate.PriorityUpdate
  | Unknown;

type Read = (head: Head, payload: Uint8Array) => Frame | Fault;
const READERS: readonly (Read | undefined)[] = (() => {
  const table: (Read | undefined)[] = Array.from({ length: FrameType.PRIORITY_UPDATE + 1 });
  table[FrameType.DATA] = data.read;
  table[FrameType.HEADERS] = headers.read;
  table[FrameType.PRIORITY] = priority.read;
  table[FrameType.RST_STREAM] = rstStream.read;
  table[FrameType.SETTINGS] = settings.read;
  table[FrameType.PUSH_PROMISE] = pushPromise.read;
  table[FrameType.PING] = ping.read;
  table[FrameType.GOAWAY] = goaway.read;
  table[FrameType.WINDOW_UPDATE] = windowUpdate.read;
  table[FrameType.CONTINUATION] = continuation.read;
  table[FrameType.ALTSVC] = altsvc.read;
  table[FrameType.ORIGIN] = origin.read;
  table[FrameType.PRIORITY_UPDATE] = priorityUpdate.read;
  return table;
})();

/** Reads one complete frame, or returns the fault in its form. Views stay valid as long as `payload`. */
export function readFrame(head: Head, payload: Uint8Array): Frame | Fault {
  const read = READERS[head.type];
  return read === undefined ? { is: "unknown", type: head.type, stream: head.stream } : read(head, payload);
}

/** Writes a frame as given, without judging whether it makes sense. */
export function writeFrame(w: Writer, frame: Frame): void {
  switch (frame.is) {
    case "DATA":
      return data.write(w, frame);
    case "HEADERS":
      return headers.write(w, frame);
    case "PRIORITY":
      return priority.write(w, frame);
    case "RST_STREAM":
      return rstStream.write(w, frame);
    case "SETTINGS":
      return settings.write(w, frame);
    case "PUSH_PROMISE":
      return pushPromise.write(w, frame);
    case "PING":
      return ping.write(w, frame);
    case "GOAWAY":
      return goaway.write(w, frame);
    case "WINDOW_UPDATE":
      return windowUpdate.write(w, frame);
    case "CONTINUATION":
      return continuation.write(w, frame);
    case "ALTSVC":
      return altsvc.write(w, frame);
    case "ORIGIN":
      return origin.write(w, frame);
    case "PRIORITY_UPDATE":
      return priorityUpdate.write(w, frame);
    case "unknown":
      throw new Bug("a frame of unknown type has no payload to write");
  }
}

/** Reads a sequence of complete frames, for tests and tools; a connection uses the framer. */
export function readFrames(bytes: Uint8Array): (Frame | Fault)[] {
  const frames: (Frame | Fault)[] = [];
  for (let at = 0; at + HEAD_LENGTH <= bytes.length;) {
    const head = readHead(bytes, at);
    const end = at + HEAD_LENGTH + head.length;
    frames.push(readFrame(head, bytes.subarray(at + HEAD_LENGTH, end)));
    at = end;
  }
  return frames;
}

export { Flag, FrameType, HEAD_LENGTH, readHead, writeHead, type Head } from "./head.ts";
export type { Setting } from "./settings.ts";
export type { Unknown } from "./unknown.ts";
