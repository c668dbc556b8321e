import { STATIC_TABLE } from "./static-table.ts";
import { habitOf, type Habit } from "./policy.ts";

/** What an encoder has to know of a name that stands in the static table, in one look-up. */
export type StaticName = Habit & {
  /** The first index with this name. */
  readonly index: number;
  /** The values that stand there with it, at `index`, `index + 1` and so on. */
  readonly values: readonly string[];
  /** Counts the names from 0. */
  readonly place: number;
};

export const STATIC_NAMES: ReadonlyMap<string, StaticName> = collect();

function collect(): Map<string, StaticName> {
  const names = new Map<string, StaticName & { values: string[] }>();
  STATIC_TABLE.forEach(({ name, value }, i) => {
    const known = names.get(name);
    // Entries of one name stand side by side (rfc7541#A).
    if (known === undefined) names.set(name, { index: i + 1, values: [value], place: names.size, ...habitOf(name) });
    else known.values.push(value);
  });
  return names;
}
