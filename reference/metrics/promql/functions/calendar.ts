/** Calendar functions: of a moment in seconds since 1970, in UTC (Prometheus docs, querying/functions.md). */

const SECONDS_PER_DAY = 86_400;
const MS_PER_DAY = 86_400_000;

/** A time outside the range of `Date` makes every part NaN. */
const date = (seconds: number): Date => new Date(Math.trunc(seconds) * 1_000);
const modulo = (value: number, by: number): number => ((value % by) + by) % by;

export const minute = (seconds: number): number => Math.floor(modulo(Math.trunc(seconds), 3_600) / 60);
export const hour = (seconds: number): number => Math.floor(modulo(Math.trunc(seconds), SECONDS_PER_DAY) / 3_600);
/** 0 is Sunday. 1 January 1970 was a Thursday. */
export const dayOfWeek = (seconds: number): number => modulo(Math.floor(Math.trunc(seconds) / SECONDS_PER_DAY) + 4, 7);
export const dayOfMonth = (seconds: number): number => date(seconds).getUTCDate();
export const month = (seconds: number): number => date(seconds).getUTCMonth() + 1;
export const year = (seconds: number): number => date(seconds).getUTCFullYear();

export function dayOfYear(seconds: number): number {
  const at = date(seconds);
  return Math.floor((at.getTime() - startOfYear(at)) / MS_PER_DAY) + 1;
}

export function daysInMonth(seconds: number): number {
  const at = date(seconds);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
}

/** `Date.UTC` would map the years 0 to 99 to 1900 to 1999. */
function startOfYear(at: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(at.getUTCFullYear(), 0, 1);
  return start.getTime();
}
