import type { FunctionName } from "./signatures.ts";

/** `round`: to the nearest multiple, ties upwards (Prometheus docs, querying/functions.md, "round()"). The inverse is used, as 1/0.1 is exact where 0.1 is not. */
export function roundTo(value: number, nearest: number): number {
  const inverse = 1 / nearest;
  return Math.floor(value * inverse + 0.5) / inverse;
}

/** `clamp`, `clamp_min` and `clamp_max`; a limit that is NaN makes NaN. */
export function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}

const SECONDS_A_DAY = 86_400;
const MS_A_DAY = 86_400_000;

/** UTC of a timestamp in seconds; what no calendar reaches gives NaN throughout. */
const date = (seconds: number): Date => new Date(Math.trunc(seconds) * 1_000);
const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/** Functions of one number (Prometheus docs, querying/functions.md). */
export const MATH: Readonly<Partial<Record<FunctionName, (value: number) => number>>> = {
  abs: Math.abs,
  ceil: Math.ceil,
  floor: Math.floor,
  exp: Math.exp,
  ln: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  sqrt: Math.sqrt,
  // A zero keeps its sign, and NaN stays.
  sgn: Math.sign,
  acos: Math.acos,
  acosh: Math.acosh,
  asin: Math.asin,
  asinh: Math.asinh,
  atan: Math.atan,
  atanh: Math.atanh,
  cos: Math.cos,
  cosh: Math.cosh,
  sin: Math.sin,
  sinh: Math.sinh,
  tan: Math.tan,
  tanh: Math.tanh,
  deg: (value) => (value * 180) / Math.PI,
  rad: (value) => (value * Math.PI) / 180,
};

/** Functions of a moment in seconds since 1970, in UTC (Prometheus docs, querying/functions.md). */
export const CALENDAR: Readonly<Partial<Record<FunctionName, (seconds: number) => number>>> = {
  minute: (seconds) => Math.floor(modulo(Math.trunc(seconds), 3_600) / 60),
  hour: (seconds) => Math.floor(modulo(Math.trunc(seconds), SECONDS_A_DAY) / 3_600),
  // The first of January 1970 was a Thursday.
  day_of_week: (seconds) => modulo(Math.floor(Math.trunc(seconds) / SECONDS_A_DAY) + 4, 7),
  day_of_month: (seconds) => date(seconds).getUTCDate(),
  day_of_year: (seconds) => {
    const at = date(seconds);
    return Math.floor((at.getTime() - startOfYear(at)) / MS_A_DAY) + 1;
  },
  days_in_month: (seconds) => {
    const at = date(seconds);
    return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  },
  month: (seconds) => date(seconds).getUTCMonth() + 1,
  year: (seconds) => date(seconds).getUTCFullYear(),
};

/** `Date.UTC` takes the years 0 to 99 for those of the last century. */
function startOfYear(at: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(at.getUTCFullYear(), 0, 1);
  return start.getTime();
}
