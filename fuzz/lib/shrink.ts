/** Shrinking runs the target at most this many times. */
const MOST_RUNS = 20_000;

/** The smallest input found that still fails: cuts out smaller and smaller pieces, then lowers octets to zero. */
export function shrinkBytes(input: Uint8Array, fails: (candidate: Uint8Array) => boolean): Uint8Array {
  let runs = 0;
  const still = (candidate: Uint8Array): boolean => runs++ < MOST_RUNS && fails(candidate);
  let best = shrinkList([...input], (list) => still(Uint8Array.from(list)));
  for (let at = 0; at < best.length; at++) {
    const lower = best.with(at, 0);
    if (best[at] !== 0 && still(Uint8Array.from(lower))) best = lower;
  }
  return Uint8Array.from(best);
}

/** Shrinks a list (frames, commands): removes runs of halving length while the rest still fails. */
export function shrinkList<Item>(list: readonly Item[], fails: (candidate: Item[]) => boolean): Item[] {
  let best = [...list];
  for (let size = Math.max(1, best.length >> 1); size >= 1; size >>= 1) {
    for (let at = 0; at < best.length;) {
      const candidate = best.toSpliced(at, size);
      if (fails(candidate)) best = candidate;
      else at += size;
    }
  }
  return best;
}

/** `shrinkList()` for a check that needs a connection to a peer. */
export async function shrinkListAsync<Item>(
  list: readonly Item[],
  fails: (candidate: Item[]) => Promise<boolean>,
  most = 200,
): Promise<Item[]> {
  let best = [...list];
  let runs = 0;
  for (let size = Math.max(1, best.length >> 1); size >= 1; size >>= 1) {
    for (let at = 0; at < best.length && runs < most; runs++) {
      const candidate = best.toSpliced(at, size);
      if (candidate.length > 0 && (await fails(candidate))) best = candidate;
      else at += size;
    }
  }
  return best;
}
