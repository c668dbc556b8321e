/**
 * Where the chunks of the head lie: in slots of 64 octets, a chunk being a chain of them, so that a chunk grows without being moved and wastes half a
 * slot. Slots come from slabs; what a chunk gives back, the next one takes.
 *
 * ```
 * first slot of a chunk  ┌ next <4b> │ previous chunk <4b> │ first time <8b> │ span <4b> │ octets <4b> │ samples <2b>, encoding <1b>, 0 <1b> │ data <36b> ┐
 * any other              └ next <4b> │ data <60b> ┘
 * ```
 *
 * Slot 0 is none. The first four fields behind `next` are written when the chunk begins, the others when it is complete.
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
/** Chunks, and slots beyond their first ones, that `warm` reads at most. */
const WARMED = 2_048;

/** How this machine lays a word into memory. */
const IS_LITTLE = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

type Slab = { readonly words: Uint32Array; readonly bytes: Uint8Array; readonly times: Float64Array };

/** Chunks by the number of their first slot, which is good until the chunk is given back. */
export class ChunkPool {
  readonly #slabs: Slab[] = [];
  /** The first slot that was never used. */
  #fresh = 1;
  /** The chunk that was given back last; its previous one is the one before. */
  #freeChunks = 0;
  /** The next slot to be used again: of a chunk that was given back, and of whose chain this is left. */
  #free = 0;
  #used = 0;
  readonly #warmFirsts = new Uint32Array(WARMED);
  readonly #warmOthers = new Uint32Array(WARMED);

  /** Octets of slots in use. */
  get octets(): number {
    return this.#used * SLOT_OCTETS;
  }

  /** Octets of slots that were ever in use: they are kept for what comes. */
  get reserved(): number {
    return (this.#fresh - 1) * SLOT_OCTETS;
  }

  /** Begins a chunk behind another of the same series (0: none); its data is empty. */
  begin(previous: number, time: number): number {
    const first = this.#claim();
    const slab = this.#slab(first);
    const slot = first & SLAB_MASK;
    slab.words[slot * SLOT_WORDS + 1] = previous;
    slab.times[slot * 8 + 1] = time;
    return first;
  }

  /** What is known of a chunk only at its end. */
  complete(first: number, lastTime: number, octets: number, samples: number, encoding: number): void {
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

  /** Of a complete chunk, as are the next three. */
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

  /** The octet at a position of a chunk whose last slot is known and holds it. */
  octetAt(last: number, at: number): number {
    return this.#slab(last).bytes[((last & SLAB_MASK) << SLOT_SHIFT) + placeIn(at)] ?? 0;
  }

  /** The octets among which a slot lies. */
  bytesOf(slot: number): Uint8Array {
    return this.#slab(slot).bytes;
  }

  /** Where in `bytesOf(last)` position `at` of a chunk's data lies, with room for so many octets in its slot; -1 where there is less. See `write`. */
  roomAt(last: number, at: number, isOver: boolean, octets: number): number {
    const place = placeIn(at);
    if (place > SLOT_OCTETS - octets || (place === NEXT_OCTETS && !isOver)) return -1;
    return ((last & SLAB_MASK) << SLOT_SHIFT) + place;
  }

  /**
   * Writes the octets of `from` from `begin` to `end` at position `at` of a chunk's data, in its last slot or in those put behind it; `isOver` says
   * that the octet at `at` was there before, as the one in which the last bits ended. Returns the last slot.
   */
  write(last: number, at: number, isOver: boolean, from: Uint8Array, begin: number, end: number): number {
    let slot = last;
    let bytes = this.#slab(slot).bytes;
    const place = placeIn(at);
    let to = ((slot & SLAB_MASK) << SLOT_SHIFT) + place;
    // Where the data ends with the slot, what comes next begins another.
    let left = place === NEXT_OCTETS && !isOver ? 0 : SLOT_OCTETS - place;
    for (let index = begin; index < end;) {
      if (left === 0) {
        slot = this.#lengthen(slot);
        bytes = this.#slab(slot).bytes;
        to = ((slot & SLAB_MASK) << SLOT_SHIFT) + NEXT_OCTETS;
        left = ROOM;
      }
      const stop = Math.min(end, index + left);
      left -= stop - index;
      while (index < stop) bytes[to++] = from[index++] as number;
    }
    return slot;
  }

  /** Writes all data of a chunk that has just begun, in whole words: up to three octets behind `end` are read too, and of no meaning. */
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

  /** Copies the first `octets` of a chunk's data, in whole words: up to three octets behind them are of no meaning. */
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
   * Reads a word of each slot of the chunks that begin up to `end`, of series whose newest chunks are given, and keeps nothing. Slots that were filled at one
   * time lie together, those of one chunk lie apart, and only in each is written where the next is: who follows one chain waits for memory at every link. Here
   * many chains are followed side by side, so that they are waited for together; who then reads these chunks finds them in the processor's cache.
   */
  warm(newest: Uint32Array, end: number): void {
    const [firsts, others] = [this.#warmFirsts, this.#warmOthers];
    let chunks = Math.min(newest.length, WARMED);
    firsts.set(newest.subarray(0, chunks));
    let slots = 0;
    for (let at = 0; at < chunks; at++) {
      const first = firsts[at] as number;
      const { words, times } = this.#slab(first);
      const word = (first & SLAB_MASK) * SLOT_WORDS;
      const next = words[word] as number;
      const previous = words[word + 1] as number;
      if (next !== 0 && slots < WARMED && (times[word / 2 + 1] as number) <= end) others[slots++] = next;
      if (previous !== 0 && chunks < WARMED) firsts[chunks++] = previous;
    }
    for (let at = 0; at < slots; at++) {
      const slot = others[at] as number;
      const next = this.#slab(slot).words[(slot & SLAB_MASK) * SLOT_WORDS] as number;
      if (next !== 0 && slots < WARMED) others[slots++] = next;
    }
  }

  /** Gives the slots of a complete chunk back. They stay chained, so that no other than the first is touched. */
  release(first: number): void {
    this.#used -= slotsFor(this.octetsOf(first));
    this.setPrevious(first, this.#freeChunks);
    this.#freeChunks = first;
  }

  #slab(slot: number): Slab {
    return this.#slabs[slot >>> SLAB_SHIFT] as Slab;
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

/** How many slots the data of a chunk takes. */
const slotsFor = (octets: number): number => (octets <= FIRST_ROOM ? 1 : 1 + Math.ceil((octets - FIRST_ROOM) / ROOM));

/** Where in its slot an octet of a chunk lies. */
const placeIn = (at: number): number => (at < FIRST_ROOM ? HEAD_OCTETS + at : NEXT_OCTETS + ((at - FIRST_ROOM) % ROOM));
