import { Bug } from "../../../core/index.ts";
import { type OpenFile, Sink } from "../files/index.ts";
import type { ChunkBatch } from "../chunk/index.ts";
import { PairLists } from "./pairs.ts";
import { putUvarint, putVarint } from "../codec/index.ts";

export const INDEX_MAGIC = 0xbaaa_d700;
/** A series number is the place of the series divided by this (Prometheus TSDB docs, format/index.md, "Series"). */
export const SERIES_UNIT = 16;
const VERSION = 2;
/** The most octets that a number of a series entry takes. */
const MOST_NUMBER = 10;

/** Writes the index of a block from start to end: symbols, series in the order of their labels, then the lists (Prometheus TSDB docs, format/index.md). */
export class IndexWriter {
  readonly #sink: Sink;
  readonly #symbols: readonly string[];
  /** The numbers of symbols by text, built on first use. */
  #places: ReadonlyMap<string, number> | undefined;
  readonly #pairs: PairLists;
  readonly #symbolsAt: number;
  readonly #seriesAt: number;
  #entry = new Uint8Array(1_024);

  /** `symbols`: every name and value of the series that follow, sorted, without duplicates. */
  constructor(file: OpenFile, symbols: readonly string[]) {
    this.#sink = new Sink(file);
    this.#symbols = symbols;
    this.#pairs = new PairLists(symbols.length);
    this.#sink.u32(INDEX_MAGIC);
    this.#sink.u8(VERSION);
    this.#symbolsAt = this.#sink.position;
    this.#writeSymbols();
    this.#seriesAt = this.#sink.position;
  }

  /** The symbol numbers of texts. */
  placesOf(texts: readonly string[]): Uint32Array {
    const all = (this.#places ??= new Map(this.#symbols.map((text, place) => [text, place])));
    return Uint32Array.from(texts, (text) => {
      const place = all.get(text);
      if (place === undefined) throw new Bug(`"${text}" is not a symbol of the index.`);
      return place;
    });
  }

  /** Writes the next series: its names and values alternating, as symbol numbers, and its chunks with their places. Returns its number. */
  series(labels: Uint32Array, chunks: ChunkBatch, places: readonly number[]): number {
    const sink = this.#sink;
    sink.pad(SERIES_UNIT);
    const series = sink.position / SERIES_UNIT;
    const most = (labels.length + chunks.length * 3 + 2) * MOST_NUMBER;
    if (this.#entry.length < most) this.#entry = new Uint8Array(most * 2);
    const entry = this.#entry;
    this.#pairs.series(series);
    let at = putUvarint(entry, 0, labels.length / 2);
    for (let label = 0; label < labels.length; label += 2) {
      const name = labels[label] ?? 0;
      const value = labels[label + 1] ?? 0;
      this.#pairs.add(name, value);
      at = putUvarint(entry, putUvarint(entry, at, name), value);
    }
    at = putChunks(entry, putUvarint(entry, at, chunks.length), chunks, places);
    sink.uvarint(at);
    sink.beginSum();
    sink.octets(entry, 0, at);
    sink.sum();
    return series;
  }

  /** Writes the rest and closes the file. */
  finish(): void {
    const sink = this.#sink;
    const names = this.#pairs.sorted();
    const labelIndices = sink.position;
    const indexPlaces = names.map(({ values }) => this.#writeLabelIndex(values));
    const postings = sink.position;
    const all = this.#writePostings(this.#pairs.all());
    const places = names.map(({ pairs }) => Array.from(pairs, (pair) => this.#writePostings(this.#pairs.list(pair))));
    const indexTable = this.#section(() => {
      sink.u32(names.length);
      for (const [row, { name }] of names.entries()) {
        sink.u8(1);
        sink.text(this.#symbols[name] ?? "");
        sink.uvarint(indexPlaces[row] ?? 0);
      }
    });
    const postingsTable = this.#section(() => {
      sink.u32(names.reduce((sum, { pairs }) => sum + pairs.length, 1));
      this.#writePlace("", "", all);
      for (const [row, { name, values }] of names.entries()) {
        for (const [at, value] of values.entries()) {
          this.#writePlace(this.#symbols[name] ?? "", this.#symbols[value] ?? "", places[row]?.[at] ?? 0);
        }
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
      for (const symbol of this.#symbols) this.#sink.text(symbol);
    });
  }

  #writePlace(name: string, value: string, at: number): void {
    this.#sink.u8(2);
    this.#sink.text(name);
    this.#sink.text(value);
    this.#sink.uvarint(at);
  }

  /** Writes a section: its length, the output of `body`, its checksum. Returns its position. */
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

  #writeLabelIndex(values: Uint32Array): number {
    this.#sink.pad(4);
    return this.#section(() => {
      this.#sink.u32(1);
      this.#sink.u32(values.length);
      this.#sink.words(values);
    });
  }

  #writePostings(series: Uint32Array): number {
    const sink = this.#sink;
    sink.pad(4);
    const at = sink.position;
    sink.u32((series.length + 1) * 4);
    sink.beginSum();
    sink.u32(series.length);
    sink.words(series);
    sink.sum();
    return at;
  }
}

/** Times and places are stored as differences from the chunk before. */
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
