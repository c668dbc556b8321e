import { styleText } from "node:util";
import Table from "cli-table3";
import { Labels } from "../../metrics/model/index.ts";
import { formatValue } from "../../metrics/api/index.ts";
import { type HistogramSample, numberOf, type QueryAnswer, type QueryData, type Sample } from "./query-answer.ts";
import { sparkline } from "./sparkline.ts";

/** The width of a sparkline. */
const MAX_BARS = 60;
const MIN_BARS = 10;

/** Escapes control characters except the line feed: labels come from anywhere and must not control the terminal. */
export const escapeControls = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- matches control characters on purpose
  text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`);

/** Renders a result as a table: of values, or of a sparkline for each series. No line is longer than `columns`. */
export function renderAnswer({ data, warnings = [], infos = [] }: QueryAnswer, columns: number): string {
  const notes = [
    ...warnings.map((text) => styleText("yellow", `warning: ${escapeControls(text)}`)),
    ...infos.map((text) => styleText("dim", `info: ${escapeControls(text)}`)),
  ];
  return [data === undefined ? "" : body(data, columns), ...notes].join("\n");
}

function body(data: QueryData, columns: number): string {
  switch (data.resultType) {
    case "scalar":
    case "string":
      return escapeControls(data.result[1]);
    case "vector":
      return data.result.length === 0 ? noSeries("at this time") : vector(data.result, columns);
    case "matrix":
      return data.result.length === 0 ? noSeries("in this time range") : matrix(data.result, columns);
  }
}

const noSeries = (when: string): string => styleText("dim", `no series: the result is empty ${when}`);
const seriesName = (metric: Readonly<Record<string, string>>): string => escapeControls(Labels.of(metric).toString());
/** Names get at least this width. */
const MIN_NAME = 20;
/** Truncates text to `room` columns, or to `MIN_NAME` if that is more. */
function fitted(text: string, room: number): string {
  const chars = [...text];
  const width = Math.max(MIN_NAME, room);
  return chars.length <= width ? text : `${chars.slice(0, width - 1).join("")}…`;
}
/** The width left beside the other cells: each cell's border and padding take three columns, and the right border takes one. */
const room = (columns: number, others: readonly string[]): number =>
  columns - 1 - 3 * (others.length + 1) - others.reduce((sum, { length }) => sum + length, 0);
const longest = (texts: readonly string[]): string => texts.reduce((a, b) => (b.length > a.length ? b : a), "");
const summary = ([, { count, sum }]: HistogramSample): string => `histogram: count ${count}, sum ${sum}`;

/** A table without colours, one line a row; a new object each time, since the table modifies its style. */
const plain = () => ({ head: [], border: [], compact: true });

function vector(rows: Extract<QueryData, { resultType: "vector" }>["result"], columns: number): string {
  const table = new Table({ head: ["series", "value"], colAligns: ["left", "right"], style: plain() });
  const shown = rows.map(({ value, histogram }) => (histogram === undefined ? (value?.[1] ?? "") : summary(histogram)));
  const left = room(columns, [longest(["value", ...shown])]);
  for (const [at, { metric }] of rows.entries()) table.push([fitted(seriesName(metric), left), shown[at]]);
  return table.toString();
}

function matrix(rows: Extract<QueryData, { resultType: "matrix" }>["result"], columns: number): string {
  const every = rows.flatMap(({ values = [], histograms = [] }) => [...values, ...histograms].map(([time]) => time));
  const times = [...new Set(every)].sort((a, b) => a - b);
  const lines = rows.map(({ metric, values = [], histograms = [] }) => {
    const at = new Map([...values.map(numbers), ...histograms.map(([time, { count }]) => [time, numberOf(count)] as const)]);
    const line = times.map((time) => at.get(time));
    const known = [...at.values()].filter((value) => !Number.isNaN(value));
    const min = known.reduce((a, b) => Math.min(a, b), known[0] ?? Number.NaN);
    const max = known.reduce((a, b) => Math.max(a, b), known[0] ?? Number.NaN);
    return { name: seriesName(metric), line, figures: [min, max, line.findLast((value) => value !== undefined)].map(short) };
  });
  const heads = ["min", "max", "last"].map((head, at) => longest([head, ...lines.map(({ figures }) => figures[at] ?? "")]));
  const width = Math.max(MIN_BARS, Math.min(MAX_BARS, room(columns, ["", ...heads]) - MIN_NAME));
  const bars = lines.map(({ line }) => sparkline(line, width));
  const left = room(columns, [longest(["over time", ...bars]), ...heads]);
  const table = new Table({
    head: ["series", "over time", "min", "max", "last"],
    colAligns: ["left", "left", "right", "right", "right"],
    style: plain(),
  });
  for (const [at, { name, figures }] of lines.entries()) table.push([fitted(name, left), bars[at], ...figures]);
  return `${table.toString()}\n${styleText("dim", `${span(times)}, ${rows.length} series`)}`;
}

const numbers = ([time, value]: Sample): readonly [number, number] => [time, numberOf(value)];
/** Six digits are enough beside a sparkline. */
const short = (value: number | undefined): string => (value === undefined ? "" : formatValue(Number(value.toPrecision(6))));
const span = (times: readonly number[]): string => `${moment(times[0])} to ${moment(times.at(-1))}`;
const moment = (seconds: number | undefined): string =>
  seconds === undefined ? "" : new Date(seconds * 1_000).toISOString().replace(/\.000Z$/, "Z");
