import { type LabelOctets, Labels } from "../../model/index.ts";
import { FloatChunkStates } from "../chunk/index.ts";
import { roomFor, widerF64, widerU16, widerU32 } from "../codec/index.ts";
import { Symbols } from "./symbols.ts";

/** The time of a series without samples. */
const NO_TIME = -Infinity;
const REF_SHIFT = 12;
const REF_MASK = (1 << REF_SHIFT) - 1;
/** References have five octets in the files of head chunks (Prometheus TSDB docs, format/head_chunks.md) and are never reused. */
export const MOST_REF: number = 2 ** 40 - 1;
const LOAD = 0.6;

/**
 * The series in memory, in columns by *row*. Rows move when series are dropped (`keepOnly`), which happens only while there is no reader. A *reference*
 * belongs to one series forever; the log and callers use it. Rows and references have the same order.
 */
export class SeriesTable {
  readonly symbols: Symbols = new Symbols();
  /** The codec's state of the growing chunk, with the time of the last sample. */
  readonly states: FloatChunkStates = new FloatChunkStates(0);
  /** The first and last slot of the newest chunk; 0 if there is none. */
  first = new Uint32Array(0);
  last = new Uint32Array(0);
  /** Samples in the growing chunk; 0 if there is none. */
  counts = new Uint16Array(0);
  /** A sample from this time on begins a new chunk. */
  cutAt = new Float64Array(0);
  /** One more than the row of the last uncommitted sample in its batch. */
  pending = new Uint32Array(0);
  #refs = new Float64Array(0);
  #hashes = new Uint32Array(0);
  /** The labels of each series: their number, then the symbol of each value, in the order of names. */
  #lists = new Uint32Array(0);
  #listAt = new Uint32Array(0);
  #listEnd = 0;
  #table = new Uint32Array(16);
  /** Row + 1 by reference, in pages; pages without series are dropped. */
  #pages: (Uint32Array | undefined)[] = [];
  /** Second references, mapped to the first. */
  readonly #aliases = new Map<number, number>();
  #count = 0;
  #nextRef = 1;
  #scratch = new Uint32Array(64);

  get count(): number {
    return this.#count;
  }

  get nextRef(): number {
    return this.#nextRef;
  }

  /** Marks the references up to this one as used. */
  reserveRefs(through: number): void {
    if (through >= this.#nextRef) this.#nextRef = through + 1;
  }

  /** `-1` for an unknown reference. */
  rowOf(ref: number): number {
    // A shift would wrap beyond 2^32.
    const page = ref < 0x8000_0000 ? ref >>> REF_SHIFT : Math.floor(ref / (REF_MASK + 1));
    return (this.#pages[page]?.[ref & REF_MASK] ?? 0) - 1;
  }

  refOf(row: number): number {
    return this.#refs[row] ?? 0;
  }

  /** The row of these labels; `-1` if there is no such series. */
  find(labels: Labels): number {
    const { flat } = labels;
    const size = flat.length / 2;
    for (let at = 0; at < size; at++) {
      const name = this.symbols.findName(flat[at * 2] ?? "");
      const value = name < 0 ? -1 : this.symbols.findValue(name, flat[at * 2 + 1] ?? "");
      if (value < 0) return -1;
      this.#scratchFor(at + 1)[at] = value;
    }
    return this.#look(size, hashOf(this.#scratch, size));
  }

  /** The row of these labels; adds the series if needed. */
  ensure(labels: Labels): number {
    const { flat } = labels;
    const size = flat.length / 2;
    for (let at = 0; at < size; at++) {
      const name = this.symbols.name(flat[at * 2] ?? "");
      this.#scratchFor(at + 1)[at] = this.symbols.value(name, flat[at * 2 + 1] ?? "");
    }
    return this.ensureScratch(size, this.#nextRef);
  }

  /** `ensure` for labels as octets. */
  ensureOctets({ sources, starts, ends, size }: LabelOctets): number {
    const { symbols } = this;
    const scratch = this.#scratchFor(size);
    for (let at = 0; at < size; at++) {
      // The scratch still has the series before: neighbours on a page share most labels.
      const guess = scratch[at]!;
      const name = symbols.ofBytes(0, sources[at * 2]!, starts[at * 2]!, ends[at * 2]!, symbols.nameOf(guess));
      scratch[at] = symbols.ofBytes(name, sources[at * 2 + 1]!, starts[at * 2 + 1]!, ends[at * 2 + 1]!, guess);
    }
    return this.ensureScratch(size, this.#nextRef);
  }

  /** Room for the symbols of a series, to be looked up by `ensureScratch`. */
  scratch(size: number): Uint32Array {
    return this.#scratchFor(size);
  }

  /** The row of the series in the scratch; adds it with this reference if needed. */
  ensureScratch(size: number, ref: number): number {
    const hash = hashOf(this.#scratch, size);
    const known = this.#look(size, hash);
    return known >= 0 ? known : this.#add(size, hash, ref);
  }

  /** Adds a second reference: the series was dropped and came back, and the log has both. */
  alias(ref: number, row: number): void {
    this.#aliases.set(ref, this.refOf(row));
    this.#point(ref, row);
  }

  sizeOf(row: number): number {
    return this.#lists[this.#listAt[row] ?? 0] ?? 0;
  }

  /** The symbol of the value of the label at a position. */
  symbolAt(row: number, place: number): number {
    return this.#lists[(this.#listAt[row] ?? 0) + 1 + place] ?? 0;
  }

  /** The symbol of a name's value in a series; 0 if it has none. */
  symbolOf(row: number, name: number): number {
    const at = this.#listAt[row] ?? 0;
    const end = at + (this.#lists[at] ?? 0);
    for (let place = at + 1; place <= end; place++) {
      const symbol = this.#lists[place] ?? 0;
      if (this.symbols.nameOf(symbol) === name) return symbol;
    }
    return 0;
  }

  labels(row: number): Labels {
    const { symbols } = this;
    const flat: string[] = [];
    const at = this.#listAt[row] ?? 0;
    const end = at + (this.#lists[at] ?? 0);
    for (let place = at + 1; place <= end; place++) {
      const symbol = this.#lists[place] ?? 0;
      flat.push(symbols.text(symbols.nameOf(symbol)), symbols.text(symbol));
    }
    return Labels.sorted(flat);
  }

  /** Time of the last sample in order; `NO_TIME` if there is none. */
  lastTime(row: number): number {
    return this.states.times[row] ?? NO_TIME;
  }

  /** Drops the rows that `keep` refuses and closes the gaps; calls `moved` for each remaining row. */
  keepOnly(keep: (row: number) => boolean, moved: (from: number, to: number) => void): void {
    const lists = this.#lists;
    let to = 0;
    let listTo = 0;
    this.#pages = [];
    for (let from = 0; from < this.#count; from++) {
      if (!keep(from)) continue;
      const at = this.#listAt[from] ?? 0;
      const length = 1 + (lists[at] ?? 0);
      lists.copyWithin(listTo, at, at + length);
      this.#listAt[to] = listTo;
      listTo += length;
      this.#move(from, to);
      this.#point(this.#refs[to] ?? 0, to);
      moved(from, to);
      to++;
    }
    this.#count = to;
    this.#listEnd = listTo;
    this.#rehash(this.#table.length);
    for (const [alias, ref] of this.#aliases) {
      const row = this.rowOf(ref);
      if (row < 0) this.#aliases.delete(alias);
      else this.#point(alias, row);
    }
  }

  #move(from: number, to: number): void {
    const { states } = this;
    for (const column of [this.#refs, this.#hashes, this.first, this.last, this.counts, this.cutAt, this.pending]) {
      column[to] = column[from] ?? 0;
    }
    for (const column of [states.times, states.steps, states.highs, states.lows, states.windows, states.bits])
      column[to] = column[from] ?? 0;
  }

  #look(size: number, hash: number): number {
    const mask = this.#table.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const row = (this.#table[place] ?? 0) - 1;
      if (row < 0) return -1;
      if (this.#hashes[row] === hash && this.#holds(row, size)) return row;
    }
  }

  #holds(row: number, size: number): boolean {
    const at = this.#listAt[row] ?? 0;
    if (this.#lists[at] !== size) return false;
    for (let place = 0; place < size; place++) if (this.#lists[at + 1 + place] !== this.#scratch[place]) return false;
    return true;
  }

  #add(size: number, hash: number, ref: number): number {
    const row = this.#count++;
    if (this.#count > this.#refs.length) this.#widen(roomFor(this.#count));
    if (this.#listEnd + size + 1 > this.#lists.length) this.#lists = widerU32(this.#lists, roomFor(this.#listEnd + size + 1));
    this.#listAt[row] = this.#listEnd;
    this.#lists[this.#listEnd++] = size;
    for (let place = 0; place < size; place++) this.#lists[this.#listEnd++] = this.#scratch[place] ?? 0;
    this.#refs[row] = ref;
    this.#hashes[row] = hash;
    this.first[row] = 0;
    this.last[row] = 0;
    this.counts[row] = 0;
    this.cutAt[row] = NO_TIME;
    this.pending[row] = 0;
    this.states.times[row] = NO_TIME;
    this.#point(ref, row);
    if (this.#count > this.#table.length * LOAD) this.#rehash(this.#table.length * 2);
    else this.#enter(row);
    return row;
  }

  #widen(length: number): void {
    this.states.grow(length);
    this.first = widerU32(this.first, length);
    this.last = widerU32(this.last, length);
    this.counts = widerU16(this.counts, length);
    this.cutAt = widerF64(this.cutAt, length);
    this.pending = widerU32(this.pending, length);
    this.#refs = widerF64(this.#refs, length);
    this.#hashes = widerU32(this.#hashes, length);
    this.#listAt = widerU32(this.#listAt, length);
  }

  #rehash(length: number): void {
    this.#table = new Uint32Array(length);
    for (let row = 0; row < this.#count; row++) this.#enter(row);
  }

  #enter(row: number): void {
    const mask = this.#table.length - 1;
    let place = (this.#hashes[row] ?? 0) & mask;
    while (this.#table[place] !== 0) place = (place + 1) & mask;
    this.#table[place] = row + 1;
  }

  #point(ref: number, row: number): void {
    this.reserveRefs(ref);
    const page = ref < 0x8000_0000 ? ref >>> REF_SHIFT : Math.floor(ref / (REF_MASK + 1));
    (this.#pages[page] ??= new Uint32Array(REF_MASK + 1))[ref & REF_MASK] = row + 1;
  }

  #scratchFor(size: number): Uint32Array {
    if (size > this.#scratch.length) this.#scratch = widerU32(this.#scratch, roomFor(size));
    return this.#scratch;
  }
}

function hashOf(symbols: Uint32Array, size: number): number {
  let hash = size;
  for (let at = 0; at < size; at++) hash = Math.imul(hash ^ (symbols[at] ?? 0), 0x9e37_79b1) ^ (hash >>> 15);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
