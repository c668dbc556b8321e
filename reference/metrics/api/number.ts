/**
 * The value of a sample in the format of the query API (Prometheus docs, querying/api.md, "Expression query result formats"): the shortest decimal that parses
 * to the same number, with an exponent only below 1e-6 and from 1e21 on.
 */
export function formatValue(value: number): string {
  const size = Math.abs(value);
  // Most values need no exponent.
  if (size >= LEAST_PLAIN && size < MOST_PLAIN) return String(value);
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  if (Number.isNaN(value)) return "NaN";
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  if (value === Number.NEGATIVE_INFINITY) return "-Inf";
  // JavaScript uses an exponent for the same values, but with as few digits as possible; this format has at least two.
  return String(value).replace(/e([+-])(\d)$/, "e$10$2");
}

const LEAST_PLAIN = 1e-6;
const MOST_PLAIN = 1e21;

/** Milliseconds since 1970 as seconds, with three decimals unless integral. */
export function formatTime(time: number): string {
  const seconds = Math.trunc(time / 1_000);
  const rest = Math.abs(time % 1_000);
  const sign = time < 0 && seconds === 0 ? "-" : "";
  return rest === 0 ? String(seconds) : `${sign}${seconds}.${String(rest).padStart(3, "0")}`;
}
