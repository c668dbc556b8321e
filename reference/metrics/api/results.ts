import { Columns, type Labels } from "../model/index.ts";
import type { Element, QueryValue } from "../promql/index.ts";
import { histogramJson } from "./histogram-json.ts";
import type { JsonWriter, WriteJson } from "./json.ts";
import { formatTime, formatValue } from "./number.ts";
import { Points } from "./points.ts";

/** `isCut`: the limit dropped series. */
export type ResultJson = { readonly write: WriteJson; readonly isCut: boolean };

/** Writes `"resultType":…,"result":…` of a query (Prometheus docs, querying/api.md, "Expression query result formats"). */
export function resultJson(value: QueryValue, limit: number): ResultJson {
  switch (value.is) {
    case "string":
      return { write: once(`"resultType":"string","result":[${formatTime(value.timeMs)},`, value.text, "]"), isCut: false };
    case "scalar":
      return { write: once(`"resultType":"scalar","result":[${formatTime(value.timeMs)},`, formatValue(value.value), "]"), isCut: false };
    case "vector":
      return {
        write: (out) => listed(out, "vector", instantRows(out, value.elements.slice(0, limit), formatTime(value.timeMs))),
        isCut: value.elements.length > limit,
      };
    case "matrix":
      return { write: (out) => listed(out, "matrix", rangeRows(out, value.series(), limit)), isCut: value.size > limit };
  }
}

const once = (begin: string, text: string, end: string): WriteJson =>
  function* only(out) {
    yield void out.ascii(begin).text(text).ascii(end);
  };

function* listed(out: JsonWriter, type: "vector" | "matrix", rows: Iterable<void>): Generator<void> {
  out.ascii(`"resultType":"${type}","result":[`);
  yield* rows;
  yield void out.ascii("]");
}

const metric = (out: JsonWriter, row: number, labels: Labels): JsonWriter =>
  out.ascii(row === 0 ? '{"metric":' : ',{"metric":').labels(labels);

/** Keeps the order of the elements: `sort` and similar functions define it. */
function* instantRows(out: JsonWriter, elements: readonly Element[], time: string): Generator<void> {
  for (const [row, { labels, value, histogram }] of elements.entries()) {
    metric(out, row, labels);
    if (histogram === undefined) out.ascii(`,"value":[${time},"`).number(value).ascii('"]}');
    else out.ascii(`,"histogram":[${time},${histogramJson(histogram)}]}`);
    yield;
  }
}

function* rangeRows(out: JsonWriter, series: Iterable<readonly [Labels, Columns]>, limit: number): Generator<void> {
  const points = new Points();
  let row = 0;
  for (const [labels, columns] of series) {
    if (row === limit) break;
    metric(out, row, labels);
    const floats = floatsOf(columns);
    if (floats.length > 0) yield* points.floats(out.ascii(',"values":['), floats);
    if (floats.length < columns.length) yield* points.histograms(out.ascii(',"histograms":['), columns);
    yield void out.ascii("}");
    row += 1;
  }
}

/** Only the samples that are floats. */
function floatsOf(columns: Columns): Columns {
  const { times, values, histograms, length } = columns;
  if (histograms === undefined) return columns;
  const floats = new Columns();
  for (let row = 0; row < length; row++) if (histograms[row] === undefined) floats.push(times[row] ?? 0, values[row] ?? 0);
  return floats;
}
