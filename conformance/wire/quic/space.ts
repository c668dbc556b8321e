import type { PacketKeys } from "../../../reference/quic/index.ts";

/** One packet number space: what we have sent and received in it (rfc9000#12.3). */
export class Space {
  read: PacketKeys | undefined;
  write: PacketKeys | undefined;
  /** The next packet number. */
  next = 0;
  /** The largest number that has come; -1 for none. */
  largest = -1;
  /** Something came that has to be acknowledged. */
  owes = false;
  /** Our numbers that the peer has acknowledged. */
  readonly acknowledged = new Set<number>();
  /** What has come, as ranges in descending order. */
  readonly #ranges: [number, number][] = [];
  /** CRYPTO: how much we have sent, what came out of order, and how much in order. */
  cryptoSent = 0;
  #cryptoRead = 0;
  readonly #cryptoHeld = new Map<number, Uint8Array>();

  /** Takes down that a number has come; false if it had come before. */
  came(number: number): boolean {
    if (this.#ranges.some(([low, high]) => number >= low && number <= high)) return false;
    this.largest = Math.max(this.largest, number);
    const at = this.#ranges.findIndex(([low]) => low < number);
    this.#ranges.splice(at < 0 ? this.#ranges.length : at, 0, [number, number]);
    for (let n = this.#ranges.length - 1; n > 0; n--) {
      const [upper, lower] = [this.#ranges[n - 1], this.#ranges[n]];
      if (upper === undefined || lower === undefined || lower[1] + 1 < upper[0]) continue;
      this.#ranges.splice(n - 1, 2, [lower[0], upper[1]]);
    }
    this.#ranges.splice(KEPT);
    return true;
  }

  /** An ACK of everything: first range, then gap and length of each other. */
  get acknowledgment(): { readonly largest: number; readonly first: number; readonly ranges: [number, number][] } | undefined {
    const [top, ...others] = this.#ranges;
    if (top === undefined) return undefined;
    let low = top[0];
    const ranges = others.map(([from, to]): [number, number] => {
      const gap = low - to - 2;
      low = from;
      return [gap, to - from];
    });
    return { largest: top[1], first: top[1] - top[0], ranges };
  }

  /** Octets of CRYPTO; returns those that are now in order. */
  crypto(offset: number, data: Uint8Array): Uint8Array[] {
    if (offset + data.length > this.#cryptoRead) this.#cryptoHeld.set(offset, data);
    const ready: Uint8Array[] = [];
    for (let goesOn = true; goesOn;) {
      goesOn = false;
      for (const [at, held] of this.#cryptoHeld) {
        if (at > this.#cryptoRead) continue;
        this.#cryptoHeld.delete(at);
        const fresh = held.subarray(Math.max(0, this.#cryptoRead - at));
        if (fresh.length === 0) continue;
        ready.push(fresh);
        this.#cryptoRead += fresh.length;
        goesOn = true;
      }
    }
    return ready;
  }
}

const KEPT = 32;
