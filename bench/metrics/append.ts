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

/** Scrapes of each target after the first one, which creates its series: not counted as warm-up, then counted. */
const WARM_UP = 3;
const STEADY = 4;
/** The scrape interval per target of 10,000 series: long enough for a busy machine to keep up. */
const SECONDS_A_TARGET = 0.5;

/** The cost of scraping: fetching pages over HTTP, parsing them, and storing the samples and the log. */
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
    `${texts.fleet.count} series on pages of up to ${SERIES_A_TARGET} in the text format, scraped over HTTP; CPU time of the whole process, including the log`,
    "touchstone: its HTTP client, parser and storage, combined by the bench, one page at a time; prometheus: its own scraper",
    `new: the first page of each target in a new process; known: pages ${WARM_UP + 2} to ${WARM_UP + STEADY + 1}`,
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
    group("new", "Scraping new series, CPU time per sample", "fresh"),
    group("steady", "Scraping known series, CPU time per sample", "steady"),
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

/** Prometheus spreads its targets over the interval: between two scrapes of the first target, each is scraped once. */
async function theirs(directory: string, pages: PageServer): Promise<Measures> {
  const interval = `${Math.ceil(Math.max(2, pages.targets * SECONDS_A_TARGET))}s`;
  const target = (at: number): string => `{targets: ["127.0.0.1:${pages.port}"], labels: {__metrics_path__: "/${at}"}}`;
  const settings = `job_name: bench, honor_labels: true, scrape_interval: ${interval}, scrape_timeout: ${interval}`;
  const jobs = `scrape_configs:\n- {${settings}, static_configs: [${Array.from({ length: pages.targets }, (_, at) => target(at)).join(", ")}]}\n`;
  const [known, warm, last] = [pages.nth(2), pages.nth(2 + WARM_UP), pages.nth(2 + WARM_UP + STEADY)];
  const running = await startPrometheus(directory, jobs);
  const soFar = (): { readonly cpu: number; readonly samples: number } => ({ cpu: cpuOf(running.pid), samples: pages.samples });
  try {
    const begun = cpuOf(running.pid);
    await known;
    const first = soFar();
    await warm;
    const before = soFar();
    await last;
    const after = soFar();
    return { fresh: (first.cpu - begun) / first.samples, steady: (after.cpu - before.cpu) / (after.samples - before.samples) };
  } finally {
    await running.kill();
  }
}
