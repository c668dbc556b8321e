import type { SectionPrefix } from "./section-prefix.ts";

/** A section that waits until the table has as many insertions as it requires. `at` is where its field lines begin. */
export type Waiting = { readonly section: Uint8Array; readonly prefix: SectionPrefix; readonly at: number };

/** Sections that wait for insertions, by stream (rfc9204#2.2.1). Those of one stream keep their order. */
export class BlockedSections {
  readonly #streams = new Map<number, Waiting[]>();

  /** The number of blocked streams. */
  get count(): number {
    return this.#streams.size;
  }
  has(streamId: number): boolean {
    return this.#streams.has(streamId);
  }
  add(streamId: number, waiting: Waiting): void {
    const queue = this.#streams.get(streamId);
    if (queue === undefined) this.#streams.set(streamId, [waiting]);
    else queue.push(waiting);
  }
  drop(streamId: number): void {
    this.#streams.delete(streamId);
  }
  /** Removes the next section that can be decoded after `inserted` insertions. */
  next(inserted: number): (Waiting & { readonly streamId: number }) | undefined {
    for (const [streamId, queue] of this.#streams) {
      const [first] = queue;
      if (first === undefined || first.prefix.required > inserted) continue;
      queue.shift();
      if (queue.length === 0) this.#streams.delete(streamId);
      return { streamId, ...first };
    }
    return undefined;
  }
}
