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
  const random = seeded(seed);
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const span = (): string => one(["1m", "2m", "5m", "10m"]);
  const modifier = (): string =>
    one(["", "", "", " offset 2m", " offset -1m", ` @ ${BEGIN_MS / 1_000 + 1_007}`, " @ start()", " @ end() offset 1m"]);
  const matchers = (): string =>
    one(["", "", '{job="api"}', '{pod=~"p[12]"}', '{job!="db"}', '{job=~"api|web",pod!~"p3"}', '{nothing=""}']);
  const counter = (): string => `req_total${matchers()}`;
  const gauge = (): string => `temp${matchers()}`;
  const labels = (): string => one(["job", "pod", "job, pod", "room", ""]);
  const rate = (): string => `${one(["rate", "increase", "irate", "resets", "changes"])}(${counter()}[${span()}]${modifier()})`;
  const overTime = (): string => {
    const name = one(["avg", "sum", "min", "max", "count", "last", "present", "stddev", "stdvar"]);
    return one([
      () => `${name}_over_time(${gauge()}[${span()}]${modifier()})`,
      () => `quantile_over_time(${one(["0.1", "0.5", "0.99"])}, ${gauge()}[${span()}]${modifier()})`,
      () => `${one(["delta", "idelta", "deriv"])}(${gauge()}[${span()}]${modifier()})`,
      () => `predict_linear(${gauge()}[${span()}]${one(["", " offset 1m"])}, ${one(["60", "3600", "-60"])})`,
      () => `${name}_over_time(${vector()}[${one(["3m", "5m"])}:${one(["20s", "50s"])}])`,
    ])();
  };
  const mapped = (): string => {
    const name = one([
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
    return one([
      () => `${name}(${gauge()})`,
      () => `round(${gauge()}, ${one(["1", "0.25", "5"])})`,
      () => `clamp(${gauge()}, -5, ${one(["5", "50"])})`,
    ])();
  };
  const vector = (): string => one([rate, mapped, () => `${gauge()}${modifier()}`, () => `${counter()}${modifier()}`])();
  const aggregate = (): string => {
    const name = one(["sum", "avg", "min", "max", "count", "group", "stddev", "stdvar"]);
    const clause = one(["", ` by (${labels()})`, ` without (${labels()})`]);
    return one([
      () => `${name}${clause} (${vector()})`,
      () => `${name}${clause} (${overTime()})`,
      () => `quantile${clause} (${one(["0.2", "0.5", "0.9"])}, ${vector()})`,
      () => `${one(["topk", "bottomk"])}${clause} (${one(["1", "2", "3"])}, ${gauge()})`,
      () => `count_values${clause} ("value", round(${gauge()}, 10))`,
    ])();
  };
  const operator = (): string => one(["+", "-", "*", "/", "%", "^", "==", "!=", ">", "<", ">=", "<=", "> bool", "== bool"]);
  const binary = (): string =>
    one([
      () => `${vector()} ${operator()} ${one(["2", "0.5", "-3", "time()", 'scalar(limit{job="api"})'])}`,
      () => `${one(["2", "100"])} ${operator()} ${vector()}`,
      () => `${gauge()} ${operator()} on (job) group_left ${one(["", "() ", "(team) "])}team_info`,
      () => `team_info ${operator()} on (job) group_right (team) ${gauge()}`,
      () => `${gauge()} ${operator()} ignoring (room) sum by (job, pod) (${rate()})`,
      () => `sum by (job) (${vector()}) ${one([operator(), "atan2"])} sum by (job) (${vector()})`,
      () => `${vector()} ${one(["and", "or", "unless"])} on (job) limit`,
      () => `${gauge()} ${one(["and", "or", "unless"])} ${gauge()} > 20`,
      () => `-${vector()}`,
    ])();
  const histogram = (): string =>
    `histogram_quantile(${one(["0", "0.1", "0.5", "0.9", "0.99"])}, ${one([`sum by (job, le) (rate(lat_bucket[${span()}]))`, `rate(lat_bucket${matchers()}[${span()}])`, `lat_bucket${matchers()}`])})`;
  const other = (): string =>
    one([
      () => `label_replace(${vector()}, "x", "$1", "pod", "p(.*)")`,
      () => `label_join(${vector()}, "x", "-", "job", "pod")`,
      () => `absent(${gauge()} > 1e6)`,
      () => `absent_over_time(nothing{job="x"}[${span()}])`,
      () => `scalar(${vector()}) + ${one(["1", "time()"])}`,
      () => `vector(time()) ${operator()} 1600000500`,
      () => `sort(${gauge()})`,
    ])();
  const kinds = [rate, overTime, mapped, aggregate, aggregate, binary, binary, histogram, other];
  return Array.from({ length: count }, () => one(kinds)());
}
