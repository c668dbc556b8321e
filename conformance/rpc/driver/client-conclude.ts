import { isOwnControl, type Outcome } from "../../harness/case.ts";
import type { Acceptance, Conclusion } from "../../harness/connection/connection-driver.ts";
import { sentence } from "../../harness/connection/fenced.ts";
import { brokenProperty, decide, leaves, type SightOf } from "../../harness/connection/sights.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import type { Report } from "../../harness/subject/reporting.ts";
import { turn } from "../../wire/writes.ts";
import type { CallReport, CallSpec } from "../client-vocabulary.ts";

/** A performance on a client that reports: what its end is decided by. */
export type Reported<Sight> = {
  readonly timeout: number;
  until(test: () => boolean, ms: number): Promise<boolean>;
  readonly report: Report | undefined;
  readonly asked:
    | {
        readonly calls: readonly CallSpec[];
        readonly later?: readonly CallSpec[];
        readonly more?: readonly (readonly CallSpec[])[];
        readonly fence?: false;
      }
    | undefined;
  readonly calls: readonly CallReport[] | undefined;
  sees(sight: Sight): boolean;
  /** What breaks a property of the requests. */
  broken(monitor: string): string | undefined;
  /** Everything that was seen, in words. */
  readonly observed: string;
  /** Whether this is the report of the good call behind all others. */
  isFence(call: CallReport): boolean;
};

/** Sights that the wire may show after the report. */
const LATER: readonly string[] = ["reset", "goaway", "closed", "pong", "left", "gone"];

/** Waits for the report, then for an allowed outcome that the wire may still show. */
export async function conclude<Sight extends SightOf<Sight>>(
  allowed: readonly Outcome<Sight>[],
  stage: Reported<Sight>,
  stop: Stop,
): Promise<Conclusion> {
  await stage.until(() => stage.report !== undefined, stage.timeout);
  const { report, observed } = stage;
  if (report === undefined) return { is: "other", reason: sentence(stop ?? `it did not report within ${stage.timeout} ms`), observed };
  if (report.is === "trouble") return { is: "error", reason: sentence(report.why), observed };
  // Without all steps the strict outcome is out of reach; what else is permitted may have come.
  const first = stop === undefined ? 0 : 1;
  const unfit = unfinished(stage);
  const look = (): number | undefined => {
    if (unfit !== undefined) return undefined;
    const index = decide(allowed.slice(first), { isSeen: (one: Sight) => stage.sees(one), isTerminal: () => false, fenced: true });
    return index === undefined ? undefined : index + first;
  };
  await turn();
  const why = stop ?? unfit;
  const isLate = allowed.some(({ see }) => leaves<Sight>(see).some((leaf) => LATER.includes(leaf.see)));
  if (unfit === undefined && isLate && look() === undefined) await stage.until(() => look() !== undefined, stage.timeout);
  const index = look();
  if (index !== undefined) return { is: "allowed", index, reason: "", observed: stage.observed };
  const broken = brokenProperty(allowed, (name) => stage.broken(name));
  return { is: "other", reason: why === undefined ? (broken ?? "It ended otherwise.") : sentence(why), observed: stage.observed };
}

/** All calls of a description, but the fence. */
export const callsOf = (asked: Reported<unknown>["asked"]): readonly CallSpec[] =>
  asked === undefined ? [] : [...asked.calls, ...(asked.later ?? []), ...(asked.more ?? []).flat()];

/** Why the report does not show that all calls were made, and that the channel is of use after them. */
function unfinished<Sight>({ asked, calls, isFence }: Reported<Sight>): string | undefined {
  const count = callsOf(asked).length + (asked?.fence === false ? 0 : 1);
  if (calls === undefined || calls.length !== count) return `it reports ${calls?.length ?? "no"} calls, not ${count}`;
  const fence = asked?.fence === false ? undefined : calls.at(-1);
  if (fence === undefined || (fence.status === 0 && isFence(fence))) return undefined;
  return `the next call on the same channel ended with status ${fence.status}${fence.message === "" ? "" : ` "${fence.message}"`}`;
}

/** A control is accepted if all its calls end with OK, those of one response with it; or if it is a case of its own and passes. */
export async function accepts<Sight extends SightOf<Sight>>(
  c: Parameters<typeof isOwnControl>[0] & { readonly allowed: readonly Outcome<Sight>[] },
  stage: Reported<Sight>,
  stop: Stop,
): Promise<Acceptance> {
  const isOwn = isOwnControl(c);
  const anything = { see: "all", of: [] as readonly Sight[] } as unknown as Sight;
  const { is, reason, observed } = await conclude(isOwn ? c.allowed : [{ see: anything }], stage, stop);
  if (is === "error") return { is, reason };
  const isGood = callsOf(stage.asked).every(({ kind }, at) => {
    const call = stage.calls?.[at];
    return call?.status === 0 && (kind === "server-stream" || kind === "bidi" || call.messages.length === 1);
  });
  if (is === "allowed" && (isOwn || isGood)) return { is: "accepted", reason: "" };
  return { is: "refused", reason: is === "allowed" ? observed : `${reason} ${observed}` };
}
