/** Fills `into` with random octets and returns it. Production passes the platform's source; tests and fuzzers pass a seeded generator. */
export type Random = (into: Uint8Array) => Uint8Array;

/** A small seeded generator of numbers in [0, 1) (mulberry32): one printed number replays a whole run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
