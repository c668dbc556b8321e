import type { CommandOptions } from "./network.ts";
import type { Target } from "./target.ts";

/** A target for the engine. It is imported only when it runs, so that its sources can be instrumented first. */
export type FuzzTarget = {
  /** Beginnings of the paths of the sources whose branches guide the search. */
  readonly guidedBy: readonly string[];
  readonly load: () => Promise<{ readonly target: Target }>;
  /** It must fail: that proves the guidance. */
  readonly mustFail?: true;
};

/** What can be fuzzed of one suite. Its module loads no target by itself. */
export type FuzzSuite = {
  /** By name, `hpack/decoder`. */
  readonly targets: Readonly<Record<string, FuzzTarget>>;
  /** Fuzzes a peer at a URL. Returns the exit status. */
  readonly network?: (url: string, options: CommandOptions) => Promise<number>;
};

/** The suites of a registry, which a worker process imports by the address of its module: it exports `FUZZERS`. */
export type FuzzRegistry = {
  readonly module: string;
  readonly suites: Readonly<Record<string, () => Promise<{ readonly suite: FuzzSuite }>>>;
};

/** Every target of a registry by name. */
export async function targetsOf({ suites }: FuzzRegistry): Promise<Readonly<Record<string, FuzzTarget>>> {
  const loaded = await Promise.all(Object.values(suites).map(async (load) => Object.entries((await load()).suite.targets)));
  return Object.fromEntries(loaded.flat());
}
