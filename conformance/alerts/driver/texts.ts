import type { Answered } from "./record.ts";

/** Fills the names in braces of a case. */

export type Values = Readonly<Record<string, string>>;

const NOW = /\{now([-+]\d+)?\}/g;
const NAME = /\{(\w+)((?:\.\w+)*)\}/g;

/** A value with the texts in it filled, members and elements too. Unknown names stay. */
export function filled<T>(value: T, values: Values, answers: Readonly<Record<string, Answered>> = {}): T {
  const text = (of: string): string =>
    of
      .replaceAll(NOW, (_, seconds = "0") => new Date(Date.now() + Number(seconds) * 1_000).toISOString())
      .replaceAll(NAME, (whole, name: string, path: string) => {
        const known = path === "" ? values[name] : memberOf(answers[name]?.json, path);
        return known ?? whole;
      });
  const fill = (of: unknown): unknown => {
    if (typeof of === "string") return text(of);
    if (Array.isArray(of)) return of.map(fill);
    if (of === null || typeof of !== "object") return of;
    return Object.fromEntries(Object.entries(of).map(([name, member]) => [text(name), fill(member)]));
  };
  return fill(value) as T;
}

/** `.silenceID`, `.0.fingerprint` of JSON. */
function memberOf(json: unknown, path: string): string | undefined {
  let found = json;
  for (const name of path.slice(1).split(".")) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return typeof found === "string" ? found : undefined;
}
