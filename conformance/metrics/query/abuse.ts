import { BEGIN, LENGTH } from "./data.ts";
import { NOW, PLAIN, query, range } from "./interface-words.ts";
import type { OneSight, ServerCase, Step } from "./vocabulary.ts";

/**
 * Queries of death, bounded by a timeout of a second: more samples, more steps or more levels than anybody can hold. Such a query may be refused for
 * what it is or for the time that it takes, or answered after all; the next one is answered whatever became of it.
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
    "A subquery of hundreds of millions of steps does not end the server.",
    query("count_over_time(vector(time())[100d:10ms])", BOUND),
  ),
  death(
    "nested-subqueries",
    "Subqueries within subqueries of small steps do not end the server.",
    query(`sum_over_time(max_over_time(rate(${everything}[1h:1s])[1h:7s])[1h:11s])`, BOUND),
  ),
  death(
    "range-of-everything",
    "Thousands of steps over long ranges of all series do not end the server.",
    range(`quantile_over_time(0.5, ${everything}[2h])`, { ...whole, step: "5", ...BOUND }),
  ),
  death(
    "product-of-everything",
    "All series beside all series do not end the server.",
    range(`count(label_replace(${everything}, "a", "$1", "__name__", "(.*)")) + count(${everything} or ${everything})`, {
      ...whole,
      step: "5",
      ...BOUND,
    }),
  ),
  death("deep-parentheses", "Ten thousand parentheses do not end the server.", {
    ...query(`${"(".repeat(10_000)}1${")".repeat(10_000)}`, BOUND),
    form: true,
  }),
  death("deep-calls", "Calls within calls, a thousand levels deep, do not end the server.", {
    ...query(`${"abs(".repeat(1_000)}up${")".repeat(1_000)}`, BOUND),
    form: true,
  }),
  death("deep-signs", "Ten thousand signs do not end the server.", { ...query(`${"-".repeat(10_000)}1`, BOUND), form: true }),
  death("pattern-of-alternatives", "A pattern of thousands of alternatives does not end the server.", {
    ...query(`count({__name__=~"${Array.from({ length: 20_000 }, (_, at) => `m${at}`).join("|")}"})`, BOUND),
    form: true,
  }),
  death("pattern-repetitions", "Repetitions within repetitions do not end the server.", query('up{job=~"((a{100}){100}){100}"}', BOUND)),
  death(
    "pattern-backtracking",
    "A pattern that could be tried in endless ways does not end the server.",
    query(`label_replace(label_replace(vector(1), "a", "${"x".repeat(64)}", "", ""), "b", "$1", "a", "(x+x+)+y")`, BOUND),
  ),
  death("long-name", "A name of a mebibyte does not end the server.", { ...query(`count(${"m".repeat(1 << 20)})`, BOUND), form: true }),
];
