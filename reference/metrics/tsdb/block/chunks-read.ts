import { Damage, type Files, Foreign, type PageCache, type PagedFile, Walk } from "../files/index.ts";
import { SEGMENT_HEAD, SEGMENT_MAGIC, SEGMENT_VERSION, segmentName } from "./chunks-write.ts";
import type { EncodedChunk } from "../chunk/index.ts";
import { crc32c, Cursor } from "../codec/index.ts";

/** Most chunks are shorter and take one read. */
const GUESS = 1_024;

/** Finds the chunks of a block by place. The chunk found last is in `bytes`, `from` to `to`, until the next read. */
export class ChunkReader implements EncodedChunk {
  readonly #segments: PagedFile[] = [];
  readonly #directory: string;
  readonly #cursor = new Cursor(new Uint8Array(0));
  encoding = 0;
  bytes: Uint8Array = new Uint8Array(0);
  from = 0;
  to = 0;

  /** Throws `Damage` if a segment has a wrong header, or is missing while a later one exists. */
  constructor(files: Files, directory: string, pages: PageCache) {
    this.#directory = directory;
    try {
      for (const number of numbersIn(files.list(directory))) {
        const next = this.#segments.length + 1;
        if (number > next) throw new Damage(`${directory}/${segmentName(next)}`, 0, "it is missing");
        const file = pages.open(files.open(`${directory}/${segmentName(number)}`, "read"));
        this.#segments.push(file);
        checkHead(file);
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Finds a chunk and verifies its checksum; throws `Damage`. */
  find(place: number): void {
    const number = Math.floor(place / 0x1_0000_0000);
    const at = place - number * 0x1_0000_0000;
    const file = this.#segments[number];
    if (file === undefined) throw new Damage(this.#directory, number, `segment ${number + 1} is missing`);
    // One message for all missing chunks of a segment.
    if (at >= file.size) throw new Damage(file.path, file.size, "chunks after its end are missing");
    const cursor = this.#cursor;
    cursor.bytes = file.read(at, GUESS);
    cursor.at = 0;
    cursor.end = cursor.bytes.length;
    cursor.short = false;
    const length = cursor.uvarint();
    const from = cursor.at;
    const to = from + 1 + length;
    if (cursor.short || at + to + 4 > file.size) throw new Damage(file.path, at, "a chunk continues past the end");
    if (to + 4 > cursor.bytes.length) cursor.bytes = file.read(at, to + 4);
    cursor.at = to;
    cursor.end = to + 4;
    if (cursor.u32() !== crc32c(cursor.bytes, 0, from, to)) throw new Damage(file.path, at, "the checksum of a chunk does not match");
    this.bytes = cursor.bytes;
    this.encoding = cursor.bytes[from] ?? 0;
    this.from = from + 1;
    this.to = to;
  }

  /** Damage at the position of a chunk. */
  damage(place: number, what: string): Damage {
    const number = Math.floor(place / 0x1_0000_0000);
    return new Damage(this.#segments[number]?.path ?? this.#directory, place - number * 0x1_0000_0000, what);
  }

  get octets(): number {
    return this.#segments.reduce((sum, file) => sum + file.size, 0);
  }

  close(): void {
    for (const file of this.#segments) file.close();
    this.#segments.length = 0;
  }
}

const numbersIn = (names: readonly string[]): number[] =>
  names
    .map(Number)
    .filter((number) => number > 0 && names.includes(segmentName(number)))
    .sort((a, b) => a - b);

function checkHead(file: PagedFile): void {
  if (file.size < SEGMENT_HEAD) throw new Damage(file.path, 0, "it ends within its header");
  const walk = new Walk(file, 0, SEGMENT_HEAD, SEGMENT_HEAD);
  if (walk.u32() !== SEGMENT_MAGIC) throw new Damage(file.path, 0, "it does not start like a segment of chunks");
  const version = walk.u8();
  if (version !== SEGMENT_VERSION) throw new Foreign(file.path, 4, `segment version ${version} is unknown`);
}
