import type { Conclusion } from "./connection-driver.ts";
import type { Stage, Stop } from "./stage.ts";

/** How one performance is concluded with a fence. */
export type Fencing = {
  /** The place of the allowed outcome that decides so far. */
  readonly look: () => number | undefined;
  /** Raises the fence, and returns in words what went wrong; ends early once `decided`. */
  readonly raise: (decided: () => boolean) => Promise<Stop>;
  readonly observed: () => string;
  /** Why no allowed outcome was seen. */
  readonly reason: (why: Stop) => string;
};

/** Concludes after the last step: what has been seen may decide already; otherwise the fence is raised, and then it must. */
export async function concludeFenced({ look, raise, observed, reason }: Fencing, stop: Stop): Promise<Conclusion> {
  let why = stop;
  if (look() === undefined && stop === undefined) why = await raise(() => look() !== undefined);
  const index = look();
  if (index !== undefined) return { is: "allowed", index, reason: "", observed: observed() };
  return { is: "other", reason: reason(why), observed: observed() };
}

/** Words as a sentence. */
export const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** A stage on which a fence is raised. */
export type Fenceable = Pick<Stage<never>, "until" | "timeout">;
/** The clause about a fence that met silence. */
export const silence = ({ timeout }: Fenceable): string =>
  `silence: within ${timeout} ms it neither rejected this nor answered the next message`;
