import type { Duration, DurationOperand, Span } from "./ast.ts";
import { type ParseFault, parseFault } from "../parse/fault.ts";

/** Units of time from the longest to the shortest, in milliseconds (Prometheus docs, querying/basics.md, "Float literals and time durations"). */
const UNITS = [
  ["y", 365 * 86_400_000],
  ["w", 7 * 86_400_000],
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
] as const;

const FORM = new RegExp(`^${UNITS.map(([unit]) => `(?:(\\d+)${unit})?`).join("")}$`);

/** The longest duration: nanoseconds in 64 bits, about 292 years. */
export const MAX_DURATION_MS = 9_223_372_036_854;

/** `1h30m` in milliseconds: each unit at most once, the longest first. `outOfRange` if it exceeds 64 bits of nanoseconds. */
export function readDuration(text: string): number | "invalid" | "outOfRange" {
  const found = FORM.exec(text);
  if (found === null || text === "") return "invalid";
  let ms = 0;
  for (const [at, [, size]] of UNITS.entries()) ms += Number(found[at + 1] ?? 0) * size;
  return ms <= MAX_DURATION_MS ? ms : "outOfRange";
}

/** Formats milliseconds with units: `5m`, `1h30m`, `0s`. Years and weeks are used only without a remainder. Fractions of a millisecond are dropped. */
export function formatDuration(ms: number): string {
  let rest = Math.floor(Math.abs(ms));
  if (rest === 0) return "0s";
  let text = ms < 0 ? "-" : "";
  for (const [unit, size] of UNITS) {
    const mustBeWhole = unit === "y" || unit === "w";
    if (rest < size || (mustBeWhole && rest % size !== 0)) continue;
    text += `${Math.floor(rest / size)}${unit}`;
    rest %= size;
  }
  return text;
}

/** The values of `step()` and `range()` in the current query; both 0 in an instant query. */
export type QueryWindow = { readonly stepMs: number; readonly rangeMs: number };

/** The use of a duration: an offset may be zero or negative, a range and a step may not. */
export type DurationUse = "offset" | "length";

/** A duration in milliseconds, evaluated if it is an expression (Prometheus docs, querying/basics.md, "Duration expressions"). */
export function durationMs(duration: Duration, window: QueryWindow, use: DurationUse): number | ParseFault {
  if (duration.is === "fixed") return duration.ms;
  const seconds = evaluate(duration, window);
  if (typeof seconds !== "number") return seconds;
  return checkedMs(seconds, duration.span, use);
}

/** Converts seconds to milliseconds and checks the bounds of a duration and of its use. */
export function checkedMs(seconds: number, span: Span, use: DurationUse): number | ParseFault {
  const ms = Math.trunc(Number((seconds * 1_000).toPrecision(15)));
  if (use === "length" && ms <= 0) return parseFault("duration must be greater than 0", span);
  return Math.abs(ms) <= MAX_DURATION_MS ? (ms === 0 ? 0 : ms) : parseFault("duration out of range", span);
}

/** The value in seconds. The parser limits the depth of the recursion. */
function evaluate(expr: DurationOperand, window: QueryWindow): number | ParseFault {
  switch (expr.is) {
    case "number":
      return expr.value;
    case "durationStep":
      return window.stepMs / 1_000;
    case "durationRange":
      return window.rangeMs / 1_000;
    case "durationParen":
      return evaluate(expr.inner, window);
    case "durationUnary": {
      const value = evaluate(expr.operand, window);
      return typeof value === "number" && expr.op === "-" ? -value : value;
    }
    case "durationCall": {
      const [a, b] = [evaluate(expr.args[0], window), evaluate(expr.args[1], window)];
      if (typeof a !== "number") return a;
      if (typeof b !== "number") return b;
      return expr.name === "min_of" ? Math.min(a, b) : Math.max(a, b);
    }
    case "durationBinary": {
      const [a, b] = [evaluate(expr.left, window), evaluate(expr.right, window)];
      if (typeof a !== "number") return a;
      if (typeof b !== "number") return b;
      if (b === 0 && expr.op === "/") return parseFault("division by zero", expr.right.span);
      if (b === 0 && expr.op === "%") return parseFault("modulo by zero", expr.right.span);
      return ARITHMETIC[expr.op](a, b);
    }
  }
}

const ARITHMETIC = {
  "+": (a: number, b: number) => a + b,
  "-": (a: number, b: number) => a - b,
  "*": (a: number, b: number) => a * b,
  "/": (a: number, b: number) => a / b,
  "%": (a: number, b: number) => a % b,
  "^": (a: number, b: number) => a ** b,
} as const;
