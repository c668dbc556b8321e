import { DEFAULTS } from "./numbers.ts";
import type { ReadFrame } from "./read.ts";

/** What one side may still send, as the other has allowed it: one number for the connection, one a stream (rfc9113#6.9.1). */
export class Windows {
  #initial: number = DEFAULTS.window;
  #connection: number = DEFAULTS.window;
  readonly #streams = new Map<number, number>();
  /** All that WINDOW_UPDATE frames have granted, by stream (0: the connection). */
  readonly granted = new Map<number, number>();

  get connection(): number {
    return this.#connection;
  }
  stream(id: number): number {
    return this.#streams.get(id) ?? this.#initial;
  }

  /** DATA, padding included, uses both windows. */
  use(stream: number, octets: number): void {
    this.#connection -= octets;
    this.#streams.set(stream, this.stream(stream) - octets);
  }

  /** A frame of the side that grants: SETTINGS moves every stream's window, WINDOW_UPDATE one. */
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
