import type { Columns, Labels } from "../model/index.ts";
import type { Element, QueryValue } from "../promql/index.ts";
import { histogramJson } from "./histogram-json.ts";
import { formatTime, formatValue } from "./number.ts";

/** `pieces` are written when they are asked for, once. `isCut`: there were more series than the limit. */
export type ResultJson = { readonly pieces: Iterable<string>; readonly isCut: boolean };

/** `"resultType":…,"result":…` of a query (querying/api.md, "Expression query result formats"). */
export function resultJson(value: QueryValue, limit: number): ResultJson {
  switch (value.is) {
    case "string":
      return { pieces: [`"resultType":"string","result":[${formatTime(value.timeMs)},${JSON.stringify(value.text)}]`], isCut: false };
    case "scalar":
      return { pieces: [`"resultType":"scalar","result":${point(formatTime(value.timeMs), value.value)}`], isCut: false };
    case "vector":
      return {
        pieces: listed("vector", instantRows(value.elements, formatTime(value.timeMs)), limit),
        isCut: value.elements.length > limit,
      };
    case "matrix":
      return { pieces: listed("matrix", rangeRows(value.series()), limit), isCut: value.size > limit };
  }
}

function* listed(type: "vector" | "matrix", rows: Iterable<string>, limit: number): Generator<string> {
  yield `"resultType":"${type}","result":[`;
  let count = 0;
  for (const row of rows) {
    if (count === limit) break;
    yield count === 0 ? row : `,${row}`;
    count += 1;
  }
  yield "]";
}

const point = (time: string, value: number): string => `[${time},"${formatValue(value)}"]`;

/** In the order in which they are: `sort` and its like have put them there. */
function* instantRows(elements: readonly Element[], time: string): Generator<string> {
  for (const { labels, value, histogram } of elements) {
    const sample = histogram === undefined ? `"value":${point(time, value)}` : `"histogram":[${time},${histogramJson(histogram)}]`;
    yield `{"metric":${JSON.stringify(labels)},${sample}}`;
  }
}

/** Pieces are joined once a series: what is put together bit by bit costs the collector more than all the rest. */
function* rangeRows(series: Iterable<readonly [Labels, Columns]>): Generator<string> {
  const pieces: string[] = [];
  // Steps are mostly the same for every series: each is written once.
  const writtenTimes: number[] = [];
  const written: string[] = [];
  for (const [labels, { times, values, histograms, length }] of series) {
    const others: string[] = [];
    let count = 0;
    for (let row = 0; row < length; row++) {
      const time = times[row] ?? 0;
      if (writtenTimes[row] !== time) {
        writtenTimes[row] = time;
        written[row] = `"],[${formatTime(time)},"`;
      }
      const histogram = histograms?.[row];
      if (histogram !== undefined) others.push(`[${formatTime(time)},${histogramJson(histogram)}]`);
      else {
        pieces[count++] = written[row] ?? "";
        pieces[count++] = formatValue(values[row] ?? 0);
      }
    }
    pieces.length = count;
    const floats = count === 0 ? [] : [`"values":[${pieces.join("").slice(BEHIND_ONE)}"]]`];
    const samples = [...floats, ...(others.length === 0 ? [] : [`"histograms":[${others.join(",")}]`])].join(",");
    yield `{"metric":${JSON.stringify(labels)},${samples}}`;
  }
}

/** The first point has none in front that would have to be closed. */
const BEHIND_ONE = '"],'.length;
