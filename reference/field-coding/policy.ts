import type { Field } from "../core/index.ts";

/** How the encoder treats a name. */
export type Habit = {
  /** Its values seldom repeat on a connection: an entry would only evict more useful ones. */
  readonly oneOff: boolean;
  /** Values with fewer characters are treated as secrets even if the caller does not mark them (rfc7541#7.1.3). */
  readonly secretBelow: number;
};

const ONE_OFF: ReadonlySet<string> = new Set([
  ":path",
  "age",
  "content-length",
  "etag",
  "if-modified-since",
  "if-none-match",
  "location",
  "set-cookie",
]);
/** Longer than any string. */
const ALWAYS = 2 ** 30;
/** Credentials, and cookies short enough to be guessed byte by byte through compression. */
const SECRET_BELOW: ReadonlyMap<string, number> = new Map([
  ["authorization", ALWAYS],
  ["proxy-authorization", ALWAYS],
  ["cookie", 20],
]);
/** An entry that takes more than this share of the table would evict nearly all others. */
const MOST_OF_THE_TABLE = 0.75;

/** For names in the static table; others have no habit. */
export const habitOf = (name: string): Habit => ({ oneOff: ONE_OFF.has(name), secretBelow: SECRET_BELOW.get(name) ?? 0 });

/** Whether a field is sent as a never-indexed literal, which every hop keeps out of its tables (rfc7541#7.1.3). */
export function isSecret({ value, sensitive }: Field, habit: Habit | undefined): boolean {
  return sensitive || (habit !== undefined && value.length < habit.secretBelow);
}

/** Whether to insert a field that is in no table; `size` is that of its entry. */
export function isWorthAnEntry(habit: Habit | undefined, size: number, capacity: number): boolean {
  return size <= capacity * MOST_OF_THE_TABLE && !(habit !== undefined && habit.oneOff);
}
