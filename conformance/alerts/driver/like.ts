import type { Pattern } from "../vocabulary.ts";

/** Compares JSON with a pattern. */

/** Both clocks are that of this machine, and an observation may be late. */
const NEAR_MS = 30_000;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)$/;

const KINDS: Readonly<{ [kind: string]: (value: unknown) => boolean }> = {
  time: (value) => typeof value === "string" && TIME.test(value),
  text: (value) => typeof value === "string" && value !== "",
  list: (value) => Array.isArray(value),
  object: (value) => isObject(value),
  url: (value) => typeof value === "string" && URL.canParse(value),
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);
const shown = (value: unknown): string => (JSON.stringify(value) ?? "absent").slice(0, 120);

/** The first difference of a value from a pattern, where `at` is the time of the observation; undefined if there is none. */
export function difference(pattern: Pattern, value: unknown, at: number, name = ""): string | undefined {
  const where = name === "" ? "it" : name;
  const inside = (member: string): string => (name === "" ? member : `${name}.${member}`);
  if (pattern === null) return isEmpty(value) ? undefined : `${where} is ${shown(value)}`;
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value)) return `${where} is ${shown(value)}, not a list`;
    if (value.length !== pattern.length) return `${where} has ${value.length} elements, not ${pattern.length}: ${shown(value)}`;
    return lacking(pattern, value, at, where);
  }
  if (!isObject(pattern)) return Object.is(pattern, value) ? undefined : `${where} is ${shown(value)}, not ${shown(pattern)}`;
  if ("$re" in pattern)
    return typeof value === "string" && new RegExp(String(pattern["$re"])).test(value) ? undefined : `${where} is ${shown(value)}`;
  if ("$is" in pattern)
    return KINDS[String(pattern["$is"])]!(value) ? undefined : `${where} is ${shown(value)}, not a ${String(pattern["$is"])}`;
  if ("$near" in pattern) {
    if (!KINDS["time"]!(value)) return `${where} is ${shown(value)}, not a time`;
    const away = Math.round((Date.parse(String(value)) - at) / 1_000);
    const wanted = Number(pattern["$near"]);
    return Math.abs(away - wanted) * 1_000 <= NEAR_MS ? undefined : `${where} is ${away} s from now, not ${wanted} s`;
  }
  if ("$past" in pattern) {
    if (!KINDS["time"]!(value)) return `${where} is ${shown(value)}, not a time`;
    return Date.parse(String(value)) <= at === pattern["$past"]
      ? undefined
      : `${where} is ${shown(value)}, at ${new Date(at).toISOString()}`;
  }
  if ("$has" in pattern)
    return Array.isArray(value) ? lacking(pattern["$has"] as readonly Pattern[], value, at, where) : `${where} is ${shown(value)}`;
  if ("$any" in pattern) {
    const all = (pattern["$any"] as readonly Pattern[]).map((one) => difference(one, value, at, name));
    return all.includes(undefined) ? undefined : all[0];
  }
  for (const [member, wanted] of Object.entries(pattern)) {
    const fault = difference(wanted, isObject(value) ? value[member] : undefined, at, inside(member));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Gives each pattern an element of its own. */
// oxlint-disable-next-line max-params -- those of `difference`
function lacking(patterns: readonly Pattern[], values: readonly unknown[], at: number, where: string): string | undefined {
  const left = [...values];
  for (const pattern of patterns) {
    const found = left.findIndex((one) => difference(pattern, one, at) === undefined);
    if (found === -1) {
      const [only] = left;
      const why = left.length === 1 ? `: ${difference(pattern, only, at)}` : "";
      return `${where} has no ${shown(pattern)}${why}`;
    }
    left.splice(found, 1);
  }
  return undefined;
}
