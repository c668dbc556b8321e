import { type LabelOctets, Labels } from "../../model/index.ts";
import { FloatChunkStates } from "../chunk/index.ts";
import { roomFor, widerF64, widerU16, widerU32 } from "../codec/index.ts";
import { Symbols } from "./symbols.ts";

/** No sample yet. */
export const NO_TIME: number = -Infinity;
const REF_SHIFT = 12;
const REF_MASK = (1 << REF_SHIFT) - 1;
/** References have five octets in the files beside the log (Prometheus TSDB docs, format/head_chunks.md), and one must never come twice. */
export const MOST_REF: number = 2 ** 40 - 1;
const LOAD = 0.6;

/**
 * The series in memory, in columns by *row*. A row moves when series are dropped (`keepOnly`), which happens only while nobody reads; a *reference*
 * belongs to one series for ever, and is what the log and the callers know. Rows ascend as references do.
 */
export class SeriesTable {
  readonly symbols: Symbols = new Symbols();
  /** Of the chunk that grows: what the codec needs to go on, among it the time of the last sample. */
  readonly states: FloatChunkStates = new FloatChunkStates(0);
  /** The newest chunk's first and last slot in the pool; 0 where there is none. */
  first = new Uint32Array(0);
  last = new Uint32Array(0);
  /** Samples in the chunk that grows; 0 where none does. */
  counts = new Uint16Array(0);
  /** The time from which on a sample begins a new chunk. */
  cutAt = new Float64Array(0);
  /** One more than the row of the batch that holds the last sample not yet committed. */
  pending = new Uint32Array(0);
  #refs = new Float64Array(0);
  #hashes = new Uint32Array(0);
  /** Where in `#lists` the labels are: their number, then a symbol of a value for each, by ascending name. */
  #lists = new Uint32Array(0);
  #listAt = new Uint32Array(0);
  #listEnd = 0;
  #table = new Uint32Array(16);
  /** Row + 1 by reference, in pages; those of which no series is left are dropped. */
  #pages: (Uint32Array | undefined)[] = [];
  /** References of series that have another one too. */
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

  /** References up to this one were given away before; they are not given again. */
  reserveRefs(through: number): void {
    if (through >= this.#nextRef) this.#nextRef = through + 1;
  }

  /** `-1` where the reference is nobody's. */
  rowOf(ref: number): number {
    // Beyond 2^32 a shift would wrap.
    const page = ref < 0x8000_0000 ? ref >>> REF_SHIFT : Math.floor(ref / (REF_MASK + 1));
    return (this.#pages[page]?.[ref & REF_MASK] ?? 0) - 1;
  }

  refOf(row: number): number {
    return this.#refs[row] ?? 0;
  }

  /** The row of these labels; `-1` where there is no such series. */
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

  /** The row of these labels, made where there is none. */
  ensure(labels: Labels): number {
    const { flat } = labels;
    const size = flat.length / 2;
    for (let at = 0; at < size; at++) {
      const name = this.symbols.name(flat[at * 2] ?? "");
      this.#scratchFor(at + 1)[at] = this.symbols.value(name, flat[at * 2 + 1] ?? "");
    }
    return this.ensureScratch(size, this.#nextRef);
  }

  /** As `ensure`, of octets. */
  ensureOctets({ sources, starts, ends, size }: LabelOctets): number {
    const { symbols } = this;
    const scratch = this.#scratchFor(size);
    for (let at = 0; at < size; at++) {
      // Still that of the series before: those beside each other on a page have most labels in common.
      const guess = scratch[at] as number;
      const name = symbols.ofBytes(0, sources[at * 2]!, starts[at * 2]!, ends[at * 2]!, symbols.nameOf(guess));
      scratch[at] = symbols.ofBytes(name, sources[at * 2 + 1]!, starts[at * 2 + 1]!, ends[at * 2 + 1]!, guess);
    }
    return this.ensureScratch(size, this.#nextRef);
  }

  /** Symbols of a series to be looked up by `ensureScratch`, with room for so many. */
  scratch(size: number): Uint32Array {
    return this.#scratchFor(size);
  }

  /** The row of the series whose symbols are in the scratch; where there is none it is made, with this reference. */
  ensureScratch(size: number, ref: number): number {
    const hash = hashOf(this.#scratch, size);
    const known = this.#look(size, hash);
    return known >= 0 ? known : this.#add(size, hash, ref);
  }

  /** A second reference for a series: it was dropped and came again, and the log still speaks of both. */
  alias(ref: number, row: number): void {
    this.#aliases.set(ref, this.refOf(row));
    this.#point(ref, row);
  }

  sizeOf(row: number): number {
    return this.#lists[this.#listAt[row] ?? 0] ?? 0;
  }

  /** The symbol of the value of a label, by its place. */
  symbolAt(row: number, place: number): number {
    return this.#lists[(this.#listAt[row] ?? 0) + 1 + place] ?? 0;
  }

  /** The symbol of the value that a name has in a series; 0 where it has none. */
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

  /** Time of the last sample in order; `NO_TIME` where there is none. */
  lastTime(row: number): number {
    return this.states.times[row] ?? NO_TIME;
  }

  /** Drops every row for which `keep` says no; the others move up, and `moved` hears of each from where to where. */
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
