import { cpSync } from "node:fs";
import { join } from "node:path";
import { alternate, type Measures } from "../../lib/alternate.ts";
import { residentOctets } from "../../lib/cpu.ts";
import type { BenchGroup, BenchRow } from "../../lib/result.ts";
import { SPREAD } from "../../lib/rows.ts";
import type { Say, Size } from "../../lib/size.ts";
import { median, spread } from "../../lib/stats.ts";
import { Fleet } from "../data/fleet.ts";
import { Texts, timeOf } from "../data/texts.ts";
import { cpuOf, MISSING, OURS, withFolder } from "../measure.ts";
import { abandoned } from "../replay.ts";
import { ask, type MetricsProcess } from "../servers/process.ts";
import { prometheusVersion, startPrometheus } from "../servers/prometheus.ts";
import { startTouchstone } from "../servers/touchstone.ts";
import { difference } from "./answers.ts";
import { SHAPES, type Shape } from "./shapes.ts";

/** An hour, and the five minutes before it for the first rate. */
const STEPS = 261;
const TOGETHER = 29;
const HOUR_S = 3_600;
/** Queries run between two samples: versions differ in whether a range includes its start. */
const OFFSET_S = 5;
const MIB = 1 << 20;

/** Queries over HTTP on copies of the same data directory. The answers must be equal. */
export async function queryGroups(size: Size, say: Say): Promise<BenchGroup[]> {
  const texts = new Texts(new Fleet(size.series));
  return withFolder(async (folder) => {
    const left = join(folder, "left");
    const version = prometheusVersion();
    if (version === undefined) {
      say(`queries: ${MISSING}`);
      return [];
    }
    say(`queries: ${texts.fleet.count} series with ${STEPS} samples each`);
    await abandoned(left, texts, STEPS, TOGETHER);
    const running: MetricsProcess[] = [];
    try {
      for (const [name, start] of [[OURS, startTouchstone] as const, [`prometheus ${version}`, startPrometheus] as const]) {
        const directory = join(folder, name);
        cpSync(left, directory, { recursive: true });
        running.push({ ...(await start(directory)), name });
      }
      return await measured(running, texts.fleet.count, size, say);
    } finally {
      for (const one of running) await one.kill();
    }
  });
}

async function measured(servers: readonly MetricsProcess[], count: number, size: Size, say: Say): Promise<BenchGroup[]> {
  const groups: BenchGroup[] = [];
  const memory = new Map(servers.map(({ name, pid }) => [name, { before: residentOctets(pid) ?? 0, most: 0 }]));
  for (const shape of SHAPES) {
    const [ours = "", theirs = ""] = await Promise.all(servers.map(({ origin }) => answerOf(origin, shape)));
    const unlike = difference(ours, theirs);
    if (unlike !== undefined)
      throw new Error(`The servers answer ${shape.expression} differently, so their speed cannot be compared: ${unlike}`);
    const samples = await alternate(
      servers,
      size.rounds,
      async ({ pid, origin, name }): Promise<Measures> => {
        const before = cpuOf(pid);
        const began = performance.now();
        await answerOf(origin, shape);
        const wall = performance.now() - began;
        const kept = memory.get(name);
        if (kept !== undefined) kept.most = Math.max(kept.most, residentOctets(pid) ?? 0);
        return { wall, cpu: (cpuOf(pid) - before) / 1_000 };
      },
      (round, { name }) => say(`${shape.title}, round ${round} of ${size.rounds}: ${name}`),
    );
    const rows = (what: string): BenchRow[] =>
      [...samples].map(([{ name }, measures]) => {
        const values = measures[what] ?? [];
        return { subject: name, median: median(values), spread: spread(values), samples: values };
      });
    const note = `${shape.expression}; ${count} series with ${STEPS} samples each in memory, over HTTP without compression; both answers are equal; ${SPREAD}`;
    const title = shape.step === undefined ? `Query: ${shape.title}` : `Query over a range: ${shape.title}`;
    groups.push(
      { id: `metrics/query-${shape.id}-wall`, title, unit: "ms", better: "lower", rows: rows("wall"), note },
      { id: `metrics/query-${shape.id}-cpu`, title: `${title}, CPU time`, unit: "ms", better: "lower", rows: rows("cpu"), note },
    );
  }
  groups.push({
    id: "metrics/query-memory",
    title: "Growth of resident memory over all queries",
    unit: "MiB",
    better: "lower",
    rows: [...memory].map(([subject, { before, most }]) => {
      const grown = (most - before) / MIB;
      return { subject, median: grown, spread: [grown, grown], samples: [grown] };
    }),
    note: `the maximum after a query, minus the memory of the ready server: ${[...memory].map(([name, { before }]) => `${name} ${(before / MIB).toFixed(0)} MiB`).join(", ")}`,
  });
  return groups;
}

async function answerOf(origin: string, { expression, step }: Shape): Promise<string> {
  const end = timeOf(STEPS - 1) / 1_000 + OFFSET_S;
  const words =
    step === undefined
      ? new URLSearchParams({ query: expression, time: String(end) })
      : new URLSearchParams({ query: expression, start: String(end - HOUR_S), end: String(end), step: String(step) });
  const path = `/api/v1/${step === undefined ? "query" : "query_range"}`;
  const { body } = await ask(origin, path, words.toString(), { "content-type": "application/x-www-form-urlencoded" });
  return body.toString();
}
