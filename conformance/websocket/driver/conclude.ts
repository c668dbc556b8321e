import type { Case, Outcome } from "../vocabulary.ts";
import { observedInWords, sentence } from "./describe.ts";
import { raise } from "./fence.ts";
import { decide } from "./judge.ts";
import { leaves } from "./sights.ts";
import type { Conversation } from "./connection.ts";
import type { Stage } from "./stage.ts";
import type { Stop } from "./steps.ts";

/** What a performance came to, with the sentence that explains it. */
export type Conclusion = { readonly is: "allowed" | "other"; readonly index?: number; readonly reason: string; readonly observed: string };

/** After the last step: what is there may decide; otherwise the fence is raised, and then it must. */
export async function conclude(fence: Case["fence"], allowed: readonly Outcome[], stage: Stage, stop: Stop): Promise<Conclusion> {
  const unfenced = fence === "none";
  const look = (): number | undefined => decide(allowed, stage.view, unfenced);
  let why = stop;
  if (look() === undefined && stop === undefined) why = await raise(fence ?? "ping", stage, () => look() !== undefined);
  const index = look();
  const observed = observedInWords([...stage.connections.values()], stage.fenced);
  if (index !== undefined) return { is: "allowed", index, reason: "", observed };
  return { is: "other", reason: brokenProperty(allowed, stage) ?? openReason(stage, why), observed };
}

/** What broke the first property that the case asks to hold, in the monitor's words. */
export function brokenProperty(allowed: readonly Outcome[], stage: Pick<Stage, "view">): string | undefined {
  for (const sight of allowed.flatMap(({ see }) => leaves(see))) {
    const broken = sight.see === "holds" ? stage.view.monitor(sight.monitor) : undefined;
    if (broken !== undefined) return `Seen: ${broken}.`;
  }
  return undefined;
}

/** Why nothing that is allowed was seen: what stopped the steps if anything did, otherwise how the first connection stands. */
export function openReason(
  stage: Pick<Stage, "fenced" | "over"> & { readonly connections: ReadonlyMap<number, Conversation> },
  why: string | undefined,
): string {
  if (why !== undefined) return sentence(why);
  const first = stage.connections.get(1);
  if (first?.theirs.close !== undefined) return "It closed the connection, but not as is permitted.";
  if (stage.fenced) return "It took this, and answered what followed, but not as it must.";
  if (stage.over) return "The connection ended, but not as is permitted.";
  return "Nothing that is permitted had come.";
}
