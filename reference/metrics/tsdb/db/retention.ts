/** What retention has to know of a block. */
export type Retained = { readonly ulid: string; readonly minTime: number; readonly maxTime: number; readonly octets: number };

/** What ends a block's life: age or size, whichever comes first (Prometheus docs, storage.md, "Operational aspects"). */
export type Retention = {
  /** How long samples are kept, in milliseconds, counted back from the newest block; 0 for ever. */
  readonly ms: number;
  /** How many octets the data directory may have; 0 for any number. */
  readonly octets: number;
};

/** 15 days, of any size (Prometheus docs, storage.md, "Operational aspects"). */
export const DEFAULT_RETENTION: Retention = { ms: 15 * 24 * 3_600_000, octets: 0 };

/** The blocks that go: those whose last sample is too old, and the oldest where there are too many octets. `others`: octets beside the blocks, of the log. */
export function beyondRetention(blocks: readonly Retained[], retention: Retention, others = 0): string[] {
  const newestFirst = [...blocks].sort((a, b) => b.maxTime - a.maxTime || (a.ulid < b.ulid ? 1 : -1));
  const newest = newestFirst[0]?.maxTime ?? 0;
  const gone: string[] = [];
  let octets = others;
  for (const block of newestFirst) {
    octets += block.octets;
    const isFull = retention.octets > 0 && octets > retention.octets;
    if (isFull || (retention.ms > 0 && newest - block.maxTime >= retention.ms)) gone.push(block.ulid);
  }
  return gone;
}
