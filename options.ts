import { InvalidArgumentError } from "commander";

/** Parses an option of any verb as a whole number in decimal digits, at most 15. Throws commander's error, which names the option. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  };
