import type { CommandOptions } from "./network.ts";
import type { Target } from "./target.ts";

/** A target for the engine, imported only when it runs, so that its sources can be instrumented first. */
export type FuzzTarget = {
  /** Path prefixes of the sources whose branches guide the search. */
  readonly guidedBy: readonly string[];
  readonly load: () => Promise<{ readonly target: Target }>;
  /** The target must fail: this proves that guidance works. */
  readonly mustFail?: true;
};

/** The fuzz targets of one suite. Importing its module loads no target. */
export type FuzzSuite = {
  /** Targets by name, such as `hpack/decoder`. */
  readonly targets: Readonly<Record<string, FuzzTarget>>;
  /** Fuzzes a peer at a URL. Returns the exit status. */
  readonly network?: (url: string, options: CommandOptions) => Promise<number>;
};

/** The suites, and the URL of the module that exports them as `FUZZERS`: a worker process imports it. */
export type FuzzRegistry = {
  readonly module: string;
  readonly suites: Readonly<Record<string, () => Promise<{ readonly suite: FuzzSuite }>>>;
};

/** All targets of a registry by name. */
export async function targetsOf({ suites }: FuzzRegistry): Promise<Readonly<Record<string, FuzzTarget>>> {
  const loaded = await Promise.all(Object.values(suites).map(async (load) => Object.entries((await load()).suite.targets)));
  return Object.fromEntries(loaded.flat());
}
