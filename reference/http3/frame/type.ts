import type { FaultName } from "../faults.ts";

/** How a frame is read: its payload as it arrives, or as a whole. */
type Row = {
  readonly type: number;
  readonly reading: "content" | "whole";
  /** The fault on a control stream and on a request stream, by the side that receives it; undefined where the frame belongs. */
  readonly control?: FaultName | { readonly server?: FaultName; readonly client?: FaultName };
  readonly request?: FaultName | { readonly server?: FaultName; readonly client?: FaultName };
};

/** Every frame with its number, and the streams that may carry it (rfc9114#7.2 table 1, rfc9218#7.2). */
export const FRAMES = {
  DATA: { type: 0x0, reading: "content", control: "dataOnControlStream" },
  HEADERS: { type: 0x1, reading: "whole", control: "headersOnControlStream" },
  CANCEL_PUSH: { type: 0x3, reading: "whole", request: "cancelPushOnRequestStream" },
  SETTINGS: { type: 0x4, reading: "whole", request: "settingsOnRequestStream" },
  PUSH_PROMISE: {
    type: 0x5,
    reading: "whole",
    control: "pushPromiseOnControlStream",
    // Our clients allow no push, so every push ID exceeds the limit.
    request: { server: "pushPromiseByClient", client: "pushPromiseUnallowed" },
  },
  GOAWAY: { type: 0x7, reading: "whole", request: "goawayOnRequestStream" },
  MAX_PUSH_ID: { type: 0xd, reading: "whole", control: { client: "maxPushIdByServer" }, request: "maxPushIdOnRequestStream" },
  PRIORITY_UPDATE: {
    type: 0xf0700,
    reading: "whole",
    control: { client: "priorityUpdateByServer" },
    request: "priorityUpdateOnRequestStream",
  },
  /** Of a push. */
  PRIORITY_UPDATE_PUSH: {
    type: 0xf0701,
    reading: "whole",
    control: { client: "priorityUpdateByServer" },
    request: "priorityUpdateOnRequestStream",
  },
  // What HTTP/2 has and HTTP/3 leaves to its transport (rfc9114#7.2.8).
  RESERVED_PRIORITY: { type: 0x2, reading: "whole", control: "frameReserved", request: "frameReserved" },
  RESERVED_PING: { type: 0x6, reading: "whole", control: "frameReserved", request: "frameReserved" },
  RESERVED_WINDOW_UPDATE: { type: 0x8, reading: "whole", control: "frameReserved", request: "frameReserved" },
  RESERVED_CONTINUATION: { type: 0x9, reading: "whole", control: "frameReserved", request: "frameReserved" },
} as const satisfies Record<string, Row>;
export type FrameName = keyof typeof FRAMES;

const NAMES = Object.keys(FRAMES) as FrameName[];
const BY_TYPE: ReadonlyMap<number, FrameName> = new Map(NAMES.map((name) => [FRAMES[name].type, name]));

/** The name of a type; undefined for one that is ignored (rfc9114#9). */
export const frameName = (type: number): FrameName | undefined => BY_TYPE.get(type);
export const readingOf = (name: FrameName | undefined): "content" | "whole" | "skip" =>
  name === undefined ? "skip" : FRAMES[name].reading;

/** Why a stream must not carry a frame to this side. */
export function misplaced(name: FrameName, on: "control" | "request", side: "server" | "client"): FaultName | undefined {
  const row: Row = FRAMES[name];
  const cell = row[on];
  return typeof cell === "object" ? cell[side] : cell;
}
