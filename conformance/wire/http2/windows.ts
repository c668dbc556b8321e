import { DEFAULTS } from "./numbers.ts";
import type { ReadFrame } from "./read.ts";

/** What one side may still send, on the connection and on each stream (rfc9113#6.9.1). */
export class Windows {
  #initial: number = DEFAULTS.window;
  #connection: number = DEFAULTS.window;
  readonly #streams = new Map<number, number>();
  /** The sum of all WINDOW_UPDATE increments by stream (0: the connection). */
  readonly granted = new Map<number, number>();

  get connection(): number {
    return this.#connection;
  }
  stream(id: number): number {
    return this.#streams.get(id) ?? this.#initial;
  }

  /** Counts DATA, including padding, in both windows. */
  use(stream: number, octets: number): void {
    this.#connection -= octets;
    this.#streams.set(stream, this.stream(stream) - octets);
  }

  /** Takes a frame of the granting side: SETTINGS changes the window of every stream, WINDOW_UPDATE one window. */
  grant(frame: ReadFrame): void {
    if (frame.type === "SETTINGS" && frame.ack === false) {
      for (const [name, value] of frame.settings ?? []) if (name === "INITIAL_WINDOW_SIZE") this.#resize(value);
    }
    if (frame.type === "WINDOW_UPDATE" && frame.increment !== undefined) {
      this.granted.set(frame.stream, (this.granted.get(frame.stream) ?? 0) + frame.increment);
      if (frame.stream === 0) this.#connection += frame.increment;
      else this.#streams.set(frame.stream, this.stream(frame.stream) + frame.increment);
    }
  }

  #resize(initial: number): void {
    const by = initial - this.#initial;
    this.#initial = initial;
    for (const [id, size] of this.#streams) this.#streams.set(id, size + by);
  }
}
