import { ALL_FEATURES, childrenOf, type Expr, parse, print, typeOf } from "../../../reference/metrics/promql/index.ts";
import { itemsOf, membersOf } from "../../harness/shapes.ts";

/** Invalid counts of observations, of which the texts do not say what follows, and buckets without any bound, whose observations count as zero. */
export type OddCount = "negative" | "infinite" | "NaN" | "unbounded";

/** Asks the server under test for an expression, at the times of the query that differs; returns `data.result`. */
export type AskExpression = (expr: string) => Promise<unknown>;

/** The most expressions to ask for. */
const MOST_ASKED = 8;
const FUNCTIONS: ReadonlySet<string> = new Set(["histogram_fraction", "histogram_quantile", "histogram_quantiles"]);

/** The vectors whose quantiles or fractions a query takes. */
function* vectorsOf(expr: Expr): Generator<Expr> {
  if (expr.is === "call" && FUNCTIONS.has(expr.name)) yield* expr.args.filter((one) => typeOf(one) === "vector");
  for (const child of childrenOf(expr)) yield* vectorsOf(child);
}

/** The odd counts among the buckets of which a query takes quantiles or fractions: an explanation by them must find them. */
export async function oddCountsOf(text: string, ask: AskExpression): Promise<ReadonlySet<OddCount>> {
  const expr = parse(text, { features: ALL_FEATURES });
  const found = new Set<OddCount>();
  if (expr.is === "fault") return found;
  const asked = [...new Set([...vectorsOf(expr)].map((one) => print(one)))].slice(0, MOST_ASKED);
  for (const one of asked) {
    const result = await ask(one);
    if (/,"-Inf","\+Inf",/.test(JSON.stringify(result))) found.add("unbounded");
    for (const count of countsIn(result)) {
      if (Number.isNaN(count)) found.add("NaN");
      else if (!Number.isFinite(count)) found.add("infinite");
      if (count < 0) found.add("negative");
    }
  }
  return found;
}

/** The counts of histograms with their buckets, and the values of classic buckets. */
function* countsIn(result: unknown): Generator<number> {
  for (const series of itemsOf(result).map(membersOf)) {
    const points = (one: string, many: string): readonly unknown[] => (series[one] === undefined ? itemsOf(series[many]) : [series[one]]);
    for (const point of points("value", "values")) yield numberIn(itemsOf(point)[1]);
    for (const point of points("histogram", "histograms")) {
      const { count, buckets } = membersOf(itemsOf(point)[1]);
      yield numberIn(count);
      for (const bucket of itemsOf(buckets)) yield numberIn(itemsOf(bucket)[3]);
    }
  }
}

const numberIn = (text: unknown): number => (text === "+Inf" ? Infinity : text === "-Inf" ? -Infinity : Number(text));
