import { InvalidArgumentError } from "commander";

/** Parses an option of any verb as a whole number in decimal digits, at most 15. Throws commander's error, which names the option. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  };

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, "": 1_000 };

/** Parses an option of any verb as a time with a unit, "500ms", "30s" or "2m", in milliseconds. A number alone is in seconds. */
export const timeUpTo =
  (most: string) =>
  (text: string): number => {
    const value = milliseconds(text);
    if (value <= milliseconds(most)) return value;
    throw new InvalidArgumentError(`Give a time up to ${most}, such as 500ms, 30s or 2m.`);
  };

function milliseconds(text: string): number {
  const [, number, unit = ""] = /^(\d{1,9})(ms|s|m)?$/.exec(text) ?? [];
  return number === undefined ? Number.NaN : Number(number) * (UNITS[unit] ?? Number.NaN);
}
