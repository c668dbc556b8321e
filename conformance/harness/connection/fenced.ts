import type { Conclusion } from "./connection-driver.ts";
import type { Stage, Stop } from "./stage.ts";

/** How to conclude one performance with a fence. */
export type Fencing = {
  /** The index of the allowed outcome that decides so far. */
  readonly look: () => number | undefined;
  /** Sends the fence and waits for its answer; returns what went wrong, in words. Returns early once `decided`. */
  readonly raise: (decided: () => boolean) => Promise<Stop>;
  readonly observed: () => string;
  /** What else was observed (`Played.details`). */
  readonly details?: () => string;
  /** Why no allowed outcome was seen. */
  readonly reason: (why: Stop) => string;
};

/** Concludes after the last step: the sights so far may decide already; otherwise the fence decides. */
export async function concludeFenced({ look, raise, observed, details, reason }: Fencing, stop: Stop): Promise<Conclusion> {
  let why = stop;
  if (look() === undefined && stop === undefined) why = await raise(() => look() !== undefined);
  const index = look();
  const seen = { observed: observed(), ...(details === undefined ? {} : { details: details() }) };
  return index === undefined ? { is: "other", reason: reason(why), ...seen } : { is: "allowed", index, reason: "", ...seen };
}

/** Words as a sentence. */
export const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** A stage with a fence. */
export type Fenceable = Pick<Stage<never>, "until" | "timeout">;
/** The clause about an unanswered fence. */
export const silence = ({ timeout }: Fenceable): string =>
  `silence: within ${timeout} ms it neither rejected this nor answered the next message`;
