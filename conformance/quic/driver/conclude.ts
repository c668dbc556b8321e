import type { Acceptance, Conclusion } from "../../harness/connection/connection-driver.ts";
import { concludeFenced, sentence } from "../../harness/connection/fenced.ts";
import { brokenProperty, decide } from "../../harness/connection/sights.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import type { Outcome } from "../vocabulary.ts";
import { observedInWords } from "./describe.ts";
import { closedIn, isTerminal } from "./sights.ts";
import type { QuicStage } from "./stage.ts";

/** Raises a fence, until the question is decided. */
export type Raise = (decided: () => boolean) => Promise<Stop>;

/** Decides after the last step: the sights so far, or the fence. */
export async function conclude(allowed: readonly Outcome[], stage: QuicStage, stop: Stop, raise: Raise): Promise<Conclusion> {
  if (stage.skip !== undefined) return { is: "skip", reason: `Not tested: ${stage.skip}.`, observed: "nothing" };
  const deciding = { isSeen: (see: Outcome["see"]): boolean => stage.sees(see), isTerminal };
  return concludeFenced(
    {
      look: () => decide(allowed, { ...deciding, fenced: stage.fenceAnswered }),
      raise,
      observed: () => observedInWords(stage.seen, stage.fenceAnswered && !stage.over),
      reason: (why) => reasonOf(allowed, stage, why),
    },
    stage.over ? undefined : stop,
  );
}

/** Whether what was sent was accepted. */
export async function accepts(stage: QuicStage, stop: Stop, raise: Raise): Promise<Acceptance> {
  const { is, reason, observed } = await conclude(ACCEPTED, stage, stop, raise);
  if (is === "error" || is === "skip" || is === "unproved") return { is, reason };
  return { is: is === "allowed" ? "accepted" : "refused", reason: observed };
}

const ACCEPTED: readonly Outcome[] = [{ see: { see: "accepted" } }];

function reasonOf(allowed: readonly Outcome[], stage: QuicStage, why: Stop): string {
  const closed = closedIn(stage.all);
  if (closed !== undefined) return `Not permitted here: ${closed.words}.`;
  const failed = stage.all.find((one) => one.is === "failed");
  if (failed?.is === "failed") return `The handshake failed at our side: ${failed.words}.`;
  const left = stage.all.find((one) => one.is === "exit");
  if (left?.is === "exit") return `The command exited with status ${left.code ?? "?"}, and nothing on the wire shows why.`;
  if (why !== undefined) return sentence(why);
  const broken = brokenProperty(allowed, stage.view.monitor);
  if (broken !== undefined) return `Seen: ${broken}.`;
  return "It accepted this as if nothing were wrong: it acknowledged a later packet.";
}
