import { seeded } from "../../../reference/core/index.ts";
import { BEGIN } from "../data/data-set.ts";
import { type Draw, floats, histograms, labelName, labelNames, oneOf, quoted, selector, type World } from "./words.ts";

/** A query that two servers are asked: instant, or a range of steps. Times are in seconds since 1970. */
export type Drawn = { readonly expr: string; readonly time: number; readonly range?: { readonly end: number; readonly step: number } };

/** Every this many queries one is about native histograms. */
const NATIVE_EVERY = 3;

/** Random queries over the data set with every function, operator and modifier; the same seed gives the same ones. */
export function drawQueries(seed: number, count: number): Drawn[] {
  const random = seeded(seed);
  const worlds = [floats(), histograms()] as const;
  return Array.from({ length: count }, (_, at) => {
    const world = worlds[at % NATIVE_EVERY === 0 ? 1 : 0];
    const expr = drawExpression(random, world);
    const time = oneOf(random, world.times);
    if (random() < 0.7) return { expr, time };
    const step = oneOf(random, [60, 60, 30, 97, 7.5]);
    return { expr, time, range: { end: time + step * oneOf(random, [0, 3, 8]), step } };
  });
}

/** A random expression about a world: deterministic for the same draws. */
export const drawExpression = (random: Draw, world: World): string => new Grammar(random, world).any();

/** Functions of an instant vector alone. */
const MAPS =
  "abs ceil floor exp ln log2 log10 sqrt sgn acos acosh asin asinh atan atanh cos cosh sin sinh tan tanh deg rad timestamp minute hour day_of_week day_of_month day_of_year days_in_month month year sort sort_desc absent".split(
    " ",
  );
const OF_HISTOGRAMS = "histogram_avg histogram_count histogram_sum histogram_stddev histogram_stdvar".split(" ");
const OVER_TIME = "avg min max sum count stddev stdvar last first present mad ts_of_min ts_of_max ts_of_last ts_of_first absent".split(" ");
const OF_COUNTERS = "rate increase irate resets changes".split(" ");
const OF_GAUGES = "delta idelta deriv changes".split(" ");
const ARITHMETIC = "+ - * / % ^ atan2".split(" ");
const COMPARISON = "== != > < >= <=".split(" ");
const FOLDS = "sum avg min max count group stddev stdvar".split(" ");
const PICKS = "topk bottomk".split(" ");
const RANGES = ["30s", "1m", "90s", "2m", "5m", "5m", "5m", "10m", "20m", "1h", "5m * 2", "150"];
const NUMBERS = ["0", "1", "2", "0.5", "-3", "10", "100", "-1", "1e9", "NaN", "Inf", "-Inf", "0.1"];

/** A grammar of expressions: each method draws one form. */
class Grammar {
  readonly #random: Draw;
  readonly #world: World;
  #depth = 0;

  constructor(random: Draw, world: World) {
    this.#random = random;
    this.#world = world;
  }

  any(): string {
    return this.#random() < 0.03 ? this.#scalar() : this.#vector();
  }

  #one<T>(list: readonly T[]): T {
    return oneOf(this.#random, list);
  }
  #chance(of: number): boolean {
    return this.#random() < of;
  }
  #name(): string {
    return this.#one(this.#world.names);
  }

  /** An instant vector; deeper expressions become selectors. */
  #vector(name = this.#name()): string {
    if (this.#depth > 2 || this.#chance(0.1)) return this.#selector(name);
    this.#depth++;
    const drawn = this.#one([
      () => this.#overTime(name),
      () => this.#overTime(name),
      () => this.#rate(),
      () => this.#rate(),
      () => this.#mapped(name),
      () => this.#aggregate(name),
      () => this.#aggregate(name),
      () => this.#aggregate(name),
      () => this.#binary(name),
      () => this.#binary(name),
      () => this.#binary(name),
      () => this.#histogram(),
      () => this.#histogram(),
      () => this.#labelled(name),
      () => this.#other(name),
    ])();
    this.#depth--;
    return drawn;
  }

  #operand(name: string): string {
    const drawn = this.#vector(name);
    return /^[\w"{}=~!,.:|*-]+$|^\w+\([^()]*\)$/.test(drawn) && !drawn.startsWith("-") ? drawn : `(${drawn})`;
  }

  #selector(name: string): string {
    return `${selector(this.#random, this.#world, name)}${this.#modifier()}`;
  }
  #modifier(): string {
    if (this.#chance(0.75)) return "";
    const edge = this.#one(this.#world.edges);
    const offset = ` offset ${edge < 0 ? "-" : ""}${Math.abs(edge)}ms`;
    const at = ` @ ${this.#one([this.#one(this.#world.times), BEGIN + 1_811, "start()", "end()"])}`;
    return this.#one([offset, offset, ` offset ${this.#one(["1m", "5m", "-2m", "10m"])}`, at, `${at}${offset}`]);
  }
  #range(): string {
    return `[${this.#one(RANGES)}]`;
  }
  #matrix(name: string): string {
    if (this.#chance(0.25)) {
      const step = this.#one(["30s", "1m", "15s", "97s", ""]);
      return `${this.#operand(name)}[${this.#one(["5m", "10m", "3m"])}:${step}]${this.#modifier()}`;
    }
    return `${selector(this.#random, this.#world, name)}${this.#range()}${this.#modifier()}`;
  }
  #scalar(): string {
    const number = (): string => this.#one(NUMBERS);
    return this.#one([
      number,
      number,
      number,
      () => this.#one(["time()", "pi()", "step()", "range()", "start()", "end()"]),
      () => `scalar(${this.#selector(this.#name())})`,
      () => `${number()} ${this.#one(ARITHMETIC)} ${number()}`,
      () => `${this.#one(["min_of", "max_of"])}(${number()}, ${number()})`,
      () => `(${number()} ${this.#one(COMPARISON)} bool ${number()})`,
    ])();
  }

  #rate(): string {
    const name = this.#one(this.#world.counters);
    const extended = this.#chance(0.1) ? this.#one([" anchored", " smoothed"]) : "";
    const range = `${selector(this.#random, this.#world, name)}${this.#range()}${extended}${this.#modifier()}`;
    return `${this.#one(OF_COUNTERS)}(${this.#chance(0.85) ? range : this.#matrix(name)})`;
  }
  #overTime(name: string): string {
    return this.#one([
      () => `${this.#one(OVER_TIME)}_over_time(${this.#matrix(name)})`,
      () => `${this.#one(OVER_TIME)}_over_time(${this.#matrix(name)})`,
      () => `${this.#one(OF_GAUGES)}(${this.#matrix(name)})`,
      () => `quantile_over_time(${this.#quantile()}, ${this.#matrix(name)})`,
      () => `predict_linear(${this.#matrix(name)}, ${this.#one(["60", "3600", "-60", "0"])})`,
      () => `double_exponential_smoothing(${this.#matrix(name)}, ${this.#one(["0.5", "0.1"])}, ${this.#one(["0.5", "0.9"])})`,
    ])();
  }
  #quantile(): string {
    return this.#one(["0", "0.1", "0.25", "0.5", "0.5", "0.9", "0.99", "1", "-0.5", "1.5", "NaN", "1 / 3"]);
  }
  #mapped(name: string): string {
    const of = this.#vector(name);
    return this.#one([
      () => `${this.#one(MAPS)}(${of})`,
      () => `${this.#one(MAPS)}(${of})`,
      () => `round(${of}, ${this.#one(["1", "0.25", "5", "-2", "0"])})`,
      () => `clamp(${of}, ${this.#one(["-5", "0", "10"])}, ${this.#one(["5", "50", "NaN"])})`,
      () => `${this.#one(["clamp_max", "clamp_min"])}(${of}, ${this.#scalar()})`,
      () => `-${this.#operand(name)}`,
    ])();
  }
  #aggregate(name: string): string {
    const labels = labelNames(this.#random, this.#world, name).map(labelName).join(", ");
    const clause = this.#one(["", ` by (${labels})`, ` by (${labels})`, ` without (${labels})`]);
    const of = this.#vector(name);
    // Which of equal elements these pick is free, and inside another expression it shows.
    const around = this.#depth > 1 ? `sum${clause} ` : "";
    return this.#one([
      () => `${this.#one(FOLDS)}${clause} (${of})`,
      () => `${this.#one(FOLDS)}${clause} (${of})`,
      () => `${this.#one(FOLDS)}${clause} (${of})`,
      () => `quantile${clause} (${this.#quantile()}, ${of})`,
      () => `${around}(${this.#one(PICKS)}${clause} (${this.#one(["1", "2", "3", "0", "2.9", "1e6"])}, ${of}))`,
      // Which elements these pick is free, but not how many, nor the whole and nothing.
      () => `limit_ratio${clause} (${this.#one(["1", "-1", "0"])}, ${of})`,
      () => `count${clause} (limitk${clause} (${this.#one(["1", "2", "0", "2.9"])}, ${of}))`,
      () => `count_values${clause} ("value", ${this.#chance(0.5) ? this.#selector(name) : `round(${of}, 0.1)`})`,
    ])();
  }
  #binary(name: string): string {
    return this.#one([
      () => this.#withScalar(name),
      () => this.#withScalar(name),
      () => this.#between(name, this.#chance(0.7) ? name : this.#name()),
      () => this.#between(name, this.#chance(0.7) ? name : this.#name()),
      () => this.#grouped(name),
      () => `${this.#operand(name)} ${this.#one(["and", "or", "unless"])} ${this.#matching(name)}${this.#operand(name)}`,
      () => `${this.#operand(name)} ${this.#one(["and", "or", "unless"])} ${this.#matching(name)}${this.#operand(this.#name())}`,
    ])();
  }
  #operator(): string {
    if (this.#chance(0.6)) return this.#one(ARITHMETIC);
    return `${this.#one(COMPARISON)}${this.#chance(0.4) ? " bool" : ""}`;
  }
  #withScalar(name: string): string {
    if (this.#chance(0.15)) return `${this.#operand(name)} ${this.#one(["</", ">/"])} ${this.#one(["0", "1", "2.5", "-1", "NaN", "Inf"])}`;
    const [vector, scalar] = [this.#operand(name), `(${this.#scalar()})`];
    return this.#chance(0.7) ? `${vector} ${this.#operator()} ${scalar}` : `${scalar} ${this.#operator()} ${vector}`;
  }
  #matching(name: string): string {
    const labels = labelNames(this.#random, this.#world, name).map(labelName).join(", ");
    return this.#one(["", "", `on (${labels}) `, `ignoring (${labels}) `]);
  }
  #between(left: string, right: string): string {
    return `${this.#operand(left)} ${this.#operator()} ${this.#matching(left)}${this.#fill()}${this.#operand(right)}`;
  }
  #fill(): string {
    return this.#chance(0.15) ? `${this.#one(["fill", "fill_left", "fill_right"])} (${this.#one(["0", "1", "NaN"])}) ` : "";
  }
  /** Many to one: the one side is aggregated by the labels that are compared. */
  #grouped(name: string): string {
    const labels = labelNames(this.#random, this.#world, name);
    const on = labels.map(labelName).join(", ");
    const include = this.#one(["", "", ...labelNames(this.#random, this.#world, name, 1).filter((one) => !labels.includes(one))]);
    const one = this.#chance(0.8) ? `${this.#one(FOLDS)} by (${on}) (${this.#vector(name)})` : this.#operand(name);
    const [many, labelsToCopy] = [this.#operand(name), ` (${include === "" ? "" : labelName(include)})`];
    return this.#chance(0.6)
      ? `${many} ${this.#operator()} on (${on}) group_left${labelsToCopy} ${this.#fill()}${one}`
      : `${one} ${this.#operator()} on (${on}) group_right${labelsToCopy} ${this.#fill()}${many}`;
  }
  #histogram(): string {
    const name = this.#one(this.#world.histograms);
    const of = this.#one([
      () => this.#selector(name),
      () => `rate(${selector(this.#random, this.#world, name)}${this.#range()}${this.#modifier()})`,
      () => `sum by (le${this.#one(["", ", job", ", kind"])}) (${this.#selector(name)})`,
      () => this.#vector(name),
    ])();
    return this.#one([
      () => `histogram_quantile(${this.#quantile()}, ${of})`,
      () => `histogram_quantile(${this.#quantile()}, ${of})`,
      () => `histogram_fraction(${this.#one(["0", "-Inf", "0.1", "-1"])}, ${this.#one(["Inf", "0.3", "0.15", "NaN"])}, ${of})`,
      () => `histogram_quantiles(${of}, "q", ${this.#quantile()}, 0.7)`,
      () => `${this.#one(OF_HISTOGRAMS)}(${of})`,
    ])();
  }
  #labelled(name: string): string {
    const [from = "none"] = labelNames(this.#random, this.#world, name, 2);
    const of = this.#vector(name);
    const replacement = this.#one(["$1", "x-$1", "${1}y", "", "$2"]);
    return this.#one([
      () =>
        `label_replace(${of}, ${quoted(this.#one(["to", from, "__name__"]))}, "${replacement}", ${quoted(from)}, "${this.#one(["(.*)", "(.).*", "x(.*)", ""])}")`,
      () => `label_join(${of}, ${quoted(this.#one(["to", from]))}, "${this.#one(["-", "", ", "])}", ${quoted(from)}, "job")`,
      () => `${this.#one(["sort_by_label", "sort_by_label_desc"])}(${of}, ${quoted(from)})`,
      () => `info(${this.#selector(this.#one(["up", "load1", name]))}${this.#one(["", ', {env=~".+"}', ', {__name__="build_info"}'])})`,
    ])();
  }
  #other(name: string): string {
    return this.#one([
      () => `vector(${this.#scalar()}) ${this.#operator()} ${this.#operand(name)}`,
      () => `absent(${this.#vector(name)})`,
      () => `absent_over_time(${this.#matrix(name)})`,
      () => `vector(scalar(${this.#vector(name)}) ${this.#one(ARITHMETIC)} ${this.#scalar()})`,
      () => `${this.#one(["hour", "minute", "month", "year", "day_of_year"])}()`,
      () => `(${this.#vector(name)})`,
    ])();
  }
}
