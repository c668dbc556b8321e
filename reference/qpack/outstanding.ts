import type { Entry } from "./encoder-table.ts";

/** A section with references to the table that the decoder has not acknowledged. */
type Section = { readonly required: number; readonly oldest: Entry };

/** The sections that wait for acknowledgments, and which of their streams could be blocked (rfc9204#2.1.2, rfc9204#2.1.4). */
export class Outstanding {
  readonly #streams = new Map<number, Section[]>();
  /** Streams that could be blocked, with the insertions that they need. */
  readonly #risky = new Map<number, number>();
  #count = 0;
  /** The insertions that the decoder is known to have. */
  known = 0;

  /** Sections without acknowledgment. */
  get count(): number {
    return this.#count;
  }
  /** Whether a section of this stream may refer to entries that the decoder might not have yet. */
  mayRisk(streamId: number, maxBlocked: number): boolean {
    return maxBlocked > 0 && (this.#risky.has(streamId) || this.#risky.size < maxBlocked);
  }
  add(streamId: number, section: Section): void {
    section.oldest.holds++;
    this.#count++;
    const queue = this.#streams.get(streamId);
    if (queue === undefined) this.#streams.set(streamId, [section]);
    else queue.push(section);
    if (section.required > this.known) this.#risky.set(streamId, Math.max(section.required, this.#risky.get(streamId) ?? 0));
  }
  /** The earliest section of the stream is acknowledged; false if there is none. */
  acknowledge(streamId: number): boolean {
    const queue = this.#streams.get(streamId);
    const section = queue?.shift();
    if (queue === undefined || section === undefined) return false;
    if (queue.length === 0) this.#streams.delete(streamId);
    this.#release(section);
    if (section.required > this.known) this.advance(section.required);
    return true;
  }
  /** All sections of the stream are given up. */
  cancel(streamId: number): void {
    for (const section of this.#streams.get(streamId) ?? []) this.#release(section);
    this.#streams.delete(streamId);
    this.#risky.delete(streamId);
  }
  /** The decoder has this many insertions. */
  advance(known: number): void {
    this.known = known;
    for (const [streamId, required] of this.#risky) if (required <= known) this.#risky.delete(streamId);
  }

  #release(section: Section): void {
    section.oldest.holds--;
    this.#count--;
  }
}
