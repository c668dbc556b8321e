import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Measures } from "../lib/alternate.ts";
import { residentOctets } from "../lib/cpu.ts";
import type { BenchGroup } from "../lib/result.ts";
import type { Say, Size } from "../lib/size.ts";
import { Fleet } from "./data/fleet.ts";
import { Texts } from "./data/texts.ts";
import { contenders, cpuOf, inTurn, medianOf, rowsOf, withFolder } from "./measure.ts";
import { servePages } from "./servers/pages.ts";
import { ask } from "./servers/process.ts";
import { remoteWrite, startPrometheus } from "./servers/prometheus.ts";
import { startSubject } from "./servers/touchstone.ts";

const STEPS = 20;
const MIB = 1 << 20;
/** Freed memory returns to the system gradually: it is settled after this many looks without a change. */
const LOOK_MS = 1_000;
const SAME_LOOKS = 5;
const MOST_LOOKS = 90;
const NEARLY = 0.002;

/** Resident memory of a series, just after loading and after a collection. */
export async function memoryGroups(size: Size, say: Say): Promise<BenchGroup[]> {
  const texts = new Texts(new Fleet(size.series));
  const { count, about } = texts.fleet;
  const taken = await inTurn(
    contenders(
      () => withFolder((folder) => ours(join(folder, "data"), texts)),
      () => withFolder((folder) => theirs(join(folder, "data"), texts)),
    ),
    Math.min(2, size.rounds),
    "memory",
    say,
  );
  const mib = (name: string, what: string): string => medianOf(taken, name, what).toFixed(0);
  const empties = [...taken.keys()].map(
    (name) => `${name} ${mib(name, "empty")} MiB, and ${mib(name, "emptyCollected")} MiB after a collection`,
  );
  const note = [
    `${count} series of ${about.labels.toFixed(1)} labels with ${about.octets.toFixed(0)} octets of text, ${STEPS} samples each, loaded step by step`,
    `minus the memory of the ready and empty process in the same phase: ${empties.join("; ")}`,
    "touchstone reads pages over HTTP into its storage, prometheus receives remote write: both look up each series by its labels",
  ].join("; ");
  const group = (id: string, title: string, what: string): BenchGroup => ({
    id: `metrics/memory-${id}`,
    title,
    unit: "B/series",
    better: "lower",
    rows: rowsOf(taken, what),
    note,
  });
  return [
    group("loaded", "Resident memory of a series, just after loading", "loaded"),
    group("settled", "Resident memory of a series, after a collection", "settled"),
    {
      id: "metrics/load-cpu",
      title: "Appending with lookup of each series by its labels, CPU time per sample",
      unit: "µs",
      better: "lower",
      rows: rowsOf(taken, "cpu"),
      note,
    },
  ];
}

type Phases = { readonly pid: number; readonly load: () => Promise<void>; readonly collect: () => Promise<void> };

async function phases({ pid, load, collect }: Phases, { fleet: { count } }: Texts): Promise<Measures> {
  const resident = (): number => residentOctets(pid) ?? Number.NaN;
  const collected = async (): Promise<number> => {
    await collect();
    return settled(resident);
  };
  const empty = resident();
  const emptyCollected = await collected();
  const before = cpuOf(pid);
  await load();
  const cpu = (cpuOf(pid) - before) / (count * STEPS);
  const loaded = (resident() - empty) / count;
  return {
    empty: empty / MIB,
    emptyCollected: emptyCollected / MIB,
    loaded,
    settled: ((await collected()) - emptyCollected) / count,
    cpu,
  };
}

async function settled(resident: () => number): Promise<number> {
  let last = resident();
  let same = 0;
  for (let look = 0; look < MOST_LOOKS && same < SAME_LOOKS; look++) {
    await pause(LOOK_MS);
    const now = resident();
    same = Math.abs(now - last) < last * NEARLY ? same + 1 : 0;
    last = now;
  }
  return last;
}

async function ours(directory: string, texts: Texts): Promise<Measures> {
  const pages = await servePages(texts);
  const subject = await startSubject(directory);
  try {
    const load = async (): Promise<void> => {
      for (let step = 0; step < STEPS; step++) {
        const urls = Array.from({ length: pages.targets }, (_, target) => `http://127.0.0.1:${pages.port}/${target}?step=${step}`);
        await subject.order({ is: "read", urls, keeps: false });
      }
    };
    const collect = async (): Promise<void> => void (await subject.order({ is: "collect" }));
    return await phases({ pid: subject.pid, load, collect }, texts);
  } finally {
    await subject.kill();
    await pages.close();
  }
}

async function theirs(directory: string, texts: Texts): Promise<Measures> {
  const running = await startPrometheus(directory);
  try {
    const collect = async (): Promise<void> => {
      for (let i = 0; i < 2; i++) await ask(running.origin, "/debug/pprof/heap?gc=1");
    };
    return await phases({ pid: running.pid, load: () => remoteWrite(running.origin, texts, { endStep: STEPS }), collect }, texts);
  } finally {
    await running.kill();
  }
}
