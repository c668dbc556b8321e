import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { realFiles } from "../../../io/files.ts";
import { Columns, Labels, Matcher } from "../../model/index.ts";
import { histogramOf } from "../../model/histogram-testing.ts";
import { Database, type DatabaseOptions } from "../index.ts";

/** Opens data directories of Debian's prometheus, and has it read ours with their logs. */

const PROMTOOL = "/usr/bin/promtool";
const PROMETHEUS = "/usr/bin/prometheus";
const isHere = existsSync(PROMTOOL) && existsSync(PROMETHEUS);
if (!isHere)
  console.log("Data directories are not compared with those of prometheus: it is not installed (on Debian: apt-get install prometheus).");

const ALL = [new Matcher("none", "=", "")];
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The newest sample is within the head range of the other server, and none is in its future. */
const NOW = Math.floor(Date.now() / HOUR) * HOUR;

let data = "";
let server: ChildProcess | undefined;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "touchstone-data-"));
});
afterEach(async () => {
  await stop("SIGKILL");
  rmSync(data, { recursive: true, force: true });
});

const open = (options: Partial<DatabaseOptions> = {}): Database =>
  new Database(realFiles, data, { random: (into) => randomFillSync(into), ...options });

/** Every float by series and time, as text. */
type Dump = Map<string, number>;

function ours(database: Database): Dump {
  const dump: Dump = new Map();
  const columns = new Columns();
  const querier = database.querier(0, Number.MAX_SAFE_INTEGER);
  for (const series of querier.select(ALL, 0, Number.MAX_SAFE_INTEGER)) {
    columns.clear();
    series.read(columns, 0, Number.MAX_SAFE_INTEGER);
    const labels = [...series.labels].map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(", ");
    for (let row = 0; row < columns.length; row++) dump.set(`{${labels}} ${columns.times[row]}`, columns.values[row] ?? 0);
  }
  querier.close();
  return dump;
}

function theirs(): Dump {
  const text = execFileSync(PROMTOOL, ["tsdb", "dump", data], { encoding: "utf8", maxBuffer: 2 ** 28, stdio: ["ignore", "pipe", "pipe"] });
  const dump: Dump = new Map();
  for (const line of text.trimEnd().split("\n")) {
    const [, labels = "", value = "", time = ""] = /^(\{.*\}) (\S+) (\d+)$/.exec(line) ?? [];
    dump.set(`${labels} ${time}`, Number(value.replace("Inf", "Infinity")));
  }
  return dump;
}

const series = (at: number): Labels => Labels.of({ __name__: `m_${at % 3}`, host: `h${at}`, text: 'ünïcode "and" \\ €😀' });

/** Six series a minute over `hours`, up to now, in batches. */
function fill(database: Database, hours: number, compact: boolean): void {
  for (let time = NOW - hours * HOUR; time <= NOW; time += MINUTE) {
    const appender = database.appender();
    for (let at = 0; at < 6; at++) {
      expect(appender.append(appender.series(series(at)), time + at, Math.sin(time / HOUR + at) * 1_000 * at)).toBeUndefined();
    }
    appender.commit();
    if (compact) while (database.compact(NOW));
  }
}

async function start(config: string, ...flags: string[]): Promise<string> {
  writeFileSync(join(data, "prometheus.yml"), config);
  const port = await new Promise<number>((resolve) => {
    const listener = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = listener.address() as AddressInfo;
      listener.close(() => resolve(free));
    });
  });
  const url = `http://127.0.0.1:${port}`;
  const running = spawn(
    PROMETHEUS,
    [
      `--config.file=${join(data, "prometheus.yml")}`,
      `--storage.tsdb.path=${data}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=error",
      ...flags,
    ],
    { stdio: "ignore" },
  );
  server = running;
  await until(async () => running.exitCode !== null || (await fetch(`${url}/-/ready`)).ok);
  if (running.exitCode !== null) throw new Error("The other server does not start.");
  return url.slice("http://".length);
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  const running = server;
  server = undefined;
  if (running === undefined || running.exitCode !== null) return;
  const ended = new Promise((resolve) => running.once("exit", resolve));
  running.kill(signal);
  await ended;
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (;;) {
    // The server may not be ready yet.
    if (await Promise.resolve(isSo()).catch(() => false)) return;
    await pause(50);
  }
}

const answered = async (address: string, query: string): Promise<unknown> => {
  const answer = await fetch(`http://${address}/api/v1/query?time=${NOW / 1_000}&query=${encodeURIComponent(query)}`);
  return ((await answer.json()) as { data: { result: unknown } }).data.result;
};

describe.runIf(isHere)("our data directory, read by prometheus", () => {
  test("a log alone, with NaN, infinities, stale markers and deletions", () => {
    const database = open({ walSegmentOctets: 65_536 });
    fill(database, 1, false);
    const appender = database.appender();
    for (const [at, value] of [Number.NaN, Infinity, -Infinity, -0, 5e-324].entries())
      appender.append(appender.series(series(at)), NOW + 500, value);
    appender.appendStale(appender.series(series(5)), NOW + 500);
    appender.commit();
    database.delete([new Matcher("host", "=", "h3")], NOW - 40 * MINUTE, NOW - 20 * MINUTE);
    const dump = ours(database);
    database.close();
    expect(dump.size).toBe(6 * 61 + 6 - 20);
    expect(theirs()).toEqual(dump);
  });

  test("blocks, a checkpoint and the log after it", () => {
    const database = open({ walSegmentOctets: 32_768 });
    fill(database, 11, true);
    const dump = ours(database);
    const blocks = database.blocks.all.length;
    database.close();
    expect(readdirSync(join(data, "wal")).some((name) => name.startsWith("checkpoint."))).toBe(true);
    expect(blocks).toBeGreaterThan(2);
    expect(dump.size).toBe(6 * (11 * 60 + 1));
    expect(theirs()).toEqual(dump);
  });

  test("late samples", () => {
    const database = open({ outOfOrderWindow: 2 * HOUR });
    fill(database, 1, false);
    const appender = database.appender();
    for (let minute = 1; minute < 50; minute += 7) appender.append(appender.series(series(2)), NOW - minute * MINUTE - 30_000, minute);
    appender.commit();
    const dump = ours(database);
    database.close();
    expect(dump.size).toBe(6 * 61 + 7);
    expect(theirs()).toEqual(dump);
  });

  test("integer and float histograms, by queries", async () => {
    const database = open();
    const appender = database.appender();
    const positiveSpans = [
      { offset: 0, length: 2 },
      { offset: 1, length: 2 },
    ];
    const about = { schema: 1, zeroThreshold: 2 ** -128, zeroCount: 2, sum: 18.4, positiveSpans };
    const histogram = histogramOf([1, 2, 3, 4], { ...about, isInteger: true });
    appender.appendHistogram(appender.series(Labels.of({ __name__: "whole" })), NOW - 1_000, histogram);
    const parts = histogramOf([1.5, 2.5, 3, 4], about);
    appender.appendHistogram(appender.series(Labels.of({ __name__: "parts" })), NOW - 1_000, parts);
    appender.commit();
    database.close();
    const address = await start("global: {scrape_interval: 1h}\n");
    expect(await answered(address, "histogram_count(whole) + histogram_sum(whole)")).toMatchObject([{ value: [NOW / 1_000, "30.4"] }]);
    expect(await answered(address, "histogram_count(parts)")).toMatchObject([{ value: [NOW / 1_000, "13"] }]);
    expect(await answered(address, "histogram_quantile(0.5, parts)")).toMatchObject([{ metric: {} }]);
  });
});

describe.runIf(isHere)("a damaged data directory", () => {
  const CONFIG = "global: {scrape_interval: 1h}\n";

  /** Writes six hours or more of blocks and damages a file of the oldest one by prepending octets. */
  function damaged(name: string): { path: string; end: number } {
    const database = open();
    fill(database, 11, true);
    const [oldest] = database.blocks.all;
    database.close();
    const path = join(oldest?.directory ?? "", name);
    const file = realFiles.open(path, "write");
    file.write(Uint8Array.of(9, 9, 9, 9), 0);
    file.close();
    return { path, end: oldest?.meta.maxTime ?? 0 };
  }

  test.each(["meta.json", "index", "tombstones", "chunks/000001"])(
    "(%s of a block) is one that the other server starts on, once we had it open",
    async (name) => {
      const { path, end } = damaged(name);
      // It skips a block without a readable meta.json.
      const before = await start(CONFIG).then(
        () => "starts",
        () => "does not start",
      );
      expect(before).toBe(name === "meta.json" ? "starts" : "does not start");
      await stop("SIGKILL");

      const database = open();
      expect(database.damage.map((one) => one.path)).toEqual([path]);
      const dump = ours(database);
      database.close();
      expect(existsSync(join(data, "quarantine"))).toBe(true);

      const address = await start(CONFIG);
      const count = await answered(address, `count_over_time(m_0[${Math.floor((NOW - end) / MINUTE)}m])`);
      const expected = [...dump.keys()].filter((key) => key.includes('"m_0"') && Number(key.split(" ").at(-1)) > end).length;
      expect((count as { value: [number, string] }[]).reduce((sum, { value }) => sum + Number(value[1]), 0)).toBe(expected);
      expect(expected).toBeGreaterThan(600);
      await stop("SIGTERM");
      // Its tool stops at a missing chunk.
      const isAllThere = !name.startsWith("chunks");
      expect(isAllThere ? theirs() : dump).toEqual(dump);
    },
  );
});

describe.runIf(isHere)("a data directory of prometheus, opened by us", () => {
  test("after it was killed; then both continue in turn", async () => {
    await start(
      "global: {scrape_interval: 20ms, scrape_timeout: 20ms}\nscrape_configs: [{job_name: self, static_configs: [{targets: ['127.0.0.1:1']}]}, {job_name: up, metrics_path: /-/ready, static_configs: [{targets: ['127.0.0.1:2']}]}]\n",
    );
    // Complete chunks are in files beside the log, and in the log.
    await until(() => existsSync(join(data, "chunks_head/000001")) && statSync(join(data, "chunks_head/000001")).size > 8);
    await stop("SIGKILL");
    const expected = theirs();
    const database = open();
    expect(database.log.unknown).toBe(0);
    expect(ours(database)).toEqual(expected);
    expect(expected.size).toBeGreaterThan(500);

    const appender = database.appender();
    expect(appender.append(appender.series(series(1)), database.head.maxTime + 1_000, 4)).toBeUndefined();
    expect(
      appender.append(
        appender.series(Labels.of({ __name__: "up", instance: "127.0.0.1:1", job: "self" })),
        database.head.maxTime + 1_000,
        7,
      ),
    ).toBeUndefined();
    appender.commit();
    const both = ours(database);
    database.close();
    expect(both.size).toBe(expected.size + 2);
    expect(theirs()).toEqual(both);
  });
});

describe.runIf(isHere)("two servers on one data directory", () => {
  test.each([["that locks nothing, as by default", []] as const, ["with its lock", ["--storage.tsdb.use-lockfile"]] as const])(
    "a running prometheus %s: ours is refused with its process, until it has ended",
    async (_, flags) => {
      await start("global: {}\n", ...flags);
      const { pid } = server ?? {};
      expect(() => open()).toThrow(`process ${pid} uses this data directory`);
      // A refusal leaves no lock of ours.
      await stop("SIGKILL");
      open().close();
    },
  );

  // It could only be stopped by `flock`, which Node does not have (reference/metrics/tsdb/FORMAT.md).
  test.each([["by default", []] as const, ["with its lock", ["--storage.tsdb.use-lockfile"]] as const])(
    "ours runs: prometheus 2.42 %s does not look at our lock, and starts; a second one of ours is refused",
    async (_, flags) => {
      const database = open();
      expect(() => open()).toThrow("this process uses this data directory");
      await expect(start("global: {}\n", ...flags)).resolves.toContain("127.0.0.1:");
      await stop("SIGTERM");
      database.close();
    },
  );
});
