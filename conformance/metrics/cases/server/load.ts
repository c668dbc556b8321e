import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type RequirementRef, sectionOf } from "../../../harness/case.ts";
import { requirementFiles } from "../../../harness/coverage.ts";
import { abuse } from "./abuse.ts";
import { type Asked, everythingAsked } from "./asked.ts";
import { BEGIN, dataSet } from "../../data/data-set.ts";
import { queryInterface } from "./interface-queries.ts";
import { resultInterface } from "./interface-results.ts";
import { metadataInterface } from "./interface-metadata.ts";
import { rangeInterface } from "./interface-ranges.ts";
import { invalidCases } from "./invalid.ts";
import { nativeCases } from "./native/cases.ts";
import { AT, RANGE } from "./question.ts";
import { QUESTIONS } from "./questions/index.ts";
import { stepOf } from "./step.ts";
import type { Labels, OneSight, Sample, ServerCase, Step } from "../../vocabulary.ts";

/** The cases made from queries: `questions/` has the queries, `answers/` the expected answers. */

/** A recorded answer: of a vector only labels and values, because its time is known. */
export type Recorded = {
  readonly scalar?: string;
  readonly string?: string;
  readonly vector?: readonly (readonly [Labels, string])[];
  readonly matrix?: readonly (readonly [Labels, readonly Sample[]])[];
};

/** The sight of a recorded answer: the value, with the order and annotations that the question demands. */
export function sightOf({ at = AT, ordered, notes }: Asked, { scalar, string, vector, matrix }: Recorded): OneSight {
  const more = { ...(ordered === undefined ? {} : { ordered }), ...(notes === undefined ? {} : { notes }) };
  const when = BEGIN + at;
  if (vector !== undefined) return { see: "vector", rows: vector.map(([labels, value]) => [labels, [when, value]]), ...more };
  if (matrix !== undefined) return { see: "matrix", rows: matrix, ...more };
  return scalar === undefined ? { see: "string", sample: [when, string ?? ""] } : { see: "scalar", sample: [when, scalar] };
}

const NAMES = new Set(dataSet().map(({ name }) => name));
/** A time at which every series of the data set has a sample. */
const EVERYWHERE = 1_811;

/** The control: a query for the first metric in the expression, or for a constant vector if there is none. */
export function controlOf({ expr, range }: Pick<Asked, "expr" | "range">): Step {
  const words = expr.match(/"[^"]*"|[\p{L}_:][\p{L}\d_:]*/gu) ?? [];
  const name = words
    .map((word) => word.replaceAll('"', ""))
    .find((word) => NAMES.has(word) && ((word !== "sum" && word !== "on") || expr.includes("keyword")));
  const plain = name === undefined ? "vector(1)" : /^[\w:]+$/.test(name) ? `{__name__="${name}"}` : `{"${name}"}`;
  return stepOf(range === undefined ? { expr: plain, at: EVERYWHERE } : { expr: plain, range: [EVERYWHERE, EVERYWHERE, 60] });
}

const readAnswers = (file: string): Readonly<Record<string, Recorded>> =>
  JSON.parse(readFileSync(join(import.meta.dirname, "answers", `${file}.json`), "utf8")) as Record<string, Recorded>;

/** Every case for metrics servers. */
export const serverCases = (): ServerCase[] => [
  ...queryCases(),
  ...nativeCases(requirementTexts()),
  ...invalidCases(),
  ...queryInterface,
  ...resultInterface,
  ...rangeInterface,
  ...metadataInterface,
  ...abuse,
];

/** One case for each query with a recorded answer. */
export function queryCases(): ServerCase[] {
  const answers = new Map(Object.keys(QUESTIONS).map((file) => [file, readAnswers(file)]));
  const texts = requirementTexts();
  return everythingAsked().flatMap((asked): ServerCase[] => {
    const answer = answers.get(asked.file)?.[asked.words];
    if (answer === undefined)
      throw new Error(`There is no recorded answer to ${asked.words}: see conformance/metrics/cases/server/record.ts`);
    const rule: RequirementRef = `prometheus-promql#${asked.rule}`;
    return [
      {
        id: `metrics/query-${asked.words}`,
        spec: sectionOf(rule),
        covers: [rule],
        level: "MUST",
        role: "server",
        title: `Answers ${asked.expr.replaceAll(/\s+/g, " ").trim()}${whenOf(asked)}. ${texts.get(rule) ?? "No rule."}`,
        ...(asked.needs.length === 0 ? {} : { needs: asked.needs }),
        steps: [stepOf(asked)],
        control: [controlOf(asked)],
        allowed: [{ see: sightOf(asked, answer) }],
      },
    ];
  });
}

const requirementTexts = (): Map<string, string> =>
  new Map(requirementFiles().flatMap(({ spec, requirements }) => requirements.map(({ id, text }) => [`${spec}#${id}`, text])));

const whenOf = ({ range }: Asked): string =>
  range === undefined ? "" : range === RANGE ? ", over a range" : `, from ${range[0]} to ${range[1]} s each ${range[2]} s`;
