import fc from "fast-check";
import { oneOf, type Draw } from "../../../conformance/metrics/differential/words.ts";
import { mutated } from "../../../fuzz/metrics/promql/texts.ts";
import { anyExpr } from "../../../fuzz/metrics/promql/trees.ts";
import { print } from "../../../reference/metrics/promql/index.ts";

const words = (text: string): string[] => text.split(" ");

/** Words that can stand for each other: the result is mostly a valid expression of another meaning. */
const KIN: readonly (readonly string[])[] = [
  words("rate increase irate delta idelta deriv changes resets avg_over_time min_over_time max_over_time sum_over_time count_over_time"),
  words("stddev_over_time stdvar_over_time last_over_time first_over_time present_over_time mad_over_time absent_over_time rate delta"),
  words("ts_of_min_over_time ts_of_max_over_time ts_of_last_over_time ts_of_first_over_time sum_over_time increase"),
  words("predict_linear double_exponential_smoothing quantile_over_time"),
  words("abs ceil floor exp ln log2 log10 sqrt sgn acos acosh asin asinh atan atanh cos cosh sin sinh tan tanh deg rad round"),
  words("minute hour day_of_week day_of_month day_of_year days_in_month month year timestamp start_timestamp absent scalar abs"),
  words("histogram_avg histogram_count histogram_sum histogram_stddev histogram_stdvar timestamp"),
  words("histogram_quantile clamp_max clamp_min histogram_fraction clamp histogram_quantiles"),
  words("sort sort_desc sort_by_label sort_by_label_desc"),
  words("label_replace label_join"),
  words("sum avg min max count group stddev stdvar count_values quantile"),
  words("topk bottomk limitk limit_ratio quantile"),
  words("time pi step range start end"),
  words("by without"),
  words("on ignoring"),
  words("group_left group_right"),
  words("fill fill_left fill_right"),
  words("and or unless"),
  words("anchored smoothed"),
  words("+ - * / % ^ atan2 </ >/"),
  words("== != > < >= <="),
  words("= != =~ !~"),
];
const NUMBERS = words("0 1 2 3 4 5 -1 0.5 0.25 0.1 0.9 -0.3 1.5 2.9 10 100 1e9 1e-9 NaN Inf -Inf 0x1f 1e308 -2");
const DURATIONS = words("1s 59s 60s 61s 1m 90s 2m 2m1ms 119999ms 3m 5m 5m1s 10m 20m 1h 1ms step() range() 2*step() 1m+1s");
/** Words that a query can get between two others. */
const INSERTS = words(
  "bool offset -1m 1m smoothed anchored @ end() start() 0 fill(0) group_left() by(job) on(job) ignoring(instance) - ( )",
);

/** The words of an expression: names, numbers, strings, signs. */
const TOKEN = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|[a-zA-Z_:][\w:]*|\d[\w.]*|=~|!~|[!=<>]=|<\/|>\/|\s+|[^]/g;

const NUMERAL = /^[\d.]+(?:e\d+)?$|^(?:inf|nan)$/i;

/** An expression with one or two words replaced by others of their kind, or with a word inserted. */
export function changed(random: Draw, expr: string): string {
  const tokens = expr.match(TOKEN) ?? [];
  for (let times = random() < 0.7 ? 1 : 2; times > 0; times--) {
    const at = Math.floor(random() * tokens.length);
    // Strings and spaces stay: the next word that has kin is replaced.
    for (let ahead = 0; ahead < tokens.length; ahead++) {
      const place = (at + ahead) % tokens.length;
      const other = another(random, tokens[place] ?? "");
      if (other === undefined) continue;
      tokens[place] = random() < 0.06 ? `${tokens[place]} ${oneOf(random, INSERTS)} ` : other;
      break;
    }
  }
  const other = tokens.map((word) => (NUMERAL.test(word) && random() < 0.15 ? oneOf(random, NUMBERS) : word)).join("");
  return other.replace(
    /histogram_fraction\([^,()]+, [^,()]+,/,
    () => `histogram_fraction(${oneOf(random, NUMBERS)}, ${oneOf(random, NUMBERS)},`,
  );
}

function another(random: Draw, word: string): string | undefined {
  if (/^\d[\d.]*(?:ms|[smhdwy])/.test(word)) return oneOf(random, DURATIONS);
  if (NUMERAL.test(word)) return oneOf(random, NUMBERS);
  const kin = KIN.filter((list) => list.includes(word));
  return kin.length === 0 ? undefined : oneOf(random, oneOf(random, kin));
}

/** A text with one character lost, doubled, replaced or inserted, or cut. */
export function damaged(random: Draw, text: string): string {
  const at = Math.floor(random() * (text.length + 1));
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const piece = oneOf(random, PIECES);
  return oneOf(random, [
    () => before,
    () => after,
    () => before + after.slice(1),
    () => before + after.slice(0, 1) + after,
    () => before + piece + after,
    () => before + piece + after.slice(1),
    () => `${before} ${piece} ${after}`,
    () => before + after.toUpperCase(),
    () => before + oneOf(random, [" ", "\n", "\t", " # a comment\n", "\r\n"]) + after,
  ])();
}

const PIECES = [
  ..."(){}[],:@#\\;$=!<>+-*/%^'\"`.0_eExXnNé日😀 \n\t\u0000".split(""),
  "\\n",
  "\\x41",
  "\\u00e9",
  "\\U0001f600",
  "\\101",
  "\\q",
  "\\xff",
  "\\ud800",
  "==",
  "=~",
  "!~",
  "1_0",
  "1__0",
  "0x",
  "1e",
  "1e400",
  ".5",
  "5m5m",
  "300y",
  ...words(
    "by on offset bool atan2 start() end() step() range() min_of(1,2) max_of(1m,2m) sum rate( info( [5m] [5m:] [1h:1m] @ 1.5 fill(1) anchored",
  ),
];

/** A text of the generators for the fuzzers: formatted trees, and trees with pieces inserted. */
export function generated(seed: number, random: Draw): string {
  if (random() < 0.5) return fc.sample(mutated, { seed, numRuns: 1 })[0] ?? "";
  return fc.sample(anyExpr, { seed, numRuns: 1 }).map((expr) => print(expr))[0] ?? "";
}

/** Digits, durations and what looks like them. */
export const numeral = (random: Draw): string =>
  Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
    oneOf(random, [
      "0",
      "1",
      "5",
      "60",
      "999",
      "_",
      ".",
      "e",
      "E-",
      "0x",
      "f",
      "Inf",
      "NaN",
      "ms",
      "s",
      "m",
      "h",
      "d",
      "w",
      "y",
      "-",
      "+",
      "1e9",
      "292y",
    ]),
  ).join("");

export const number = (random: Draw): number =>
  oneOf(random, [
    () => Math.floor(random() * 100),
    () => random() * 10 ** Math.floor(random() * 44 - 22),
    () => -(random() * 1e6),
    () => Math.floor(random() * 1e13),
    () => oneOf(random, [0, -0, Infinity, -Infinity, Number.NaN, 5e-324, 1.7976931348623157e308, 86_400_000, 604_800_000, 31_536_000_000]),
  ])();
