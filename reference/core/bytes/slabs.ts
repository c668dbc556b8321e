/** The length of a new buffer: room for about a hundred small messages, which share the cost of its allocation. */
const SLAB = 32_768;
/** A shorter rest is not worth keeping. */
const WORTH = 1_024;

/** Lends buffers to writers. A writer returns the part that it has not written to, and the next writer continues there. */
class Slabs {
  #rest: Uint8Array<ArrayBuffer> | undefined;

  /** A buffer of at least `need` octets, for the caller alone. */
  take(need: number): Uint8Array<ArrayBuffer> {
    const rest = this.#rest;
    if (rest === undefined || rest.length < need) return new Uint8Array(need <= SLAB / 4 ? SLAB : need * 2);
    this.#rest = undefined;
    return rest;
  }
  /** Takes back octets that nobody has written to or seen. */
  giveBack(rest: Uint8Array<ArrayBuffer>): void {
    if (rest.length >= WORTH) this.#rest = rest;
  }
}

/**
 * The one store of all writers. It is shared on purpose: with a slab for each connection, every short message would cost 32 KiB. No octet
 * is ever lent to two writers, so a connection sees nothing of another; only which memory it gets depends on others.
 */
export const SLABS = new Slabs();
