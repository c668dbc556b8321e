import type { Level } from "../../../reference/core/index.ts";
import { type RequirementRef, sectionOf } from "../../harness/case.ts";
import type { FEATURES } from "../driver/features.ts";
import type { Case, Step } from "../vocabulary.ts";

/** What the cases for rules share. */

type Draft = Omit<Step, "do"> & {
  readonly id: string;
  /** An entry of prometheus-rules. */
  readonly covers: string;
  readonly level?: Level;
  readonly title: string;
  readonly needs?: readonly (keyof typeof FEATURES)[];
  readonly see: readonly [rule: string, ...words: readonly string[]];
};

/** A case that judges by a rule what became of the groups. */
export function made({ id, covers, level = "MUST", title, needs = [], see: [rule, ...words], ...rest }: Draft): Case {
  const ref = `prometheus-rules#${covers}` as RequirementRef;
  const step: Step = { do: "evaluate", ...rest };
  return {
    id: `rules/${id}`,
    spec: sectionOf(ref),
    covers: [ref],
    level,
    role: "client",
    title,
    ...(needs.length > 0 && { needs }),
    steps: [step],
    control: [step],
    allowed: [{ see: { see: "holds", rule, ...(words.length > 0 && { words }) } }],
  };
}
