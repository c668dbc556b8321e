import { Columns, Labels } from "../model/index.ts";
import { MemoryStorage } from "../storage/index.ts";
import { ChunkDecoder } from "../tsdb/chunk/index.ts";
import { crc32c } from "../tsdb/codec/index.ts";
import { MessageCursor, MessageFault } from "./cursor.ts";
import { MessageWriter } from "./message-writer.ts";
import { OPERATORS, type ReadQuery, textIn } from "./read.ts";
import { seriesIn } from "./write-request.ts";

/** Asking for remote read, and reading both forms of its response (Prometheus docs, querying/remote_read_api.md). */

/** Writes a request, which prefers the streamed chunks. */
export function writeReadRequest(queries: readonly ReadQuery[]): Uint8Array {
  const to = new MessageWriter();
  for (const { start, end, matchers } of queries) {
    const query = to.begin(1);
    to.integer(1, start);
    to.integer(2, end);
    for (const { name, operator, value } of matchers) {
      const matcher = to.begin(3);
      to.integer(1, OPERATORS.indexOf(operator));
      to.text(2, name);
      to.text(3, value);
      to.end(matcher);
    }
    to.end(query);
  }
  const forms = to.begin(2);
  for (const form of [1, 0]) to.varint(form);
  to.end(forms);
  return to.content;
}

export type AnswerOptions = {
  /** The most samples of one response. */
  readonly mostSamples: number;
  /** The most octets of a frame of chunks. */
  readonly mostOctets: number;
  /** Labels that are removed, with their values: the request asked for them. */
  readonly asked: Labels;
};

/** Collects a response in memory. Both forms throw `MessageFault`. */
export class ReadAnswer {
  readonly storage = new MemoryStorage();
  readonly #options: AnswerOptions;
  readonly #decoder = new ChunkDecoder();
  readonly #columns = new Columns();
  #samples = 0;
  /** What of the stream is not read yet. */
  #rest = new Uint8Array(1 << 16);
  #length = 0;

  constructor(options: AnswerOptions) {
    this.#options = options;
  }

  /** The whole message of samples. */
  message(octets: Uint8Array): void {
    const at = new MessageCursor(octets);
    while (at.next()) {
      if (at.field !== 1) {
        at.skip();
        continue;
      }
      const outer = at.enter();
      this.#result(octets.subarray(at.at, at.end));
      at.leave(outer);
    }
  }

  /** A piece of the stream of chunks, cut anywhere. */
  piece(octets: Uint8Array): void {
    if (this.#length + octets.length > this.#rest.length) {
      const wider = new Uint8Array((this.#length + octets.length) * 2);
      wider.set(this.#rest.subarray(0, this.#length));
      this.#rest = wider;
    }
    this.#rest.set(octets, this.#length);
    this.#length += octets.length;
    const all = this.#rest.subarray(0, this.#length);
    let from = 0;
    for (let to = this.#frame(all, from); to !== undefined; to = this.#frame(all, from)) from = to;
    this.#rest.copyWithin(0, from, this.#length);
    this.#length -= from;
  }

  /** The stream has ended. */
  end(): void {
    if (this.#length > 0) throw new MessageFault("the stream ends within a frame");
  }

  /** A result has the form of a write request of protocol 1. */
  #result(octets: Uint8Array): void {
    const appender = this.storage.appender();
    for (const { labels, times, values, isStale, histograms } of seriesIn(octets, "prometheus.WriteRequest")) {
      const id = appender.series(this.#own(labels.toLabels()));
      this.#count(times.length + histograms.length);
      for (const [at, time] of times.entries())
        if (isStale[at] === true) appender.appendStale(id, time);
        else appender.append(id, time, values[at]!);
      for (const { time, histogram } of histograms) appender.appendHistogram(id, time, histogram);
    }
    appender.commit();
  }

  /** Reads the frame at `from`; returns its end, or undefined if it is not whole. */
  #frame(octets: Uint8Array, from: number): number | undefined {
    let length = 0;
    let at = from;
    for (let weight = 1; ; weight *= 128, at += 1) {
      const octet = octets[at];
      if (octet === undefined) return undefined;
      length += (octet & 127) * weight;
      if (length > this.#options.mostOctets || at - from > 8)
        throw new MessageFault(`a frame has more than ${this.#options.mostOctets} octets`);
      if (octet < 128) break;
    }
    const begin = at + 1 + CHECKSUM_OCTETS;
    if (octets.length < begin + length) return undefined;
    const message = octets.subarray(begin, begin + length);
    const sum = new DataView(octets.buffer, octets.byteOffset + at + 1).getUint32(0);
    if (sum !== crc32c(message)) throw new MessageFault("a frame has the wrong checksum");
    this.#chunks(new MessageCursor(message));
    return begin + length;
  }

  #chunks(at: MessageCursor): void {
    while (at.next()) {
      if (at.field !== 1) {
        at.skip();
        continue;
      }
      const outer = at.enter();
      this.#series(at);
      at.leave(outer);
    }
  }

  #series(at: MessageCursor): void {
    const pairs: [string, string][] = [];
    const columns = this.#columns;
    columns.clear();
    while (at.next()) {
      if (at.field !== 1 && at.field !== 2) {
        at.skip();
        continue;
      }
      const isLabel = at.field === 1;
      const outer = at.enter();
      if (isLabel) pairs.push(pairIn(at));
      else this.#chunk(at);
      at.leave(outer);
    }
    this.#count(columns.length);
    const appender = this.storage.appender();
    const id = appender.series(this.#own(Labels.of(pairs)));
    for (let row = 0; row < columns.length; row++) {
      const time = columns.times[row]!;
      const histogram = columns.histograms?.[row];
      if (histogram !== undefined) appender.appendHistogram(id, time, histogram);
      else if (columns.isStale(row)) appender.appendStale(id, time);
      else appender.append(id, time, columns.values[row]!);
    }
    appender.commit();
  }

  #chunk(at: MessageCursor): void {
    let [encoding, from, to] = [0, 0, 0];
    while (at.next()) {
      if (at.field === 3) encoding = at.integer();
      else if (at.field === 4) {
        const outer = at.enter();
        [from, to] = [at.at, at.end];
        at.leave(outer);
      } else at.skip();
    }
    const fault = this.#decoder.read({ encoding, bytes: at.octets, from, to }, this.#columns);
    if (fault !== undefined) throw new MessageFault(`a chunk is damaged: ${fault}`);
  }

  #count(samples: number): void {
    this.#samples += samples;
    if (this.#samples > this.#options.mostSamples)
      throw new MessageFault(`the response has more than ${this.#options.mostSamples} samples`);
  }

  #own(labels: Labels): Labels {
    const { asked } = this.#options;
    if (asked.size === 0) return labels;
    return Labels.of([...labels].filter(([name, value]) => asked.get(name) !== value));
  }
}

const CHECKSUM_OCTETS = 4;

function pairIn(at: MessageCursor): [string, string] {
  const pair: [string, string] = ["", ""];
  while (at.next()) {
    if (at.field === 1 || at.field === 2) pair[at.field - 1] = textIn(at);
    else at.skip();
  }
  return pair;
}
