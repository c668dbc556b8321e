import { Bug } from "../../core/index.ts";
import { putU32, Sink } from "./block-sink.ts";
import type { ChunkBatch } from "./chunk-batch.ts";
import { crc32c } from "./crc32c.ts";
import type { OpenFile } from "./files.ts";
import { PairLists } from "./index-pairs.ts";
import { putUvarint, putVarint } from "./varint.ts";

export const INDEX_MAGIC = 0xbaaa_d700;
/** Series are referred to by their place divided by this (tsdb-format/index.md, "Series"). */
export const SERIES_UNIT = 16;
const VERSION = 2;
/** Every number of a series entry takes at most so many octets. */
const MOST_NUMBER = 10;

type TableEntry = { readonly name: string; readonly value: string; readonly at: number };

/**
 * Writes the index of a block (tsdb-format/index.md) from its beginning to its end: all symbols, all series in the order of their labels, and then what
 * can be told from them.
 */
export class IndexWriter {
  readonly #sink: Sink;
  readonly #symbols: readonly string[];
  readonly #numbers = new Map<string, number>();
  readonly #pairs = new PairLists();
  readonly #symbolsAt: number;
  readonly #seriesAt: number;
  #entry = new Uint8Array(1_024);

  /** `symbols`: every name and value of the series to come, sorted, each once. */
  constructor(file: OpenFile, symbols: readonly string[]) {
    this.#sink = new Sink(file);
    this.#symbols = symbols;
    this.#sink.u32(INDEX_MAGIC);
    this.#sink.u8(VERSION);
    this.#symbolsAt = this.#sink.position;
    this.#writeSymbols();
    this.#seriesAt = this.#sink.position;
  }

  /** The next series, with its chunks and where they lie. Returns its number. */
  series(flat: readonly string[], chunks: ChunkBatch, places: readonly number[]): number {
    const sink = this.#sink;
    sink.pad(SERIES_UNIT);
    const series = sink.position / SERIES_UNIT;
    const most = (flat.length + chunks.length * 3 + 2) * MOST_NUMBER;
    if (this.#entry.length < most) this.#entry = new Uint8Array(most * 2);
    const entry = this.#entry;
    this.#pairs.series(series);
    let at = putUvarint(entry, 0, flat.length / 2);
    for (let label = 0; label < flat.length; label += 2) {
      const name = this.#numberOf(flat[label] ?? "");
      const value = this.#numberOf(flat[label + 1] ?? "");
      this.#pairs.add(name, value);
      at = putUvarint(entry, putUvarint(entry, at, name), value);
    }
    at = putChunks(entry, putUvarint(entry, at, chunks.length), chunks, places);
    sink.uvarint(at);
    sink.octets(entry, 0, at);
    sink.u32(crc32c(entry, 0, 0, at));
    return series;
  }

  /** Writes the rest, and closes the file. */
  finish(): void {
    const sink = this.#sink;
    const names = this.#pairs.names();
    const labelIndices = sink.position;
    const indexPlaces = names.map((name) => this.#writeLabelIndex(this.#pairs.values(name)));
    const postings = sink.position;
    const table: TableEntry[] = [{ name: "", value: "", at: this.#writePostings(this.#pairs.all()) }];
    for (const name of names) {
      for (const value of this.#pairs.values(name)) {
        const at = this.#writePostings(this.#pairs.list(name, value));
        table.push({ name: this.#symbols[name] ?? "", value: this.#symbols[value] ?? "", at });
      }
    }
    const indexTable = this.#section(() => {
      sink.u32(names.length);
      for (const [row, name] of names.entries()) {
        sink.u8(1);
        sink.text(this.#symbols[name] ?? "");
        sink.uvarint(indexPlaces[row] ?? 0);
      }
    });
    const postingsTable = this.#section(() => {
      sink.u32(table.length);
      for (const { name, value, at } of table) {
        sink.u8(2);
        sink.text(name);
        sink.text(value);
        sink.uvarint(at);
      }
    });
    sink.beginSum();
    for (const place of [this.#symbolsAt, this.#seriesAt, labelIndices, indexTable, postings, postingsTable]) sink.u64(place);
    sink.sum();
    sink.finish();
  }

  #writeSymbols(): void {
    this.#section(() => {
      this.#sink.u32(this.#symbols.length);
      for (const [number, symbol] of this.#symbols.entries()) {
        this.#numbers.set(symbol, number);
        this.#sink.text(symbol);
      }
    });
  }

  #numberOf(text: string): number {
    const number = this.#numbers.get(text);
    if (number === undefined) throw new Bug(`"${text}" is not among the symbols of the index.`);
    return number;
  }

  /** A length, what `body` writes, and its checksum. Returns where it begins. */
  #section(body: () => void): number {
    const sink = this.#sink;
    const at = sink.position;
    sink.u32(0);
    sink.beginSum();
    body();
    sink.patch32(at, sink.position - at - 4);
    sink.sum();
    return at;
  }

  #writeLabelIndex(values: readonly number[]): number {
    this.#sink.pad(4);
    return this.#section(() => {
      this.#sink.u32(1);
      this.#sink.u32(values.length);
      for (const value of values) this.#sink.u32(value);
    });
  }

  #writePostings(series: Uint32Array): number {
    const sink = this.#sink;
    sink.pad(4);
    const at = sink.position;
    const bytes = new Uint8Array(4 + series.length * 4);
    let to = putU32(bytes, 0, series.length);
    for (const one of series) to = putU32(bytes, to, one);
    sink.u32(bytes.length);
    sink.octets(bytes);
    sink.u32(crc32c(bytes));
    return at;
  }
}

/** The times as distances from those before, the places as well. */
function putChunks(entry: Uint8Array, from: number, chunks: ChunkBatch, places: readonly number[]): number {
  let at = from;
  let time = 0;
  let place = 0;
  for (let chunk = 0; chunk < chunks.length; chunk++) {
    const minTime = chunks.minTimes[chunk] ?? 0;
    const maxTime = chunks.maxTimes[chunk] ?? 0;
    const own = places[chunk] ?? 0;
    at = chunk === 0 ? putVarint(entry, at, minTime) : putUvarint(entry, at, minTime - time);
    at = putUvarint(entry, at, maxTime - minTime);
    at = chunk === 0 ? putUvarint(entry, at, own) : putVarint(entry, at, own - place);
    time = maxTime;
    place = own;
  }
  return at;
}
