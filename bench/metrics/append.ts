import { join } from "node:path";
import type { Measures } from "../lib/alternate.ts";
import type { BenchGroup } from "../lib/result.ts";
import { SPREAD } from "../lib/rows.ts";
import type { Say, Size } from "../lib/size.ts";
import { Fleet } from "./data/fleet.ts";
import { Texts } from "./data/texts.ts";
import { contenders, cpuOf, inTurn, rowsOf, withFolder } from "./measure.ts";
import { SERIES_A_TARGET, servePages, type PageServer } from "./servers/pages.ts";
import { startPrometheus } from "./servers/prometheus.ts";
import { startSubject } from "./servers/touchstone.ts";

/** Scrapes of every target: the one that brings its series, those that are not counted since a server warms up, and those that are. */
const WARM_UP = 3;
const STEADY = 4;
/** Between two scrapes of a target: so much for each 10,000 series, that a busy machine keeps up. */
const SECONDS_A_TARGET = 0.5;

/** What it costs to scrape: pages fetched over HTTP, read, and stored with their log. */
export async function appendGroups(size: Size, say: Say): Promise<BenchGroup[]> {
  const texts = new Texts(new Fleet(size.series));
  const turn = (run: typeof ours) => async (): Promise<Measures> => {
    const pages = await servePages(texts);
    try {
      return await withFolder((folder) => run(join(folder, "data"), pages));
    } finally {
      await pages.close();
    }
  };
  const taken = await inTurn(contenders(turn(ours), turn(theirs)), Math.min(3, size.rounds), "append", say);
  const note = [
    `${texts.fleet.count} series on pages of up to ${SERIES_A_TARGET} in the text format, scraped over HTTP; each has the CPU time of its process, the log included`,
    "touchstone: its client, its reader of pages and its storage, put together by the bench, one page after the other; prometheus: its own scraper",
    `new: the first page of each target, with a process that has just started; known: pages ${WARM_UP + 2} to ${WARM_UP + STEADY + 1}`,
    SPREAD,
  ].join("; ");
  const group = (id: string, title: string, what: string): BenchGroup => ({
    id: `metrics/append-${id}`,
    title,
    unit: "µs",
    better: "lower",
    rows: rowsOf(taken, what),
    note,
  });
  return [
    group("new", "Scraping series that are new, CPU time of a sample", "fresh"),
    group("steady", "Scraping series that are known, CPU time of a sample", "steady"),
  ];
}

async function ours(directory: string, { port, targets }: PageServer): Promise<Measures> {
  const subject = await startSubject(directory);
  const urls = Array.from({ length: targets }, (_, target) => `http://127.0.0.1:${port}/${target}`);
  const round = async (): Promise<number> => (await subject.order({ is: "read", urls, keeps: true })).samples ?? 0;
  try {
    const begun = cpuOf(subject.pid);
    const fresh = await round();
    const known = cpuOf(subject.pid);
    for (let i = 0; i < WARM_UP; i++) await round();
    const warm = cpuOf(subject.pid);
    let steady = 0;
    for (let i = 0; i < STEADY; i++) steady += await round();
    return { fresh: (known - begun) / fresh, steady: (cpuOf(subject.pid) - warm) / steady };
  } finally {
    await subject.kill();
  }
}

/** Its targets take their turns within an interval: from one scrape of the first to the next, each had one. */
async function theirs(directory: string, pages: PageServer): Promise<Measures> {
  const interval = `${Math.ceil(Math.max(2, pages.targets * SECONDS_A_TARGET))}s`;
  const target = (at: number): string => `{targets: ["127.0.0.1:${pages.port}"], labels: {__metrics_path__: "/${at}"}}`;
  const settings = `job_name: bench, honor_labels: true, scrape_interval: ${interval}, scrape_timeout: ${interval}`;
  const jobs = `scrape_configs:\n- {${settings}, static_configs: [${Array.from({ length: pages.targets }, (_, at) => target(at)).join(", ")}]}\n`;
  const [known, warm, last] = [pages.nth(2), pages.nth(2 + WARM_UP), pages.nth(2 + WARM_UP + STEADY)];
  const running = await startPrometheus(directory, jobs);
  const sofar = (): { readonly cpu: number; readonly samples: number } => ({ cpu: cpuOf(running.pid), samples: pages.samples });
  try {
    const begun = cpuOf(running.pid);
    await known;
    const first = sofar();
    await warm;
    const before = sofar();
    await last;
    const after = sofar();
    return { fresh: (first.cpu - begun) / first.samples, steady: (after.cpu - before.cpu) / (after.samples - before.samples) };
  } finally {
    await running.kill();
  }
}
