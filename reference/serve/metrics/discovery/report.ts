import type { Group } from "../../../metrics/discovery/index.ts";
import type { Counted } from "./counters.ts";

/** What a discoverer says to its owner. */
export type Report = {
  /** All groups that it has now. */
  readonly groups: (groups: readonly Group[]) => void;
  /** Something failed, perhaps only in one part: the groups from before stay. */
  readonly failed: (message: string, part?: string) => void;
  /** Nothing fails any more. */
  readonly recovered: () => void;
  readonly count: (what: Counted, labels?: Readonly<Record<string, string>>, by?: number) => void;
  /** An attempt to find targets has ended, after these seconds. */
  readonly took: (seconds: number) => void;
};

/** Finds targets until it is closed. */
export type Discoverer = { close(): Promise<void> };
