/**
 * The memory of head chunks. A chunk is a chain of slots of 64 octets: it grows without being moved and wastes half a slot on average. Slots come from
 * slabs and are reused.
 *
 * ```
 * first slot of a chunk  ┌ next <4b> │ previous chunk <4b> │ first time <8b> │ span <4b> │ octets <4b> │ samples <2b>, encoding <1b>, 0 <1b> │ data <36b> ┐
 * any other              └ next <4b> │ data <60b> ┘
 * ```
 *
 * Slot 0 is not used. The previous chunk and the first time are written when a chunk begins, the other fields when it is complete.
 */
const SLOT_SHIFT = 6;
const SLOT_OCTETS = 1 << SLOT_SHIFT;
const SLOT_WORDS = SLOT_OCTETS / 4;
/** Slots of a slab: 4 MiB. */
const SLAB_SHIFT = 16;
const SLAB_MASK = (1 << SLAB_SHIFT) - 1;
const HEAD_OCTETS = 28;
const NEXT_OCTETS = 4;
const FIRST_ROOM = SLOT_OCTETS - HEAD_OCTETS;
const ROOM = SLOT_OCTETS - NEXT_OCTETS;
/** The most chunks, and the most further slots, that `warm` reads. */
const WARMED = 2_048;

/** The byte order of this machine. */
const IS_LITTLE = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

type Slab = { readonly words: Uint32Array; readonly bytes: Uint8Array; readonly times: Float64Array };

type Octets = { readonly bytes: Uint8Array; readonly from: number; readonly to: number };
type Completion = { readonly lastTime: number; readonly octets: number; readonly samples: number; readonly encoding: number };

/** Chunks, by the number of their first slot, which is valid until the chunk is released. */
export class ChunkPool {
  readonly #slabs: Slab[] = [];
  /** The first slot that was never used. */
  #fresh = 1;
  /** The chunk released last; its previous chunk is the one released before. */
  #freeChunks = 0;
  /** The next slot to reuse: the rest of the chain of a released chunk. */
  #free = 0;
  #used = 0;
  readonly #warmFirsts = new Uint32Array(WARMED);
  readonly #warmOthers = new Uint32Array(WARMED);

  /** Octets of slots in use. */
  get octets(): number {
    return this.#used * SLOT_OCTETS;
  }

  /** Octets of slots that were ever in use. */
  get reserved(): number {
    return (this.#fresh - 1) * SLOT_OCTETS;
  }

  /** Begins an empty chunk after another of the same series (0: none). */
  begin(previous: number, time: number): number {
    const first = this.#claim();
    const slab = this.#slab(first);
    const slot = first & SLAB_MASK;
    slab.words[slot * SLOT_WORDS + 1] = previous;
    slab.times[slot * 8 + 1] = time;
    return first;
  }

  /** Stores what is known only when a chunk is complete. */
  complete(first: number, { lastTime, octets, samples, encoding }: Completion): void {
    const slab = this.#slab(first);
    const word = (first & SLAB_MASK) * SLOT_WORDS;
    slab.words[word + 4] = lastTime - (slab.times[word / 2 + 1] ?? 0);
    slab.words[word + 5] = octets;
    slab.words[word + 6] = samples | (encoding << 16);
  }

  previous(first: number): number {
    return this.#slab(first).words[(first & SLAB_MASK) * SLOT_WORDS + 1] ?? 0;
  }

  setPrevious(first: number, previous: number): void {
    this.#slab(first).words[(first & SLAB_MASK) * SLOT_WORDS + 1] = previous;
  }

  firstTime(first: number): number {
    return this.#slab(first).times[(first & SLAB_MASK) * 8 + 1] ?? 0;
  }

  /** For complete chunks only, like the next three. */
  lastTime(first: number): number {
    const slab = this.#slab(first);
    const word = (first & SLAB_MASK) * SLOT_WORDS;
    return (slab.times[word / 2 + 1] ?? 0) + (slab.words[word + 4] ?? 0);
  }

  octetsOf(first: number): number {
    return this.#slab(first).words[(first & SLAB_MASK) * SLOT_WORDS + 5] ?? 0;
  }

  samplesOf(first: number): number {
    return (this.#slab(first).words[(first & SLAB_MASK) * SLOT_WORDS + 6] ?? 0) & 0xffff;
  }

  encodingOf(first: number): number {
    return (this.#slab(first).words[(first & SLAB_MASK) * SLOT_WORDS + 6] ?? 0) >>> 16;
  }

  /** The octet at a position of a chunk's data, in its last slot. */
  octetAt(last: number, at: number): number {
    return this.#slab(last).bytes[((last & SLAB_MASK) << SLOT_SHIFT) + placeIn(at)] ?? 0;
  }

  /** The slab that contains a slot. */
  bytesOf(slot: number): Uint8Array {
    return this.#slab(slot).bytes;
  }

  /** The position in `bytesOf(last)` of bit `bit` of a chunk's data, if its slot has room for `octets` more; otherwise -1. See `write`. */
  roomAt(last: number, bit: number, octets: number): number {
    const place = placeIn(bit >>> 3);
    if (place > SLOT_OCTETS - octets || (place === NEXT_OCTETS && (bit & 7) === 0)) return -1;
    return ((last & SLAB_MASK) << SLOT_SHIFT) + place;
  }

  /**
   * Writes octets into a chunk's data from bit `bit` on: into its last slot, then into new slots. If `bit` is not at the start of an octet, that octet is
   * overwritten. Returns the last slot.
   */
  write(last: number, bit: number, { bytes: from, from: begin, to: end }: Octets): number {
    let slot = last;
    let bytes = this.#slab(slot).bytes;
    const place = placeIn(bit >>> 3);
    let to = ((slot & SLAB_MASK) << SLOT_SHIFT) + place;
    // If the data fills the slot exactly, begin another.
    let left = place === NEXT_OCTETS && (bit & 7) === 0 ? 0 : SLOT_OCTETS - place;
    for (let index = begin; index < end;) {
      if (left === 0) {
        slot = this.#lengthen(slot);
        bytes = this.#slab(slot).bytes;
        to = ((slot & SLAB_MASK) << SLOT_SHIFT) + NEXT_OCTETS;
        left = ROOM;
      }
      const stop = Math.min(end, index + left);
      left -= stop - index;
      while (index < stop) bytes[to++] = from[index++]!;
    }
    return slot;
  }

  /** Writes all data of a new chunk in whole words: reads up to three octets past `end`, which do not matter. */
  fill(first: number, from: DataView, begin: number, end: number): void {
    let slot = first;
    let word = HEAD_OCTETS / 4;
    for (let at = begin; ; word = NEXT_OCTETS / 4) {
      const { words } = this.#slab(slot);
      const base = (slot & SLAB_MASK) * SLOT_WORDS;
      const stop = Math.min(SLOT_WORDS, word + ((end - at + 3) >>> 2));
      for (; word < stop; word++, at += 4) words[base + word] = from.getUint32(at, IS_LITTLE);
      if (at >= end) return;
      slot = this.#lengthen(slot);
    }
  }

  /** Copies the first `octets` of a chunk's data in whole words: up to three octets after them do not matter. */
  read(first: number, octets: number, into: Uint32Array, offset: number): void {
    let slot = first;
    let from = HEAD_OCTETS / 4;
    let to = offset;
    let left = (octets + 3) >>> 2;
    for (;;) {
      const { words } = this.#slab(slot);
      const base = (slot & SLAB_MASK) * SLOT_WORDS;
      const count = Math.min(left, SLOT_WORDS - from);
      const end = base + from + count;
      for (let at = base + from; at < end; at++) into[to++] = words[at] ?? 0;
      left -= count;
      if (left <= 0) return;
      slot = words[base] ?? 0;
      from = NEXT_OCTETS / 4;
    }
  }

  /**
   * Prefetches the chunks that begin up to `end`, given the newest chunks of some series, by reading a word of each slot. The slots of a chunk are far
   * apart and each points to the next, so following one chain waits for memory at every link. Following many chains side by side overlaps the waits, and
   * a later read finds the chunks in the processor's cache.
   */
  warm(newest: Uint32Array, end: number): void {
    const [firsts, others] = [this.#warmFirsts, this.#warmOthers];
    let chunks = Math.min(newest.length, WARMED);
    firsts.set(newest.subarray(0, chunks));
    let slots = 0;
    for (let at = 0; at < chunks; at++) {
      const first = firsts[at]!;
      const { words, times } = this.#slab(first);
      const word = (first & SLAB_MASK) * SLOT_WORDS;
      const next = words[word]!;
      const previous = words[word + 1]!;
      if (next !== 0 && slots < WARMED && times[word / 2 + 1]! <= end) others[slots++] = next;
      if (previous !== 0 && chunks < WARMED) firsts[chunks++] = previous;
    }
    for (let at = 0; at < slots; at++) {
      const slot = others[at]!;
      const next = this.#slab(slot).words[(slot & SLAB_MASK) * SLOT_WORDS]!;
      if (next !== 0 && slots < WARMED) others[slots++] = next;
    }
  }

  /** Frees the slots of a complete chunk. They stay chained, so only the first is written. */
  release(first: number): void {
    this.#used -= slotsFor(this.octetsOf(first));
    this.setPrevious(first, this.#freeChunks);
    this.#freeChunks = first;
  }

  #slab(slot: number): Slab {
    return this.#slabs[slot >>> SLAB_SHIFT]!;
  }

  #lengthen(slot: number): number {
    const next = this.#claim();
    this.#slab(slot).words[(slot & SLAB_MASK) * SLOT_WORDS] = next;
    return next;
  }

  #claim(): number {
    this.#used++;
    if (this.#free === 0 && this.#freeChunks !== 0) {
      this.#free = this.#freeChunks;
      this.#freeChunks = this.previous(this.#free);
    }
    const free = this.#free;
    if (free !== 0) {
      const slab = this.#slab(free);
      const word = (free & SLAB_MASK) * SLOT_WORDS;
      this.#free = slab.words[word] ?? 0;
      slab.words[word] = 0;
      return free;
    }
    const slot = this.#fresh++;
    if (slot >>> SLAB_SHIFT >= this.#slabs.length) {
      const buffer = new ArrayBuffer(SLOT_OCTETS << SLAB_SHIFT);
      this.#slabs.push({ words: new Uint32Array(buffer), bytes: new Uint8Array(buffer), times: new Float64Array(buffer) });
    }
    return slot;
  }
}

/** The number of slots of a chunk. */
const slotsFor = (octets: number): number => (octets <= FIRST_ROOM ? 1 : 1 + Math.ceil((octets - FIRST_ROOM) / ROOM));

/** The position in its slot of an octet of a chunk's data. */
const placeIn = (at: number): number => (at < FIRST_ROOM ? HEAD_OCTETS + at : NEXT_OCTETS + ((at - FIRST_ROOM) % ROOM));
