import { concatenated } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";

/** More pieces that wait out of order are refused: each costs memory however short it is (rfc9000#21.7). */
const MAX_PIECES = 1_000;

type Piece = { readonly offset: number; readonly octets: Uint8Array };
const end = ({ offset, octets }: Piece): number => offset + octets.length;

/**
 * Puts octets that arrive out of order in order. How far ahead they may be is for the user to check: flow control bounds the octets, this
 * the number of pieces.
 */
export class Reassembler {
  /** The offset of the next octet to give out. */
  #next = 0;
  /** Sorted, without overlaps; none begins before `#next`. */
  #pieces: Piece[] = [];
  #waiting = 0;

  get next(): number {
    return this.#next;
  }
  /** Octets that are kept. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Keeps a copy of the octets that are new. */
  push(offset: number, octets: Uint8Array): Fault | undefined {
    let at = Math.max(offset, this.#next);
    const to = offset + octets.length;
    if (at >= to) return undefined;
    const add = (from: number, until: number, index: number): void => {
      this.#pieces.splice(index, 0, { offset: from, octets: octets.slice(from - offset, until - offset) });
      this.#waiting += until - from;
    };
    let index = this.#indexOf(at);
    for (; index < this.#pieces.length && at < to; index++) {
      const piece = this.#pieces[index]!;
      if (piece.offset >= to) break;
      if (piece.offset > at) {
        add(at, piece.offset, index);
        index++;
      }
      at = end(piece);
    }
    if (at < to) add(at, to, index);
    return this.#pieces.length > MAX_PIECES && !this.#merge() ? fault("fragmentsTooMany") : undefined;
  }

  /** The octets that are next in order, if any. */
  pull(): Uint8Array | undefined {
    const piece = this.#pieces[0];
    if (piece === undefined || piece.offset > this.#next) return undefined;
    this.#pieces.shift();
    this.#next = end(piece);
    this.#waiting -= piece.octets.length;
    return piece.octets;
  }

  /** Joins neighbours; false if that did not help. */
  #merge(): boolean {
    const merged: Piece[] = [];
    for (let at = 0; at < this.#pieces.length;) {
      let until = at + 1;
      while (until < this.#pieces.length && this.#pieces[until]!.offset === end(this.#pieces[until - 1]!)) until++;
      const group = this.#pieces.slice(at, until);
      merged.push({
        offset: group[0]!.offset,
        octets: group.length === 1 ? group[0]!.octets : concatenated(group.map(({ octets }) => octets)),
      });
      at = until;
    }
    this.#pieces = merged;
    return merged.length <= MAX_PIECES / 2;
  }
  /** The index of the first piece that ends after `offset`. */
  #indexOf(offset: number): number {
    let low = 0;
    let high = this.#pieces.length;
    if (high > 0 && end(this.#pieces[high - 1]!) <= offset) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (end(this.#pieces[middle]!) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
