import type { Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";

/** Writes that a subject reads one by one, as far as that can be arranged from outside. */

/** How long a write may wait until the subject reads it, in milliseconds. */
export const UNREAD_MS = 250;

/** Waits for one turn of the loop. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Waits long enough for a peer to read what we sent; a peer in this process needs `turns` of the loop. */
export async function apart(turns: number): Promise<void> {
  await pause(1);
  for (let left = turns; left > 0; left--) await turn();
}

/** Writes octets. Resolves when they are written, or after a while if the subject does not read; the rest of the case judges that. */
export function writeTo(socket: Writable, octets: Uint8Array): Promise<void> {
  if (octets.length === 0 || !socket.writable) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, UNREAD_MS);
    socket.write(octets, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** How a write is cut. */
export type Cutting = {
  /** The octets of a piece. */
  readonly cut: number;
  readonly write: (piece: Uint8Array) => Promise<void>;
  /** Checked before every piece: whether the reader is gone. */
  readonly isOver: () => boolean;
  /** Pieces that are kept apart by time; the rest only by a turn of the loop. */
  readonly paced: number;
  /** How they are kept apart; by a millisecond by default. */
  readonly apart?: () => Promise<void>;
  /** How long a write is cut at most, in milliseconds; the rest is then written at once. */
  readonly longest?: number;
};

/** Writes octets at once if they are no longer than a piece, otherwise in pieces that each leave the process on their own. */
export async function writeInPieces(octets: Uint8Array, cutting: Cutting): Promise<void> {
  const { cut, write, isOver, paced, apart: rest = () => apart(0), longest = Number.POSITIVE_INFINITY } = cutting;
  if (octets.length <= cut) return write(octets);
  const begun = performance.now();
  let pieces = 0;
  for (let at = 0; at < octets.length && !isOver(); at += cut) {
    if (performance.now() - begun > longest) return write(octets.subarray(at));
    await write(octets.subarray(at, at + cut));
    await (++pieces <= paced ? rest() : turn());
  }
}
