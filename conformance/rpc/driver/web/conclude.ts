import { isOwnControl, type Outcome } from "../../../harness/case.ts";
import type { Acceptance, Conclusion } from "../../../harness/connection/connection-driver.ts";
import { sentence } from "../../../harness/connection/fenced.ts";
import { brokenProperty, decide, leaves } from "../../../harness/connection/sights.ts";
import type { Stop } from "../../../harness/connection/stage.ts";
import type { WebCase, WebSight } from "../../web-vocabulary.ts";
import { observedInWords } from "./describe.ts";
import { isSeen, monitor } from "./sights.ts";
import type { WebStage } from "./stage.ts";
import { fence } from "./steps.ts";

/** Waits for an allowed outcome, or until every call has ended, then for the answer to a good call on a new connection. */
export async function conclude(allowed: readonly Outcome<WebSight>[], stage: WebStage, stop: Stop): Promise<Conclusion> {
  const isShown = (see: WebSight): boolean => isSeen(see, stage) && !leaves<WebSight>(see).every((leaf) => leaf.see === "holds");
  let why = stop;
  if (stop === undefined) {
    await stage.until(() => stage.over || allowed.some(({ see }) => isShown(see)), stage.timeout);
    why = await fence(stage);
  }
  const index = decide(allowed, { isSeen: (one) => isSeen(one, stage), isTerminal: () => false, fenced: why === undefined });
  const observed = observedInWords(stage);
  if (index !== undefined) return { is: "allowed", index, reason: "", observed };
  const broken = brokenProperty(allowed, (name) => monitor(name, stage));
  return { is: "other", reason: why === undefined ? (broken ?? "It answered otherwise.") : sentence(why), observed };
}

/** A control is accepted if all its calls are answered with OK and readable messages, or if it is a case of its own and passes. */
export async function accepts(c: WebCase, stage: WebStage, stop: Stop): Promise<Acceptance> {
  if (isOwnControl(c)) {
    const { is, observed } = await conclude(c.allowed, stage, stop);
    return is === "allowed" ? { is: "accepted", reason: "" } : { is: "refused", reason: observed };
  }
  const { is, reason, observed } = await conclude([{ see: { see: "all", of: [] } }], stage, stop);
  const isGood = [...stage.calls.values()].every(
    ({ answer: { status, responses } }) => status === 0 && responses.length > 0 && responses.every((one) => one !== undefined),
  );
  if (is === "allowed" && isGood && stage.calls.size > 0) return { is: "accepted", reason: "" };
  return { is: "refused", reason: is === "allowed" ? observed : `${reason} ${observed}` };
}
