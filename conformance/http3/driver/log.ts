import type { Observed } from "../../wire/http3/end.ts";

/** One observation of the subject, in the order in which it reached us. `on` is the number of the connection, from 0. */
export type Seen =
  | (Observed & { readonly at: number; readonly on: number; readonly ours: boolean })
  /** Client role: the command ended. */
  | { readonly is: "exit"; readonly at: number; readonly code: number | null; readonly signal: string | null };

/** Everything that was observed of the subject. */
export class Log {
  readonly seen: Seen[] = [];
  /** Frames that an `await` step has matched: a later `frame` sight does not count them again. */
  readonly taken = new Set<Seen>();
  /** Called for every observation, in this order. */
  readonly onSeen: ((seen: Seen) => void)[] = [];

  push(seen: Seen): void {
    this.seen.push(seen);
    for (const listener of this.onSeen) listener(seen);
  }
}
