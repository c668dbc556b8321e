import type { Acceptance, Conclusion } from "../../harness/connection/connection-driver.ts";
import { sentence } from "../../harness/connection/fenced.ts";
import { brokenProperty, leaves } from "../../harness/connection/sights.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { turn } from "../../wire/writes.ts";
import type { Case, Outcome, Sight } from "../vocabulary.ts";
import { observedInWords, seenInWords } from "./describe.ts";
import { requestRound } from "./fence.ts";
import { decide, type Decision, refusingResponses } from "./judge.ts";
import { isErrorClose, isFrame, isOverOn } from "./sights.ts";
import type { Fence, Http3Stage } from "./stage.ts";

/** `waited`: without a fence, the time is up. */
type Fenced = "answered" | "unanswered" | "waited" | "none";
type Concluded = Pick<Case, "fence" | "spec">;

/** How long a refusal may take after later requests were answered: streams are read independently of each other. */
const LATE_MS = 500;

/** Decides after the last step: fences, looks, and fences once more and waits a little before it is a fail. */
export async function conclude(c: Concluded, allowed: readonly Outcome[], stage: Http3Stage, stop: Stop): Promise<Conclusion> {
  if (stage.skip !== undefined) return { is: "skip", reason: `Not tested: ${stage.skip}.`, observed: "nothing" };
  const fence: Fence = c.fence ?? "request";
  let fenced = "none" as Fenced;
  const look = (): Decision => decide(allowed, fence, stage.view(fenced === "answered" || fenced === "waited"));
  const isOpen = (): boolean => look().is === "open";
  let why = stop;
  if (isOpen() && stop === undefined && !stage.over) {
    why = await raise(
      fence,
      stage,
      () => !isOpen(),
      (how) => (fenced = how),
    );
    const goesOn = (): boolean => isOpen() && fenced === "answered" && !stage.over;
    if (goesOn()) await settle(allowed, stage, () => !isOpen());
    if (goesOn()) {
      await requestRound(stage);
      await stage.until(() => !isOpen() || stage.over, Math.min(LATE_MS, stage.timeout));
    }
  }
  const decision = look();
  const seen = { observed: observedInWords(stage.log.seen, fenced === "waited" ? "none" : fenced) };
  if (decision.is === "allowed") return { is: "allowed", index: decision.index, reason: "", ...seen };
  const isEnded = decision.is === "other" ? !isErrorClose(decision.seen) : fenced !== "answered";
  if (isEnded && hasRetired(c, stage) && brokenInWords(allowed, stage) === undefined) return { is: "unproved", reason: RETIRED, ...seen };
  if (stage.bare && stage.target.fields.length > 0) return { is: "unproved", reason: BARE, ...seen };
  if (decision.is === "other") return { is: "other", reason: `Not permitted here: ${seenInWords(decision.seen)}.`, ...seen };
  return { is: "other", reason: brokenInWords(allowed, stage) ?? openReason(stage, fenced, why), ...seen };
}

const BARE = "The request of this case is fixed octets, without the fields of -H and --auth, so that its refusal proves nothing.";
const RETIRED = "The server shut the connection down gracefully (GOAWAY), so that what it did not answer proves nothing.";

/** Whether the server has ended the connection gracefully, as it may at any time, in a case about something else (rfc9114#5.2). */
const hasRetired = ({ spec }: Concluded, { log: { seen } }: Http3Stage): boolean =>
  spec !== "rfc9114#5.2" && !seen.some(isErrorClose) && seen.some((one) => isFrame(one) && one.on === 0 && one.frame.type === "GOAWAY");

const ACCEPTED: Outcome = { see: { see: "accepted" } };

/** Whether a control was accepted. `by` concludes it; its first outcomes are the responses that the case treats as a refusal. */
export async function acceptedBy({ allowed }: Case, by: (outcomes: readonly Outcome[]) => Promise<Conclusion>): Promise<Acceptance> {
  // A refusing response comes first: otherwise it would pass as acceptance.
  const refusing = refusingResponses(allowed).map((see): Outcome => ({ see }));
  const { is, index, reason, observed } = await by([...refusing, ACCEPTED]);
  if (is === "error" || is === "skip" || is === "unproved") return { is, reason };
  return { is: is === "allowed" && index === refusing.length ? "accepted" : "refused", reason: observed };
}

/** What broke the first property that the case requires, as a sentence. */
export function brokenInWords(allowed: readonly Outcome[], stage: Http3Stage): string | undefined {
  const broken = brokenProperty(allowed, stage.view(true).monitor);
  return broken === undefined ? undefined : `Seen: ${broken}.`;
}

/** The streams that a sight is about. */
const streamsIn = (see: Sight, stage: Http3Stage): number[] =>
  see.see === "response" || see.see === "stream error" || see.see === "text" || see.see === "content" ? [stage.streamOf(see.on)] : [];

/** A server may answer a later request first. Waits until every stream that an outcome mentions has ended, so that nothing more can arrive on it. */
async function settle(allowed: readonly Outcome[], stage: Http3Stage, decided: () => boolean): Promise<void> {
  const streams = new Set(allowed.flatMap(({ see }) => leaves(see)).flatMap((see) => streamsIn(see, stage)));
  const due = [...streams].filter((id) => stage.wire.finished.has(id));
  await stage.until(() => decided() || stage.over || due.every((id) => isOverOn(stage.view(true), id)), stage.timeout / 2);
}

/** Raises the fence, reports by `tell` whether it was answered, and returns in words why not. */
async function raise(fence: Fence, stage: Http3Stage, decided: () => boolean, tell: (how: Fenced) => void): Promise<Stop> {
  if (fence !== "request" || stage.endedByUs) {
    await stage.until(() => decided() || stage.ended || stage.over, stage.timeout);
    tell("waited");
    return undefined;
  }
  await turn();
  if (stage.over) return undefined;
  const answer = await requestRound(stage);
  tell(answer === "answered" ? "answered" : "unanswered");
  return answer === "reset" || answer === "rejected" ? "the good request that followed was reset" : undefined;
}

function openReason(stage: Http3Stage, fenced: Fenced, why: Stop): string {
  if (why !== undefined) return sentence(why);
  const refusal = stage.log.seen.find((seen) => (seen.is === "reset" || seen.is === "stop") && seen.on === 0);
  if (refusal !== undefined) return `It rejected this, but not in a permitted way: ${seenInWords(refusal)}.`;
  if (fenced === "answered") return "It accepted this as if nothing were wrong: it answered the next message.";
  if (stage.ended) return "The connection ended before any permitted outcome.";
  return `Silence: within ${stage.timeout} ms it neither rejected this nor answered the next message.`;
}
