/** The properties of a block that matter to retention. */
export type Retained = { readonly ulid: string; readonly minTime: number; readonly maxTime: number; readonly octets: number };

/** Removes blocks by age or by total size, whichever comes first (Prometheus docs, storage.md, "Operational aspects"). */
export type Retention = {
  /** Milliseconds to keep samples, counted back from the newest block; 0 for unlimited. */
  readonly ms: number;
  /** Maximum size of the data directory in octets; 0 for unlimited. */
  readonly octets: number;
};

/** 15 days, unlimited size (Prometheus docs, storage.md, "Operational aspects"). */
export const DEFAULT_RETENTION: Retention = { ms: 15 * 24 * 3_600_000, octets: 0 };

/** The blocks to remove: those that are too old, then the oldest while the size is too large. `others`: size of the directory without blocks. */
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
