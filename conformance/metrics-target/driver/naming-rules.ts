import { firstOf, onFamilies, onPages, type Rules } from "./rule.ts";

/** Advice on names. */

/** Words at the end of a name that name a unit which is not a base unit, and the base unit. */
const OTHER_UNITS: Readonly<Record<string, string>> = {
  ns: "seconds",
  nanoseconds: "seconds",
  us: "seconds",
  microseconds: "seconds",
  ms: "seconds",
  millis: "seconds",
  milliseconds: "seconds",
  minutes: "seconds",
  hours: "seconds",
  days: "seconds",
  kb: "bytes",
  kib: "bytes",
  mb: "bytes",
  mib: "bytes",
  gb: "bytes",
  gib: "bytes",
  kilobytes: "bytes",
  megabytes: "bytes",
  gigabytes: "bytes",
  bits: "bytes",
  percent: "ratio",
  percentage: "ratio",
  fahrenheit: "celsius",
  kilometers: "meters",
  millimeters: "meters",
  kilograms: "grams",
  millivolts: "volts",
  milliamperes: "amperes",
  decibels: "ratio",
};
/** Base units that a name ends with when it has them. */
const UNITS = ["seconds", "bytes", "joules", "grams", "meters", "ratio", "volts", "amperes", "celsius"];
const stemOf = (name: string): string => name.replace(/_(?:total|bucket|count|sum|info|created)$/, "");

export const NAMING_RULES: Rules = {
  "snake-case": onFamilies(({ name }) => (/^[a-z_:][a-z0-9_:]*$/.test(name) ? undefined : `${name} is not in lower snake case`)),
  "no-colons": onFamilies(({ name }) => (name.includes(":") ? `${name} has a colon, which is for results of rules` : undefined)),
  /** Only counters, and names that are their samples', end with _total. */
  "total-is-counter": onFamilies(({ name, type }) =>
    name.endsWith("_total") && type !== "counter" && type !== "unknown" ? `${name} is a ${type}` : undefined,
  ),
  "counter-is-total": onFamilies(({ name, type }) =>
    type === "counter" && !name.endsWith("_total") ? `the counter ${name} does not end with _total` : undefined,
  ),
  "base-units": onFamilies(({ name }) => {
    const word = stemOf(name).split("_").at(-1) ?? "";
    return OTHER_UNITS[word] === undefined ? undefined : `${name} is in ${word}, not in ${OTHER_UNITS[word]}`;
  }),
  "unit-line": onFamilies(({ name, type, unit }) => {
    const word = UNITS.find((one) => name.endsWith(`_${one}`));
    return word !== undefined && unit === undefined && type !== "info" && type !== "stateset" && type !== "unknown"
      ? `${name} has no line UNIT for ${word}`
      : undefined;
  }),
  /** Names of families do not have the suffix of samples of another type. */
  "confusing-suffix": onFamilies(({ name, type }) => {
    const suffix = ["_bucket", "_count", "_sum", "_created", "_gsum", "_gcount", "_info"].find((one) => name.endsWith(one));
    return suffix === undefined || (suffix === "_info" && type === "gauge") || type === "unknown"
      ? undefined
      : `the ${type} ${name} ends with ${suffix}`;
  }),
  "target-first": onPages(({ families }) => {
    const at = families.findIndex(({ name, type }) => name === "target" && type === "info");
    return at <= 0 ? undefined : `target is the family number ${at + 1}`;
  }),
  "label-snake-case": onPages(({ samples }) =>
    firstOf(samples, ({ labels, place }) => {
      const odd = labels.find(([name]) => !/^[a-z_][a-z0-9_]*$/.test(name));
      return odd === undefined ? undefined : `${place} (the label ${odd[0]} is not in lower snake case)`;
    }),
  ),
};
