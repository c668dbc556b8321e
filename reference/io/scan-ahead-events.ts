import type { ScanFault, ScannedRecord, SegmentEvents } from "../metrics/tsdb/index.ts";
import type { OctetPipe } from "./octet-pipe.ts";

/** The segments that the thread reads, and the memory of the pipe to which it writes their events. */
export type ScanOrder = { readonly paths: readonly string[]; readonly mostOctets: number; readonly shared: SharedArrayBuffer };

/** Each event begins with four numbers: its kind, two offsets, and the length of its octets. */
const FIELDS = 4;
const EVENT = { record: 0, fault: 1, end: 2, failure: 3 } as const;
const NONE = new Uint8Array(0);

/** Writes the events of segments to a pipe. */
export class EventWriter implements SegmentEvents {
  readonly #pipe: OctetPipe;
  readonly #fields = new Float64Array(FIELDS);
  readonly #octets = new Uint8Array(this.#fields.buffer);

  constructor(pipe: OctetPipe) {
    this.#pipe = pipe;
  }

  record(record: ScannedRecord): void {
    this.#write(EVENT.record, record);
  }

  fault(at: number, fault: string): void {
    const text = new TextEncoder().encode(fault);
    this.#write(EVENT.fault, { bytes: text, from: 0, to: text.length, at, end: 0 });
  }

  end(size: number): void {
    this.#write(EVENT.end, { bytes: NONE, from: 0, to: 0, at: 0, end: size });
  }

  /** Reports an error; always the last event. */
  failure(why: object): void {
    const text = new TextEncoder().encode(JSON.stringify(why));
    this.#write(EVENT.failure, { bytes: text, from: 0, to: text.length, at: 0, end: 0 });
  }

  #write(event: number, { bytes, from, to, at, end }: ScannedRecord): void {
    this.#fields.set([event, at, end, to - from]);
    this.#pipe.write(this.#octets);
    this.#pipe.write(bytes, from, to);
  }
}

/** Reads the events of one segment from a pipe and passes them to `events`; throws `failed(why)` for a failure. */
export function readEvents(pipe: OctetPipe, events: SegmentEvents, failed: (why: object) => Error): void {
  const fields = new Float64Array(FIELDS);
  const octets = new Uint8Array(fields.buffer);
  for (;;) {
    octets.set(pipe.read(octets.length));
    const [event = 0, at = 0, end = 0, length = 0] = fields;
    if (event === EVENT.end) return events.end(end);
    const bytes = pipe.read(length);
    if (event === EVENT.record) events.record({ bytes, from: 0, to: length, at, end });
    else {
      const text = new TextDecoder().decode(Uint8Array.from(bytes));
      if (event === EVENT.failure) throw failed(JSON.parse(text) as object);
      events.fault(at, text as ScanFault);
    }
  }
}
