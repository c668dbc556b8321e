import type { Conclusion } from "../../harness/connection/connection-driver.ts";
import { sentence } from "../../harness/connection/fenced.ts";
import { leaves } from "../../harness/connection/sights.ts";
import type { Case, Outcome, Sight } from "../vocabulary.ts";
import { Autopilot } from "./autopilot.ts";
import { brokenInWords, outran } from "./conclude.ts";
import { observedInWords, seenInWords } from "./describe.ts";
import { framesInDetail } from "./details.ts";
import { pingRound } from "./fence.ts";
import { decide, type Decision } from "./judge.ts";
import type { Http2Stage } from "./stage.ts";
import type { Stop } from "../../harness/connection/stage.ts";

/**
 * A client exits by itself: after the last step we answer its open requests, send a PING, and wait for its exit. With exit status 0 it
 * reports that it accepted what it received.
 */
export async function concludeClient(
  c: Pick<Case, "fence">,
  allowed: readonly Outcome[],
  stage: Http2Stage,
  stop: Stop,
): Promise<Conclusion> {
  if (stage.skip !== undefined) return { is: "skip", reason: `Not tested: ${stage.skip}.`, observed: "nothing" };
  const fence = c.fence ?? "request";
  let pinged = false;
  let waited = false;
  const exited = (): boolean => stage.log.seen.some((seen) => seen.is === "exit");
  const look = (): Decision => decide(allowed, fence, stage.view(exited() || pinged || waited));
  const open = (): boolean => look().is === "open";

  if (open() && fence !== "none" && !stage.ended) new Autopilot(stage.log, stage.connection, 0).follow();
  if (open() && fence === "ping" && stop === undefined && !stage.over) {
    pinged = await pingRound(stage);
    // A second PING, since some clients answer the first before they act on earlier frames.
    if (pinged && open()) await pingRound(stage);
  }
  if (open() && !(fence === "ping" && pinged && !stage.over)) {
    // A client that received nothing new may stay; the time of one that stays silent is over.
    await stage.until(() => exited() || !open(), stage.timeout);
    if (open() && !exited() && fence === "request" && stop === undefined && !stage.over) pinged = await pingRound(stage);
    waited = true;
  }
  const decision = look();
  const seen = { observed: observedInWords(stage.log.seen, pinged ? "answered" : "none"), details: framesInDetail(stage.log) };
  // After a step that timed out, later behaviour does not count, unless it is a refusal, which explains the time-out.
  const missed =
    stop !== undefined && decision.is === "allowed" && leaves<Sight>(allowed[decision.index]?.see ?? { see: "closed" }).some(goesOn);
  if (missed) return { is: "other", reason: openReason(stage, stop, false), ...seen };
  if (decision.is === "allowed") return { is: "allowed", index: decision.index, reason: "", ...seen };
  if (decision.is === "open" && outran(stage))
    return { is: "skip", reason: "Not tested: it reopened its window faster than it could be overrun.", ...seen };
  if (decision.is === "other") return { is: "other", reason: `Not permitted here: ${seenInWords(decision.seen)}.`, ...seen };
  return { is: "other", reason: brokenInWords(allowed, stage) ?? openReason(stage, stop, exited()), ...seen };
}

const goesOn = (see: Sight): boolean =>
  see.see === "accepted" || see.see === "accepted without" || see.see === "holds" || (see.see === "exit" && see.ok);

function openReason(stage: Http2Stage, stop: Stop, exited: boolean): string {
  const exit = stage.log.seen.find((seen) => seen.is === "exit");
  if (stop === undefined && exit?.is === "exit" && exit.code === 0)
    return "It accepted this as if nothing were wrong: the command exited with status 0.";
  if (stop !== undefined) return sentence(stop);
  if (exited) return `The command exited with status ${exit?.is === "exit" ? exit.code : "?"}, and nothing on the wire shows why.`;
  return `It neither rejected this nor ended the connection within ${stage.timeout} ms.`;
}
