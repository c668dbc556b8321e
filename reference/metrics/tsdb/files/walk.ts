import { latin1 } from "../../../core/index.ts";
import { crc32c, Cursor } from "../codec/index.ts";
import { Damage } from "./damage.ts";
import type { PagedFile } from "./pages.ts";

const MOST_NUMBER = 10;
const STRIDE = 262_144;
const STREAMED = 32_768;
const decoder = new TextDecoder();

/**
 * Reads a part of a file field by field, with one window of it in memory. A field that is cut off is damage. A window of `STREAMED` octets or more
 * bypasses the cache and stays valid during other reads.
 */
export class Walk {
  readonly #file: PagedFile;
  readonly #window: number;
  readonly #cursor = new Cursor(new Uint8Array(0));
  /** Position of the window in the file, and end of the part. */
  #base: number;
  readonly #end: number;

  constructor(file: PagedFile, from: number, to: number, window = 4_096) {
    this.#file = file;
    this.#window = window;
    this.#base = from;
    this.#end = to;
  }

  /** Position of the next field in the file. */
  get position(): number {
    return this.#base + this.#cursor.at;
  }

  u8(): number {
    this.#need(1);
    return this.#checked(this.#cursor.u8());
  }

  u32(): number {
    this.#need(4);
    return this.#checked(this.#cursor.u32());
  }

  uvarint(): number {
    this.#need(MOST_NUMBER);
    return this.#checked(this.#cursor.uvarint());
  }

  skip(length: number): void {
    this.#need(length);
    this.#cursor.skip(length);
    this.#checked(0);
  }

  /** A view, valid until the next field is read. */
  octets(length: number): Uint8Array {
    this.#need(length);
    const view = this.#cursor.view(length);
    this.#checked(0);
    return view;
  }

  /** A text after its length. */
  text(): string {
    return textOf(this.octets(this.uvarint()));
  }

  #need(room: number): void {
    const cursor = this.#cursor;
    if (cursor.left >= room) return;
    const from = this.position;
    const wanted = Math.min(Math.max(room, this.#window), this.#end - from);
    if (wanted <= cursor.left) return;
    cursor.bytes = this.#window >= STREAMED ? this.#file.copy(from, wanted) : this.#file.read(from, wanted);
    cursor.at = 0;
    cursor.end = cursor.bytes.length;
    this.#base = from;
  }

  #checked(value: number): number {
    if (this.#cursor.short) throw new Damage(this.#file.path, this.position, "ends in the middle of a field");
    return value;
  }
}

/** Decodes UTF-8, fast for ASCII. */
export function textOf(bytes: Uint8Array): string {
  for (const octet of bytes) if (octet > 127) return decoder.decode(bytes);
  return latin1(bytes, 0, bytes.length);
}

/** Verifies a section (length, body, checksum) and returns the bounds of its body. */
export function checkSection(file: PagedFile, at: number, name: string): { from: number; to: number } {
  const from = at + 4;
  const to = from + new Walk(file, at, file.size).u32();
  if (to + 4 > file.size) throw new Damage(file.path, at, `the ${name} continues past the end of the file`);
  let sum = 0;
  for (let next = from; next < to; next += STRIDE) sum = crc32c(file.copy(next, Math.min(STRIDE, to - next)), sum);
  if (new Walk(file, to, to + 4).u32() !== sum) throw new Damage(file.path, at, `the checksum of the ${name} does not match`);
  return { from, to };
}
