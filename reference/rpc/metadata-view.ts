import type { Metadata, MetadataInit } from "./call.ts";
import type { MetadataEntry } from "./metadata.ts";

/** Metadata in the order of its fields. */
export class MetadataView implements Metadata {
  static readonly empty = new MetadataView([]);
  readonly #entries: readonly MetadataEntry[];

  constructor(entries: readonly MetadataEntry[]) {
    this.#entries = entries;
  }

  get(name: string): string | Uint8Array | undefined {
    return this.#entries.find((entry) => entry.name === name)?.value;
  }
  all(name: string): (string | Uint8Array)[] {
    return this.#entries.filter((entry) => entry.name === name).map(({ value }) => value);
  }
  [Symbol.iterator](): Iterator<MetadataEntry> {
    return this.#entries[Symbol.iterator]();
  }
}

/** The entries of metadata in any of its forms. */
export const entriesOf = (init: MetadataInit): Iterable<MetadataEntry> =>
  Symbol.iterator in init ? (init as Iterable<MetadataEntry>) : Object.entries(init).map(([name, value]) => ({ name, value }));
