import type { Format } from "../../../reference/metrics/exposition/index.ts";
import type { Step } from "../vocabulary.ts";
import type { Answer } from "./fetch.ts";
import { type Family, type Labels, type PageRead, readPage, type Sample } from "./page.ts";

/** The answers to one step. */
export type Asked = { readonly step: Step; readonly answers: readonly Answer[] };
/** What must be true of all answers; returns the first fault. */
export type Rule = (asked: readonly Asked[], words: readonly string[]) => string | undefined;
export type Rules = Readonly<{ [name: string]: Rule }>;

const READ = new WeakMap<Answer, PageRead | undefined>();
/** The format that a step asks for. */
const wantedOf = ({ accept = "text" }: Step): Format["is"] =>
  accept.startsWith("openmetrics") ? "openmetrics" : accept === "protobuf" ? "protobuf" : "text";

/** The pages of a step, each read once; a fault if an answer has none. */
export function pagesOf({ step, answers }: Asked): readonly PageRead[] | string {
  const pages: PageRead[] = [];
  for (const answer of answers) {
    if (answer.problem !== "") return answer.problem;
    if (answer.status !== 200) return `the answer is ${answer.status}`;
    if (!READ.has(answer)) READ.set(answer, readPage(answer, wantedOf(step)));
    const page = READ.get(answer);
    if (page === undefined) return "the content is not what Content-Encoding says";
    pages.push(page);
  }
  return pages;
}

/** The first fault of any page. */
export const onPages =
  (fault: (page: PageRead, words: readonly string[]) => string | undefined): Rule =>
  (asked, words) =>
    firstOf(asked, (one) => {
      const pages = pagesOf(one);
      return typeof pages === "string" ? pages : firstOf(pages, (page) => fault(page, words));
    });

/** The first fault of two consecutive pages. */
export const onPairs = (fault: (before: PageRead, after: PageRead, words: readonly string[]) => string | undefined): Rule =>
  onSeries((pages, words) => firstOf(pages.slice(1), (page, at) => fault(pages[at]!, page, words)));

/** A fault of all pages of a step together. */
export const onSeries =
  (fault: (pages: readonly PageRead[], words: readonly string[]) => string | undefined): Rule =>
  (asked, words) =>
    firstOf(asked, (one) => {
      const pages = pagesOf(one);
      return typeof pages === "string" ? pages : fault(pages, words);
    });

/** The first fault of any answer. */
export const onAnswers =
  (fault: (answer: Answer, words: readonly string[]) => string | undefined): Rule =>
  (asked, words) =>
    firstOf(
      asked.flatMap(({ answers }) => answers),
      (answer) => (answer.problem === "" ? fault(answer, words) : answer.problem),
    );

/** The first fault of any family. */
export const onFamilies = (fault: (family: Family, words: readonly string[]) => string | undefined): Rule =>
  onPages(({ families }, words) => firstOf(families, (family) => fault(family, words)));

export function firstOf<T>(all: readonly T[], fault: (one: T, at: number) => string | undefined): string | undefined {
  for (const [at, one] of all.entries()) {
    const found = fault(one, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

export const labelOf = ({ labels }: Sample, name: string): string | undefined => labels.find(([one]) => one === name)?.[1];

/** A unique text for a set of labels in any order, without some. */
export const keyOf = (labels: Labels, ...without: readonly string[]): string =>
  JSON.stringify(labels.filter(([name]) => !without.includes(name)).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));

/** A series: its name and labels. */
export const seriesOf = ({ name, labels }: Sample): string => `${name}${keyOf(labels)}`;

/** The labels that tell samples of one metric apart. */
export const OWN: Readonly<Record<string, string>> = { histogram: "le", gaugehistogram: "le", summary: "quantile" };

/** The points of a family: the samples of each metric at each time. */
export function pointsOf({ name, type, samples }: Family): Sample[][] {
  const own = type === "stateset" ? name : (OWN[type] ?? "");
  return [...Map.groupBy(samples, ({ labels, timestamp }) => `${keyOf(labels, own)}@${timestamp ?? ""}`).values()];
}
