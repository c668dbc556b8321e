import type { Level } from "../../../reference/core/index.ts";
import { type RequirementRef, sectionOf } from "../../harness/case.ts";
import type { FEATURES } from "../driver/features.ts";
import type { Ask, Case, Change, Step } from "../vocabulary.ts";

/** What the cases for metrics servers share. */

type Draft = {
  readonly id: string;
  /** An entry of prometheus-server. */
  readonly covers: string;
  readonly level?: Level;
  readonly title: string;
  readonly needs?: readonly (keyof typeof FEATURES)[];
  readonly of?: Step["of"];
  readonly change?: Change;
  readonly asks: readonly (string | Ask)[];
  /** Requests that must be answered well before the case proves anything: the same without the mistake. By default those of the case. */
  readonly twin?: readonly (string | Ask)[];
  readonly see: readonly [rule: string, ...words: readonly string[]];
};

const asksOf = (all: readonly (string | Ask)[]): Ask[] => all.map((one) => (typeof one === "string" ? { path: one } : one));

/** A case that judges answers by a rule. */
export function made({
  id,
  covers,
  level = "MUST",
  title,
  needs = [],
  of = "server",
  change,
  asks,
  twin,
  see: [rule, ...words],
}: Draft): Case {
  const ref = `prometheus-server#${covers}` as RequirementRef;
  const step: Step = { do: "ask", of, ...(change && { change }), asks: asksOf(asks) };
  return {
    id: `metrics-server/${id}`,
    spec: sectionOf(ref),
    covers: [ref],
    level,
    role: "client",
    title,
    ...(needs.length > 0 && { needs }),
    steps: [step],
    control: [twin === undefined ? step : { do: "ask", of: "server", asks: asksOf(twin) }],
    allowed: [{ see: { see: "holds", rule, ...(words.length > 0 && { words }) } }],
  };
}

/** The page with the series of these selectors. */
export const federate = (...selectors: readonly string[]): string =>
  `/federate${selectors.length === 0 ? "" : `?${selectors.map((one) => `match[]=${encodeURIComponent(one)}`).join("&")}`}`;
