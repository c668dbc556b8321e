import type { Level, SpecRef } from "../../../reference/core/index.ts";
import { type RequirementRef, sectionOf } from "../../harness/case.ts";
import type { FEATURES } from "../driver/features.ts";
import type { Case, Sight, Step } from "../vocabulary.ts";

/** What the cases for targets share. */

type Seen = readonly [rule: string, ...words: readonly string[]];
type Draft = {
  readonly id: string;
  /** An entry of prometheus-target, or one with its document. */
  readonly covers: string;
  readonly level?: Level;
  readonly title: string;
  /** One GET without Accept by default. */
  readonly steps?: readonly Omit<Step, "do">[];
  /** The steps without what is unusual about them; the steps themselves where nothing is. */
  readonly control?: readonly Omit<Step, "do">[];
  readonly needs?: readonly (keyof typeof FEATURES)[];
  readonly see: Seen;
  readonly also?: readonly { readonly see: Seen; readonly by: string }[];
};

const sight = ([rule, ...words]: Seen): Sight => ({ see: "holds", rule, ...(words.length > 0 && { words }) });

/** A case that judges answers by a rule. */
export function made({ id, covers, level = "MUST", title, steps = [{}], control = steps, needs = [], see, also = [] }: Draft): Case {
  const ref = (covers.includes("#") ? covers : `prometheus-target#${covers}`) as RequirementRef;
  const scrape = (step: Omit<Step, "do">): Step => ({ do: "scrape", ...step });
  return {
    id: `metrics-target/${id}`,
    spec: sectionOf(ref),
    covers: [ref],
    level,
    role: "server",
    title,
    ...(needs.length > 0 && { needs }),
    steps: steps.map(scrape),
    control: control.map(scrape),
    allowed: [{ see: sight(see) }, ...also.map((one) => ({ see: sight(one.see), by: one.by as SpecRef }))],
  };
}
