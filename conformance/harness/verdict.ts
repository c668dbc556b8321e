import type { Level } from "../../reference/core/index.ts";
import { type AnyCase, isOwnControl } from "./case.ts";
import type { Played, Twin } from "./driver.ts";
import type { Verdict } from "./result.ts";

export type Judgement = { readonly verdict: Verdict; readonly reason: string };

/** What follows the difference in a reason: what was allowed by which rule, and what was seen. */
export const ALLOWED = " Allowed by ";
const SEEN = 200;
const cut = (words: string): string => (words.length > SEEN ? `${words.slice(0, SEEN)}…` : words);

const isMust = (level: Level): boolean => level.startsWith("MUST");

/** The verdict of a performance and its control, by the level of the requirement. */
export function judge(
  c: Pick<AnyCase, "level" | "spec" | "steps" | "control" | "allowed" | "controlBreaks">,
  twin: Twin | undefined,
  played: Played | undefined,
  expected: readonly string[],
): Judgement {
  if (twin?.is === "error") return { verdict: "error", reason: twin.reason };
  if (twin?.is === "skip" || twin?.is === "unproved") return { verdict: twin.is, reason: twin.reason };
  if (twin?.is === "refused") {
    const refused = `It did not accept the same exchange without the mistake (${twin.reason})`;
    // A fail means a broken MUST: refusing a good exchange is one only where `controlBreaks` names it.
    if (c.controlBreaks !== undefined) return { verdict: "fail", reason: `${refused}, which breaks ${c.controlBreaks}.` };
    if (!isOwnControl(c)) return { verdict: "unproved", reason: `${refused}, so nothing is proved by how it treats the mistake.` };
    if (played?.is === "allowed")
      return { verdict: "unproved", reason: `It accepted this once, and once it did not (${twin.reason}): nothing is proved.` };
  }
  if (played === undefined) return { verdict: "error", reason: "The case was not performed." };
  if (played.is === "error" || played.is === "skip" || played.is === "unproved") return { verdict: played.is, reason: played.reason };
  if (played.is === "other") {
    const more = expected.length > 1 ? `, or ${expected.length - 1} other${expected.length > 2 ? "s" : ""}` : "";
    const allowed = `${ALLOWED}${c.spec} (${c.level}): ${expected[0]}${more}. Seen: ${cut(played.observed)}.`;
    return { verdict: isMust(c.level) ? "fail" : "warn", reason: `${played.reason}${allowed}` };
  }
  const index = played.index ?? 0;
  const outcome = c.allowed[index];
  if (outcome?.verdict === "warn")
    return { verdict: "warn", reason: `Permitted, but discouraged: ${expected[index]}. Better: ${expected[0]}.` };
  const how = index === 0 ? `As required: ${expected[0]}.` : `As permitted: ${expected[index]}. Seen: ${cut(played.observed)}.`;
  return { verdict: "pass", reason: how };
}
