import { textOf } from "../files/index.ts";
import { putUvarint, roomFor, widerU32, widerU8 } from "../codec/index.ts";

const NONE = -1;
/** The load above which the hash table doubles. */
const LOAD = 0.6;
/** The cache of strings is cleared beyond this size: a query over everything must not double the memory. */
const MOST_TEXTS = 65_536;

const encoder = new TextEncoder();
const PAGE_SHIFT = 8;
const PAGE_MASK = (1 << PAGE_SHIFT) - 1;

/**
 * Interns every label name and every value of a name as a number from 1 up. The number of a value implies its name, so a series is a list of numbers,
 * one per label. All texts are in one array of octets; a hash table of numbers finds them.
 */
export class Symbols {
  // Start small: growing early keeps V8 from compiling the code for arrays that never change.
  #bytes = new Uint8Array(64);
  /** The start of each symbol's text, and one final end. */
  #starts = new Uint32Array(8);
  /** The symbol of a value's name; 0 for a name. */
  #tags = new Uint32Array(8);
  #hashes = new Uint32Array(8);
  #table = new Uint32Array(16);
  /** One more than the highest number. */
  #count = 1;
  /** By symbol, in pages. */
  readonly #texts: (string | undefined)[][] = [];
  #textCount = 0;
  #scratch = new Uint8Array(1_024);
  #hash = 0;

  /** One more than the highest symbol; symbols begin at 1. */
  get end(): number {
    return this.#count;
  }

  /** Octets of all texts. */
  get octets(): number {
    return this.#starts[this.#count] ?? 0;
  }

  /** The symbol of a name. */
  name(text: string): number {
    return this.value(0, text);
  }

  /** The symbol of a value of a name. */
  value(name: number, text: string): number {
    const length = this.#lay(text, name);
    return this.#find(name, this.#scratch, 0, length) ?? this.#add(name, this.#scratch, 0, length);
  }

  /** The symbol of the octets of a name (`name` 0) or a value; `guess` is a likely symbol. Positional: this runs for each label of a scrape. */
  // oxlint-disable-next-line max-params -- called for each label of each line
  ofBytes(name: number, bytes: Uint8Array, from: number, to: number, guess = 0): number {
    if (guess > 0 && guess < this.#count && this.#tags[guess] === name && this.#holds(guess, bytes, from, to)) return guess;
    let hash = seedOf(name);
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), PRIME);
    this.#hash = finished(hash);
    return this.#find(name, bytes, from, to) ?? this.#add(name, bytes, from, to);
  }

  findName(text: string): number {
    return this.findValue(0, text);
  }

  /** `-1` if no series ever had it. */
  findValue(name: number, text: string): number {
    const length = this.#lay(text, name);
    return this.#find(name, this.#scratch, 0, length) ?? NONE;
  }

  /** The symbol of a value's name; 0 for a name. */
  nameOf(symbol: number): number {
    return this.#tags[symbol] ?? 0;
  }

  text(symbol: number): string {
    const known = this.#texts[symbol >>> PAGE_SHIFT]?.[symbol & PAGE_MASK];
    if (known !== undefined) return known;
    const text = textOf(this.#bytes.subarray(this.#starts[symbol], this.#starts[symbol + 1]));
    if (this.#textCount++ >= MOST_TEXTS) {
      this.#texts.length = 0;
      this.#textCount = 1;
    }
    const page = (this.#texts[symbol >>> PAGE_SHIFT] ??= Array.from({ length: PAGE_MASK + 1 }));
    page[symbol & PAGE_MASK] = text;
    return text;
  }

  textLength(symbol: number): number {
    return (this.#starts[symbol + 1] ?? 0) - (this.#starts[symbol] ?? 0);
  }

  /** Writes a text after its length and returns the next position. The caller ensures that there is room. */
  put(symbol: number, into: Uint8Array, at: number): number {
    const bytes = this.#bytes;
    const begin = this.#starts[symbol]!;
    const end = this.#starts[symbol + 1]!;
    let to = putUvarint(into, at, end - begin);
    for (let from = begin; from < end; from++) into[to++] = bytes[from]!;
    return to;
  }

  /** Copies a text into the scratch and hashes it, in one pass if it is ASCII, as nearly all are. */
  #lay(text: string, name: number): number {
    if (text.length * 3 > this.#scratch.length) this.#scratch = new Uint8Array(text.length * 4);
    const scratch = this.#scratch;
    let hash = seedOf(name);
    let length = text.length;
    for (let at = 0; at < length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 127) {
        length = encoder.encodeInto(text, scratch).written;
        hash = seedOf(name);
        for (let again = 0; again < length; again++) hash = Math.imul(hash ^ (scratch[again] ?? 0), PRIME);
        break;
      }
      scratch[at] = unit;
      hash = Math.imul(hash ^ unit, PRIME);
    }
    this.#hash = finished(hash);
    return length;
  }

  #find(name: number, bytes: Uint8Array, from: number, to: number): number | undefined {
    const mask = this.#table.length - 1;
    const hash = this.#hash;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const symbol = this.#table[place] ?? 0;
      if (symbol === 0) return undefined;
      if (this.#hashes[symbol] === hash && this.#tags[symbol] === name && this.#holds(symbol, bytes, from, to)) return symbol;
    }
  }

  #holds(symbol: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#starts[symbol] ?? 0;
    if ((this.#starts[symbol + 1] ?? 0) - start !== to - from) return false;
    const own = this.#bytes;
    for (let at = from, mine = start; at < to; at++, mine++) if (own[mine] !== bytes[at]) return false;
    return true;
  }

  #add(name: number, bytes: Uint8Array, from: number, to: number): number {
    const symbol = this.#count++;
    const start = this.#starts[symbol] ?? 0;
    const end = start + to - from;
    if (symbol + 1 >= this.#starts.length) this.#widen(roomFor(symbol + 2));
    if (end > this.#bytes.length) this.#bytes = widerU8(this.#bytes, roomFor(end));
    const own = this.#bytes;
    for (let at = from, mine = start; at < to; at++, mine++) own[mine] = bytes[at] ?? 0;
    this.#starts[symbol + 1] = end;
    this.#tags[symbol] = name;
    this.#hashes[symbol] = this.#hash;
    if (this.#count > this.#table.length * LOAD) this.#rehash();
    else this.#enter(symbol);
    return symbol;
  }

  #widen(length: number): void {
    this.#starts = widerU32(this.#starts, length);
    this.#tags = widerU32(this.#tags, length);
    this.#hashes = widerU32(this.#hashes, length);
  }

  #rehash(): void {
    this.#table = new Uint32Array(this.#table.length * 2);
    for (let symbol = 1; symbol < this.#count; symbol++) this.#enter(symbol);
  }

  #enter(symbol: number): void {
    const mask = this.#table.length - 1;
    let place = (this.#hashes[symbol] ?? 0) & mask;
    while (this.#table[place] !== 0) place = (place + 1) & mask;
    this.#table[place] = symbol;
  }
}

const PRIME = 0x0100_0193;
const seedOf = (name: number): number => Math.imul(name + 0x811c_9dc5, 0x9e37_79b1) | 0;

/** Mixes all bits into the low ones, which choose the place in the table. */
const finished = (hash: number): number => {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x85eb_ca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
};
