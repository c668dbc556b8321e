import type { Acceptance, Conclusion } from "../../harness/connection/connection-driver.ts";
import { sentence } from "../../harness/connection/fenced.ts";
import { brokenProperty, leaves } from "../../harness/connection/sights.ts";
import { turn } from "../../wire/writes.ts";
import type { Case, Outcome } from "../vocabulary.ts";
import { observedInWords, seenInWords } from "./describe.ts";
import { framesInDetail } from "./details.ts";
import { pingRound, requestRound } from "./fence.ts";
import { decide, type Decision, refusingResponses } from "./judge.ts";
import { endedStream, isEnd, isErrorGoaway, isFrame } from "./sights.ts";
import type { Fence, Http2Stage } from "./stage.ts";
import type { Stop } from "../../harness/connection/stage.ts";

/** `waited`: without a fence, the time is up. */
type Fenced = "answered" | "unanswered" | "waited" | "none";

type Concluded = Pick<Case, "fence" | "spec" | "needs">;

/** Decides after the last step: fences, looks, and fences once more before it is a fail (some peers answer PING from another thread). */
export async function conclude(c: Concluded, allowed: readonly Outcome[], stage: Http2Stage, stop: Stop): Promise<Conclusion> {
  if (stage.skip !== undefined) return { is: "skip", reason: `Not tested: ${stage.skip}.`, observed: "nothing" };
  const fence: Fence = c.fence ?? "request";
  // Not narrowed to its first value: a callback sets it.
  let fenced = "none" as Fenced;
  const look = (): Decision => decide(allowed, fence, stage.view(fenced === "answered" || fenced === "waited"));
  let decision = look();
  let why = stop;
  if (decision.is === "open" && stop === undefined && !stage.over) {
    why = await raise(
      fence,
      stage,
      () => look().is !== "open",
      (how) => (fenced = how),
    );
    decision = look();
    if (decision.is === "open" && fenced === "answered" && !stage.over) {
      await settle(allowed, stage, () => look().is !== "open");
      decision = look();
    }
    if (decision.is === "open" && fenced === "answered" && !stage.over) {
      await pingRound(stage);
      await settle(allowed, stage, () => look().is !== "open");
      decision = look();
    }
  }
  const seen = {
    observed: observedInWords(stage.log.seen, fenced === "waited" ? "none" : fenced),
    details: framesInDetail(stage.log),
  };
  if (decision.is === "allowed") return { is: "allowed", index: decision.index, reason: "", ...seen };
  if (decision.is === "open" && outran(stage))
    return { is: "skip", reason: "Not tested: it reopened its window faster than it could be overrun.", ...seen };
  const isEnded = decision.is === "other" ? isEnd(decision.seen) : fenced !== "answered";
  if (isEnded && hasRetired(c, stage) && brokenInWords(allowed, stage) === undefined) return { is: "unproved", reason: RETIRED, ...seen };
  if (decision.is === "other") return { is: "other", reason: `Not permitted here: ${seenInWords(decision.seen)}.`, ...seen };
  return { is: "other", reason: brokenInWords(allowed, stage) ?? openReason(stage, fenced, why), ...seen };
}

const RETIRED = "The server shut the connection down gracefully (GOAWAY with NO_ERROR), so that what it did not answer proves nothing.";

/** Whether the server has ended the connection gracefully, as it may at any time, in a case about something else (rfc9113#6.8). */
function hasRetired({ spec, needs = [] }: Concluded, { log: { seen } }: Http2Stage): boolean {
  if (spec === "rfc9113#6.8" || needs.includes("retires") || seen.some(isErrorGoaway)) return false;
  return seen.some((one) => isFrame(one) && one.on === 0 && one.frame.type === "GOAWAY");
}

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
export function brokenInWords(allowed: readonly Outcome[], stage: Http2Stage): string | undefined {
  const broken = brokenProperty(allowed, stage.view(true).monitor);
  return broken === undefined ? undefined : `Seen: ${broken}.`;
}

/**
 * A server may answer a later request, or a PING, first. Waits until every stream that an outcome mentions, and whose request is complete,
 * has ended, so that nothing more can arrive on it, or has the expected content.
 */
async function settle(allowed: readonly Outcome[], stage: Http2Stage, decided: () => boolean): Promise<void> {
  const sights = allowed.flatMap(({ see }) => leaves(see));
  const streams = sights.flatMap((see) => {
    const content = see.see === "frame" && see.type === "DATA" && see.stream !== undefined && !stage.sees(see);
    return content || see.see === "response" || see.see === "RST_STREAM" ? [stage.streamOf(see.stream ?? 0)] : [];
  });
  const sent = stage.sent.map(({ frame }) => frame);
  const due = [...new Set(streams)].filter(
    (id) =>
      sent.some((frame) => frame.stream === id && frame.endStream === true) &&
      !sent.some((frame) => frame.stream === id && frame.type === "RST_STREAM"),
  );
  const ended = (id: number): boolean =>
    endedStream(stage.view(true), id) ||
    stage.log.seen.some((seen) => isFrame(seen) && seen.on === 0 && seen.frame.type === "RST_STREAM" && seen.frame.stream === id);
  await stage.until(() => decided() || stage.over || due.every(ended), stage.timeout / 2);
}

/** Raises the fence, reports by `tell` whether it was answered, and returns in words why not. */
async function raise(fence: Fence, stage: Http2Stage, decided: () => boolean, tell: (how: Fenced) => void): Promise<Stop> {
  if (fence === "none" || fence === "exit") {
    await stage.until(() => decided() || stage.over, stage.timeout);
    tell("waited");
    return undefined;
  }
  if (stage.endedByUs) {
    await stage.until(() => stage.ended || decided(), stage.timeout);
    tell("waited");
    return undefined;
  }
  // Read what has arrived before writing: a write to a connection that the subject has ended would lose its last frames.
  await turn();
  if (stage.over) return undefined;
  if (fence === "ping") {
    tell((await pingRound(stage)) ? "answered" : "unanswered");
    return undefined;
  }
  if (fence === "request") {
    const answer = await requestRound(stage);
    tell(answer === "answered" ? "answered" : "unanswered");
    return answer === "reset" || answer === "refused" ? "the good request that followed was reset" : undefined;
  }
  const { stream } = fence;
  const id = stage.streamOf(stream);
  const concluded = (): boolean =>
    endedStream(stage.view(true), id) ||
    stage.log.seen.some((seen) => isFrame(seen) && seen.frame.type === "RST_STREAM" && seen.frame.stream === id);
  await stage.until(() => concluded() || stage.over, stage.timeout);
  tell(concluded() ? "answered" : "unanswered");
  return concluded() ? undefined : `stream ${id} did not end`;
}

function openReason(stage: Http2Stage, fenced: Fenced, why: Stop): string {
  if (why !== undefined) return sentence(why);
  const refusal = stage.log.seen.find((seen) => isFrame(seen) && seen.on === 0 && seen.frame.type === "RST_STREAM");
  if (refusal !== undefined) return `It rejected this, but not in a permitted way: ${seenInWords(refusal)}.`;
  const separate = stage.log.seen.findLast((seen) => seen.is === "tls");
  if (separate !== undefined) return `On the separate TLS connection: ${separate.words}.`;
  if (fenced === "answered") return "It accepted this as if nothing were wrong: it answered the next message.";
  if (stage.ended) return "The connection ended before any permitted outcome.";
  return `Silence: within ${stage.timeout} ms it neither rejected this nor answered the next message.`;
}

/** Whether the subject may have reopened a window while we filled it, so that it was never overrun. */
export function outran({ fill, wire }: Http2Stage): boolean {
  if (fill === undefined || fill.beyond === 0) return false;
  return (wire.theirWindows.granted.get(fill.scope) ?? 0) - fill.granted >= fill.beyond;
}
