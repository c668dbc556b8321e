import type { Vector } from "../../load.ts";
import type { VectorSource, WithoutId } from "../../write.ts";

/** Lives of the connections to one address. Append to lists only: the position of a vector is its id. */

export type ScalingStep = {
  /** Milliseconds. */
  readonly at: number;
  readonly is: "connected" | "ended" | "failed" | "call";
  readonly key?: string;
  /** Of a call: the connections that have no free stream. */
  readonly full?: readonly string[];
  /** The connection of the call; it waits without one. */
  readonly goes?: string;
  /** An attempt for a further connection begins. */
  readonly connects?: true;
  /** When calls that wait are looked at again. */
  readonly next?: number;
};
export type ScalingVector = Vector & {
  /** Permanent, and unique in its file. */
  readonly name: string;
  readonly most: number;
  readonly steps: readonly ScalingStep[];
};
export type ScalingSource = VectorSource<ScalingVector>;
type Draft = WithoutId<ScalingVector>;

const nameOf = (note: string): string => note.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-+|-+$/g, "");
type Then = Pick<ScalingStep, "goes" | "connects" | "next">;
const connected = (at: number, key: string): ScalingStep => ({ at, is: "connected", key });
const ended = (at: number, key: string, then: Then = {}): ScalingStep => ({ at, is: "ended", key, ...then });
const failed = (at: number, next: number): ScalingStep => ({ at, is: "failed", next });
/** A call, while the connections with these names of one letter are full. */
const call = (at: number, full: string, then: Then = {}): ScalingStep => ({ at, is: "call", full: [...full], ...then });
const CONNECTS: Then = { connects: true };

type About = { readonly flag: string; readonly spec: string };
const life = (note: string, { flag, spec }: About, most: number, ...steps: readonly ScalingStep[]): Draft => ({
  name: nameOf(note),
  note,
  spec: `rpc-connection-scaling#${spec}`,
  most,
  steps,
  result: "valid",
  flags: [flag],
});
const PICKED = { flag: "Choice", spec: "picking-a-connection-for-each-rpc" };
const MANAGED = { flag: "Growth", spec: "connection-management" };
const BACKOFF = { flag: "Backoff", spec: "backoff-behavior-and-connectivity-state" };

export const source: ScalingSource = {
  about: "lives of the connections to one address: which one a call takes, and when a further one is opened",
  spec: "rpc-connection-scaling#picking-a-connection-for-each-rpc",
  flags: {
    Choice: { why: "the oldest connection with a free stream", bug: "WRONG_RESULT" },
    Growth: { why: "when a further connection is opened, and when not", bug: "OFF_BY_ONE" },
    Backoff: { why: "attempts for further connections that fail", bug: "WRONG_STATE" },
  },
  vectors: [
    life("the oldest connection with a free stream", PICKED, 3, connected(0, "a"), connected(1, "b"), connected(2, "c"), call(3, "", { goes: "a" }), call(3, "a", { goes: "b" }), call(3, "ab", { goes: "c" })),
    life("a connection that has ended is not taken", PICKED, 3, connected(0, "a"), connected(1, "b"), ended(2, "a"), call(3, "", { goes: "b" })),
    life("the end of a connection that is not known", PICKED, 3, connected(0, "a"), connected(1, "b"), ended(2, "z"), call(3, "a", { goes: "b" }), call(3, "", { goes: "a" })),
    life("only the connection that has ended goes", PICKED, 3, connected(0, "a"), connected(1, "b"), connected(2, "c"), ended(3, "a"), call(4, "b", { goes: "c" })),
    life("a full connection is followed by another one", MANAGED, 2, connected(0, "a"), call(1, "a", CONNECTS), connected(2, "b"), call(3, "a", { goes: "b" })),
    life("one attempt at a time", MANAGED, 3, connected(0, "a"), call(1, "a", CONNECTS), call(2, "a"), call(9_000, "a"), connected(9_001, "b"), call(9_002, "ab", CONNECTS)),
    life("no attempt for a call that finds a stream", MANAGED, 2, connected(0, "a"), call(1, "", { goes: "a" })),
    life("no more connections than the setting says", MANAGED, 2, connected(0, "a"), call(1, "a", CONNECTS), connected(2, "b"), call(3, "ab"), call(9_000, "ab")),
    life("a connection that has ended leaves room for another one", MANAGED, 2, connected(0, "a"), call(1, "a", CONNECTS), connected(2, "b"), ended(3, "a"), call(4, "b", CONNECTS)),
    life("without a connection none is a further one", MANAGED, 2, connected(0, "a"), ended(1, "a"), call(2, "")),
    life("a channel with one connection leaves full ones to them", MANAGED, 1, connected(0, "a"), call(1, "a", { goes: "a" })),
    life("after a failure the next attempt waits, from the begin of that before it", BACKOFF, 2, connected(0, "a"), call(100, "a", CONNECTS), failed(300, 1_100), call(400, "a", { next: 1_100 }), call(1_099, "a", { next: 1_100 }), call(1_100, "a", CONNECTS)),
    life("the waits grow", BACKOFF, 2, connected(0, "a"), call(0, "a", CONNECTS), failed(0, 1_000), call(1_000, "a", CONNECTS), failed(1_000, 2_600), call(2_599, "a", { next: 2_600 }), call(2_600, "a", CONNECTS), failed(2_600, 5_160)),
    life("an attempt that lasted longer than its wait", BACKOFF, 2, connected(0, "a"), call(0, "a", CONNECTS), failed(5_000, 1_000), call(5_000, "a", CONNECTS)),
    life("a connection begins the waits anew", BACKOFF, 3, connected(0, "a"), call(0, "a", CONNECTS), failed(0, 1_000), call(1_000, "a", CONNECTS), connected(1_010, "b"), call(1_020, "ab", CONNECTS), failed(1_020, 2_020)),
    life("calls that find a stream do not wait", BACKOFF, 2, connected(0, "a"), call(0, "a", CONNECTS), failed(10, 1_000), call(20, "", { goes: "a", next: 1_000 })),
  ],
};
