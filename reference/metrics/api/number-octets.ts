import { formatTime, formatValue } from "./number.ts";

/** The most octets of a value, and of a time. */
export const MOST_VALUE_OCTETS = 32;
export const MOST_TIME_OCTETS = 32;

const [MINUS, DOT, ZERO] = [0x2d, 0x2e, 0x30];
/** The number of decimals that are tried, and the bound on the integer part for which a double with that many decimals has at most 15 digits. */
const DECIMALS = 6;
const PARTS = 10 ** DECIMALS;
const MOST_WITH_DECIMALS = 1e9;
/** Digits that 32-bit arithmetic can write. */
const GROUP = 9;
const GROUP_SIZE = 10 ** GROUP;

/**
 * Writes a value in the format of `formatValue` and returns the offset after it; there must be room for `MOST_VALUE_OCTETS`.
 *
 * Most values are integers or have a few decimals, and formatting each as a string takes longer than everything else in a large response. If a decimal
 * with at most 15 digits parses to the value, it is the shortest one, so integer arithmetic gives the digits.
 */
export function putValue(octets: Uint8Array, from: number, value: number): number {
  const size = Math.abs(value);
  const parts = Math.round(size * PARTS);
  const isShort =
    size < MOST_WITH_DECIMALS ? parts / PARTS === size && size !== 0 : size <= Number.MAX_SAFE_INTEGER && Math.floor(size) === size;
  if (!isShort) return putAscii(octets, from, formatValue(value));
  let at = from;
  if (value < 0) octets[at++] = MINUS;
  const whole = Math.floor(size);
  at = putWhole(octets, at, whole);
  const rest = whole < MOST_WITH_DECIMALS ? parts - whole * PARTS : 0;
  if (rest === 0) return at;
  octets[at] = DOT;
  at = putDigits(octets, at + 1, rest, DECIMALS);
  while (octets[at - 1] === ZERO) at--;
  return at;
}

/** Writes a time in the format of `formatTime` and returns the offset after it; there must be room for `MOST_TIME_OCTETS`. */
export function putTime(octets: Uint8Array, from: number, time: number): number {
  if (!(time >= 0 && time <= Number.MAX_SAFE_INTEGER && Math.floor(time) === time)) return putAscii(octets, from, formatTime(time));
  const seconds = Math.floor(time / 1_000);
  const rest = time - seconds * 1_000;
  const at = putWhole(octets, from, seconds);
  if (rest === 0) return at;
  octets[at] = DOT;
  return putDigits(octets, at + 1, rest, 3);
}

/** Writes an integer up to 2^53. */
function putWhole(octets: Uint8Array, from: number, value: number): number {
  if (value < GROUP_SIZE) return putDigits(octets, from, value, digitsOf(value));
  const high = Math.floor(value / GROUP_SIZE);
  return putDigits(octets, putWhole(octets, from, high), value - high * GROUP_SIZE, GROUP);
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let limit = 10; value >= limit; limit *= 10) digits++;
  return digits;
}

/** Writes an integer of at most `GROUP` digits with leading zeros. */
function putDigits(octets: Uint8Array, from: number, value: number, digits: number): number {
  let rest = value | 0;
  for (let at = from + digits - 1; at >= from; at--) {
    const next = (rest / 10) | 0;
    octets[at] = ZERO + rest - next * 10;
    rest = next;
  }
  return from + digits;
}

/** Writes ASCII text. */
export function putAscii(octets: Uint8Array, from: number, text: string): number {
  for (let at = 0; at < text.length; at++) octets[from + at] = text.charCodeAt(at);
  return from + text.length;
}
