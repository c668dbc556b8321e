import type { SpecRef } from "../../../reference/core/index.ts";
import { type Budget, sectionOf } from "../../harness/case.ts";
import type { Case, CodeName, ConnectSpec, FrameSpec, Outcome, PacketSpec, ParameterSpec, Row, Sight, Step } from "../vocabulary.ts";

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
const initialError = (code: CodeName | readonly CodeName[], ...others: Outcome[]): Allowed =>
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

/** One role, for tables of cases that both have. */
export type Side = {
  readonly role: "server" | "client";
  /** The subject and its peer, in titles. */
  readonly who: "server" | "client";
  readonly peer: "server" | "client";
  readonly id: (words: string) => Case["id"];
  /** A complete handshake, and one with other parameters of ours; with `until` of which the end is not waited for. */
  readonly begin: Step;
  readonly beginWith: (spec: Pick<ConnectSpec, "hold" | "parameters">) => Step;
  readonly tryWith: (parameters: ParameterSpec) => Step;
  /** For errors that nobody else can have made. */
  readonly error: (code: CodeName | readonly CodeName[], ...others: Outcome[]) => Allowed;
  /** For errors in the first flight, and what then shows that it was accepted. */
  readonly firstError: (code: CodeName | readonly CodeName[]) => Allowed;
  readonly initialError: (code: CodeName | readonly CodeName[]) => Allowed;
  readonly fence: NonNullable<Case["fence"]>;
  /** A stream that we send on, and the limit of its data. */
  readonly stream: number;
  readonly window: "stream data" | "unidirectional data";
  /** Data on a bidirectional stream that has just begun, and on further streams of ours, one and two. */
  readonly opened: readonly Step[];
  readonly further: readonly [number, number];
  /** Unidirectional streams that only we send on, and that only the subject sends on; streams of it that it has not opened. */
  readonly ours: number;
  readonly theirs: number;
  readonly notOpened: number;
  readonly far: number;
  /** A frame that the subject never accepts of its peer. */
  readonly offence: FrameSpec;
};
export const SERVER: Side = {
  role: "server",
  who: "server",
  peer: "client",
  id: (words) => `quic/${words}`,
  begin: connect,
  beginWith: connectWith,
  tryWith: (parameters) => ({ do: "connect", impatient: true, parameters }),
  error: connectionError,
  firstError: firstFlightError,
  initialError: (code) => initialError(code),
  fence: "connection",
  opened: [app(piece(0))],
  stream: 0,
  window: "stream data",
  further: [4, 8],
  ours: 2,
  theirs: 3,
  notOpened: 1,
  far: 4_003,
  offence: { type: "HANDSHAKE_DONE" },
};

/** Cases of one side. */
export type Cases = {
  /** Steps that follow the handshake. */
  readonly after: (row: Row<"spec" | "covers" | "steps" | "control" | "allowed">) => Case;
  /** Frames after the handshake that the subject refuses with a connection error; the control has others in their place. */
  readonly refused: (row: Refused) => Case;
};
type Refused = Row<"spec" | "covers"> & {
  readonly frames: readonly FrameSpec[];
  readonly instead?: readonly FrameSpec[];
  readonly code: CodeName | readonly CodeName[];
  readonly before?: readonly Step[];
};
export function casesOf({ role, begin, error }: Side): Cases {
  const after: Cases["after"] = ({ steps, control, ...row }) => ({
    level: "MUST",
    role,
    steps: [begin, ...steps],
    control: [begin, ...control],
    ...row,
  });
  const refused: Cases["refused"] = ({ frames, instead = [PING], code, before = [], ...row }) =>
    after({ steps: [...before, app(...frames)], control: [...before, app(...instead)], allowed: error(code), ...row });
  return { after, refused };
}
export const { after, refused } = casesOf(SERVER);

/** What the subject shows in everything that it sends. */
export const shown = (
  { role }: Side,
  { monitor, steps, level = "MUST", ...row }: Row<"covers" | "steps"> & { readonly monitor: string },
): Case => ({ spec: sectionOf(row.covers[0]), level, role, steps, control: steps, allowed: holds(monitor), ...row });

/** The budget for a flood of at most 1,500 packets or 3,000 datagrams, several times what a server needs that reads them all. */
export const FLOOD_BUDGET: Budget = { memoryMiB: 96, cpuMs: 1_000 };
