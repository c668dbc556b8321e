import type { SpecRef } from "../../../reference/core/index.ts";
import type { Budget } from "../../harness/case.ts";
import type { Case, CodeName, ConnectSpec, FrameSpec, Outcome, PacketSpec, Row, Sight, Step } from "../vocabulary.ts";

/** Steps, frames and outcomes that many cases share. Each is plain data under a short name. */

export const connect: Step = { do: "connect" };
export const connectWith = (spec: ConnectSpec): Step => ({ do: "connect", ...spec });
/** Frames in one packet of 1-RTT. */
export const app = (...frames: FrameSpec[]): Step => ({ do: "send", level: "application", frames });
export const packet = (spec: PacketSpec, ...frames: FrameSpec[]): Step => ({ do: "send", ...spec, frames });
export const PING: FrameSpec = { type: "PING" };

/** The beginning of a request that says nothing yet: a frame of a reserved type of HTTP/3 with 65,536 octets of content. */
const RESERVED_FRAME = "!\u0080\u0001\0\0";
/** Octets of a request stream which HTTP/3 ignores; at an offset beyond 0 they are content of that frame. */
export const piece = (stream: number, octets = 10): FrameSpec => ({ type: "STREAM", stream, data: RESERVED_FRAME + "a".repeat(octets) });
/** How long the first piece is. */
export const pieceOctets = (octets = 10): number => RESERVED_FRAME.length + octets;

type Allowed = readonly [Outcome, ...Outcome[]];

/** An outcome that this section permits. */
export const permitted = (see: Sight, by: SpecRef, verdict: "pass" | "warn" = "pass"): Outcome => ({ see, by, verdict });

/** A connection error with the code. Another is a warning: the text asks for the most appropriate one, and permits any that applies (rfc9000#11). */
export const connectionError = (code: CodeName | readonly CodeName[], ...others: Outcome[]): Allowed => [
  { see: { see: "close", code } },
  ...others,
  permitted({ see: "close", code: "any error" }, "rfc9000#11", "warn"),
];
/** The same for an error in an Initial packet, which anybody may have sent: it may be discarded. */
export const initialError = (code: CodeName | readonly CodeName[], ...others: Outcome[]): Allowed =>
  connectionError(code, permitted({ see: "discarded" }, "rfc9000#11.1"), ...others);

/** The same for an error in a first flight: the server may discard that without an answer. */
export const firstFlightError = (code: CodeName | readonly CodeName[]): Allowed =>
  connectionError(code, permitted({ see: "silence" }, "rfc9000#11.1"));

export const accepted: Allowed = [{ see: { see: "accepted" } }];
/** Accepted, and this was seen. */
export const acceptedWith = (...sights: Sight[]): Allowed => [{ see: { see: "all", of: [{ see: "accepted" }, ...sights] } }];
/** Not acknowledged, and the connection goes on. */
export const discarded: Allowed = [{ see: { see: "discarded" } }];
/** Accepted, and everything the subject sent has these properties (`driver/monitors.ts`). */
export const holds = (...monitors: readonly [string, ...string[]]): Allowed =>
  acceptedWith(...monitors.map((monitor) => ({ see: "holds", monitor }) as const));

/** A case for servers whose steps follow the handshake. */
export const after = ({ steps, control, ...row }: Row<"spec" | "covers" | "steps" | "control" | "allowed">): Case => ({
  level: "MUST",
  role: "server",
  steps: [connect, ...steps],
  control: [connect, ...control],
  ...row,
});
/** Frames after the handshake that the server refuses with a connection error; the control has others in their place. */
export const refused = ({
  frames,
  instead = [PING],
  code,
  before = [],
  ...row
}: Row<"spec" | "covers"> & {
  readonly frames: readonly FrameSpec[];
  readonly instead?: readonly FrameSpec[];
  readonly code: CodeName | readonly CodeName[];
  readonly before?: readonly Step[];
}): Case => after({ steps: [...before, app(...frames)], control: [...before, app(...instead)], allowed: connectionError(code), ...row });

/** The budget for a flood of at most 1,500 packets or 3,000 datagrams, several times what a server needs that reads them all. */
export const FLOOD_BUDGET: Budget = { memoryMiB: 96, cpuMs: 1_000 };
