import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { seeded } from "../../../reference/core/index.ts";
import { realFiles } from "../../../reference/io/files.ts";
import { Columns, Matcher } from "../../../reference/metrics/model/index.ts";
import { Database } from "../../../reference/metrics/tsdb/index.ts";
import { BLOCK_RANGE, STEP_MS } from "./kill-writer.ts";

const ROUNDS = 4;
const SAMPLES = 40;
const SEED = 5;

/** Kills the writer after a number of lines. Returns the last acknowledged batch, and whether it compacted. */
async function written(directory: string, first: number, lines: number): Promise<{ last: number; hasCompacted: boolean }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "kill-writer.ts"), directory, String(first), String(SAMPLES)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let last = first - 1;
  let hasCompacted = false;
  let count = 0;
  // Read all of its output.
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === "compacted") hasCompacted = true;
    else last = Number(line);
    if (++count === lines) child.kill("SIGKILL");
  }
  await ended;
  return { last, hasCompacted };
}

/** The times of all series, by number. */
function held(directory: string): Map<string, number[]> {
  const database = new Database(realFiles, directory, { random: (into) => into, blockRange: BLOCK_RANGE });
  expect(database.damage).toEqual([]);
  const times = new Map<string, number[]>();
  const querier = database.querier(0, Number.MAX_SAFE_INTEGER);
  const columns = new Columns();
  for (const series of querier.select([new Matcher("__name__", "=", "m")], 0, Number.MAX_SAFE_INTEGER)) {
    columns.clear();
    series.read(columns, 0, Number.MAX_SAFE_INTEGER);
    const at = Number(series.labels.get("series"));
    const rows = [...columns.times.subarray(0, columns.length)];
    expect([...columns.values.subarray(0, columns.length)]).toEqual(rows.map((time) => time / STEP_MS + at));
    times.set(series.labels.get("series"), rows);
  }
  querier.close();
  database.close();
  return times;
}

test("a process killed under load loses nothing that it acknowledged", async () => {
  const directory = mkdtempSync(join(tmpdir(), "touchstone-kill-"));
  const random = seeded(SEED);
  let first = 1;
  let hasCompacted = false;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const end = await written(directory, first, 20 + Math.floor(random() * 80));
      hasCompacted ||= end.hasCompacted;
      expect(end.last).toBeGreaterThanOrEqual(first);
      const times = held(directory);
      expect(times.size).toBe(SAMPLES);
      const lasts = new Set<number>();
      for (const rows of times.values()) {
        const last = (rows.at(-1) ?? 0) / STEP_MS;
        // All batches from the first on, without a gap. The batch being written may be there too, completely.
        expect(rows).toEqual(Array.from({ length: last }, (_, at) => (at + 1) * STEP_MS));
        lasts.add(last);
      }
      expect(lasts.size).toBe(1);
      const [last = 0] = lasts;
      expect([end.last, end.last + 1]).toContain(last);
      first = last + 1;
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  expect(hasCompacted).toBe(true);
});
