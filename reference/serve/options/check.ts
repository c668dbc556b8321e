import { Misuse } from "../../core/index.ts";

/** The names of options; an option that is an object has a table of its own. */
export interface OptionTable {
  readonly [name: string]: true | OptionTable;
}
/** Stands for every name in an option whose names the caller chooses. */
export const ANY = "*";
/** The table of `Options`, with every name and no other. */
export type Names<Options> = { readonly [Name in keyof Options]-?: true | OptionTable };

/** The table of an object that holds every option with its default. */
export const namesOf = (defaults: object): OptionTable =>
  Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, isRecord(value) ? namesOf(value) : true]));

/** Throws `Misuse` for an option that `known` does not name, at any level, with the nearest one that it does. */
export function checkOptions(face: string, options: object, known: OptionTable): void {
  if (!isRecord(options)) throw new Misuse(`${face}: the options are not an object`);
  const unknown = firstUnknown(options, known, "");
  if (unknown === undefined) return;
  const nearest = nearestTo(unknown, pathsOf(known, "")).map((path) => `"${path}"`);
  throw new Misuse(`${face}: there is no option "${unknown}": did you mean ${nearest.join(" or ")}?`);
}

function firstUnknown(options: Record<string, unknown>, known: OptionTable, prefix: string): string | undefined {
  for (const [name, value] of Object.entries(options)) {
    const table = Object.hasOwn(known, name) ? known[name] : known[ANY];
    if (table === undefined) return prefix + name;
    if (table === true || !isRecord(value)) continue;
    const inner = firstUnknown(value, table, `${prefix}${name}.`);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

const pathsOf = (known: OptionTable, prefix: string): string[] =>
  Object.entries(known).flatMap(([name, table]) =>
    table === true ? [prefix + name] : [prefix + name, ...pathsOf(table, `${prefix}${name}.`)],
  );

/** The paths whose last name is nearest; of these, the ones nearest as a whole. */
function nearestTo(unknown: string, paths: readonly string[]): string[] {
  const closest = (of: readonly string[], part: (path: string) => string): string[] => {
    const distances = of.map((path) => distance(part(unknown), part(path)));
    const least = Math.min(...distances);
    return of.filter((_, at) => distances[at] === least);
  };
  const inFolder = paths.filter((path) => folder(path) === folder(unknown));
  const beside = closest(inFolder, lastName);
  // A typing error in the right place goes before the same name in another place.
  const isTypo = beside.some((path) => distance(lastName(unknown), lastName(path)) <= 2);
  return isTypo ? beside : closest(closest(paths, lastName), (path) => path);
}
const lastName = (path: string): string => path.slice(path.lastIndexOf(".") + 1);
const folder = (path: string): string => path.slice(0, path.lastIndexOf(".") + 1);

/** Insertions, removals and replacements from one text to another (Levenshtein); case does not count. */
function distance(from: string, to: string): number {
  const [one, other] = [from.toLowerCase(), to.toLowerCase()];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/** The part of `options` that `known` names. */
export function optionsIn<Options extends object, Table extends OptionTable>(
  options: Options,
  known: Table,
): Pick<Options, keyof Options & keyof Table> {
  const found: Partial<Options> = {};
  for (const name of Object.keys(options) as (keyof Options & string)[]) if (Object.hasOwn(known, name)) found[name] = options[name];
  return found as Pick<Options, keyof Options & keyof Table>;
}
