import type { Labels } from "../model/index.ts";

/** The lower halves of the start and the prime of FNV-1a with 64 bits; the prime is 2^40 more than this. */
const START = [0xcbf29ce4, 0x84222325] as const;
const PRIME = 0x1b3;
/** Separates names and values; UTF-8 does not contain it. */
const SEPARATOR = 0xff;
const encoder = new TextEncoder();

/**
 * The identity of an alert in notifications and in the API: FNV-1a with 64 bits over the sorted names and values, each followed by a separator, as
 * 16 hexadecimal digits. Receivers compare it with that of other routers.
 */
export function fingerprintOf({ flat }: Labels): string {
  let [high, low]: [number, number] = [...START];
  const add = (octet: number): void => {
    const mixed = (low ^ octet) >>> 0;
    const product = mixed * PRIME;
    high = (Math.imul(high, PRIME) + (mixed << 8) + Math.floor(product / 0x1_0000_0000)) >>> 0;
    low = product % 0x1_0000_0000;
  };
  for (const text of flat) {
    for (const octet of encoder.encode(text)) add(octet);
    add(SEPARATOR);
  }
  return [high, low].map((half) => half.toString(16).padStart(8, "0")).join("");
}
