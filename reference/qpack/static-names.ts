import { type Habit, habitOf } from "../field-coding/index.ts";
import { STATIC_TABLE } from "./static-table.ts";

/** What an encoder needs to know about a name in the static table, in one look-up. */
export type StaticName = Habit & {
  /** The first index with this name. */
  readonly index: number;
  /** The index of each of its values. Entries with the same name need not be adjacent (rfc9204#A). */
  readonly values: ReadonlyMap<string, number>;
};

export const STATIC_NAMES: ReadonlyMap<string, StaticName> = collect();

function collect(): Map<string, StaticName> {
  const names = new Map<string, StaticName & { values: Map<string, number> }>();
  STATIC_TABLE.forEach(({ name, value }, index) => {
    const known = names.get(name);
    if (known === undefined) names.set(name, { index, values: new Map([[value, index]]), ...habitOf(name) });
    else known.values.set(value, index);
  });
  return names;
}
