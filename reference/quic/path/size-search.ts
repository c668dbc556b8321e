import { after, NEVER, type Instant } from "../../core/index.ts";
import { BASE_DATAGRAM } from "../recovery/newreno.ts";

/** Sizes to try: loopback, jumbo frames, Ethernet over IPv4 and IPv6, tunnels. Octets of UDP payload. */
const SIZES: readonly number[] = Object.freeze([65_507, 32_768, 16_384, 8_952, 1_472, 1_452, 1_400, 1_280]);
/** How long a search that ended below the limit is not repeated, since paths change (RFC 8899, section 5.1.1). */
const AGAIN_MS = 600_000;
/** Large packets lost in a row, without one that arrived: the path no longer carries them (RFC 8899, section 4.3). */
const LOST_IN_A_ROW = 8;

/**
 * Seeks the largest datagram that a path carries, by packets that only probe it (rfc9000#14.3, RFC 8899). It begins with the largest, since
 * on most paths nothing lies between the least size and that of the first link; each size has one try, because a router may make the
 * operating system cut what follows.
 */
export class SizeSearch {
  #size = BASE_DATAGRAM;
  #most: number;
  /** Sizes that were not tried, the largest first. */
  #left: number[];
  #againAt: Instant = NEVER;
  #lost = 0;

  /** `most` is what the way out takes without cutting it. */
  constructor(most: number) {
    this.#most = most;
    this.#left = candidates(most);
  }

  /** The size of datagrams to send. */
  get size(): number {
    return this.#size;
  }
  /** What the peer takes. */
  limit(most: number): void {
    if (most >= this.#most) return;
    this.#most = most;
    this.#left = candidates(most);
  }
  /** The size to probe with, if there is one. */
  wanted(now: Instant): number | undefined {
    if (now >= this.#againAt) {
      this.#againAt = NEVER;
      this.#left = candidates(this.#most);
    }
    const [next] = this.#left;
    return next !== undefined && next > this.#size ? next : undefined;
  }
  /** A probe of this size leaves. */
  probed(size: number): void {
    this.#left = this.#left.filter((one) => one < size);
  }
  /** It has arrived; true if datagrams grow. */
  arrived(size: number): boolean {
    if (size <= this.#size || size > this.#most) return false;
    this.#size = size;
    this.#left = [];
    this.#lost = 0;
    return true;
  }
  /** It is lost. */
  missing(size: number, now: Instant): void {
    if (size > this.#size && this.#left.length === 0) this.#againAt = after(now, AGAIN_MS);
  }
  /** What became of a packet with data; true if datagrams shrink, because the path no longer carries large ones. */
  note(octets: number, isLost: boolean, now: Instant): boolean {
    if (octets <= BASE_DATAGRAM || this.#size === BASE_DATAGRAM) return false;
    this.#lost = isLost ? this.#lost + 1 : 0;
    if (this.#lost < LOST_IN_A_ROW) return false;
    this.#size = BASE_DATAGRAM;
    this.#lost = 0;
    this.#left = [];
    this.#againAt = after(now, AGAIN_MS);
    return true;
  }
}

const candidates = (most: number): number[] =>
  [...new Set([most, ...SIZES.filter((size) => size < most)])].filter((size) => size > BASE_DATAGRAM).toSorted((a, b) => b - a);
