import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Columns, compareLabels, compareText, Labels, Matcher } from "../../model/index.ts";
import { histogramOf } from "../../model/histogram-testing.ts";
import {
  Block,
  ChunkBatch,
  compactBlocks,
  encodeRows,
  merged,
  openBlocks,
  PageCache,
  removeBlock,
  type SeriesContent,
  writeBlock,
} from "../index.ts";
import { realFiles } from "../../../io/files.ts";

/** Reads and rewrites blocks of Debian's prometheus, and has it read ours. */

const PROMTOOL = "/usr/bin/promtool";
const PROMETHEUS = "/usr/bin/prometheus";
const isHere = existsSync(PROMTOOL) && existsSync(PROMETHEUS);
if (!isHere) console.log("Blocks are not compared with those of prometheus: it is not installed (on Debian: apt-get install prometheus).");

const BEGIN = 1_700_006_400_000;
const ULIDS = ["01HFCV0000000000000000000A", "01HFCV0000000000000000000B", "01HFCV0000000000000000000C"] as const;
const ALL = new Matcher("none", "=", "");
const fresh = (): string => mkdtempSync(join(tmpdir(), "touchstone-blocks-"));
const promtool = (...args: string[]): string =>
  execFileSync(PROMTOOL, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 2 ** 26 });
const open = (data: string, ulid: string): Block =>
  new Block(realFiles, `${data}/${ulid}`, new PageCache(), (damage) => {
    throw damage;
  });

/** Every sample in the format of `promtool tsdb dump`, sorted. */
function dumped(data: string, match = '{__name__=~".+"}'): string[] {
  mkdirSync(join(data, "wal"), { recursive: true });
  return promtool("tsdb", "dump", `--match=${match}`, data).trimEnd().split("\n").sort();
}

function ours(data: string, matcher = ALL): string[] {
  const lines: string[] = [];
  const columns = new Columns();
  const blocks = openBlocks(realFiles, data, new PageCache(), (damage) => expect.fail(damage.message));
  const querier = merged(blocks.map((block) => block.querier()));
  for (const series of querier.select([matcher], -Infinity, Infinity)) {
    columns.clear();
    series.read(columns, -Infinity, Infinity);
    const labels = [...series.labels].map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(", ");
    for (let row = 0; row < columns.length; row++) lines.push(`{${labels}} ${printed(columns.values[row] ?? 0)} ${columns.times[row]}`);
  }
  querier.close();
  for (const block of blocks) block.close();
  return lines.sort();
}

/** The first lines that differ. */
const different = (a: readonly string[], b: readonly string[]): unknown[] =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, at) => [a[at], b[at]])
    .filter(([x, y]) => x !== y)
    .slice(0, 3);

/** A float in Go's shortest format. */
function printed(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  const [digits = "", exponent = ""] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

function* seriesOf(rows: readonly { labels: Labels; fill: (columns: Columns) => void }[]): Generator<SeriesContent> {
  const batch = new ChunkBatch();
  const columns = new Columns();
  for (const { labels, fill } of [...rows].sort((a, b) => compareLabels(a.labels, b.labels))) {
    columns.clear();
    batch.clear();
    fill(columns);
    encodeRows(columns, 0, batch);
    yield { labels, chunks: batch };
  }
}

function write(data: string, ulid: string, begin: number, rows: readonly { labels: Labels; fill: (columns: Columns) => void }[]): void {
  const symbols = [...new Set(rows.flatMap(({ labels }) => labels.flat))].sort(compareText);
  writeBlock(realFiles, data, { symbols, series: seriesOf(rows) }, { ulid, minTime: begin, maxTime: begin + 7_200_000 });
}

const floats = (begin: number) =>
  Array.from({ length: 120 }, (_, at) => ({
    labels: Labels.of({ __name__: "temperature", room: `r${at}`, straße: at % 2 === 0 ? "ä" : "ö" }),
    fill: (columns: Columns) => {
      for (let row = 0; row < 260; row++)
        columns.push(begin + row * 15_000, row % 50 === 49 ? Number.NaN : Math.sin(at + row) * 10 ** (at % 30));
      columns.pushStale(begin + 260 * 15_000);
    },
  }));

describe.runIf(isHere)("blocks of Debian's prometheus", () => {
  const source = fresh();
  const target = fresh();
  beforeAll(() => {
    const lines = ["# TYPE requests counter"];
    for (let at = 0; at < 70; at++) {
      for (let row = 0; row < 300; row++)
        lines.push(`requests_total{path="/p/${at}",job="j${at % 3}",x="ö"} ${row / (at + 1)} ${BEGIN / 1_000 + row * 30}`);
    }
    writeFileSync(join(source, "page"), `${lines.join("\n")}\n# EOF\n`);
    promtool("tsdb", "create-blocks-from", "openmetrics", join(source, "page"), join(source, "data"));
  });
  afterAll(() => {
    for (const directory of [source, target]) rmSync(directory, { recursive: true });
  });

  test("every sample is read", () => {
    const data = join(source, "data");
    const lines = dumped(data);
    expect(lines.length).toBe(70 * 300);
    expect(different(ours(data), lines)).toEqual([]);
  });

  test("rewriting them gives the same octets: index, chunks, tombstones and meta.json", () => {
    const data = join(source, "data");
    const names = realFiles.list(data).filter((name) => name.length === 26);
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) {
      const block = open(data, name);
      const batch = new ChunkBatch();
      const again = function* (): Generator<SeriesContent> {
        for (const number of block.index.all()) {
          const chunks: number[] = [];
          const labels = block.index.series(number, chunks);
          batch.clear();
          for (let at = 0; at < chunks.length; at += 3) {
            block.chunks.find(chunks[at + 2] ?? 0);
            const { encoding, bytes, from, to } = block.chunks;
            batch.addCopy({ minTime: chunks[at] ?? 0, maxTime: chunks[at + 1] ?? 0, encoding, bytes, from, to });
          }
          yield { labels, chunks: batch };
        }
      };
      const { ulid, minTime, maxTime } = block.meta;
      writeBlock(realFiles, target, { symbols: [...block.index.symbols.all()], series: again() }, { ulid, minTime, maxTime });
      block.close();
      for (const file of ["index", "chunks/000001", "tombstones", "meta.json"]) {
        expect(readFileSync(join(target, name, file)).equals(readFileSync(join(data, name, file))), file).toBe(true);
      }
    }
  });
});

describe.runIf(isHere)("our blocks", () => {
  const data = fresh();
  let server: ChildProcess;
  let base = "";

  beforeAll(async () => {
    write(data, ULIDS[0], BEGIN, floats(BEGIN));
    write(data, ULIDS[1], BEGIN + 7_200_000, [...floats(BEGIN + 7_200_000), ...histograms(BEGIN + 7_200_000)]);
    const [first, second] = [open(data, ULIDS[0]), open(data, ULIDS[1])];
    second.delete([new Matcher("room", "=~", "r[0-4]")], BEGIN + 7_200_000, BEGIN + 7_230_000);
    compactBlocks(realFiles, data, [first, second], { ulid: ULIDS[2] });
    first.close();
    second.close();
    removeBlock(realFiles, data, ULIDS[0]);
  });
  afterAll(async () => {
    if (server?.exitCode === null) {
      const gone = new Promise((resolve) => server.once("exit", resolve));
      server.kill();
      await gone;
    }
    rmSync(data, { recursive: true });
  });

  test("promtool lists and analyses them", () => {
    mkdirSync(join(data, "wal"), { recursive: true });
    expect(promtool("tsdb", "list", data)).toMatch(new RegExp(`${ULIDS[1]} .* ${120 * 261 + 40} `));
    expect(promtool("tsdb", "analyze", data, ULIDS[2])).toContain("Series: 122");
  });

  test("promtool dumps every sample except deleted ones", () => {
    const lines = dumped(data, '{__name__="temperature"}');
    expect(lines.length).toBe(2 * 120 * 261 - 5 * 3);
    expect(different(ours(data, new Matcher("__name__", "=", "temperature")), lines)).toEqual([]);
  });

  test("prometheus answers queries from them: floats, stale markers, deletions, histograms", async () => {
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    const config = join(data, "none.yml");
    writeFileSync(config, "scrape_configs: []\n");
    const flags = [
      `--config.file=${config}`,
      `--storage.tsdb.path=${data}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--storage.tsdb.retention.time=100y",
    ];
    server = spawn(PROMETHEUS, [...flags, "--enable-feature=native-histograms"], { stdio: "ignore" });
    await ready(base);

    const at = BEGIN + 100 * 15_000;
    const query = async (expression: string, time: number): Promise<{ metric: Record<string, string>; value: [number, string] }[]> => {
      const answer = await fetch(`${base}/api/v1/query?query=${encodeURIComponent(expression)}&time=${time / 1_000}`);
      return ((await answer.json()) as { data: { result: { metric: Record<string, string>; value: [number, string] }[] } }).data.result;
    };
    const rooms = await query('temperature{room=~"r1.*"}', at);
    expect(rooms).toHaveLength(31);
    for (const { metric, value } of rooms)
      expect(Number(value[1])).toBe(Math.sin(Number(metric["room"]?.slice(1)) + 100) * 10 ** (Number(metric["room"]?.slice(1)) % 30));
    expect(await query("count(temperature)", BEGIN + 259 * 15_000)).toMatchObject([{ value: [expect.any(Number), "120"] }]);
    expect(await query("count(temperature)", BEGIN + 260 * 15_000)).toEqual([]);
    expect(await query("count(temperature)", BEGIN + 7_215_000)).toMatchObject([{ value: [expect.any(Number), "115"] }]);
    expect(await query("histogram_count(sizes)", BEGIN + 7_200_000 + 30_000)).toMatchObject([
      { metric: { kind: "float" }, value: [expect.any(Number), "7.5"] },
      { metric: { kind: "integer" }, value: [expect.any(Number), "15"] },
    ]);
    expect(await query('histogram_sum(sizes{kind="integer"})', BEGIN + 7_200_000 + 45_000)).toMatchObject([
      { value: [expect.any(Number), "4.5"] },
    ]);
  });
});

function histograms(begin: number): { labels: Labels; fill: (columns: Columns) => void }[] {
  return (["integer", "float"] as const).map((kind) => ({
    labels: Labels.of({ __name__: "sizes", kind }),
    fill: (columns: Columns) => {
      const scale = kind === "integer" ? 1 : 0.5;
      for (let row = 0; row < 20; row++) {
        const histogram = histogramOf([(2 + row) * scale, (4 + 3 * row) * scale], {
          zeroThreshold: 0.001,
          zeroCount: scale,
          sum: row * 1.5,
          isInteger: kind === "integer",
        });
        columns.pushHistogram(begin + row * 15_000, histogram);
      }
    },
  }));
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function ready(base: string): Promise<void> {
  for (;;) {
    const status = await fetch(`${base}/-/ready`).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    await pause(50);
  }
}
