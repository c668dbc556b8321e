import { untilAborted } from "./content.ts";

/** This many rooms wait for their next page. */
const KEPT = 4;
/** A room is not kept if its page filled less than this share of it. */
const LEAST_FILLED = 1 / 4;
/** A room grows by at least this factor. */
const GROWTH = 1.25;

/** Memory for one page at a time. New memory for each large page would cost as much as storing its samples. */
export class PageRoom {
  #octets = new Uint8Array(0);
  #length = 0;

  /** All octets of a body, valid until the room is given back; undefined if there are more than `limit`. Rejects once the signal is aborted. */
  async fill(body: AsyncIterable<Uint8Array>, limit: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    this.#length = 0;
    for await (const piece of untilAborted(body, signal)) {
      const end = this.#length + piece.length;
      if (end > limit) return undefined;
      if (end > this.#octets.length) this.#grow(end, limit);
      this.#octets.set(piece, this.#length);
      this.#length = end;
    }
    return this.#octets.subarray(0, this.#length);
  }

  get size(): number {
    return this.#octets.length;
  }
  get isFilled(): boolean {
    return this.#length > 0 && this.#length >= this.size * LEAST_FILLED;
  }

  #grow(least: number, most: number): void {
    const wider = new Uint8Array(Math.min(most, Math.ceil(least * GROWTH)));
    wider.set(this.#octets.subarray(0, this.#length));
    this.#octets = wider;
  }
}

/** The rooms that all targets share. */
export class PageRooms {
  /** By size, the largest last. */
  readonly #free: PageRoom[] = [];

  /** The smallest room for a page of the expected size, or else the largest. */
  borrow(expected: number): PageRoom {
    const fitting = this.#free.findIndex(({ size }) => size >= expected);
    return this.#free.splice(fitting, 1)[0] ?? new PageRoom();
  }

  giveBack(room: PageRoom): void {
    if (!room.isFilled) return;
    const place = this.#free.findIndex(({ size }) => size >= room.size);
    this.#free.splice(place < 0 ? this.#free.length : place, 0, room);
    if (this.#free.length > KEPT) this.#free.shift();
  }
}
