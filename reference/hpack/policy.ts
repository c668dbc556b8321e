import type { Field } from "../core/index.ts";

/** What the policy says of a name. */
export type Habit = {
  /** Its values seldom come twice on a connection: an entry for one pushes out what would have been of use. */
  readonly oneOff: boolean;
  /** Values with fewer characters are secrets, whether the caller says so or not (rfc7541#7.1.3). */
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
/** More characters than any string has. */
const ALWAYS = 2 ** 30;
/** Credentials, and a cookie short enough to be guessed octet by octet, if it compressed. */
const SECRET_BELOW: ReadonlyMap<string, number> = new Map([
  ["authorization", ALWAYS],
  ["proxy-authorization", ALWAYS],
  ["cookie", 20],
]);
/** An entry of more than this part of the table would be bought with all the others. */
const MOST_OF_THE_TABLE = 0.75;

/** Of a name in the static table; for others neither holds. */
export const habitOf = (name: string): Habit => ({ oneOff: ONE_OFF.has(name), secretBelow: SECRET_BELOW.get(name) ?? 0 });

/** Whether a field goes as a never-indexed literal, which every hop keeps out of its tables (rfc7541#7.1.3). */
export function isSecret({ value, sensitive }: Field, habit: Habit | undefined): boolean {
  return sensitive || (habit !== undefined && value.length < habit.secretBelow);
}

/** Whether a field that no table holds is inserted; `size` is what its entry would count. */
export function isWorthAnEntry(habit: Habit | undefined, size: number, capacity: number): boolean {
  return size <= capacity * MOST_OF_THE_TABLE && !(habit !== undefined && habit.oneOff);
}
