import type { Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";

/** Writes that a subject reads one by one, as far as that can be had from outside of it. */

/** How long a write may wait for the kernel and the subject to take it, in milliseconds. */
export const UNREAD_MS = 250;

/** A turn of the loop. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Long enough that a peer has read what it was sent; `turns` of the loop for one in this very process. */
export async function apart(turns: number): Promise<void> {
  await pause(1);
  for (let left = turns; left > 0; left--) await turn();
}

/** Writes octets; resolves when they have left. A subject that does not read is not waited for: what follows decides about it. */
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
  /** Looked at before every piece: there is nobody left to read it. */
  readonly isOver: () => boolean;
  /** So many pieces are kept apart by time; beyond, by a turn of the loop. */
  readonly paced: number;
  /** How they are kept apart: by a millisecond alone, unless told. */
  readonly apart?: () => Promise<void>;
  /** So long a write is cut at most, in milliseconds; what is left then goes whole. */
  readonly longest?: number;
};

/** In one write where it is no longer than a piece, and in pieces that each leave the process on their own otherwise. */
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
