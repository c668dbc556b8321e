import { leaves } from "../../harness/connection/sights.ts";
import type { Case, Outcome } from "../vocabulary.ts";
import type { Seen } from "./log.ts";
import { framesFor, isCrash, isEnd, isErrorGoaway, isErrorReset, isFrame, isSeen, isTerminal, type View } from "./sights.ts";

export type Decision =
  /** The allowed outcome at this index. */
  | { readonly is: "allowed"; readonly index: number }
  /** Something that no allowed outcome permits. */
  | { readonly is: "other"; readonly seen: Seen }
  /** Nothing decisive yet. */
  | { readonly is: "open" };

/**
 * Reads the observations in wire order. The first that decides and fits no allowed outcome is a fail. An outcome that leaves the connection
 * open counts only after the answer to the fence, so that a subject that refuses everything, or then falls silent, does not pass.
 */
export function decide(allowed: readonly Outcome[], fence: Case["fence"], view: View): Decision {
  const wrongAt = view.seen.findIndex((seen, at) => contradicts(seen, at, allowed, view));
  const before: View = wrongAt < 0 ? view : { ...view, seen: view.seen.slice(0, wrongAt) };
  const index = allowed.findIndex(({ see }) => {
    const enough = isTerminal(see) || (wrongAt < 0 && view.fenced) || fence === "none";
    return enough && isSeen(see, before);
  });
  if (index >= 0) return { is: "allowed", index };
  const wrong = view.seen[wrongAt];
  return wrong === undefined ? { is: "open" } : { is: "other", seen: wrong };
}

function contradicts(seen: Seen, at: number, allowed: readonly Outcome[], view: View): boolean {
  const sights = allowed.flatMap(({ see }) => leaves(see));
  const alone: View = { ...view, seen: [seen] };
  const fits = (): boolean => sights.some((sight) => framesFor(sight, alone).length > 0);
  if (isErrorGoaway(seen)) return !fits();
  if (isErrorReset(seen) && isFrame(seen)) {
    const isAbout = sights.some((sight) => sight.see === "RST_STREAM" && view.streamOf(sight.stream) === seen.frame.stream);
    return isAbout && !fits();
  }
  if (seen.is === "garbage" && seen.http1 === true && sights.some(({ see }) => see === "http1")) return false;
  if (isCrash(seen) || seen.is === "garbage") return true;
  // The end of a client's connection means nothing before its exit status is known.
  if (!isEnd(seen) || view.role === "client") return false;
  return !sights.some(({ see }) => see === "closed") && !view.seen.slice(0, at).some(isErrorGoaway);
}

/** Responses that the case treats as a refusal: its control must not have them. */
export const refusingResponses = (allowed: readonly Outcome[]): Outcome["see"][] =>
  allowed
    .flatMap(({ see }) => leaves(see))
    .filter((see) => see.see === "response" && see.status !== undefined && see.status.every((one) => Number(String(one)[0]) >= 4));
