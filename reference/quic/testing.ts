import { instant, type Instant } from "../core/index.ts";

/** Shared by the tests of this folder. */
export const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(text.replaceAll(/\s/g, "").match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
export const toHex = (bytes: Uint8Array): string => Array.from(bytes, (octet) => octet.toString(16).padStart(2, "0")).join("");
export const octets = (count: number, value = 0x61): Uint8Array => new Uint8Array(count).fill(value);
/** Octets that differ by their position, so that a wrong order shows. */
export const pattern = (from: number, count: number): Uint8Array =>
  Uint8Array.from({ length: count }, (_, at) => ((from + at) * 31 + ((from + at) >>> 8)) & 0xff);
export const T0: Instant = instant(0);
