import { cpSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Measures } from "../lib/alternate.ts";
import type { BenchGroup } from "../lib/result.ts";
import { SPREAD } from "../lib/rows.ts";
import type { Say, Size } from "../lib/size.ts";
import { Fleet } from "./data/fleet.ts";
import { STEP_MS, Texts } from "./data/texts.ts";
import { contenders, cpuOf, inTurn, rowsOf, withFolder } from "./measure.ts";
import { abandoned } from "./replay.ts";
import { servePages } from "./servers/pages.ts";
import { ownMetric, remoteWrite, startPrometheus } from "./servers/prometheus.ts";
import { startSubject } from "./servers/touchstone.ts";

/** The head is compacted into a block once it spans more than three hours: after one step more than this. */
const STEPS = (3 * 3_600_000) / STEP_MS + 1;
const BLOCK_STEPS = (2 * 3_600_000) / STEP_MS;
/** More series would take many minutes to load. */
const MOST_SERIES = 100_000;
const TOGETHER = 120;
/** A log with fewer segments is not truncated; otherwise two thirds of the complete segments become a checkpoint. */
const MIN_TRUNCATED = 2;
const LOOK_MS = 20;
const MOST_MS = 300_000;

/** Compacting two hours of the head into a block: time and size. */
export async function blockGroups(size: Size, say: Say): Promise<BenchGroup[]> {
  const texts = new Texts(new Fleet(Math.min(size.series, MOST_SERIES)));
  const { count } = texts.fleet;
  return withFolder(async (folder) => {
    const left = join(folder, "left");
    say(`block: ${count} series with ${STEPS} samples each`);
    await abandoned(left, texts, STEPS, TOGETHER);
    const turn = (run: (directory: string, texts: Texts) => Promise<Measures>) => (): Promise<Measures> =>
      withFolder(async (copies) => {
        const directory = join(copies, "data");
        cpSync(left, directory, { recursive: true });
        return { ...(await run(directory, texts)), ...sizes(directory, count * BLOCK_STEPS) };
      });
    const taken = await inTurn(contenders(turn(ours), turn(theirs)), Math.min(3, size.rounds), "block", say);
    const note = [
      `${count} series × ${BLOCK_STEPS} samples, of ${STEPS} in memory; includes chunks, index, and truncation of memory and log`,
      `each first replays a copy of the same log of ${segmentsOf(left)} segments, not counted; both turn two thirds of two or more segments into a checkpoint`,
      SPREAD,
    ].join("; ");
    const group = (id: string, title: string, unit: string, what: string): BenchGroup => ({
      id: `metrics/block-${id}`,
      title,
      unit,
      better: "lower",
      rows: rowsOf(taken, what),
      note,
    });
    return [
      group("wall", "Compacting memory into a block of two hours", "ms", "wall"),
      group("cpu", "Compacting memory into a block of two hours, CPU time", "ms", "cpu"),
      group("chunks", "Size of a block's chunks per sample", "B", "chunks"),
      group("index", "Size of a block's index per sample", "B", "index"),
    ];
  });
}

async function ours(directory: string, texts: Texts): Promise<Measures> {
  const pages = await servePages(texts);
  const subject = await startSubject(directory);
  try {
    await subject.order({ is: "read", urls: [`http://127.0.0.1:${pages.port}/0?step=${STEPS}`], keeps: false });
    const before = cpuOf(subject.pid);
    const { ms = 0 } = await subject.order({ is: "compact" });
    return { wall: ms, cpu: (cpuOf(subject.pid) - before) / 1_000 };
  } finally {
    await subject.kill();
    await pages.close();
  }
}

/** Prometheus compacts by itself when it receives one more sample. The metric of the last step shows when it has finished. */
async function theirs(directory: string, texts: Texts): Promise<Measures> {
  const last = segmentsOf(directory) < MIN_TRUNCATED ? "head_truncations_total" : "wal_truncate_duration_seconds_count";
  const running = await startPrometheus(directory);
  try {
    const before = cpuOf(running.pid);
    const began = performance.now();
    await remoteWrite(running.origin, texts, { firstStep: STEPS, endStep: STEPS + 1, series: 1 });
    while ((await ownMetric(running.origin, `prometheus_tsdb_${last}`)) === 0) {
      if (performance.now() - began > MOST_MS) throw new Error("prometheus did not write a block.");
      await pause(LOOK_MS);
    }
    return { wall: performance.now() - began, cpu: (cpuOf(running.pid) - before) / 1_000 };
  } finally {
    await running.kill();
  }
}

/** The number of log segments in a data directory. */
const segmentsOf = (directory: string): number => readdirSync(join(directory, "wal")).filter((name) => /^\d+$/.test(name)).length;

function sizes(directory: string, samples: number): Measures {
  const ulid = readdirSync(directory).find((name) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(name));
  if (ulid === undefined) throw new Error(`No block in ${directory}.`);
  const { stats } = JSON.parse(readFileSync(join(directory, ulid, "meta.json"), "utf8")) as { stats: { numSamples: number } };
  if (stats.numSamples !== samples) throw new Error(`The block has ${stats.numSamples} samples instead of ${samples}.`);
  const chunks = join(directory, ulid, "chunks");
  const octets = readdirSync(chunks).reduce((sum, name) => sum + statSync(join(chunks, name)).size, 0);
  return { chunks: octets / samples, index: statSync(join(directory, ulid, "index")).size / samples };
}
