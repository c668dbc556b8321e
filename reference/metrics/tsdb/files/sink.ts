import { crc32c, putUvarint, putVarint } from "../codec/index.ts";
import type { OpenFile } from "./files.ts";

const ROOM = 1_048_576;
const MOST_NUMBER = 10;
/** Words written at once. */
const MOST_WORDS = 16_384;
/** The platform encodes longer texts. */
const MOST_TEXT = 256;
const encoder = new TextEncoder();

/** Writes a file from start to end, with checksums of everything since `beginSum`. */
export class Sink {
  readonly #file: OpenFile;
  readonly #bytes = new Uint8Array(ROOM);
  /** Position of the buffer in the file. */
  #base = 0;
  #at = 0;
  #sum = 0;
  #sumFrom = 0;

  constructor(file: OpenFile) {
    this.#file = file;
  }

  get position(): number {
    return this.#base + this.#at;
  }

  u8(value: number): void {
    this.#need(1);
    this.#bytes[this.#at++] = value;
  }

  u32(value: number): void {
    this.#need(4);
    this.#at = putU32(this.#bytes, this.#at, value);
  }

  u64(value: number): void {
    this.u32(Math.floor(value / 0x1_0000_0000));
    this.u32(value);
  }

  uvarint(value: number): void {
    this.#need(MOST_NUMBER);
    this.#at = putUvarint(this.#bytes, this.#at, value);
  }

  varint(value: number): void {
    this.#need(MOST_NUMBER);
    this.#at = putVarint(this.#bytes, this.#at, value);
  }

  octets(bytes: Uint8Array, from = 0, to = bytes.length): void {
    if (to - from > ROOM) {
      for (let at = from; at < to; at += ROOM) this.octets(bytes, at, Math.min(to, at + ROOM));
      return;
    }
    this.#need(to - from);
    // For a few octets a loop is faster than the platform.
    if (to - from < 32) for (let at = from; at < to; at++) this.#bytes[this.#at++] = bytes[at]!;
    else {
      this.#bytes.set(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to), this.#at);
      this.#at += to - from;
    }
  }

  /** A sequence of big-endian words. */
  words(words: Uint32Array): void {
    for (let from = 0; from < words.length; from += MOST_WORDS) {
      const end = Math.min(words.length, from + MOST_WORDS);
      this.#need((end - from) * 4);
      const bytes = this.#bytes;
      let at = this.#at;
      for (let word = from; word < end; word++) at = putU32(bytes, at, words[word]!);
      this.#at = at;
    }
  }

  /** A text after its length in octets. */
  text(text: string): void {
    const { length } = text;
    this.#need(MOST_NUMBER + Math.min(length, MOST_TEXT));
    const bytes = this.#bytes;
    const begin = this.#at;
    this.#at = putUvarint(bytes, begin, length);
    // Nearly all texts are short and ASCII.
    let at = 0;
    for (; at < length && at < MOST_TEXT; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 127) break;
      bytes[this.#at++] = unit;
    }
    if (at === length) return;
    this.#at = begin;
    const octets = encoder.encode(text);
    this.uvarint(octets.length);
    this.octets(octets);
  }

  /** Zeros up to a multiple of `unit`. */
  pad(unit: number): void {
    while (this.position % unit !== 0) this.u8(0);
  }

  beginSum(): void {
    this.#sum = 0;
    this.#sumFrom = this.#at;
  }

  /** Writes the checksum of everything since `beginSum`. */
  sum(): void {
    this.u32(crc32c(this.#bytes, this.#sum, this.#sumFrom, this.#at));
  }

  /** Overwrites a number that was not known yet and was written as zero. */
  patch32(position: number, value: number): void {
    if (position >= this.#base) putU32(this.#bytes, position - this.#base, value);
    else {
      this.flush();
      const bytes = new Uint8Array(4);
      putU32(bytes, 0, value);
      this.#file.write(bytes, position);
    }
  }

  flush(): void {
    if (this.#at === 0) return;
    this.#sum = crc32c(this.#bytes, this.#sum, this.#sumFrom, this.#at);
    this.#sumFrom = 0;
    this.#file.write(this.#bytes.subarray(0, this.#at), this.#base);
    this.#base += this.#at;
    this.#at = 0;
  }

  /** Writes the rest, syncs and closes the file. */
  finish(): void {
    this.flush();
    this.#file.sync();
    this.#file.close();
  }

  #need(room: number): void {
    if (this.#at + room > ROOM) this.flush();
  }
}

/** Writes a big-endian number, like all fixed-size numbers of the formats. Returns the next position. */
export function putU32(bytes: Uint8Array, at: number, value: number): number {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
  return at + 4;
}
