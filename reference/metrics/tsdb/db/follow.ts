import { type Histogram, Labels, STALE_HIGH, STALE_LOW } from "../../model/index.ts";
import type { Exemplar } from "../../storage/index.ts";
import { Cursor, FloatHalves, i32At } from "../codec/index.ts";
import type { Files } from "../files/index.ts";
import type { Head } from "../head/index.ts";
import { type Log, type LogPosition, LogTail, RecordReader, type RecordSink } from "../wal/index.ts";

/** A sample or an exemplar in the log. */
export type LoggedSample = {
  /** Belongs to one series forever; a series may have several. */
  readonly ref: number;
  readonly time: number;
  readonly value: number;
  readonly isStale: boolean;
  readonly histogram: Histogram | undefined;
  /** It is no sample, but an exemplar with this value and time. */
  readonly exemplar: Exemplar | undefined;
};

/** Receives the log record by record. */
export interface LogEvents {
  /** The samples of a record, which ends at `end`; none if it has something else. */
  samples(samples: readonly LoggedSample[], end: LogPosition): void;
  /** Records after `position` cannot be read. */
  lost(position: LogPosition, why: string): void;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Reads the samples of a log in the order in which they were stored, while it is written; late samples when they came. */
export class LogFollower {
  readonly #log: Log;
  readonly #head: Head;
  readonly #tail: LogTail;
  /** Series that memory has dropped since they were logged. */
  readonly #dropped = new Map<number, Labels>();
  readonly #halves = new FloatHalves();
  #samples: LoggedSample[] = [];

  /** Continues at `from`; without it, or if the log has never come that far, at its end or at its beginning. */
  constructor(log: Log, place: { readonly files: Files; readonly directory: string }, from: LogPosition | undefined, events: LogEvents) {
    this.#log = log;
    this.#head = log.head;
    const reader = new RecordReader();
    const { end } = log;
    const isKnown = from === undefined || from.segment <= end.segment;
    this.#tail = new LogTail(place.files, `${place.directory}/wal`, {
      from: isKnown ? (from ?? end) : { segment: 0, octets: 0 },
      mostOctets: log.head.options.limits.recordOctets,
      events: {
        record: (bytes, begin, to, at) => {
          this.#samples = [];
          const fault = reader.read(bytes, begin, to, this.#sink);
          events.samples(this.#samples, at);
          return fault;
        },
        lost: (position, why) => events.lost(position, why),
      },
    });
  }

  /** Where the next step reads on. */
  get position(): LogPosition {
    return this.#tail.position;
  }
  /** Octets between here and the end of the log, as if all segments were full. */
  get behind(): number {
    const { end, segmentOctets } = this.#log;
    const { segment, octets } = this.#tail.position;
    return Math.max(0, (end.segment - segment) * segmentOctets + end.octets - octets);
  }

  /** Reads a little; false if there is nothing more. */
  step(): boolean {
    return this.#tail.step(this.#log.end);
  }

  /** The labels of a series; undefined if neither memory nor what was read has them. */
  labelsOf(ref: number): Labels | undefined {
    const row = this.#head.table.rowOf(ref);
    return row < 0 ? (this.#dropped.get(ref) ?? this.#log.labelsOf(ref)) : this.#head.table.labels(row);
  }
  isInMemory(ref: number): boolean {
    return this.#head.table.rowOf(ref) >= 0;
  }

  close(): void {
    this.#tail.close();
  }

  readonly #sink: RecordSink = {
    series: (ref, bytes, from, to) => {
      if (!this.isInMemory(ref)) this.#dropped.set(ref, labelsIn(bytes, from, to));
    },
    sample: (ref, time, bytes, at) => {
      const [high, low] = [i32At(bytes, at) >>> 0, i32At(bytes, at + 4) >>> 0];
      const isStale = high === STALE_HIGH && low === STALE_LOW;
      this.#samples.push({ ref, time, value: this.#halves.join(high, low), isStale, histogram: undefined, exemplar: undefined });
    },
    histogram: (ref, time, histogram) =>
      void this.#samples.push({ ref, time, value: histogram.sum, isStale: false, histogram, exemplar: undefined }),
    exemplar: (ref, exemplar) =>
      void this.#samples.push({ ref, time: exemplar.time, value: exemplar.value, isStale: false, histogram: undefined, exemplar }),
    tombstone: () => {},
    other: () => {},
  };
}

function labelsIn(bytes: Uint8Array, from: number, to: number): Labels {
  const cursor = new Cursor(bytes);
  cursor.at = from;
  cursor.end = to;
  const texts: string[] = [];
  for (let left = cursor.uvarint() * 2; left > 0; left--) texts.push(decoder.decode(cursor.view(cursor.uvarint())));
  return Labels.sorted(texts);
}
