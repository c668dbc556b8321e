import type { Level, SpecRef } from "../../../reference/core/index.ts";
import type { RequirementRef } from "../../harness/case.ts";
import type { FEATURES } from "../driver/features.ts";
import type { Answer, Case, Settings, Sight, Stage, Step } from "../vocabulary.ts";

/** What the cases for scrapers share. */

export const OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";
const lines = (all: readonly string[]): string => all.map((one) => `${one}\n`).join("");
/** A page of stage N that has to be stored. */
export const text = (stage: number, ...more: readonly string[]): string => lines([`stage ${stage}`, ...more]);
export const openMetrics = (stage: number, ...more: readonly string[]): Answer => ({
  type: OPENMETRICS,
  page: lines(["# TYPE stage gauge", `stage ${stage}`, ...more, "# EOF"]),
});

export const good = (answer: Answer, more: Partial<Stage> = {}): Stage => ({ answer, until: "stored", ...more });
export const page = (stage: number, ...more: readonly string[]): Stage => good({ page: text(stage, ...more) });
/** A scrape that must not bring anything, twice. */
export const bad = (answer: Answer, more: Partial<Stage> = {}): Stage => ({ answer, until: 2, ...more });
/** What a page that must not be stored has. */
export const LEAK = "leaked 1";
export const NOT_LEAKED: Sight = { see: "absent", name: "leaked" };

type Draft = Omit<Step, "do" | "stages"> & {
  readonly id: string;
  /** Entries of prometheus-scrape, or with their documents. */
  readonly covers: string | readonly [string, ...string[]];
  readonly level?: Level;
  readonly title: string;
  readonly stages?: readonly Stage[];
  readonly needs?: readonly (keyof typeof FEATURES)[];
  readonly see: Sight | readonly Sight[];
  readonly also?: readonly { readonly see: Sight; readonly by: string }[];
  /** The stages of the control; those of the case if it has no mistake. */
  readonly control?: readonly Stage[];
  /** The settings of the control, if they are not those of the case. */
  readonly controlSettings?: Settings;
};

const ref = (name: string): RequirementRef => (name.includes("#") ? name : `prometheus-scrape#${name}`) as RequirementRef;

export function made(draft: Draft): Case {
  const { id, covers, level = "MUST", title, stages = [page(1)], needs = [], see, also = [], control, controlSettings, ...job } = draft;
  const [first, ...rest] = typeof covers === "string" ? [covers] : covers;
  const all = "see" in see ? see : ({ see: "all", of: see } as const);
  const step: Step = { do: "scrape", ...job, stages };
  return {
    id: `scrape/${id}`,
    spec: ref(first!).slice(0, ref(first!).indexOf("/")) as SpecRef,
    covers: [ref(first!), ...rest.map(ref)],
    level,
    role: "client",
    title,
    ...(needs.length > 0 && { needs }),
    steps: [step],
    control: [{ ...step, ...(control && { stages: control }), ...(controlSettings && { settings: controlSettings }) }],
    allowed: [{ see: all }, ...also.map((one) => ({ see: one.see, by: ref(one.by).split("/")[0] as SpecRef }))],
  };
}

type FaultDraft = Omit<Draft, "stages" | "see" | "control"> & {
  readonly answer: Answer;
  readonly good?: Answer;
  readonly see?: Sight | readonly Sight[];
};
/** A case about a scrape that fails: nothing of its page is stored, and the next good page is. `good`: the same page without the mistake. */
export function failing({ answer, good: twin = { page: text(1) }, see = NOT_LEAKED, ...draft }: FaultDraft): Case {
  return made({ ...draft, stages: [bad(answer), page(2)], see, control: [good(twin)] });
}
