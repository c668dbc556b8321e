import { latin1 } from "../../core/index.ts";

/**
 * Reads numbers from octets. Short ones are computed from their digits, if that is exact: at most 2^53, multiplied or divided by an exact power of ten,
 * with one rounding. Others are parsed as text.
 */

const TEN = Float64Array.from({ length: 23 }, (_, power) => 10 ** power);
const EXACT = 2 ** 53;
const [LF, TAB, SP, PLUS, MINUS, DOT, ZERO, E] = [0x0a, 0x09, 0x20, 0x2b, 0x2d, 0x2e, 0x30, 0x65];

/** `text`: Go's ParseFloat. `openmetrics`: the grammar of OpenMetrics. `real`: likewise, without infinities and NaN. */
export type Dialect = "text" | "openmetrics" | "real";
/** In place of an offset: not a number, or out of the range of 64 bits. */
export const NO_NUMBER = -1;
export const OUT_OF_RANGE = -2;

/**
 * Reads the number at `from`, times 10^`shift`, into `out[index]`. Returns the offset of the space or line feed after it; the octets must have a line
 * feed after the number.
 */
// oxlint-disable-next-line max-params -- called for each sample
export function readNumber(octets: Uint8Array, from: number, dialect: Dialect, out: Float64Array, index: number, shift = 0): number {
  let at = from;
  let octet = octets[at]!;
  const isNegative = octet === MINUS;
  if (isNegative || octet === PLUS) octet = octets[++at]!;
  const first = at;
  let mantissa = 0;
  let digit = octet - ZERO;
  while (digit >= 0 && digit <= 9) {
    mantissa = mantissa * 10 + digit;
    digit = octets[++at]! - ZERO;
  }
  let digits = at - first;
  let power = shift;
  if (digit === DOT - ZERO) {
    const point = ++at;
    digit = octets[at]! - ZERO;
    while (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit;
      digit = octets[++at]! - ZERO;
    }
    digits += at - point;
    power -= at - point;
  }
  octet = octets[at]!;
  if ((octet | 0x20) === E && digits > 0) {
    let sign = octets[++at]!;
    const isBelow = sign === MINUS;
    if (isBelow || sign === PLUS) sign = octets[++at]!;
    let exponent = 0;
    const begin = at;
    for (digit = sign - ZERO; digit >= 0 && digit <= 9 && exponent < 1_000; digit = octets[++at]! - ZERO) exponent = exponent * 10 + digit;
    if (at === begin) return slowly(octets, from, dialect, out, index, shift);
    power += isBelow ? -exponent : exponent;
    octet = octets[at]!;
  }
  if (digits === 0 || mantissa >= EXACT || power < -22 || power > 22 || !isEnd(octet))
    return slowly(octets, from, dialect, out, index, shift);
  const value = power < 0 ? mantissa / TEN[-power]! : mantissa * TEN[power]!;
  out[index] = isNegative ? -value : value;
  return at;
}

const isEnd = (octet: number): boolean => octet === LF || octet === SP || octet === TAB;

// oxlint-disable-next-line max-params -- the arguments of readNumber()
function slowly(octets: Uint8Array, from: number, dialect: Dialect, out: Float64Array, index: number, shift: number): number {
  let to = from;
  while (!isEnd(octets[to]!)) to++;
  const value = numberOf(latin1(octets, from, to), dialect, shift);
  if (value === undefined) return NO_NUMBER;
  // Only the word Infinity means infinity.
  if (value === "range") return OUT_OF_RANGE;
  out[index] = value;
  return to;
}

const DECIMAL = /^([+-]?)((?:\d+\.?\d*|\.\d+))(?:e([+-]?\d+))?$/i;
const HEXADECIMAL = /^([+-]?)0x((?:[\da-f]+\.?[\da-f]*|\.[\da-f]+))p([+-]?\d+)$/i;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;
/** Whether all underscores are between digits, or between a base prefix and a digit. */
const isSeparated = (text: string): boolean => !(/^[+-]?0x/i.test(text) ? /(?<![\da-fx])_|_(?![\da-f])/i : /(?<!\d)_|_(?!\d)/).test(text);
/** Beyond this exponent no number that fits in a page is in range. */
const FAR = 1e9;

/** Parses a number in a dialect. Undefined if it is invalid, `range` if it is out of the range of 64 bits. */
export function numberOf(text: string, dialect: Dialect, shift = 0): number | "range" | undefined {
  const decimal = DECIMAL.exec(text);
  if (decimal !== null) {
    const [, sign = "", digits = "", exponent = "0"] = decimal;
    const power = Math.max(-FAR, Math.min(FAR, Number(exponent))) + shift;
    return finite(Number(`${sign}${digits}e${power}`));
  }
  if (dialect === "real") return undefined;
  const infinite = INFINITE.exec(text);
  if (infinite !== null) return infinite[1] === "-" ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return NaN;
  if (dialect !== "text") return undefined;
  if (text.includes("_")) return isSeparated(text) ? numberOf(text.replaceAll("_", ""), dialect, shift) : undefined;
  const hexadecimal = HEXADECIMAL.exec(text);
  if (hexadecimal === null) return undefined;
  const [, sign, digits = "", exponent = ""] = hexadecimal;
  const value = ofHexadecimal(digits, Math.max(-FAR, Math.min(FAR, Number(exponent))));
  return finite(sign === "-" ? -value : value);
}

const finite = (value: number): number | "range" => (Number.isFinite(value) ? value : "range");

/** Exact, with one rounding at the end: to nearest, ties to even. */
function ofHexadecimal(text: string, exponent: number): number {
  const [whole = "", fraction = ""] = text.split(".");
  let mantissa = BigInt(`0x${whole}${fraction}` === "0x" ? 0 : `0x${whole}${fraction}`);
  if (mantissa === 0n) return 0;
  const power = exponent - 4 * fraction.length;
  const bits = mantissa.toString(2).length;
  if (bits + power > 1_024) return Infinity;
  if (bits + power < -1_080) return 0;
  // Bits to drop: keep 53, or stop at the smallest subnormal.
  const drop = Math.max(bits - 53, -1_074 - power, 0);
  const rest = mantissa & ((1n << BigInt(drop)) - 1n);
  mantissa >>= BigInt(drop);
  const half = drop === 0 ? 0n : 1n << BigInt(drop - 1);
  if (drop > 0 && (rest > half || (rest === half && (mantissa & 1n) === 1n))) mantissa += 1n;
  const scale = power + drop;
  // Scale in two steps: 2^scale alone may underflow.
  return scale < -1_000 ? Number(mantissa) * 2 ** -1_000 * 2 ** (scale + 1_000) : Number(mantissa) * 2 ** scale;
}
