import type { Columns, Histogram } from "../../../reference/metrics/model/index.ts";
import { histogramText } from "../../../reference/metrics/model/index.ts";
import {
  childrenOf,
  describeAnnotation,
  type Expr,
  print,
  pretty,
  printTree,
  type QueryResult,
  typeOf,
} from "../../../reference/metrics/promql/index.ts";

/** What comes out of the query language, as text: exact floats, and no part that nobody can see. */

const float = (value: number): string => (Object.is(value, -0) ? "-0" : String(value));

const histogram = (one: Histogram): string =>
  [one.schema, float(one.zeroThreshold), float(one.zeroCount), one.resetHint, one.bounds.map(float).join(" "), histogramText(one)].join(
    " ",
  );

function* samples({ times, values, histograms, length }: Columns): Generator<string> {
  for (let row = 0; row < length; row++) {
    const one = histograms?.[row];
    yield `  ${times[row]} ${one === undefined ? float(values[row] ?? Number.NaN) : histogram(one)}`;
  }
}

export function resultText(expr: string, { value, warnings, infos, peakSamples, totalSamples, samplesRead }: QueryResult): string {
  const notes = [...warnings, ...infos].map((one) => describeAnnotation(expr, one));
  return [...valueLines(value), ...notes, `${peakSamples} ${totalSamples} ${samplesRead}`].join("\n");
}

function valueLines(value: QueryResult["value"]): string[] {
  switch (value.is) {
    case "scalar":
      return [`scalar ${value.timeMs} ${float(value.value)}`];
    case "string":
      return [`string ${value.timeMs} ${value.text}`];
    case "vector":
      return [
        `vector ${value.timeMs}`,
        ...value.elements.map((one) => `${one.labels} ${one.histogram === undefined ? float(one.value) : histogram(one.histogram)}`),
      ];
    case "matrix": {
      const lines = [`matrix ${value.size}`];
      for (const [labels, columns] of value.series()) lines.push(String(labels), ...samples(columns));
      return lines;
    }
  }
}

/** An expression: formatted in both ways, as a tree, and where each part is. */
export function exprText(expr: Expr): string {
  const parts: string[] = [];
  const walk = (one: Expr): void => {
    parts.push(`${one.is} ${typeOf(one)} ${one.span.start}-${one.span.end}`);
    for (const child of childrenOf(one)) walk(child);
  };
  walk(expr);
  return [print(expr), pretty(expr), JSON.stringify(printTree(expr)), ...parts].join("\n");
}
