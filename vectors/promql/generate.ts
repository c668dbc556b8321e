import { seeded } from "../../reference/core/index.ts";
import { Labels } from "../../reference/metrics/model/index.ts";

/**
 * Random samples and expressions to compare two engines. They avoid differences between versions of the language: samples never lie on the
 * edge of a window, and counters have no gaps (since version 3 ranges are open to the left and extrapolate gaps differently). They also avoid
 * errors of version 2: `predict_linear` of a pinned range, names after `atan2`, and the highest quantile of rates, where rounding makes
 * buckets decrease.
 */
export type Drawn = { readonly labels: Labels; readonly samples: readonly (readonly [ms: number, value: number])[] };

/** The time of the first samples, in ms since 1970, at a second without an evaluation. */
export const BEGIN_MS = 1_600_000_000_000;
const GAP_MS = 15_000;
const OFF_THE_SECOND_MS = 123;
const SAMPLES = 160;
/** The minimum number of samples before a reset: more than the longest window, so that a series is far from zero at its start. */
const UNBROKEN = 45;

export function drawSeries(seed: number): Drawn[] {
  const random = seeded(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const series: Drawn[] = [];
  const add = (labels: Record<string, string>, value: (at: number) => number | undefined): void => {
    const jitter = OFF_THE_SECOND_MS + below(800);
    const samples = Array.from({ length: SAMPLES }, (_, at) => [BEGIN_MS + at * GAP_MS + jitter, value(at)] as const);
    series.push({
      labels: Labels.of(labels),
      samples: samples.flatMap(([ms, sample]) => (sample === undefined ? [] : [[ms, sample] as const])),
    });
  };
  const counter = (start: number, most: number): ((at: number) => number) => {
    let value = start;
    return (at) => (value = at > UNBROKEN && random() < 0.02 ? below(10) : value + below(most));
  };
  for (const job of ["api", "web", "db"]) {
    for (const pod of ["p1", "p2", "p3"]) {
      for (const code of ["200", "404", "500"]) add({ __name__: "req_total", job, pod, code }, counter(1_000_000, 50));
      let level = below(100);
      add({ __name__: "temp", job, pod, room: `r${below(3)}` }, () =>
        random() < 0.1 ? undefined : (level += Math.round((random() - 0.5) * 1_000) / 64),
      );
      const bounds = [0.1, 0.5, 1, 5, Infinity];
      const counts = bounds.map(() => 1_000_000);
      const rows = Array.from({ length: SAMPLES }, () => {
        const first = below(bounds.length);
        for (let at = first; at < counts.length; at++) counts[at] = (counts[at] ?? 0) + 1 + below(1);
        return [...counts];
      });
      for (const [at, bound] of bounds.entries())
        add({ __name__: "lat_bucket", job, pod, le: bound === Infinity ? "+Inf" : String(bound) }, (row) => rows[row]?.[at]);
    }
    add({ __name__: "limit", job }, () => 20 + below(5));
    add({ __name__: "team_info", job, team: `t${below(2)}` }, () => 1);
  }
  return series;
}

/** The samples as an OpenMetrics page, from which `promtool` creates blocks. */
export function openMetrics(series: readonly Drawn[]): string {
  const families = Map.groupBy(series, ({ labels }) => labels.metric.replace(/_(total|bucket)$/, ""));
  let page = "";
  for (const [family, members] of families) {
    page += `# TYPE ${family} unknown\n`;
    for (const { labels, samples } of members) {
      for (const [ms, value] of samples) page += `${labels} ${value} ${ms / 1_000}\n`.replaceAll(", ", ",");
    }
  }
  return `${page}# EOF\n`;
}

/** Random expressions of every kind; the same seed gives the same ones. */
export function drawExpressions(seed: number, count: number): string[] {
  const grammar = new Grammar(seeded(seed));
  return Array.from({ length: count }, () => grammar.expression());
}

/** A grammar of expressions: each method draws one form. */
class Grammar {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  expression(): string {
    return this.#one([
      () => this.#rate(),
      () => this.#overTime(),
      () => this.#mapped(),
      () => this.#aggregate(),
      () => this.#aggregate(),
      () => this.#binary(),
      () => this.#binary(),
      () => this.#histogram(),
      () => this.#other(),
    ])();
  }

  #one<T>(of: readonly T[]): T {
    return of[Math.floor(this.#random() * of.length)]!;
  }

  #span(): string {
    return this.#one(["1m", "2m", "5m", "10m"]);
  }
  #modifier(): string {
    return this.#one(["", "", "", " offset 2m", " offset -1m", ` @ ${BEGIN_MS / 1_000 + 1_007}`, " @ start()", " @ end() offset 1m"]);
  }
  #matchers(): string {
    return this.#one(["", "", '{job="api"}', '{pod=~"p[12]"}', '{job!="db"}', '{job=~"api|web",pod!~"p3"}', '{nothing=""}']);
  }
  #counter(): string {
    return `req_total${this.#matchers()}`;
  }
  #gauge(): string {
    return `temp${this.#matchers()}`;
  }
  #labels(): string {
    return this.#one(["job", "pod", "job, pod", "room", ""]);
  }
  #rate(): string {
    return `${this.#one(["rate", "increase", "irate", "resets", "changes"])}(${this.#counter()}[${this.#span()}]${this.#modifier()})`;
  }
  #overTime(): string {
    const name = this.#one(["avg", "sum", "min", "max", "count", "last", "present", "stddev", "stdvar"]);
    return this.#one([
      () => `${name}_over_time(${this.#gauge()}[${this.#span()}]${this.#modifier()})`,
      () => `quantile_over_time(${this.#one(["0.1", "0.5", "0.99"])}, ${this.#gauge()}[${this.#span()}]${this.#modifier()})`,
      () => `${this.#one(["delta", "idelta", "deriv"])}(${this.#gauge()}[${this.#span()}]${this.#modifier()})`,
      () => `predict_linear(${this.#gauge()}[${this.#span()}]${this.#one(["", " offset 1m"])}, ${this.#one(["60", "3600", "-60"])})`,
      () => `${name}_over_time(${this.#vector()}[${this.#one(["3m", "5m"])}:${this.#one(["20s", "50s"])}])`,
    ])();
  }
  #mapped(): string {
    const name = this.#one([
      "abs",
      "ceil",
      "floor",
      "exp",
      "sqrt",
      "sgn",
      "ln",
      "log2",
      "log10",
      "sin",
      "atan",
      "deg",
      "hour",
      "day_of_week",
      "timestamp",
    ]);
    return this.#one([
      () => `${name}(${this.#gauge()})`,
      () => `round(${this.#gauge()}, ${this.#one(["1", "0.25", "5"])})`,
      () => `clamp(${this.#gauge()}, -5, ${this.#one(["5", "50"])})`,
    ])();
  }
  #vector(): string {
    return this.#one([
      () => this.#rate(),
      () => this.#mapped(),
      () => `${this.#gauge()}${this.#modifier()}`,
      () => `${this.#counter()}${this.#modifier()}`,
    ])();
  }
  #aggregate(): string {
    const name = this.#one(["sum", "avg", "min", "max", "count", "group", "stddev", "stdvar"]);
    const clause = this.#one(["", ` by (${this.#labels()})`, ` without (${this.#labels()})`]);
    return this.#one([
      () => `${name}${clause} (${this.#vector()})`,
      () => `${name}${clause} (${this.#overTime()})`,
      () => `quantile${clause} (${this.#one(["0.2", "0.5", "0.9"])}, ${this.#vector()})`,
      () => `${this.#one(["topk", "bottomk"])}${clause} (${this.#one(["1", "2", "3"])}, ${this.#gauge()})`,
      () => `count_values${clause} ("value", round(${this.#gauge()}, 10))`,
    ])();
  }
  #operator(): string {
    return this.#one(["+", "-", "*", "/", "%", "^", "==", "!=", ">", "<", ">=", "<=", "> bool", "== bool"]);
  }
  #binary(): string {
    return this.#one([
      () => `${this.#vector()} ${this.#operator()} ${this.#one(["2", "0.5", "-3", "time()", 'scalar(limit{job="api"})'])}`,
      () => `${this.#one(["2", "100"])} ${this.#operator()} ${this.#vector()}`,
      () => `${this.#gauge()} ${this.#operator()} on (job) group_left ${this.#one(["", "() ", "(team) "])}team_info`,
      () => `team_info ${this.#operator()} on (job) group_right (team) ${this.#gauge()}`,
      () => `${this.#gauge()} ${this.#operator()} ignoring (room) sum by (job, pod) (${this.#rate()})`,
      () => `sum by (job) (${this.#vector()}) ${this.#one([this.#operator(), "atan2"])} sum by (job) (${this.#vector()})`,
      () => `${this.#vector()} ${this.#one(["and", "or", "unless"])} on (job) limit`,
      () => `${this.#gauge()} ${this.#one(["and", "or", "unless"])} ${this.#gauge()} > 20`,
      () => `-${this.#vector()}`,
    ])();
  }
  #histogram(): string {
    return `histogram_quantile(${this.#one(["0", "0.1", "0.5", "0.9", "0.99"])}, ${this.#one([`sum by (job, le) (rate(lat_bucket[${this.#span()}]))`, `rate(lat_bucket${this.#matchers()}[${this.#span()}])`, `lat_bucket${this.#matchers()}`])})`;
  }
  #other(): string {
    return this.#one([
      () => `label_replace(${this.#vector()}, "x", "$1", "pod", "p(.*)")`,
      () => `label_join(${this.#vector()}, "x", "-", "job", "pod")`,
      () => `absent(${this.#gauge()} > 1e6)`,
      () => `absent_over_time(nothing{job="x"}[${this.#span()}])`,
      () => `scalar(${this.#vector()}) + ${this.#one(["1", "time()"])}`,
      () => `vector(time()) ${this.#operator()} 1600000500`,
      () => `sort(${this.#gauge()})`,
    ])();
  }
}
