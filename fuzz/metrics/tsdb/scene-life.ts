import { Misuse, seeded } from "../../../reference/core/index.ts";
import { Columns, Labels, type Matcher } from "../../../reference/metrics/model/index.ts";
import type { Querier } from "../../../reference/metrics/storage/index.ts";
import { readFile } from "../../../reference/metrics/tsdb/files/files.ts";
import { MemoryFiles } from "../../../reference/metrics/tsdb/files/testing.ts";
import { Damage, Database, FileFault } from "../../../reference/metrics/tsdb/index.ts";
import { damaged, type Draw, float, histogram, oneOf, shown, some, whole } from "./scene-draw.ts";
import { filesText } from "./scene-files.ts";
import { columnsText, drawLabels, drawMatcher } from "./scene-parts.ts";

/** A life of a storage: every action that its users have, restarts, dying processes and damaged files, with all that it shows. */
export const lifeScene = (random: Draw): string => new Life(random).run();

const DATA = "data";
/** Milliseconds of a block: a few dozen batches fill several. */
const RANGE = 1_000;
const KINDS = ["float", "float", "float", "histogram", "gauge", "custom", "mixed"] as const;

class Life {
  readonly #random: Draw;
  readonly #lines: string[] = [];
  readonly #series: readonly Labels[];
  readonly #options: Omit<ConstructorParameters<typeof Database>[2], "random">;
  #files = new MemoryFiles();
  #database: Database;
  #view: Querier | undefined;
  #time: number;
  #directory = DATA;
  #value = 0;

  constructor(random: Draw) {
    this.#random = random;
    const drawn = some(random, [1, 6], () => drawLabels(random)).filter((labels) => labels.flat.length > 0);
    this.#series = drawn.length > 0 ? drawn : [Labels.of([["a", "b"]])];
    this.#time = oneOf(random, [10_000, 0, -3_000, 1_700_000_000_000]);
    this.#options = {
      blockRange: RANGE,
      outOfOrderWindow: oneOf(random, [0, 700, 5_000]),
      walSegmentOctets: 32_768,
      walSync: oneOf(random, ["commit", "interval", "never"] as const),
      retention:
        random() < 0.7
          ? { ms: 0, octets: 0 }
          : oneOf(random, [
              { ms: 3_000, octets: 0 },
              { ms: 0, octets: 4_000 },
            ]),
      pageOctets: random() < 0.5 ? undefined : 65_536,
      ...(random() < 0.1 ? { limits: { series: 3, labels: 3, labelOctets: 4, recordOctets: 90 } } : {}),
    };
    this.#lines.push(shown(this.#options), this.#series.join());
    this.#database = this.#open();
  }

  run(): string {
    for (let steps = 5 + whole(this.#random, 16); steps > 0; steps--) this.#guarded(() => this.#step());
    this.#guarded(() => this.#query());
    this.#guarded(() => this.#restart());
    this.#guarded(() => this.#query());
    this.#database.close();
    this.#lines.push(filesText(this.#files, this.#directory));
    return this.#lines.join("\n");
  }

  #say(...line: readonly unknown[]): void {
    this.#lines.push(line.map((one) => (typeof one === "object" ? shown(one) : String(one))).join(" "));
  }

  /** What users and files do wrong is part of a life. */
  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof Damage || error instanceof Misuse || error instanceof FileFault)) throw error;
      this.#say(error.name, error.message);
    }
  }

  #open(): Database {
    const names = seeded(7);
    const random = (into: Uint8Array): Uint8Array => into.map(() => Math.floor(names() * 256));
    const database = new Database(this.#files, this.#directory, { ...this.#options, random });
    this.#say("opened", database.log, database.damage.map(String));
    return database;
  }

  #step(): void {
    const [random, database] = [this.#random, this.#database];
    const dice = random();
    if (dice < 0.5) this.#append();
    else if (dice < 0.6) while (database.compact(this.#time)) this.#say("compacted");
    else if (dice < 0.66) this.#delete();
    else if (dice < 0.68) database.sync();
    else if (dice < 0.71) this.#damage();
    else if (dice < 0.74) database.cleanTombstones(this.#time);
    else if (dice < 0.79) this.#restart();
    else if (dice < 0.81) this.#snapshot();
    else if (dice < 0.83) database.flush(this.#time);
    else if (dice < 0.86) this.#look();
    else this.#query();
    this.#blocks();
  }

  #append(): void {
    const random = this.#random;
    const appender = this.#database.appender();
    const favourite = whole(random, 35);
    const isBig = random() < 0.06;
    this.#time += whole(random, 160);
    for (let count = isBig ? 300 : 1 + whole(random, 12); count > 0; count--) {
      const labels = oneOf(random, this.#series);
      const series = appender.series(labels);
      const isOld = random() < 0.15;
      const time = isBig ? this.#time++ : Math.floor(isOld ? this.#time - random() * 1_800 : this.#time + random() * 12);
      this.#value += whole(random, 3);
      const kind = KINDS[(labels.key.length + (random() < 0.05 ? 1 : 0)) % KINDS.length]!;
      const refusal =
        random() < 0.05
          ? appender.appendStale(series, time)
          : kind === "float" || (kind === "mixed" && random() < 0.5)
            ? appender.append(series, time, random() < 0.9 ? this.#value : float(random))
            : appender.appendHistogram(
                series,
                time,
                histogram(random, this.#value, kind === "gauge" ? 4 : kind === "custom" ? 5 : favourite % 4),
              );
      if (!isBig) this.#say("append", labels, time, this.#value, kind, refusal);
    }
    if (random() < 0.1) appender.rollback();
    else appender.commit();
  }

  #delete(): void {
    const random = this.#random;
    const matchers = this.#matchers(1);
    const start = this.#time - whole(random, 3_500);
    const end = random() < 0.2 ? 2 ** 50 : start + whole(random, 1_200);
    this.#say("delete", matchers.join(), start, end);
    this.#database.delete(matchers, start, end);
  }

  #matchers(least: number): Matcher[] {
    return some(this.#random, [least, 2], () => drawMatcher(this.#random));
  }

  #close(): void {
    this.#view?.close();
    this.#view = undefined;
    this.#database.close();
  }

  /** In good order, or as a process that dies: its files stay as they are. */
  #restart(): void {
    const isKilled = this.#random() < 0.5;
    this.#say(isKilled ? "killed" : "restarted");
    if (isKilled) this.#files = this.#files.copy();
    else this.#close();
    this.#view = undefined;
    this.#database = this.#open();
  }

  #snapshot(): void {
    const withHead = this.#random() < 0.6;
    const next = `copy${this.#lines.length}`;
    this.#say("snapshot", withHead);
    this.#database.snapshot(next, { withHead, now: this.#time });
    if (this.#random() < 0.5) return;
    this.#close();
    this.#directory = next;
    this.#database = this.#open();
  }

  #damage(): void {
    const random = this.#random;
    this.#close();
    const paths = filesText(this.#files, this.#directory)
      .split("\n")
      .map((line) => line.split(" ")[0] ?? "")
      .filter((path) => path !== "" && !path.includes("quarantine"));
    const path = oneOf(random, paths);
    if (path !== undefined) {
      const bytes = damaged(random, readFile(this.#files, path));
      const file = this.#files.open(path, "write");
      file.truncate(0);
      file.write(bytes, 0);
      file.close();
      this.#say("damaged", path);
    }
    this.#database = this.#open();
    this.#query();
  }

  /** A view of now is read after more has happened. */
  #look(): void {
    if (this.#view === undefined) {
      this.#view = this.#database.querier(-(2 ** 50), 2 ** 50);
      return;
    }
    this.#read(this.#view, [], [-(2 ** 50), 2 ** 50]);
    this.#view.close();
    this.#view = undefined;
  }

  #query(): void {
    const random = this.#random;
    const start = random() < 0.4 ? -(2 ** 50) : this.#time - whole(random, 4_000);
    const end = random() < 0.4 ? 2 ** 50 : start + whole(random, 3_000);
    const querier = this.#database.querier(start, end);
    try {
      this.#read(querier, random() < 0.5 ? [] : this.#matchers(0), [start, end]);
      const sets = some(random, [0, 2], () => this.#matchers(0));
      this.#say(
        "names",
        querier.labelNames(sets, start, end),
        querier.labelValues(oneOf(random, ["job", "__name__", "none"]), sets, start, end),
      );
    } finally {
      querier.close();
    }
    this.#say("stats", this.#database.stats(3));
    this.#say("damage", this.#database.damage.map(String));
  }

  #read(querier: Querier, matchers: readonly Matcher[], [start, end]: readonly [number, number]): void {
    this.#say("query", matchers.join(), start, end);
    const columns = new Columns();
    const hints = oneOf(this.#random, [{ sorted: true }, { sorted: true }, { sorted: true, limit: 2 }]);
    for (const series of querier.select(matchers, start, end, hints)) {
      columns.clear();
      series.read(columns, start, end);
      if (columns.length > 0) this.#say(series.labels, `\n${columnsText(columns)}`);
    }
  }

  #blocks(): void {
    const { blocks } = this.#database;
    this.#say(
      "blocks",
      blocks.octets,
      blocks.all.map(({ meta, tombstones }) => [meta, tombstones]),
    );
  }
}
