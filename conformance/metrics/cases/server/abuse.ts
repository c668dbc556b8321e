import { BEGIN, LENGTH } from "../../data/data-set.ts";
import { NOW, PLAIN, query, range } from "./interface-words.ts";
import type { OneSight, ServerCase, Step } from "../../vocabulary.ts";

/**
 * Queries of death with a timeout of one second: more samples, steps or levels than a server can hold. The server may refuse such a query at once,
 * end it by its timeout, or answer it; it must answer the query after it.
 */

const BOUND = { timeout: "1s" };
const REFUSED: OneSight = { see: "refused", status: [400, 422, 503], type: ["bad_data", "execution", "timeout", "canceled"] };
const ANSWERED: OneSight = { see: "data", data: {} };
const NEXT: OneSight = { see: "scalar", sample: [Number(NOW), "2"] };

function death(words: string, title: string, step: Step): ServerCase {
  return {
    id: `metrics/abuse-${words}`,
    spec: "prometheus-api#format-overview",
    covers: ["prometheus-api#format-overview/statuses"],
    level: "MUST",
    role: "server",
    group: "abuse",
    title,
    steps: [step, query("1 + 1")],
    control: [PLAIN],
    allowed: [{ see: { see: "all", of: [{ see: "any", of: [REFUSED, ANSWERED] }, NEXT] } }],
  };
}

const everything = '{__name__=~".+"}';
const whole = { start: String(BEGIN), end: String(BEGIN + LENGTH) };

export const abuse: readonly ServerCase[] = [
  death(
    "samples-of-a-subquery",
    "Survives a subquery of hundreds of millions of steps.",
    query("count_over_time(vector(time())[100d:10ms])", BOUND),
  ),
  death(
    "nested-subqueries",
    "Survives nested subqueries with small steps.",
    query(`sum_over_time(max_over_time(rate(${everything}[1h:1s])[1h:7s])[1h:11s])`, BOUND),
  ),
  death(
    "range-of-everything",
    "Survives thousands of steps over long ranges of all series.",
    range(`quantile_over_time(0.5, ${everything}[2h])`, { ...whole, step: "5", ...BOUND }),
  ),
  death(
    "product-of-everything",
    "Survives joining all series with all series.",
    range(`count(label_replace(${everything}, "a", "$1", "__name__", "(.*)")) + count(${everything} or ${everything})`, {
      ...whole,
      step: "5",
      ...BOUND,
    }),
  ),
  death("deep-parentheses", "Survives ten thousand nested parentheses.", {
    ...query(`${"(".repeat(10_000)}1${")".repeat(10_000)}`, BOUND),
    form: true,
  }),
  death("deep-calls", "Survives calls nested a thousand levels deep.", {
    ...query(`${"abs(".repeat(1_000)}up${")".repeat(1_000)}`, BOUND),
    form: true,
  }),
  death("deep-signs", "Survives ten thousand unary signs.", { ...query(`${"-".repeat(10_000)}1`, BOUND), form: true }),
  death("pattern-of-alternatives", "Survives a regular expression with thousands of alternatives.", {
    ...query(`count({__name__=~"${Array.from({ length: 20_000 }, (_, at) => `m${at}`).join("|")}"})`, BOUND),
    form: true,
  }),
  death("pattern-repetitions", "Survives nested repetitions in a regular expression.", query('up{job=~"((a{100}){100}){100}"}', BOUND)),
  death(
    "pattern-backtracking",
    "Survives a regular expression that causes catastrophic backtracking.",
    query(`label_replace(label_replace(vector(1), "a", "${"x".repeat(64)}", "", ""), "b", "$1", "a", "(x+x+)+y")`, BOUND),
  ),
  death("long-name", "Survives a metric name of one mebibyte.", { ...query(`count(${"m".repeat(1 << 20)})`, BOUND), form: true }),
];
