import { habitOf, type Habit } from "../field-coding/index.ts";
import { STATIC_TABLE } from "./static-table.ts";

/** What an encoder needs to know about a name in the static table, in one look-up. */
export type StaticName = Habit & {
  /** The first index with this name. */
  readonly index: number;
  /** Its values in the table, at `index`, `index + 1` and so on. */
  readonly values: readonly string[];
  /** The number of the name, from 0. */
  readonly place: number;
};

export const STATIC_NAMES: ReadonlyMap<string, StaticName> = collect();

function collect(): Map<string, StaticName> {
  const names = new Map<string, StaticName & { values: string[] }>();
  STATIC_TABLE.forEach(({ name, value }, i) => {
    const known = names.get(name);
    // Entries with the same name are adjacent (rfc7541#A).
    if (known === undefined) names.set(name, { index: i + 1, values: [value], place: names.size, ...habitOf(name) });
    else known.values.push(value);
  });
  return names;
}
