import { isOwnControl, type Outcome } from "../../harness/case.ts";
import type { Acceptance, Conclusion } from "../../harness/connection/connection-driver.ts";
import { sentence } from "../../harness/connection/fenced.ts";
import { brokenProperty, decide, leaves } from "../../harness/connection/sights.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { turn } from "../../wire/writes.ts";
import type { RpcCase, Sight } from "../vocabulary.ts";
import { observedInWords } from "./describe.ts";
import { monitor } from "./monitors.ts";
import { responsesOf, statusOf } from "./answers.ts";
import { isSeen, isTerminal } from "./sights.ts";
import type { RpcStage } from "./stage.ts";
import { fence } from "./steps.ts";

/**
 * Waits for an allowed outcome, or until every call of the case has ended, then for the answer to a good call: it proves that the
 * connection lives, and what came of the case before it is there.
 */
export async function conclude(allowed: readonly Outcome<Sight>[], stage: RpcStage, stop: Stop): Promise<Conclusion> {
  if (!stage.connections.has(1)) return { is: "other", reason: sentence(stop ?? "no connection"), observed: "nothing" };
  const look = (fenced: boolean): number | undefined => decide(allowed, { isSeen: (one) => isSeen(one, stage), isTerminal, fenced });
  const answers = (): boolean => [...stage.calls].every((call) => stage.main.answers.get(call)?.isOver === true);
  let why = stop;
  if (stop === undefined) {
    // What only the absence of something shows needs no waiting.
    const isShown = (see: Sight): boolean => isSeen(see, stage) && !leaves<Sight>(see).every((leaf) => leaf.see === "holds");
    await stage.until(() => stage.over || answers() || allowed.some(({ see }) => isShown(see)), stage.timeout);
    await turn();
    if (!stage.over && !stage.hasLeft) why = await fence(stage);
    else if (!stage.hasLeft && look(false) === undefined) why = "the connection ended";
  }
  const isFenced = stop === undefined && why === undefined;
  const index = look(isFenced);
  const observed = observedInWords(stage);
  if (index !== undefined && (isFenced || stage.over)) return { is: "allowed", index, reason: "", observed };
  const broken = brokenProperty(allowed, (name) => monitor(name, stage));
  return {
    is: "other",
    reason: why === undefined ? (broken ?? (isFenced ? "It answered otherwise." : "It ended otherwise.")) : sentence(why),
    observed,
  };
}

/** A control is accepted if all its calls are answered with OK and a message, or if it is a case of its own and passes. */
export async function accepts(c: RpcCase, stage: RpcStage, stop: Stop): Promise<Acceptance> {
  if (isOwnControl(c)) {
    const { is, observed } = await conclude(c.allowed, stage, stop);
    return is === "allowed" ? { is: "accepted", reason: "" } : { is: "refused", reason: observed };
  }
  const { is, reason, observed } = await conclude([{ see: { see: "all", of: [] } }], stage, stop);
  const calls = [...stage.calls].map((call) => stage.connections.get(1)?.answers.get(call));
  const isGood = calls.every((one) => one !== undefined && statusOf(one, stage) === 0 && isAnswered(responsesOf(one, stage)));
  if (is === "allowed" && isGood && calls.length > 0) return { is: "accepted", reason: "" };
  return { is: "refused", reason: is === "allowed" ? observed : `${reason} ${observed}` };
}

const isAnswered = (responses: ReturnType<typeof responsesOf>): boolean =>
  responses.length > 0 && responses.every((one) => one !== undefined);
