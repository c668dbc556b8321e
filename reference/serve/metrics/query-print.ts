import { styleText } from "node:util";
import Table from "cli-table3";
import { Labels } from "../../metrics/model/index.ts";
import { formatValue } from "../../metrics/api/index.ts";
import { type HistogramSample, numberOf, type QueryAnswer, type QueryData, type Sample } from "./query-answer.ts";
import { sparkline } from "./sparkline.ts";

/** Room for a line of bars. */
const MOST_BARS = 60;
const LEAST_BARS = 10;

/** What a server says may be anybody's labels: what would steer a terminal is shown instead of done. */
export const harmless = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are what it is about
  text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);

/** An answer for a person: a table of values, or a line of bars for each series over time; no line is longer than `columns`. */
export function printed({ data, warnings = [], infos = [] }: QueryAnswer, columns: number): string {
  const notes = [
    ...warnings.map((text) => styleText("yellow", `warning: ${harmless(text)}`)),
    ...infos.map((text) => styleText("dim", `info: ${harmless(text)}`)),
  ];
  return [data === undefined ? "" : body(data, columns), ...notes].join("\n");
}

function body(data: QueryData, columns: number): string {
  switch (data.resultType) {
    case "scalar":
    case "string":
      return harmless(data.result[1]);
    case "vector":
      return data.result.length === 0 ? nothing() : vector(data.result, columns);
    case "matrix":
      return data.result.length === 0 ? nothing() : matrix(data.result, columns);
  }
}

const nothing = (): string => styleText("dim", "no series: the expression gave no result at this time");
const STYLE = { head: [], border: [], compact: true } as const;
const named = (metric: Readonly<Record<string, string>>): string => harmless(Labels.of(metric).toString());
/** Of a name that does not fit, the beginning; a name keeps some room whatever stands beside it. */
const LEAST_NAME = 20;
function fitted(text: string, room: number): string {
  const signs = [...text];
  const most = Math.max(LEAST_NAME, room);
  return signs.length <= most ? text : `${signs.slice(0, most - 1).join("")}…`;
}
/** What borders and spaces take of a line: three columns each, and one at its end. */
const room = (columns: number, others: readonly string[]): number =>
  columns - 1 - 3 * (others.length + 1) - others.reduce((sum, { length }) => sum + length, 0);
const longest = (texts: readonly string[]): string => texts.reduce((a, b) => (b.length > a.length ? b : a), "");
const summary = ([, { count, sum }]: HistogramSample): string => `histogram: count ${count}, sum ${sum}`;

function vector(rows: Extract<QueryData, { resultType: "vector" }>["result"], columns: number): string {
  const table = new Table({ head: ["series", "value"], colAligns: ["left", "right"], style: { ...STYLE, head: [], border: [] } });
  const shown = rows.map(({ value, histogram }) => (histogram === undefined ? (value?.[1] ?? "") : summary(histogram)));
  const left = room(columns, [longest(["value", ...shown])]);
  for (const [at, { metric }] of rows.entries()) table.push([fitted(named(metric), left), shown[at]]);
  return table.toString();
}

function matrix(rows: Extract<QueryData, { resultType: "matrix" }>["result"], columns: number): string {
  const every = rows.flatMap(({ values = [], histograms = [] }) => [...values, ...histograms].map(([time]) => time));
  const times = [...new Set(every)].sort((a, b) => a - b);
  const lines = rows.map(({ metric, values = [], histograms = [] }) => {
    const at = new Map([...values.map(numbers), ...histograms.map(([time, { count }]) => [time, numberOf(count)] as const)]);
    const line = times.map((time) => at.get(time));
    const known = [...at.values()].filter((value) => !Number.isNaN(value));
    const least = known.reduce((a, b) => Math.min(a, b), known[0] ?? Number.NaN);
    const most = known.reduce((a, b) => Math.max(a, b), known[0] ?? Number.NaN);
    return { name: named(metric), line, figures: [least, most, line.findLast((value) => value !== undefined)].map(short) };
  });
  const heads = ["least", "most", "last"].map((head, at) => longest([head, ...lines.map(({ figures }) => figures[at] ?? "")]));
  const width = Math.max(LEAST_BARS, Math.min(MOST_BARS, room(columns, ["", ...heads]) - LEAST_NAME));
  const bars = lines.map(({ line }) => sparkline(line, width));
  const left = room(columns, [longest(["over time", ...bars]), ...heads]);
  const table = new Table({
    head: ["series", "over time", "least", "most", "last"],
    colAligns: ["left", "left", "right", "right", "right"],
    style: { ...STYLE, head: [], border: [] },
  });
  for (const [at, { name, figures }] of lines.entries()) table.push([fitted(name, left), bars[at], ...figures]);
  return `${table.toString()}\n${styleText("dim", `${span(times)}, ${rows.length} series`)}`;
}

const numbers = ([time, value]: Sample): readonly [number, number] => [time, numberOf(value)];
/** Six digits say enough beside a line of bars. */
const short = (value: number | undefined): string => (value === undefined ? "" : formatValue(Number(value.toPrecision(6))));
const span = (times: readonly number[]): string => `${moment(times[0])} to ${moment(times.at(-1))}`;
const moment = (seconds: number | undefined): string =>
  seconds === undefined ? "" : new Date(seconds * 1_000).toISOString().replace(/\.000Z$/, "Z");
