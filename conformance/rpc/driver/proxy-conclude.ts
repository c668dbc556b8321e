import { isOwnControl, type Outcome } from "../../harness/case.ts";
import type { Acceptance, Conclusion } from "../../harness/connection/connection-driver.ts";
import { sentence } from "../../harness/connection/fenced.ts";
import { decide, leaves } from "../../harness/connection/sights.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { turn } from "../../wire/writes.ts";
import type { RpcProxyCase, Sight } from "../proxy-vocabulary.ts";
import { statusOf } from "./answers.ts";
import { observedInWords } from "./proxy-describe.ts";
import { isSeen } from "./proxy-sights.ts";
import type { RpcProxyStage } from "./proxy-stage.ts";
import { goodCall } from "./proxy-steps.ts";

/** What is so from the beginning, and what may come after it: it says nothing before the good call. */
const ABSENT: readonly Sight["see"][] = ["open", "not whole", "not answered", "requests", "at once", "windows kept", "frames", "taken"];

/** Waits for an allowed outcome, then for the answer to a good call: what came of the case before it is there. */
export async function conclude(allowed: readonly Outcome<Sight>[], stage: RpcProxyStage, stop: Stop): Promise<Conclusion> {
  const isShown = ({ see }: Outcome<Sight>): boolean => stage.sees(see) && !leaves<Sight>(see).every((leaf) => ABSENT.includes(leaf.see));
  const [strict] = allowed;
  const isDone = (): boolean => [...stage.calls.keys()].every((call) => stage.answer(call)?.isOver === true);
  if (stop === undefined) {
    const isNeeded = strict === undefined || !leaves<Sight>(strict.see).every((leaf) => ABSENT.includes(leaf.see));
    await stage.until(() => stage.over || (isNeeded ? allowed.some(isShown) : isDone()), isNeeded ? stage.timeout : stage.timeout / 2);
  }
  const fence = stop ?? (await after(stage));
  await turn();
  const deciding = { isSeen: (one: Sight) => isSeen(one, stage), isTerminal: () => false, fenced: true };
  const index = fence === undefined ? decide(allowed, deciding) : undefined;
  const observed = observedInWords(stage);
  if (index !== undefined) return { is: "allowed", index, reason: "", observed };
  return { is: "other", reason: fence === undefined ? "It ended otherwise." : sentence(fence), observed };
}

/** A good call on the connection of the client, or on a new one if that has ended; returns why it is not answered. */
async function after(stage: RpcProxyStage): Promise<Stop> {
  await stage.recover();
  const isGone = stage.over || stage.hasLeft;
  let why: Stop;
  for (let attempt = 0; attempt < 4; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 50 * attempt));
    if (isGone || stage.over) {
      const anew = await stage.greetAnew();
      if (typeof anew === "string") return anew;
      why = await goodCall(anew, stage);
    } else why = await goodCall(stage.front, stage);
    if (why === undefined) return undefined;
  }
  return `afterwards ${why}`;
}

/** A control is accepted if all its calls end with OK of the origin, or if it is a case of its own and passes. */
export async function accepts(c: RpcProxyCase, stage: RpcProxyStage, stop: Stop): Promise<Acceptance> {
  const isOwn = isOwnControl(c);
  const answered: Sight = { see: "all", of: [...stage.calls.keys()].map((call) => ({ see: "response", call })) };
  const { is, reason, observed } = await conclude(isOwn ? c.allowed : [{ see: answered }], stage, stop);
  const calls = [...stage.calls.keys()].map((call) => stage.answer(call));
  const isGood = calls.length > 0 && calls.every((one) => one !== undefined && statusOf(one, stage) === 0);
  if (is === "allowed" && (isOwn || isGood)) return { is: "accepted", reason: "" };
  return { is: "refused", reason: `${reason} ${observed}` };
}
