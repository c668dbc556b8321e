import { readNumber } from "../../promql/index.ts";
import { general, momentText } from "./format.ts";
import { Int, Span, TemplateFault, typeName, type Value } from "./values.ts";

/** Numbers for people (Prometheus docs, configuration/template_reference.md, "Numbers"). Four digits are shown. */

const LARGE: readonly string[] = ["k", "M", "G", "T", "P", "E", "Z", "Y"];
const SMALL: readonly string[] = ["m", "u", "n", "p", "f", "a", "z", "y"];
const BINARY: readonly string[] = ["ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi"];

const four = (value: number): string => general(value, 4);

/** The number in a value, which may be text. Throws `TemplateFault`. */
export function numberIn(value: Value): number {
  if (typeof value === "number") return value;
  if (value instanceof Int) return value.value;
  if (value instanceof Span) return value.seconds;
  if (typeof value !== "string") throw new TemplateFault(`can't convert ${typeName(value)} to float`);
  const sign = value.startsWith("-") ? -1 : 1;
  // A hexadecimal number needs an exponent of two, which is not supported.
  const number = /^[-+]?0x/i.test(value) ? undefined : readNumber(value.replace(/^[-+]/, "").replace(/^infinity$/i, "Inf"));
  if (number === undefined) throw new TemplateFault(`${JSON.stringify(value)} is not a number`);
  return sign * number;
}

/** A size from 1 on with the prefix that leaves it below the base. */
function shrunk(value: number, base: number, prefixes: readonly string[]): string {
  let rest = value;
  let prefix = "";
  for (const next of prefixes) {
    if (Math.abs(rest) < base) break;
    prefix = next;
    rest /= base;
  }
  return four(rest) + prefix;
}
function grown(value: number): readonly [text: string, prefix: string] {
  let rest = value;
  let prefix = "";
  for (const next of SMALL) {
    if (Math.abs(rest) >= 1) break;
    prefix = next;
    rest *= 1_000;
  }
  return [four(rest), prefix];
}

export function humanize(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return four(value);
  return Math.abs(value) >= 1 ? shrunk(value, 1_000, LARGE) : grown(value).join("");
}

export const humanize1024 = (value: number): string =>
  Math.abs(value) <= 1 || !Number.isFinite(value) ? four(value) : shrunk(value, 1_024, BINARY);

/** Days, hours, minutes and seconds: `1d 2h 3m 4s`. */
export function humanizeDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return four(seconds);
  if (seconds === 0) return `${four(seconds)}s`;
  const size = Math.abs(seconds);
  const sign = seconds < 0 ? "-" : "";
  if (size < 1) {
    const [text, prefix] = grown(seconds);
    return `${text}${prefix}s`;
  }
  const whole = Math.floor(size);
  // Remainders are exact, quotients of large numbers are not.
  const [days, hours, minutes, rest] = [
    Math.floor(whole / 86_400),
    Math.floor((whole % 86_400) / 3_600),
    Math.floor((whole % 3_600) / 60),
    whole % 60,
  ];
  if (days > 0) return `${sign}${days}d ${hours}h ${minutes}m ${rest}s`;
  if (hours > 0) return `${sign}${hours}h ${minutes}m ${rest}s`;
  return minutes > 0 ? `${sign}${minutes}m ${rest}s` : `${sign}${four(size)}s`;
}

export const humanizePercentage = (ratio: number): string => `${four(ratio * 100)}%`;

/** The furthest time, in seconds since 1970, that 64 bits of nanoseconds hold. */
const MOST_SECONDS = 2 ** 63 / 1e9;
/** Milliseconds since 1970 of a time in seconds. Throws `TemplateFault` for a time out of range. */
export function momentMs(seconds: number): number {
  if (Number.isNaN(seconds) || Math.abs(seconds) >= MOST_SECONDS)
    throw new TemplateFault(`${four(seconds)} is not a time that can be represented: it is out of range`);
  return Math.floor(Math.trunc(seconds * 1e9) / 1e6);
}
export const humanizeTimestamp = (seconds: number): string => (Number.isFinite(seconds) ? momentText(momentMs(seconds)) : four(seconds));
