import { BEGIN } from "../../data/data-set.ts";
import { about, ask, data, query, range, refused } from "./interface-words.ts";
import { AT } from "./question.ts";
import type { ServerCase } from "../../vocabulary.ts";

/** The format of results, annotations, and the endpoint that formats expressions. */

const WHEN = BEGIN + AT;
const format = about("formatting-query-expressions/format");
const values = about("expression-query-result-formats/values");
const onlyGet = 'requests{method="get"}';

export const resultInterface: readonly ServerCase[] = [
  values({
    words: "value-is-a-text",
    title: "Returns values as strings.",
    ask: query("0.1"),
    see: data({ result: [{ is: "number" }, "0.1"] }),
  }),
  values({ words: "value-nan", title: 'Writes NaN as "NaN".', ask: query("NaN"), see: data({ result: [{ is: "number" }, "NaN"] }) }),
  values({
    words: "value-infinity",
    title: 'Writes positive infinity as "+Inf".',
    ask: query("Inf"),
    see: data({ result: [{ is: "number" }, { like: "^\\+?Inf$" }] }),
  }),
  values({
    words: "value-minus-infinity",
    title: 'Writes negative infinity as "-Inf".',
    ask: query("-Inf"),
    see: data({ result: [{ is: "number" }, "-Inf"] }),
  }),
  values({
    words: "value-shortest",
    title: "Writes a value with enough digits to parse to the same number.",
    ask: query("0.1 + 0.2"),
    see: data({ result: [{ is: "number" }, "0.30000000000000004"] }),
  }),
  values({
    words: "value-integer",
    title: "Writes an integer without a fraction.",
    ask: query("42"),
    see: data({ result: [{ is: "number" }, "42"] }),
  }),
  values({
    words: "time-of-milliseconds",
    title: "Returns times with milliseconds.",
    ask: query("1", { time: `${WHEN}.123` }),
    see: { see: "scalar", sample: [WHEN + 0.123, "1"] },
  }),
  values({
    words: "metric-with-name",
    title: "Returns the metric name as the label __name__.",
    ask: query(onlyGet),
    see: data({ result: [{ metric: { __name__: "requests", method: "get" }, value: [{ is: "number" }, "600"] }] }),
  }),
  values({
    words: "metric-without-labels",
    title: "Returns an empty object for an element without labels.",
    ask: query("sum(requests)"),
    see: { see: "vector", rows: [[{}, [WHEN, "754"]]] },
  }),
  values({
    words: "matrix-of-samples",
    title: 'Returns the samples of a range vector in "values".',
    ask: query(`${onlyGet}[2m]`),
    see: data({
      resultType: "matrix",
      result: [
        {
          metric: { __name__: "requests" },
          values: [
            [{ is: "number" }, "600"],
            [{ is: "number" }, "600"],
          ],
        },
      ],
    }),
  }),
  values({
    words: "vector-empty",
    title: "Returns an empty list for an empty vector.",
    ask: query("no_such_metric"),
    see: data({ resultType: "vector", result: [] }),
  }),
  values({
    words: "matrix-empty",
    title: "Returns an empty list for an empty range query.",
    ask: range("no_such_metric"),
    control: range("1"),
    see: data({ resultType: "matrix", result: [] }),
  }),
  values({
    words: "string-result",
    title: "Returns a string as a result of type string.",
    ask: query('`say "hi" \\`'),
    see: { see: "string", sample: [WHEN, 'say "hi" \\'] },
  }),
  about("notes/infos")({
    words: "infos-monotonicity",
    title: "Adds an info annotation if it had to fix non-monotonic buckets.",
    ask: query('histogram_quantile(0.5, odd_bucket{kind="backwards"})'),
    see: data({ resultType: "vector" }, { notes: "infos" }),
    covers: ["prometheus-api#notes/infos", "prometheus-promql#functions.histogram-quantile/special"],
  }),
  about("notes/infos")({
    words: "infos-monotonicity-of-a-range",
    title: "Adds an info annotation to a range query if it had to fix non-monotonic buckets.",
    ask: range('histogram_quantile(0.5, odd_bucket{kind="backwards"})'),
    see: data({ resultType: "matrix" }, { notes: "infos" }),
  }),
  ...(
    [
      ["binary", "foo/bar", "foo / bar"],
      ["blanks", "  sum( foo )  ", "sum(foo)"],
      ["by", "sum(foo)by(a,b)", "sum by (a, b) (foo)"],
      ["range", "rate(foo{a='b'}[300s])", 'rate(foo{a="b"}[5m])'],
      ["comment", "foo # a comment\n", "foo"],
      ["offset", "foo  offset   1h", "foo offset 1h"],
      ["matching", "foo*on(a)group_left(b)bar", "foo * on (a) group_left (b) bar"],
      ["parentheses", "(1+2)*3", "(1 + 2) * 3"],
      ["label-with-the-value-of-the-name", "foo{a='foo'}", 'foo{a="foo"}'],
      ["empty-value-without-a-name", "{a='',b='c'}", '{a="",b="c"}'],
    ] as const
  ).map(([words, expr, text]) =>
    format({
      words: `format-${words}`,
      title: `Formats ${JSON.stringify(expr)} as ${JSON.stringify(text)}.`,
      ask: ask("format_query", { query: expr }),
      see: data(text),
    }),
  ),
  format({
    words: "format-post",
    title: "Formats an expression from a POST request.",
    ask: ask("format_query", { query: "foo/bar" }, { form: true }),
    see: data("foo / bar"),
  }),
  format({
    words: "format-malformed",
    title: "Refuses to format an invalid expression.",
    ask: ask("format_query", { query: "foo/" }),
    control: ask("format_query", { query: "foo/bar" }),
    see: refused(400, "bad_data"),
  }),
  format({
    words: "format-nothing",
    title: "Refuses to format without an expression.",
    ask: ask("format_query"),
    control: ask("format_query", { query: "foo" }),
    see: refused(400, "bad_data"),
  }),
];
