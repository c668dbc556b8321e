import { isOwnControl, type Outcome } from "../../harness/case.ts";
import type { Acceptance, Conclusion } from "../../harness/connection/connection-driver.ts";
import { sentence } from "../../harness/connection/fenced.ts";
import { brokenProperty, decide, leaves } from "../../harness/connection/sights.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { turn } from "../../wire/writes.ts";
import type { RpcClientCase, Sight } from "../client-vocabulary.ts";
import { observedInWords } from "./client-describe.ts";
import { monitor } from "./client-monitors.ts";
import { isSeen } from "./client-sights.ts";
import type { RpcClientStage } from "./client-stage.ts";

/** Sights that the wire may show after the report. */
const LATER: readonly Sight["see"][] = ["reset", "goaway", "closed", "pong"];

/** Waits for the report, then for an allowed outcome that the wire may still show. */
export async function conclude(allowed: readonly Outcome<Sight>[], stage: RpcClientStage, stop: Stop): Promise<Conclusion> {
  await stage.until(() => stage.over, stage.timeout);
  const { report } = stage;
  const observed = observedInWords(stage);
  if (report === undefined) return { is: "other", reason: sentence(stop ?? `it did not report within ${stage.timeout} ms`), observed };
  if (report.is === "trouble") return { is: "error", reason: sentence(report.why), observed };
  // Without all steps the strict outcome is out of reach; what else is permitted may have come.
  const first = stop === undefined ? 0 : 1;
  const unfit = unfinished(stage);
  const look = (): number | undefined => {
    if (unfit !== undefined) return undefined;
    const deciding = { isSeen: (one: Sight) => isSeen(one, stage), isTerminal: () => false, fenced: true };
    const index = decide(allowed.slice(first), deciding);
    return index === undefined ? undefined : index + first;
  };
  await turn();
  const why = stop ?? unfit;
  const isLate = allowed.some(({ see }) => leaves<Sight>(see).some((leaf) => LATER.includes(leaf.see)));
  if (unfit === undefined && isLate && look() === undefined) await stage.until(() => look() !== undefined, stage.timeout);
  const index = look();
  if (index !== undefined) return { is: "allowed", index, reason: "", observed: observedInWords(stage) };
  const broken = brokenProperty(allowed, (name) => monitor(name, stage));
  return { is: "other", reason: why === undefined ? (broken ?? "It ended otherwise.") : sentence(why), observed: observedInWords(stage) };
}

/** Why the report does not show that all calls were made, and that the channel is of use after them. */
function unfinished({ asked, calls }: RpcClientStage): string | undefined {
  const count = (asked?.calls.length ?? 0) + (asked?.later?.length ?? 0) + (asked?.fence === false ? 0 : 1);
  if (calls === undefined || calls.length !== count) return `it reports ${calls?.length ?? "no"} calls, not ${count}`;
  const fence = asked?.fence === false ? undefined : calls.at(-1);
  if (fence === undefined || (fence.status === 0 && fence.messages[0] === Buffer.from("fence").toString("hex"))) return undefined;
  return `the next call on the same channel ended with status ${fence.status}${fence.message === "" ? "" : ` "${fence.message}"`}`;
}

/** A control is accepted if all its calls end with OK, those of one response with it; or if it is a case of its own and passes. */
export async function accepts(c: RpcClientCase, stage: RpcClientStage, stop: Stop): Promise<Acceptance> {
  const isOwn = isOwnControl(c);
  const { is, reason, observed } = await conclude(isOwn ? c.allowed : [{ see: { see: "all", of: [] } }], stage, stop);
  if (is === "error") return { is, reason };
  const asked = [...(stage.asked?.calls ?? []), ...(stage.asked?.later ?? [])];
  const isGood = asked.every(({ kind }, at) => {
    const call = stage.calls?.[at];
    return call?.status === 0 && (kind === "server-stream" || kind === "bidi" || call.messages.length === 1);
  });
  if (is === "allowed" && (isOwn || isGood)) return { is: "accepted", reason: "" };
  return { is: "refused", reason: is === "allowed" ? observed : `${reason} ${observed}` };
}
