/** Values of an unknown shape, such as parsed JSON, by their parts. */

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The members of an object; none of any other value. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

/** The items of a list; none of any other value. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** `Array.isArray` for a readonly list beside a single item. */
const isList = <T>(value: T | readonly T[]): value is readonly T[] => Array.isArray(value);

/** One item or a list of them, as a list. */
export const listOf = <T>(value: T | readonly T[]): readonly T[] => (isList(value) ? value : [value]);
