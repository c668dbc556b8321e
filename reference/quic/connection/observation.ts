import { Reader, type Instant } from "../../core/index.ts";
import type { Event } from "../contract.ts";
import { readFrame, type Frame, type PacketType } from "../frame/index.ts";
import type { Parameters } from "../params.ts";
import type { SpaceName } from "../recovery/recovery.ts";
import type { Side } from "../stream-id.ts";

/** What an observer of a connection learns; nothing of it changes what the connection does. */
export type Observation =
  | {
      readonly is: "sent" | "received";
      readonly type: PacketType;
      readonly number: number;
      readonly octets: number;
      readonly frames: readonly Frame[];
    }
  | { readonly is: "lost"; readonly type: SpaceName; readonly number: number }
  | { readonly is: "parameters"; readonly by: "us" | "peer"; readonly parameters: Parameters }
  | {
      readonly is: "metrics";
      readonly window: number;
      readonly inFlight: number;
      readonly smoothedMs: number;
      /** The latest sample of the round trip; undefined before the first one. */
      readonly latestMs: number | undefined;
    }
  | { readonly is: "keys updated"; readonly phase: 0 | 1 }
  | { readonly is: "event"; readonly event: Event };
export type Observer = (observation: Observation, now: Instant) => void;
/** Makes the observer of a new connection; undefined if nobody observes it. */
export type Observing = (connection: { readonly side: Side; readonly originalId: Uint8Array }, now: Instant) => Observer | undefined;

/** The frames of a packet as far as they can be read; their octets are views. */
export function framesIn(payload: Uint8Array, type: PacketType): readonly Frame[] {
  const reader = new Reader(payload);
  const frames: Frame[] = [];
  while (reader.left > 0) {
    const frame = readFrame(reader, type);
    if (frame.is === "fault") break;
    frames.push(frame);
  }
  return frames;
}
