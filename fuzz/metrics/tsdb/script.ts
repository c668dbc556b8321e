import { seeded } from "../../../reference/core/index.ts";
import { Columns, Labels, Matcher } from "../../../reference/metrics/model/index.ts";
import { readFile } from "../../../reference/metrics/tsdb/files/files.ts";
import { type Damage, Database, FileFault, type SyncPolicy } from "../../../reference/metrics/tsdb/index.ts";
import { Crash, MemoryFiles, type Mishap } from "../../../reference/metrics/tsdb/files/testing.ts";
import { Model } from "./model.ts";

const SERIES = 6;
/** Milliseconds of a block. Samples are about ten apart, so a few dozen batches fill several blocks. */
const RANGE = 1_000;
const DATA = "data";

export type Plan = {
  readonly seed: number;
  readonly steps: number;
  readonly policy: SyncPolicy;
  readonly window: number;
  /** Mishaps by operation. */
  readonly mishaps: readonly (readonly [operation: number, mishap: Mishap])[];
  readonly isPowerLost: boolean;
};

/** Runs a random life of a data directory next to its model. Throws if they differ; returns the number of file operations. */
export function live(plan: Plan): number {
  return new Life(plan).run();
}

class Life {
  readonly #plan: Plan;
  readonly #random: () => number;
  readonly #files: MemoryFiles;
  readonly #model: Model;
  #database: Database | undefined;
  /** Damaged blocks by name, with their content once it is on disk. */
  readonly #harmed = new Map<string, string | undefined>();
  #time = 10_000;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#random = seeded(plan.seed);
    this.#files = new MemoryFiles(seeded(plan.seed + 1));
    this.#model = new Model(plan.window);
    for (const [operation, mishap] of plan.mishaps) this.#files.plan(operation, mishap);
  }

  run(): number {
    for (let step = 0; step < this.#plan.steps; step++) this.#guarded(() => this.#step());
    this.#guarded(() => this.#close());
    this.#guarded(() => this.#compare(this.#open()));
    return this.#files.operations;
  }

  /** Runs a step, and recovers from mishaps; any other error is thrown. */
  #guarded(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (error instanceof Crash) this.#restart();
      else if (!(error instanceof FileFault)) throw error;
    }
  }

  #step(): void {
    const database = this.#open();
    const dice = this.#random();
    if (dice < 0.62) this.#append(database);
    else if (dice < 0.74) while (database.compact(this.#time)) this.#compare(database);
    else if (dice < 0.8) this.#delete(database);
    else if (dice < 0.84) {
      database.sync();
      this.#model.sync();
    } else if (dice < 0.86) this.#harm(database);
    else if (dice < 0.88) database.cleanTombstones(this.#time);
    else if (dice < 0.92) this.#close();
    else this.#compare(database);
  }

  #append(database: Database): void {
    const appender = database.appender();
    const floor = database.head.appendFloor();
    this.#time += Math.floor(this.#random() * 150);
    for (let count = 1 + Math.floor(this.#random() * 8); count > 0; count--) {
      const series = Math.floor(this.#random() * SERIES);
      const isOld = this.#random() < 0.15;
      const time = Math.floor(isOld ? this.#time - this.#random() * 1_500 : this.#time + this.#random() * 10);
      const value = Math.floor(this.#random() * 4);
      const got = appender.append(appender.series(labelsOf(series)), time, value);
      const expected = this.#model.append({ series, time, value }, floor, database.head.maxTime, got);
      if (!expected.includes(got))
        throw new Error(`series ${series} at ${time}, value ${value}: ${got}, expected ${expected.join(" or ")}`);
    }
    if (this.#random() < 0.1) {
      appender.rollback();
      this.#model.rollback();
      return;
    }
    try {
      appender.commit();
      this.#model.commit("there");
    } catch (error) {
      // A failed batch must be invisible, but may be on disk if its removal failed too. A batch in a crash may be anywhere.
      this.#model.commit(error instanceof FileFault ? "failed" : "maybe");
      throw error;
    }
  }

  #delete(database: Database): void {
    const series = Math.floor(this.#random() * SERIES);
    const start = this.#time - Math.floor(this.#random() * 3_000);
    const end = start + Math.floor(this.#random() * 800);
    let isAcknowledged = false;
    try {
      database.delete([new Matcher("series", "=", `s${series}`)], start, end);
      isAcknowledged = true;
    } finally {
      this.#model.delete(series, start, end, isAcknowledged);
    }
  }

  /** Damages a closed block: from the next opening on all of it must be in quarantine, and no other sample may be missing. */
  #harm(database: Database): void {
    database.blocks.tidy();
    const { all } = database.blocks;
    const block = all[Math.floor(this.#random() * all.length)];
    if (block === undefined) return;
    const { ulid, minTime, maxTime } = block.meta;
    this.#close();
    this.#model.unsettle(minTime, maxTime);
    this.#harmed.set(ulid, undefined);
    const file = this.#files.open(`${block.directory}/${this.#random() < 0.5 ? "index" : "meta.json"}`, "write");
    file.write(Uint8Array.of(9, 9, 9, 9), 0);
    file.sync();
    this.#harmed.set(ulid, contentOf(this.#files.copy(), block.directory));
  }

  #close(): void {
    const database = this.#open();
    this.#database = undefined;
    database.close();
  }

  /** A block that failed to open is there the next time. */
  #open(): Database {
    if (this.#database !== undefined) return this.#database;
    let database = this.#opened();
    const unexpected = (): Damage[] => database.damage.filter(({ path }) => !this.#harmed.has(path.split("/")[1] ?? ""));
    for (let again = 0; again < this.#plan.mishaps.length && unexpected().length > 0; again++) {
      database.close();
      database = this.#opened();
    }
    if (unexpected().length > 0) throw new Error(`A block is damaged: ${unexpected().map(String).join("; ")}`);
    this.#checkQuarantine(database);
    this.#database = database;
    this.#model.reopen();
    this.#compare(database, true);
    return database;
  }

  #opened(): Database {
    return new Database(this.#files, DATA, {
      blockRange: RANGE,
      outOfOrderWindow: this.#plan.window,
      retention: { ms: 0, octets: 0 },
      walSync: this.#plan.policy,
      walSegmentOctets: 512,
      random: (into) => into.map(() => Math.floor(this.#random() * 256)),
    });
  }

  /** The next process opens the directory: this must succeed and show the expected content. */
  #restart(): void {
    this.#database = undefined;
    if (this.#plan.isPowerLost) this.#files.losePower();
    else this.#files.restart();
    this.#model.restart(this.#plan.isPowerLost, this.#plan.policy === "commit");
    this.#open();
  }

  /** Damaged blocks are in quarantine unchanged or, if a reported failure prevented that, still in place. */
  #checkQuarantine({ damage }: Database): void {
    const files = this.#files.copy();
    for (const [ulid, content] of this.#harmed) {
      if (content === undefined) continue;
      const isLeft = files.exists(`${DATA}/${ulid}`);
      const place = isLeft ? `${DATA}/${ulid}` : `${DATA}/quarantine/${ulid}`;
      if (!files.exists(place) || contentOf(files, place) !== content) throw new Error(`Block ${ulid} is not whole in ${place}.`);
      if (isLeft && !damage.some(({ path }) => path.startsWith(place)))
        throw new Error(`Block ${ulid} is still there, and no damage is reported.`);
    }
  }

  #compare(database: Database, isSettling = false): void {
    const querier = database.querier(0, Number.MAX_SAFE_INTEGER);
    const shown = new Map<number, Map<number, number>>();
    const columns = new Columns();
    try {
      for (const series of querier.select([new Matcher("series", "=~", "s.*")], 0, Number.MAX_SAFE_INTEGER)) {
        columns.clear();
        series.read(columns, 0, Number.MAX_SAFE_INTEGER);
        const samples = new Map<number, number>();
        for (let row = 0; row < columns.length; row++) {
          const time = columns.times[row] ?? 0;
          if (row > 0 && time <= (columns.times[row - 1] ?? 0)) throw new Error(`times do not rise: ${time}`);
          samples.set(time, columns.values[row] ?? 0);
        }
        shown.set(Number(series.labels.get("series").slice(1)), samples);
      }
    } finally {
      querier.close();
    }
    const wrong: string[] = [];
    for (let series = 0; series < SERIES; series++) {
      const samples = shown.get(series) ?? new Map<number, number>();
      wrong.push(...this.#model.check(series, samples));
      const row = database.head.table.find(labelsOf(series));
      if (isSettling) this.#model.settle(series, samples, row < 0 ? -Infinity : database.head.table.lastTime(row));
    }
    if (wrong.length > 0) throw new Error(wrong.slice(0, 8).join("\n"));
  }
}

/** All names and octets in a directory, except half-written ones, of which the disk may have any part. */
const contentOf = (files: MemoryFiles, path: string): string =>
  files.isDirectory(path)
    ? files
        .list(path)
        .filter((name) => !name.endsWith(".tmp"))
        .map((name) => `${name}:${contentOf(files, `${path}/${name}`)}`)
        .join(" ")
    : Buffer.from(readFile(files, path)).toString("hex");

const labelsOf = (series: number): Labels => Labels.of({ __name__: "m", series: `s${series}` });
