import type { AnySample, Labels, OneSight, Sample, Template } from "../vocabulary.ts";
import type { Answer } from "./server-client.ts";
import { type HistogramSample, unlikeHistogram } from "./histogram-judge.ts";
import { isRecord, itemsOf, membersOf } from "../../harness/shapes.ts";
import { isNearText } from "./number-judge.ts";
import { succeeded } from "./server-data.ts";

type Found = {
  readonly metric?: unknown;
  readonly value?: unknown;
  readonly values?: unknown;
  readonly histogram?: unknown;
  readonly histograms?: unknown;
};

/** Why an answer differs from the sight, as one clause; undefined if it does not. */
export function unlike(sight: OneSight, answer: Answer): string | undefined {
  if (sight.see === "any") {
    const wrong = sight.of.map((one) => unlike(one, answer));
    return wrong.includes(undefined) ? undefined : wrong[0];
  }
  if (sight.see === "refused") return unlikeRefusal(sight, answer);
  const { status, json } = answer;
  if (!succeeded(answer)) return `it answered with ${status}${json === undefined ? "" : `: ${errorOf(answer)}`}`;
  const envelope = membersOf(json);
  const { notes } = sight;
  if (notes !== undefined && !isTexts(envelope[notes])) return `it has no "${notes}"`;
  if (sight.see === "data") return unlikeData(sight, envelope["data"], answer);
  const { resultType, result } = membersOf(envelope["data"]);
  if (resultType !== sight.see) return `its result is a ${String(resultType)}, not a ${sight.see}`;
  switch (sight.see) {
    case "scalar":
      return unlikeSample(sight.sample, result, isNearText);
    case "string":
      return unlikeSample(sight.sample, result, (a, b) => a === b);
    case "vector": {
      const rows = sight.rows.map(([labels, sample]): Row => [labels, [sample]]);
      return unlikeRows(rows, result, {
        ordered: sight.ordered === true,
        samplesOf: ({ value, histogram }) => ({
          floats: value === undefined ? [] : [value],
          histograms: histogram === undefined ? [] : [histogram],
        }),
      });
    }
    case "matrix":
      return unlikeRows(sight.rows, result, {
        ordered: sight.ordered === true,
        samplesOf: ({ values = [], histograms = [] }) => ({ floats: values, histograms }),
      });
  }
}

/** The error of an envelope, or the beginning of the answer. */
export function errorOf({ json, text }: Answer): string {
  const { errorType, error } = membersOf(json);
  return errorType === undefined ? text.slice(0, 120) : `${String(errorType)}, ${String(error)}`;
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");

function unlikeRefusal({ status, type, bare }: Extract<OneSight, { see: "refused" }>, answer: Answer): string | undefined {
  if (!status.includes(answer.status)) return `its status is ${answer.status}, not ${status.join(" or ")}`;
  if (bare === true) return undefined;
  const { status: outcome, error, errorType: kind } = membersOf(answer.json);
  if (outcome !== "error") return "its content is not the JSON envelope of an error";
  if (typeof error !== "string" || error === "") return "its envelope has no error message";
  return type === undefined || type.includes(String(kind)) ? undefined : `its errorType is ${String(kind)}, not ${type.join(" or ")}`;
}

function unlikeData(
  { data, unordered, most, fields = [], text }: Extract<OneSight, { see: "data" }>,
  own: unknown,
  answer: Answer,
): string | undefined {
  for (const { name, pattern } of fields)
    if (!new RegExp(pattern, "i").test(answer.fields[name] ?? "")) return `its field ${name} is ${JSON.stringify(answer.fields[name])}`;
  if (text !== undefined && !answer.text.includes(text)) return `its content has no ${text}`;
  if (most !== undefined && (!Array.isArray(own) || own.length > most)) return `it has more than ${most} items`;
  if (unordered === true) {
    const sorted = (list: unknown): unknown => (Array.isArray(list) ? list.map((one) => stable(one)).sort() : list);
    return JSON.stringify(sorted(own)) === JSON.stringify(sorted(data)) ? undefined : `its data is ${JSON.stringify(own)?.slice(0, 300)}`;
  }
  return isLike(data, own) ? undefined : `its data is ${JSON.stringify(own)?.slice(0, 300)}`;
}

/** JSON with sorted member names. */
const stable = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner) ? Object.fromEntries(Object.entries(inner).sort()) : inner,
  );

/** Whether a value matches a template; objects may have more members. */
export function isLike(template: Template, value: unknown): boolean {
  if (template === null || typeof template !== "object") return template === value;
  if (isTemplates(template))
    return Array.isArray(value) && template.length === value.length && template.every((one, at) => isLike(one, value[at]));
  const { is, like, each, ...members } = template;
  if (typeof is === "string" && kindOf(value) !== is) return false;
  if (typeof like === "string" && !(typeof value === "string" && new RegExp(like, "u").test(value))) return false;
  if (each !== undefined && !(Array.isArray(value) && value.length > 0 && value.every((one) => isLike(each, one)))) return false;
  if (Object.keys(members).length === 0) return true;
  return isRecord(value) && Object.entries(members).every(([name, inner]) => isLike(inner, value[name]));
}

const isTemplates = (template: Template): template is readonly Template[] => Array.isArray(template);

const kindOf = (value: unknown): string => (Array.isArray(value) ? "array" : value === null ? "null" : typeof value);

type Row = readonly [Labels, readonly AnySample[]];
/** The samples of one series by kind. */
type Both = { readonly floats: unknown; readonly histograms: unknown };

/** Whether the order of series counts, and which member contains the samples. */
type RowRules = { readonly ordered: boolean; readonly samplesOf: (found: Found) => Both };

function unlikeRows(wanted: readonly Row[], result: unknown, { ordered, samplesOf }: RowRules): string | undefined {
  if (!Array.isArray(result)) return "its result is not a list";
  const found: readonly Found[] = result;
  const byLabels = new Map(found.map((one) => [stable(one.metric ?? {}), one]));
  if (byLabels.size < found.length) return "it has one series twice";
  for (const [at, [labels, samples]] of wanted.entries()) {
    const key = stable(labels);
    const own = byLabels.get(key);
    if (own === undefined)
      return `${shown(labels)} is missing; it has ${
        found.length === 0
          ? "nothing"
          : found
              .slice(0, 3)
              .map((one) => shown(one.metric))
              .join(" ")
      }`;
    if (ordered && stable(found[at]?.metric ?? {}) !== key) return `${shown(found[at]?.metric)} is where ${shown(labels)} should be`;
    const { floats, histograms } = samplesOf(own);
    const bad =
      unlikeSamples(samples.filter(isFloat), floats, (sample, given) => unlikeSample(sample, given, isNearText)) ??
      unlikeSamples(samples.filter(isHistogram), histograms, unlikeHistogram);
    if (bad !== undefined) return `${shown(labels)}: ${bad}`;
  }
  const wantedKeys = new Set(wanted.map(([labels]) => stable(labels)));
  const extra = found.find(({ metric }) => !wantedKeys.has(stable(metric ?? {})));
  return extra === undefined ? undefined : `it has ${shown(extra.metric)}, which is not expected`;
}

const isFloat = (sample: AnySample): sample is Sample => typeof sample[1] === "string";
const isHistogram = (sample: AnySample): sample is HistogramSample => typeof sample[1] !== "string";

function unlikeSamples<S>(
  wanted: readonly S[],
  given: unknown,
  unlikeOne: (sample: S, given: unknown) => string | undefined,
): string | undefined {
  if (!Array.isArray(given)) return "it has no samples";
  for (const [place, sample] of wanted.entries()) {
    const bad = unlikeOne(sample, given[place]);
    if (bad !== undefined) return bad;
  }
  return given.length > wanted.length ? `it has ${JSON.stringify(given[wanted.length])}, where nothing is expected` : undefined;
}

const shown = (labels: unknown): string => JSON.stringify(labels ?? {}).slice(0, 160);

function unlikeSample([time, value]: Sample, given: unknown, isSame: (a: string, b: string) => boolean): string | undefined {
  if (!Array.isArray(given)) return `it has ${JSON.stringify(given) ?? "nothing"}, not ${value} at ${time}`;
  const [when, what] = itemsOf(given);
  if (typeof when !== "number" || Math.abs(when - time) > 0.000_5) return `it has a sample at ${String(when)}, not at ${time}`;
  if (typeof what !== "string") return `its value is ${JSON.stringify(what)}, not a string`;
  return isSame(value, what) ? undefined : `it has ${what} at ${time}, not ${value}`;
}
