/** The memory begins with the counts of octets written and read, modulo 2^32; a ring of octets follows. */
const WRITTEN = 0;
const READ = 1;
const FRONT_OCTETS = 8;
/** Milliseconds without progress of the other end, after which it is considered dead. */
const PATIENCE_MS = 60_000;

/** A pipe between two threads in shared memory. An end that waits blocks its thread. */
export class OctetPipe {
  readonly shared: SharedArrayBuffer;
  readonly #counts: Int32Array;
  readonly #octets: Uint8Array;
  /** The number of octets that the last `read` returned: they stay in the pipe until the next one. */
  #lent = 0;
  #gathered = new Uint8Array(0);

  /** A new pipe for a number of octets, a power of two; or the other end of the pipe with this memory. */
  constructor(from: number | SharedArrayBuffer) {
    this.shared = typeof from === "number" ? new SharedArrayBuffer(FRONT_OCTETS + from) : from;
    this.#counts = new Int32Array(this.shared, 0, FRONT_OCTETS / 4);
    this.#octets = new Uint8Array(this.shared, FRONT_OCTETS);
  }

  /** Returns when the last octet is in the pipe. */
  write(bytes: Uint8Array, from = 0, to = bytes.length): void {
    const room = this.#octets.length;
    for (let at = from; at < to;) {
      const { used, place } = this.#state(WRITTEN);
      if (used === room) {
        this.#await(READ, (now) => now < room);
        continue;
      }
      const length = Math.min(to - at, room - used, room - place);
      this.#octets.set(bytes.subarray(at, at + length), place);
      this.#advance(WRITTEN, length);
      at += length;
    }
  }

  /** Waits for `length` octets; they are valid until the next call. */
  read(length: number): Uint8Array {
    this.#advance(READ, this.#lent);
    this.#lent = 0;
    const room = this.#octets.length;
    const { place } = this.#state(READ);
    if (place + length <= room) {
      this.#await(WRITTEN, (used) => used >= length);
      this.#lent = length;
      return this.#octets.subarray(place, place + length);
    }
    if (this.#gathered.length < length) this.#gathered = new Uint8Array(length);
    for (let at = 0; at < length;) {
      this.#await(WRITTEN, (used) => used > 0);
      const now = this.#state(READ);
      const part = Math.min(length - at, now.used, room - now.place);
      this.#gathered.set(this.#octets.subarray(now.place, now.place + part), at);
      this.#advance(READ, part);
      at += part;
    }
    return this.#gathered.subarray(0, length);
  }

  /** The number of octets in the pipe, and the position of the next one to write or read. */
  #state(end: typeof WRITTEN | typeof READ): { readonly used: number; readonly place: number } {
    const written = Atomics.load(this.#counts, WRITTEN);
    const read = Atomics.load(this.#counts, READ);
    return { used: (written - read) | 0, place: (end === WRITTEN ? written : read) & (this.#octets.length - 1) };
  }

  #advance(end: typeof WRITTEN | typeof READ, by: number): void {
    if (by === 0) return;
    Atomics.add(this.#counts, end, by);
    Atomics.notify(this.#counts, end);
  }

  /** Waits until the other end has made `isEnough` true for the number of octets in the pipe. */
  #await(other: typeof WRITTEN | typeof READ, isEnough: (used: number) => boolean): void {
    for (;;) {
      const seen = Atomics.load(this.#counts, other);
      if (isEnough(this.#state(other).used)) return;
      if (Atomics.wait(this.#counts, other, seen, PATIENCE_MS) === "timed-out")
        throw new Error(`The other thread has made no progress for ${PATIENCE_MS / 1_000} s.`);
    }
  }
}
