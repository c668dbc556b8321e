import { type RequirementRef, sectionOf } from "../../../../harness/case.ts";
import { BEGIN } from "../../../data/data-set.ts";
import { stepOf } from "../step.ts";
import type { AnySample, Labels, OneSight, ServerCase, Step } from "../../../vocabulary.ts";
import { NATIVE_AT, NATIVE_BEGIN, nativeSeries } from "../../../data/native.ts";
import { isHistogram, type Value } from "./expected.ts";
import { shown, text } from "./histogram.ts";
import { type Computed, NATIVE_RANGE, type NativeGroup, type NativeQuestion } from "./question.ts";
import { aggregations } from "./questions/aggregations.ts";
import { customs } from "./questions/custom.ts";
import { estimates } from "./questions/estimates.ts";
import { mixtures } from "./questions/mixed.ts";
import { operators } from "./questions/operators.ts";
import { overTimes } from "./questions/over-time.ts";
import { selectors } from "./questions/selectors.ts";

/** The cases about native histograms. The files beside this one compute the expected answers from the data set, following the specification. */

export const NATIVE_GROUPS: readonly NativeGroup[] = [
  ...selectors,
  ...estimates,
  ...overTimes,
  ...operators,
  ...aggregations,
  ...customs,
  ...mixtures,
];

const sampleOf = (time: number, value: Value): AnySample => [BEGIN + time, isHistogram(value) ? shown(value) : text(value)];

/** The expected rows of a question at its time, or the samples that it selects. */
function sightAt(question: NativeQuestion, at: number): OneSight {
  const { notes, ordered } = question;
  const more = { ...(notes === undefined ? {} : { notes }), ...(ordered === undefined ? {} : { ordered }) };
  if ("samples" in question)
    return {
      see: "matrix",
      rows: question.samples(at).map(({ labels, samples }) => [labels, samples.map((one) => sampleOf(...one))]),
      ...more,
    };
  return { see: "vector", rows: question.gives(at).map(([labels, value]) => [labels, sampleOf(at, value)]), ...more };
}

/** A range query evaluates its expression at each step. */
function sightOver({ gives, notes }: NativeQuestion & Computed, [from, to, step]: readonly [number, number, number]): OneSight {
  const rows = new Map<string, { labels: Labels; samples: AnySample[] }>();
  for (let time = from; time <= to; time += step) {
    for (const [labels, value] of gives(time)) {
      const key = JSON.stringify(Object.entries(labels).sort(([a], [b]) => a.localeCompare(b)));
      const row = rows.get(key) ?? { labels, samples: [] };
      rows.set(key, row);
      row.samples.push(sampleOf(time, value));
    }
  }
  return {
    see: "matrix",
    rows: [...rows.values()].map(({ labels, samples }) => [labels, samples]),
    ...(notes === undefined ? {} : { notes }),
  };
}

const NAMES = new Set(nativeSeries().map(({ name }) => name));
/** A time at which every name has samples. */
const EVERYWHERE = NATIVE_BEGIN + 1_157;

/** The control: a query for the first metric in the expression, at another time. */
function controlOf(expr: string): string {
  const name = expr.match(/native_\w+/g)?.find((word) => NAMES.has(word));
  if (name === undefined) throw new Error(`${expr} is about none of the native histograms.`);
  return `{__name__="${name}"}`;
}

/** Every case about native histograms. `texts` are the requirements by address. */
export function nativeCases(texts: ReadonlyMap<string, string>): ServerCase[] {
  return NATIVE_GROUPS.flatMap((group) => Object.entries(group.ask).flatMap(([words, question]) => casesOf(group, words, question, texts)));
}

type Asked = { readonly id: string; readonly step: Step; readonly control: Step; readonly see: OneSight; readonly when?: string };

/** Whether a rule names its document; others are rules of the query language. */
const isAddress = (rule: string): rule is RequirementRef => rule.includes("#");

function casesOf(
  { rule, needs = [], once }: NativeGroup,
  words: string,
  question: NativeQuestion,
  texts: ReadonlyMap<string, string>,
): ServerCase[] {
  const { expr, at = NATIVE_AT, range } = question;
  const ref: RequirementRef = isAddress(rule) ? rule : `prometheus-promql#${rule}`;
  const one = ({ id, step, control, see, when = "" }: Asked): ServerCase => ({
    id: `metrics/native-${id}`,
    spec: sectionOf(ref),
    covers: [ref],
    level: "MUST",
    role: "server",
    title: `Answers ${expr}${when}. ${texts.get(ref) ?? "No rule."}`,
    needs: ["native histograms", ...needs, ...(question.needs ?? [])],
    steps: [step],
    control: [control],
    allowed: [{ see }],
  });
  const twin = controlOf(expr);
  const now = one({ id: words, step: stepOf({ expr, at }), control: stepOf({ expr: twin, at: EVERYWHERE }), see: sightAt(question, at) });
  if ("samples" in question) return [now];
  const over = (id: string, steps: readonly [number, number, number], when: string): ServerCase =>
    one({
      id,
      step: stepOf({ expr, range: steps }),
      control: stepOf({ expr: twin, range: [EVERYWHERE, EVERYWHERE, 60] }),
      see: sightOver(question, steps),
      when,
    });
  if (range !== undefined) return [over(words, range, `, each ${range[2]} s`)];
  if (once === true || question.at !== undefined) return [now];
  return [now, over(`${words}-over-a-range`, NATIVE_RANGE, ", over a range")];
}
