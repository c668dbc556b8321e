import type { Feature } from "./driver.ts";

/** Cases that are performed in one run of the subject, because starting it costs more than they do. */

/** How one run of the subject went. */
export type RunOf<Record> = {
  readonly records: readonly Record[];
  /** It ended before it did anything: it refuses its configuration. */
  readonly isRefused: boolean;
};

type Wanted<Steps, Record> = {
  readonly steps: Steps;
  readonly patience: number;
  readonly resolve: (record: Record) => void;
  readonly reject: (error: unknown) => void;
};

export type TogetherOptions<Steps, Record> = {
  readonly run: (all: readonly Steps[], patience: number) => Promise<RunOf<Record>>;
  /** Runs that share an address are made one after the other. */
  readonly isShared: boolean;
};

/** Performs all steps that are asked for in the same turn in one run; equal steps are performed once. */
export class Together<Steps, Record> {
  readonly #options: TogetherOptions<Steps, Record>;
  #batch: Wanted<Steps, Record>[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: TogetherOptions<Steps, Record>) {
    this.#options = options;
  }

  want(steps: Steps, patience: number): Promise<Record> {
    return new Promise((resolve, reject) => {
      if (this.#batch.length === 0) setImmediate(() => void this.#next());
      this.#batch.push({ steps, patience, resolve, reject });
    });
  }

  /** Resolves when no run goes on. */
  async close(): Promise<void> {
    await this.#last.catch(() => {});
  }

  async #next(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    const keys = [...new Set(batch.map(({ steps }) => JSON.stringify(steps)))];
    const before = this.#last;
    const run = (async () => {
      if (this.#options.isShared) await before.catch(() => {});
      const all = keys.map((key) => JSON.parse(key) as Steps);
      return await this.#records(all, Math.max(...batch.map(({ patience }) => patience)));
    })();
    this.#last = Promise.allSettled([before, run]);
    try {
      const records = await run;
      for (const { steps, resolve } of batch) resolve(records[keys.indexOf(JSON.stringify(steps))]!);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** A configuration that is refused is tried again in halves: only the steps that it is refused for are lost. */
  async #records(all: readonly Steps[], patience: number): Promise<readonly Record[]> {
    const { records, isRefused } = await this.#options.run(all, patience);
    if (all.length === 1 || !isRefused) return records;
    const middle = Math.ceil(all.length / 2);
    return [...(await this.#records(all.slice(0, middle), patience)), ...(await this.#records(all.slice(middle), patience))];
  }
}

/** Settings that a subject may not know: one that refuses a configuration with it does not offer it. */
export type Probed<Steps> = Readonly<Record<string, { readonly setting: string; readonly steps: Steps }>>;

/**
 * Finds out which settings a subject knows: first all at once, then each beside `plain` steps, `abreast` at a time. `isUp`: runs some steps, and
 * says whether the subject did anything. `onDown` is called if it does nothing even with the plain steps.
 */
export async function probeSettings<Steps>(
  probed: Probed<Steps>,
  how: {
    readonly plain: Steps;
    readonly abreast: number;
    readonly isUp: (all: readonly Steps[]) => Promise<boolean>;
    readonly onDown: () => never;
  },
): Promise<Map<string, Feature>> {
  const { plain, abreast, isUp, onDown } = how;
  if (await isUp([plain, ...Object.values(probed).map(({ steps }) => steps)]))
    return new Map(Object.keys(probed).map((name) => [name, { has: true, how: "" }]));
  if (!(await isUp([plain]))) onDown();
  const features = new Map<string, Feature>();
  const waiting = Object.entries(probed);
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, { steps, setting }] = next;
      features.set(name, { has: await isUp([plain, steps]), how: `it refuses a configuration with ${setting}` });
    }
  };
  await Promise.all(Array.from({ length: abreast }, worker));
  return features;
}
