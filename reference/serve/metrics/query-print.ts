import { styleText } from "node:util";
import Table from "cli-table3";
import { Labels } from "../../metrics/model/index.ts";
import { formatValue } from "../../metrics/api/index.ts";
import { type HistogramSample, numberOf, type QueryAnswer, type QueryData, type Sample } from "./query-answer.ts";
import { sparkline } from "./sparkline.ts";

/** Room for a line of bars, and what the rest of a row takes at least. */
const MOST_BARS = 60;
const LEAST_BARS = 10;
const OTHER_COLUMNS = 50;

/** An answer for a person: a table of values, or a line of bars for each series over time. */
export function printed({ data, warnings = [], infos = [] }: QueryAnswer, columns: number): string {
  const notes = [
    ...warnings.map((text) => styleText("yellow", `warning: ${text}`)),
    ...infos.map((text) => styleText("dim", `info: ${text}`)),
  ];
  return [data === undefined ? "" : body(data, columns), ...notes].join("\n");
}

function body(data: QueryData, columns: number): string {
  switch (data.resultType) {
    case "scalar":
    case "string":
      return data.result[1];
    case "vector":
      return data.result.length === 0 ? nothing() : vector(data.result);
    case "matrix":
      return data.result.length === 0 ? nothing() : matrix(data.result, columns);
  }
}

const nothing = (): string => styleText("dim", "no series: the expression gave no result at this time");
const STYLE = { head: [], border: [], compact: true } as const;
const named = (metric: Readonly<Record<string, string>>): string => Labels.of(metric).toString();
const summary = ([, { count, sum }]: HistogramSample): string => `histogram: count ${count}, sum ${sum}`;

function vector(rows: Extract<QueryData, { resultType: "vector" }>["result"]): string {
  const table = new Table({ head: ["series", "value"], colAligns: ["left", "right"], style: { ...STYLE, head: [], border: [] } });
  for (const { metric, value, histogram } of rows)
    table.push([named(metric), histogram === undefined ? (value?.[1] ?? "") : summary(histogram)]);
  return table.toString();
}

function matrix(rows: Extract<QueryData, { resultType: "matrix" }>["result"], columns: number): string {
  const every = rows.flatMap(({ values = [], histograms = [] }) => [...values, ...histograms].map(([time]) => time));
  const times = [...new Set(every)].sort((a, b) => a - b);
  const width = Math.max(LEAST_BARS, Math.min(MOST_BARS, columns - OTHER_COLUMNS));
  const table = new Table({
    head: ["series", "over time", "least", "most", "last"],
    colAligns: ["left", "left", "right", "right", "right"],
    style: { ...STYLE, head: [], border: [] },
  });
  for (const { metric, values = [], histograms = [] } of rows) {
    const at = new Map([...values.map(numbers), ...histograms.map(([time, { count }]) => [time, numberOf(count)] as const)]);
    const line = times.map((time) => at.get(time));
    const known = [...at.values()].filter((value) => !Number.isNaN(value));
    const least = known.reduce((a, b) => Math.min(a, b), known[0] ?? Number.NaN);
    const most = known.reduce((a, b) => Math.max(a, b), known[0] ?? Number.NaN);
    table.push([named(metric), sparkline(line, width), short(least), short(most), short(line.findLast((value) => value !== undefined))]);
  }
  return `${table.toString()}\n${styleText("dim", `${span(times)}, ${rows.length} series`)}`;
}

const numbers = ([time, value]: Sample): readonly [number, number] => [time, numberOf(value)];
/** Six digits say enough beside a line of bars. */
const short = (value: number | undefined): string => (value === undefined ? "" : formatValue(Number(value.toPrecision(6))));
const span = (times: readonly number[]): string => `${moment(times[0])} to ${moment(times.at(-1))}`;
const moment = (seconds: number | undefined): string =>
  seconds === undefined ? "" : new Date(seconds * 1_000).toISOString().replace(/\.000Z$/, "Z");
