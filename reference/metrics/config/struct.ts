import type { Kind } from "./kinds.ts";
import type { Place } from "./source.ts";

/** A field of a struct: its kind, and what it is if it is absent. */
export type Field<T> = { readonly kind: Kind<unknown>; readonly fallback: T; readonly isRequired: boolean };

/** A field without a default. */
export const optional = <T>(kind: Kind<T>): Field<T | undefined> => ({
  kind: kind as Kind<unknown>,
  fallback: undefined,
  isRequired: false,
});
/** A field with a default. */
export const preset = <T, D extends T = T>(kind: Kind<T>, fallback: D): Field<T> => ({
  kind: kind as Kind<unknown>,
  fallback,
  isRequired: false,
});
/** A field that must be present, and not be empty. */
export const required = <T>(kind: Kind<T>): Field<T> => ({ kind: kind as Kind<unknown>, fallback: undefined as T, isRequired: true });

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type Values<F extends Fields> = { readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never };

/** The place of a field of the value that is being checked. */
export type Where<F extends Fields> = (field: keyof F & string) => Place;

/** A map with known keys. An unknown key is a problem. `check` finds what is wrong between fields. */
export function struct<F extends Fields>(fields: F, check: (value: Values<F>, where: Where<F>) => void = () => {}): Kind<Values<F>> {
  return { isSection: true, read: (at) => read(fields, at, check), show: (value) => show(fields, value) };
}

function read<F extends Fields>(fields: F, at: Place, check: (value: Values<F>, where: Where<F>) => void): Values<F> | undefined {
  const entries = at.entries();
  if (entries === undefined) return undefined;
  const places = new Map<string, Place>();
  const values: Record<string, unknown> = Object.fromEntries(Object.entries(fields).map(([name, { fallback }]) => [name, fallback]));
  let isWhole = true;
  for (const { key, at: place, value } of entries) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) {
      place.fail(`unknown field${suggestion(key, Object.keys(fields))}`);
      continue;
    }
    places.set(key, value);
    // A section with nothing in it is as good as absent.
    if (value.isNull && field.kind.isSection === true) continue;
    const found = field.kind.read(value);
    if (found === undefined) isWhole = false;
    else values[key] = found;
  }
  for (const [name, { isRequired }] of Object.entries(fields)) {
    if (!isRequired || (places.has(name) && values[name] !== "")) continue;
    // A value that could not be read has its problem already.
    if (places.has(name) && values[name] === undefined) continue;
    at.child(name).fail("it is missing");
    isWhole = false;
  }
  const result = values as Values<F>;
  const where = (field: string): Place => places.get(field) ?? at.child(field);
  at.source.remember(result, where);
  if (isWhole) check(result, where);
  return isWhole ? result : undefined;
}

/** The fields in their order, without those that are absent or empty. */
function show<F extends Fields>(fields: F, value: Values<F>): Record<string, unknown> {
  const shown: [string, unknown][] = [];
  for (const [name, { kind, fallback }] of Object.entries(fields)) {
    const one = value[name as keyof F] as unknown;
    if (one === undefined || (isZero(one) && isZero(fallback))) continue;
    shown.push([name, kind.show(one)]);
  }
  return Object.fromEntries(shown);
}

function isZero(value: unknown): boolean {
  if (value === undefined || value === "" || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype && Object.keys(value).length === 0
  );
}

/** The nearest known name, if it differs in at most two letters. */
function suggestion(name: string, known: readonly string[]): string {
  const near = known.map((one) => ({ one, far: distance(name, one) })).sort((a, b) => a.far - b.far)[0];
  return near !== undefined && near.far <= 2 ? `; do you mean ${near.one}?` : "";
}

/** The number of letters to insert, remove or change. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length && i <= 64; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length] ?? Infinity;
}
