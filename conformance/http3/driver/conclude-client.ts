import type { Conclusion } from "../../harness/connection/connection-driver.ts";
import { sentence } from "../../harness/connection/fenced.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { leaves } from "../../harness/connection/sights.ts";
import type { Outcome, Sight } from "../vocabulary.ts";
import type { Http3ClientStage } from "./client-stage.ts";
import { brokenInWords } from "./conclude.ts";
import { observedInWords, seenInWords } from "./describe.ts";
import { decide, type Decision } from "./judge.ts";

/** How long a client may take to refuse something before the response is complete, in milliseconds: it reads streams independently of each other. */
const UNANSWERED_MS = 100;

/** A client exits by itself: after the last step we answer its request, if that is open, and wait for its exit. */
export async function concludeClient(allowed: readonly Outcome[], stage: Http3ClientStage, stop: Stop): Promise<Conclusion> {
  const exited = (): boolean => stage.log.seen.some((seen) => seen.is === "exit");
  const look = (): Decision => decide(allowed, "exit", stage.view(exited()));
  const decided = (): boolean => look().is !== "open";
  await stage.until(() => decided() || exited() || stage.over, UNANSWERED_MS);
  if (!decided() && !stage.over) stage.answer();
  await stage.until(() => decided() || exited(), stage.timeout);
  const decision = look();
  const seen = { observed: observedInWords(stage.log.seen, "none") };
  // A client that left before it could be judged has accepted nothing; a refusal explains why it left.
  const missed =
    stop !== undefined && decision.is === "allowed" && leaves<Sight>(allowed[decision.index]?.see ?? { see: "closed" }).some(goesOn);
  if (missed) return { is: "other", reason: openReason(stage, stop), ...seen };
  if (decision.is === "allowed") return { is: "allowed", index: decision.index, reason: "", ...seen };
  if (decision.is === "other") return { is: "other", reason: `Not permitted here: ${seenInWords(decision.seen)}.`, ...seen };
  return { is: "other", reason: brokenInWords(allowed, stage) ?? openReason(stage, stop), ...seen };
}

const goesOn = (see: Sight): boolean =>
  see.see === "accepted" || see.see === "accepted without" || see.see === "holds" || (see.see === "exit" && see.ok);

function openReason(stage: Http3ClientStage, stop: Stop): string {
  const exit = stage.log.seen.find((seen) => seen.is === "exit");
  if (stop === undefined && exit?.is === "exit" && exit.code === 0)
    return "It accepted this as if nothing were wrong: the command exited with status 0.";
  if (stop !== undefined) return sentence(stop);
  if (exit?.is === "exit") return `The command exited with status ${exit.code ?? "?"}, and nothing on the wire shows why.`;
  return `It neither rejected this nor ended within ${stage.timeout} ms.`;
}
