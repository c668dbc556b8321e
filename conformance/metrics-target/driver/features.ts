import type { Format } from "../../../reference/metrics/exposition/index.ts";
import { type Answer, fieldOf } from "./fetch.ts";
import { type Family, formatOf, type PageRead, readPage, type Sample } from "./page.ts";

/** What a target offers, or has on its page: a case about something else proves nothing of it. */

type Answers = Readonly<Record<Format["is"], Answer>>;
export type FeatureProbe = { readonly has: (answers: Answers) => boolean; readonly how: string };

const pageOf = (answers: Answers, is: Format["is"]): PageRead | undefined => {
  const answer = answers[is];
  if (answer.status !== 200 || (formatOf(answer) !== is && (is !== "text" || fieldOf(answer, "content-type") !== undefined)))
    return undefined;
  return readPage(answer, is);
};
const offers = (is: Format["is"], name: string): FeatureProbe => ({
  has: (answers) => {
    const page = pageOf(answers, is);
    return page !== undefined && (page.samples.length > 0 || page.faults.length > 0);
  },
  how: `it does not return ${name}, whatever Accept asks for`,
});
const hasFamily = (is: Format["is"], what: string, test: (family: Family) => boolean): FeatureProbe => ({
  has: (answers) => pageOf(answers, is)?.families.some((one) => one.samples.length > 0 && test(one)) === true,
  how: `its page has no ${what}`,
});
const ofType = (is: Format["is"], type: string): FeatureProbe => hasFamily(is, type, (one) => one.type === type);
const hasSample = (is: Format["is"], what: string, test: (sample: Sample) => boolean): FeatureProbe => ({
  has: (answers) => pageOf(answers, is)?.samples.some(test) === true,
  how: `its page has no ${what}`,
});

export const FEATURES = {
  text: offers("text", "the text format"),
  openmetrics: offers("openmetrics", "OpenMetrics"),
  protobuf: offers("protobuf", "protobuf"),
  "text-counter": ofType("text", "counter"),
  "text-histogram": ofType("text", "histogram"),
  "text-summary": ofType("text", "summary"),
  "text-quantiles": hasSample("text", "quantile", ({ labels }) => labels.some(([name]) => name === "quantile")),
  "om-counter": ofType("openmetrics", "counter"),
  "om-histogram": ofType("openmetrics", "histogram"),
  "om-gaugehistogram": ofType("openmetrics", "gaugehistogram"),
  "om-summary": ofType("openmetrics", "summary"),
  "om-quantiles": hasFamily(
    "openmetrics",
    "quantile",
    ({ name, type, samples }) => type === "summary" && samples.some((one) => one.name === name),
  ),
  "om-stateset": ofType("openmetrics", "stateset"),
  "om-info": ofType("openmetrics", "info"),
  "om-created": hasSample("openmetrics", "created time", ({ name }) => name.endsWith("_created")),
  "om-unit": hasFamily("openmetrics", "unit", ({ unit }) => unit !== undefined),
  "om-exemplar": hasSample("openmetrics", "exemplar", ({ exemplar }) => exemplar !== undefined),
  "om-target": hasFamily("openmetrics", "target_info", ({ name, type }) => name === "target" && type === "info"),
  timestamps: hasSample("text", "timestamp", ({ timestamp }) => timestamp !== undefined),
  "proto-counter": ofType("protobuf", "counter"),
  "proto-histogram": ofType("protobuf", "histogram"),
} as const satisfies Readonly<Record<string, FeatureProbe>>;
