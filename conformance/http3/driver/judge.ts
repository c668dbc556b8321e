import { leaves } from "../../harness/connection/sights.ts";
import type { Case, Outcome } from "../vocabulary.ts";
import type { Seen } from "./log.ts";
import { fits, isCrash, isEnd, isErrorClose, isSeen, isTerminal, type View } from "./sights.ts";

export type Decision =
  /** The allowed outcome at this index. */
  | { readonly is: "allowed"; readonly index: number }
  /** Something that no allowed outcome permits. */
  | { readonly is: "other"; readonly seen: Seen }
  /** Nothing decisive yet. */
  | { readonly is: "open" };

/**
 * Reads the observations in their order. The first that ends the connection and fits no allowed outcome is a fail. An outcome that leaves the
 * connection open counts only after the answer to the fence, so that a subject that refuses everything, or then falls silent, does not pass.
 */
export function decide(allowed: readonly Outcome[], fence: Case["fence"], view: View): Decision {
  const wrongAt = view.seen.findIndex((seen) => contradicts(seen, allowed, view));
  const before: View = wrongAt < 0 ? view : { ...view, seen: view.seen.slice(0, wrongAt) };
  const index = allowed.findIndex(({ see }) => {
    const enough = isTerminal(see) || (wrongAt < 0 && view.fenced) || fence === "none";
    return enough && isSeen(see, before);
  });
  if (index >= 0) return { is: "allowed", index };
  const wrong = view.seen[wrongAt];
  return wrong === undefined ? { is: "open" } : { is: "other", seen: wrong };
}

function contradicts(seen: Seen, allowed: readonly Outcome[], view: View): boolean {
  const sights = allowed.flatMap(({ see }) => leaves(see));
  if (isErrorClose(seen)) return !sights.some((sight) => sight.see === "close" && fits(seen, sight, view));
  if (isCrash(seen)) return true;
  // The end of a client's connection means nothing before its exit status is known.
  return isEnd(seen) && view.role === "server" && !sights.some(({ see }) => see === "closed");
}

/** Responses that the case treats as a refusal: its control must not have them. */
export const refusingResponses = (allowed: readonly Outcome[]): Outcome["see"][] =>
  allowed
    .flatMap(({ see }) => leaves(see))
    .filter((see) => see.see === "response" && see.status !== undefined && see.status.every((one) => Number(String(one)[0]) >= 4));
