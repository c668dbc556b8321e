import { formatTime, formatValue } from "./number.ts";

/** Octets that a value takes at most, and a time. */
export const MOST_VALUE_OCTETS = 32;
export const MOST_TIME_OCTETS = 32;

const [MINUS, DOT, ZERO] = [0x2d, 0x2e, 0x30];
/** Decimals that are looked for, and whole parts up to which a double of so many decimals has 15 digits at most. */
const DECIMALS = 6;
const PARTS = 10 ** DECIMALS;
const MOST_WITH_DECIMALS = 1e9;
/** Digits that are written by arithmetic of 32 bits. */
const GROUP = 9;
const GROUP_SIZE = 10 ** GROUP;

/**
 * Writes what `formatValue` says, and returns the offset behind it; there must be room for `MOST_VALUE_OCTETS`.
 *
 * Most values are whole, or have a few decimals, and making a text of each takes longer than all the rest of a large answer. Where a decimal of 15
 * digits or fewer reads as a value, no other of as few digits does, so it is the shortest one: the digits follow from whole numbers.
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

/** Writes what `formatTime` says, and returns the offset behind it; there must be room for `MOST_TIME_OCTETS`. */
export function putTime(octets: Uint8Array, from: number, time: number): number {
  if (!(time >= 0 && time <= Number.MAX_SAFE_INTEGER && Math.floor(time) === time)) return putAscii(octets, from, formatTime(time));
  const seconds = Math.floor(time / 1_000);
  const rest = time - seconds * 1_000;
  const at = putWhole(octets, from, seconds);
  if (rest === 0) return at;
  octets[at] = DOT;
  return putDigits(octets, at + 1, rest, 3);
}

/** Up to 2^53. */
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

/** A whole number of `GROUP` digits or fewer, with zeros in front of them. */
function putDigits(octets: Uint8Array, from: number, value: number, digits: number): number {
  let rest = value | 0;
  for (let at = from + digits - 1; at >= from; at--) {
    const next = (rest / 10) | 0;
    octets[at] = ZERO + rest - next * 10;
    rest = next;
  }
  return from + digits;
}

/** Text of which every character is one octet. */
export function putAscii(octets: Uint8Array, from: number, text: string): number {
  for (let at = 0; at < text.length; at++) octets[from + at] = text.charCodeAt(at);
  return from + text.length;
}
