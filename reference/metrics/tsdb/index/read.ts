import { Labels, type Matcher } from "../../model/index.ts";
import { Damage, Foreign, type PagedFile, Walk } from "../files/index.ts";
import { crc32c, Cursor } from "../codec/index.ts";
import { intersect, type Postings, NO_POSTINGS, subtract, union } from "./postings.ts";
import { SymbolTable } from "./symbols.ts";
import { PostingsTable } from "./table.ts";
import { INDEX_MAGIC, SERIES_UNIT } from "./write.ts";

const VERSION = 2;
const TOC_LENGTH = 6 * 8 + 4;
/** Most series entries are shorter and take one read. */
const ENTRY_GUESS = 512;

/**
 * Reads an index (Prometheus TSDB docs, format/index.md). Memory holds the places of some symbols and some entries of the postings table; the rest is
 * read through pages. Throws `Damage`.
 */
export class IndexReader {
  readonly symbols: SymbolTable;
  readonly table: PostingsTable;
  readonly #file: PagedFile;
  readonly #cursor = new Cursor(new Uint8Array(0));

  constructor(file: PagedFile) {
    this.#file = file;
    const head = new Walk(file, 0, file.size);
    if (file.size < 5 + TOC_LENGTH || head.u32() !== INDEX_MAGIC) throw new Damage(file.path, 0, "it does not start like an index");
    const version = head.u8();
    if (version !== VERSION) throw new Foreign(file.path, 4, `index version ${version} is unknown, only ${VERSION} is read`);
    const tocAt = file.size - TOC_LENGTH;
    const toc = file.copy(tocAt, TOC_LENGTH);
    const cursor = new Cursor(toc);
    const symbolsAt = cursor.u64();
    cursor.skip(4 * 8);
    const tableAt = cursor.u64();
    if (cursor.u32() !== crc32c(toc, 0, 0, TOC_LENGTH - 4))
      throw new Damage(file.path, tocAt, "the checksum of the table of contents does not match");
    this.symbols = new SymbolTable(file, symbolsAt);
    this.table = new PostingsTable(file, tableAt);
  }

  /** The series that match all matchers, in ascending order, which is the order of their labels. */
  select(matchers: readonly Matcher[]): Postings {
    let found: Postings | undefined;
    const refused: Postings[] = [];
    for (const matcher of matchers) {
      // Series without the label match too, so subtract those that do not match.
      if (matcher.matchesEmpty) refused.push(this.#having(matcher, false));
      else {
        const own = this.#having(matcher, true);
        found = found === undefined ? own : intersect(found, own);
        if (found.length === 0) return NO_POSTINGS;
      }
    }
    found ??= this.all();
    for (const list of refused) found = subtract(found, list);
    return found;
  }

  all(): Postings {
    return this.table.all < 0 ? NO_POSTINGS : this.postings(this.table.all);
  }

  /** The series that have the label with a value that matches, or (`false`) with one that does not. */
  #having(matcher: Matcher, matching: boolean): Postings {
    if (matching && matcher.values !== undefined) {
      const places = matcher.values.map((value) => this.table.find(matcher.name, value));
      return union(places.map((place) => (place === undefined ? NO_POSTINGS : this.postings(place))));
    }
    if (!matching && matcher.operator === "!=") {
      const place = this.table.find(matcher.name, matcher.value);
      return place === undefined ? NO_POSTINGS : this.postings(place);
    }
    // Matching values begin with the prefix of the pattern. A pattern that matches the empty string has no prefix.
    const lists: Postings[] = [];
    for (const [value, place] of this.table.entries(matcher.name, matcher.prefix)) {
      if (matcher.matches(value) === matching) lists.push(this.postings(place));
    }
    return union(lists);
  }

  /** A list of series (Prometheus TSDB docs, format/index.md, "Postings"). */
  postings(place: number): Postings {
    const length = new Walk(this.#file, place, this.#file.size, 4).u32();
    if (length < 4 || place + length + 8 > this.#file.size)
      throw new Damage(this.#file.path, place, "a list of series continues past the end");
    const bytes = this.#file.read(place + 4, length + 4);
    const cursor = new Cursor(bytes);
    const count = cursor.u32();
    if (count * 4 !== length - 4) throw new Damage(this.#file.path, place, `a list of ${count} series has ${length} octets`);
    const list = new Uint32Array(count);
    for (let row = 0; row < count; row++) list[row] = cursor.u32();
    if (cursor.u32() !== crc32c(bytes, 0, 0, length))
      throw new Damage(this.#file.path, place, "the checksum of a list of series does not match");
    return list;
  }

  /** The labels of a series. Appends to `chunks` the first time, last time and place of each chunk that overlaps `start` to `end`. */
  series(number: number, chunks?: number[], start = -Infinity, end = Infinity): Labels {
    const cursor = this.#entry(number);
    const flat: string[] = [];
    for (let left = cursor.uvarint() * 2; left > 0 && !cursor.short; left--) flat.push(this.symbols.text(cursor.uvarint()));
    if (chunks !== undefined) readChunks(cursor, chunks, start, end);
    if (cursor.short) throw new Damage(this.#file.path, number * SERIES_UNIT, "a series is cut off");
    return Labels.sorted(flat);
  }

  /** The verified entry of a series, valid until the next read. */
  #entry(number: number): Cursor {
    const at = number * SERIES_UNIT;
    const cursor = this.#cursor;
    cursor.bytes = this.#file.read(at, ENTRY_GUESS);
    cursor.at = 0;
    cursor.end = cursor.bytes.length;
    cursor.short = false;
    const length = cursor.uvarint();
    const from = cursor.at;
    if (cursor.short || at + from + length + 4 > this.#file.size) throw new Damage(this.#file.path, at, "a series continues past the end");
    if (from + length + 4 > cursor.end) cursor.bytes = this.#file.read(at, from + length + 4);
    cursor.at = from + length;
    cursor.end = from + length + 4;
    if (cursor.u32() !== crc32c(cursor.bytes, 0, from, from + length))
      throw new Damage(this.#file.path, at, "the checksum of a series does not match");
    // Copy: reading symbols may evict the page. A series is short.
    cursor.bytes = cursor.bytes.slice(from, from + length);
    cursor.at = 0;
    cursor.end = length;
    return cursor;
  }
}

function readChunks(cursor: Cursor, into: number[], start: number, end: number): void {
  let time = 0;
  let place = 0;
  const count = cursor.uvarint();
  for (let chunk = 0; chunk < count && !cursor.short; chunk++) {
    const minTime = chunk === 0 ? cursor.varint() : time + cursor.uvarint();
    const maxTime = minTime + cursor.uvarint();
    place = chunk === 0 ? cursor.uvarint() : place + cursor.varint();
    time = maxTime;
    if (minTime <= end && maxTime >= start) into.push(minTime, maxTime, place);
  }
}
