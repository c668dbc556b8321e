/** Names and labels of series for metrics of OpenTelemetry (Prometheus docs, configuration/configuration.md, `otlp`). */

export const STRATEGIES = [
  "UnderscoreEscapingWithSuffixes",
  "UnderscoreEscapingWithoutSuffixes",
  "NoUTF8EscapingWithSuffixes",
  "NoTranslation",
] as const;
export type Strategy = (typeof STRATEGIES)[number];

export type Naming = {
  readonly strategy: Strategy;
  /** Prepends `key` to label names that begin with one underscore. */
  readonly prefixesUnderscores: boolean;
  /** Keeps several underscores in a row in label names. */
  readonly keepsUnderscores: boolean;
};

/** A metric as far as its name depends on it. */
export type Named = {
  readonly name: string;
  readonly unit: string;
  readonly type: "gauge" | "counter" | "other";
};

/** The words for units of UCUM; the unit 1 has none. */
const UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    d: "days",
    h: "hours",
    min: "minutes",
    s: "seconds",
    ms: "milliseconds",
    us: "microseconds",
    ns: "nanoseconds",
    By: "bytes",
    KiBy: "kibibytes",
    MiBy: "mebibytes",
    GiBy: "gibibytes",
    TiBy: "tibibytes",
    KBy: "kilobytes",
    MBy: "megabytes",
    GBy: "gigabytes",
    TBy: "terabytes",
    m: "meters",
    V: "volts",
    A: "amperes",
    J: "joules",
    W: "watts",
    g: "grams",
    Cel: "celsius",
    Hz: "hertz",
    "%": "percent",
    "1": "",
  }),
);
/** The words for the unit behind a slash. */
const PER_UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries({ s: "second", m: "minute", h: "hour", d: "day", w: "week", mo: "month", y: "year" }),
);

const hasSuffixes = (strategy: Strategy): boolean =>
  strategy === "UnderscoreEscapingWithSuffixes" || strategy === "NoUTF8EscapingWithSuffixes";
const isEscaped = (strategy: Strategy): boolean =>
  strategy === "UnderscoreEscapingWithSuffixes" || strategy === "UnderscoreEscapingWithoutSuffixes";

/** The name of a metric; empty if nothing is left of it. */
export function metricName(metric: Named, strategy: Strategy): string {
  if (!isEscaped(strategy)) return hasSuffixes(strategy) ? withSuffixes(metric) : metric.name;
  const words = hasSuffixes(strategy) ? suffixedWords(metric) : wordsOf(metric.name, /[^a-zA-Z0-9:_]+/);
  const name = words.join("_");
  return /^\d/.test(name) ? `_${name}` : name;
}

const wordsOf = (name: string, between: RegExp): string[] => name.split(between).filter((word) => word !== "");

function suffixedWords({ name, unit, type }: Named): string[] {
  const words = wordsOf(name, /[^a-zA-Z0-9:]+/);
  const { main, per } = unitWords(unit);
  if (main !== "" && !words.includes(main)) words.push(main);
  if (per !== "") words.push("per", per);
  const last = lastWord(unit, type);
  return last === undefined ? words : [...words.filter((word) => word !== last), last];
}

/** The word that ends the name: a counter's total, the ratio of a gauge without a unit. */
function lastWord(unit: string, type: Named["type"]): string | undefined {
  if (type === "counter") return "total";
  return type === "gauge" && unit.trim() === "1" ? "ratio" : undefined;
}

/** The name as it is, with the words that it lacks. What it ends with already goes behind the unit. */
function withSuffixes({ name, unit, type }: Named): string {
  const { main, per } = unitWords(unit, false);
  const endings = [per === "" ? "" : `per_${per}`, lastWord(unit, type) ?? ""].filter((word) => word !== "");
  const stem = endings.reduceRight(withoutEnding, name);
  return [stem, ...(main === "" || stem.endsWith(main) ? [] : [main]), ...endings].join("_");
}

/** Without a word at the end and the character before it. */
const withoutEnding = (name: string, word: string): string =>
  name.length > word.length && name.endsWith(word) ? name.slice(0, -word.length - 1) : name;

type UnitWords = { readonly main: string; readonly per: string };
function unitWords(unit: string, isCleaned = true): UnitWords {
  const [main = "", per = ""] = unit.split(/\/(.*)/s, 2);
  const word = (text: string, words: ReadonlyMap<string, string>): string => {
    const given = text.trim();
    if (given === "" || /[{}]/.test(given)) return "";
    const found = words.get(given) ?? given;
    return isCleaned ? cleaned(found) : found;
  };
  return { main: word(main, UNITS), per: word(per, PER_UNITS) };
}

/** A unit without characters that a name cannot have. */
const cleaned = (unit: string): string =>
  unit
    .replaceAll(/[^a-zA-Z0-9:]/g, "_")
    .replaceAll(/_{2,}/g, "_")
    .replace(/^_/, "");

/** The name of a label for an attribute. */
export function labelName(attribute: string, { strategy, prefixesUnderscores, keepsUnderscores }: Naming): string {
  if (!isEscaped(strategy)) return attribute;
  if (/^__.*__$/s.test(attribute)) return attribute;
  const name = attribute.replaceAll(keepsUnderscores ? /[^a-zA-Z0-9_]/gu : /[^a-zA-Z0-9]+/gu, "_");
  if (/^\d/.test(name)) return `key_${name}`;
  return prefixesUnderscores && /^_(?!_)/.test(name) ? `key${name}` : name;
}
