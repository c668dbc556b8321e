import { compareText } from "./text.ts";

/** The label with the metric name. */
export const METRIC_NAME = "__name__";

/**
 * The labels that describe the metric: an operation that drops its name drops its type and its unit too, and matching ignores all three
 * (Prometheus docs, feature_flags.md, "Type and Unit Labels").
 */
export const METADATA_NAMES: ReadonlySet<string> = new Set([METRIC_NAME, "__type__", "__unit__"]);

/**
 * The identity of a series: names with values, sorted by name, without duplicates and empty values (Prometheus docs, command-line/prometheus.md; an empty
 * value equals a missing label). Immutable. One flat list of alternating names and values, because a query handles 100,000 of them.
 */
export class Labels {
  static readonly NONE = new Labels([]);

  /** Names and values alternating, sorted by name. */
  readonly flat: readonly string[];
  #key: string | undefined;

  private constructor(flat: readonly string[]) {
    this.flat = flat;
  }

  /** From a list that is known to be sorted, without duplicates and empty values. */
  static sorted(flat: readonly string[]): Labels {
    return flat.length === 0 ? Labels.NONE : new Labels(flat);
  }

  /** From pairs in any order. If a name comes twice, the last value counts; an empty value removes it. */
  static of(pairs: Iterable<readonly [string, string]> | Readonly<Record<string, string>>): Labels {
    const last = new Map(Symbol.iterator in pairs ? pairs : Object.entries(pairs));
    const flat = [...last]
      .filter(([, value]) => value !== "")
      .sort(([a], [b]) => compareText(a, b))
      .flat();
    return Labels.sorted(flat);
  }

  get size(): number {
    return this.flat.length / 2;
  }

  /** The value of a name; empty if there is none. */
  get(name: string): string {
    for (let at = 0; at < this.flat.length; at += 2) if (this.flat[at] === name) return this.flat[at + 1] ?? "";
    return "";
  }

  has(name: string): boolean {
    return this.get(name) !== "";
  }

  /** The metric name; empty if there is none. */
  get metric(): string {
    return this.get(METRIC_NAME);
  }

  /** Sets a value; an empty one removes the label. */
  with(name: string, value: string): Labels {
    const flat: string[] = [];
    let isPlaced = value === "";
    for (let at = 0; at < this.flat.length; at += 2) {
      const own = this.flat[at] ?? "";
      if (own === name) continue;
      if (!isPlaced && compareText(own, name) > 0) {
        flat.push(name, value);
        isPlaced = true;
      }
      flat.push(own, this.flat[at + 1] ?? "");
    }
    if (!isPlaced) flat.push(name, value);
    return Labels.sorted(flat);
  }

  /** The labels whose names are in the set. */
  only(names: ReadonlySet<string>): Labels {
    return this.#filtered((name) => names.has(name));
  }

  /** The labels whose names are not in the set. */
  without(names: ReadonlySet<string>): Labels {
    return this.#filtered((name) => !names.has(name));
  }

  #filtered(keep: (name: string) => boolean): Labels {
    const flat: string[] = [];
    for (let at = 0; at < this.flat.length; at += 2) {
      const name = this.flat[at] ?? "";
      if (keep(name)) flat.push(name, this.flat[at + 1] ?? "");
    }
    return flat.length === this.flat.length ? this : Labels.sorted(flat);
  }

  /** A unique text for these labels: the separator, a lone surrogate, does not occur in well-formed text. */
  get key(): string {
    this.#key ??= this.flat.join("\uDCFF");
    return this.#key;
  }

  equals(other: Labels): boolean {
    return this === other || (this.flat.length === other.flat.length && this.flat.every((text, at) => text === other.flat[at]));
  }

  *[Symbol.iterator](): Generator<readonly [name: string, value: string]> {
    for (let at = 0; at < this.flat.length; at += 2) yield [this.flat[at] ?? "", this.flat[at + 1] ?? ""];
  }

  /** The JSON form of the query API (Prometheus docs, querying/api.md, "Instant queries"). */
  toJSON(): Record<string, string> {
    return Object.fromEntries(this);
  }

  /** In selector syntax: `name{a="b"}`. A metric name with other characters is quoted within the braces. */
  toString(): string {
    const metric = this.metric;
    const isPlain = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(metric);
    const rest = [...this]
      .filter(([name]) => name !== METRIC_NAME)
      .map(([name, value]) => `${/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name) ? name : quoted(name)}=${quoted(value)}`);
    if (metric !== "" && !isPlain) rest.unshift(quoted(metric));
    return `${isPlain ? metric : ""}${rest.length > 0 || metric === "" ? `{${rest.join(", ")}}` : ""}`;
  }
}

/** Compares by the octets of names and values; a prefix sorts first. */
export function compareLabels(a: Labels, b: Labels): number {
  const length = Math.min(a.flat.length, b.flat.length);
  for (let at = 0; at < length; at++) {
    const order = compareText(a.flat[at] ?? "", b.flat[at] ?? "");
    if (order !== 0) return order;
  }
  return a.flat.length - b.flat.length;
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" };
const quoted = (text: string): string => `"${text.replaceAll(/[\\"\n]/g, (sign) => ESCAPES[sign] ?? sign)}"`;
