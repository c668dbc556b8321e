import { createServer } from "node:http";
import { join } from "node:path";
import { portOf } from "../../conformance/peers/index.ts";
import type { Measures } from "../lib/alternate.ts";
import type { BenchGroup } from "../lib/result.ts";
import { SPREAD } from "../lib/rows.ts";
import type { Say, Size } from "../lib/size.ts";
import { Fleet } from "./data/fleet.ts";
import { Texts } from "./data/texts.ts";
import { contenders, cpuOf, inTurn, rowsOf, withFolder } from "./measure.ts";
import { type Begin, configured } from "./servers/configured.ts";
import { type PageServer, servePages } from "./servers/pages.ts";
import { remoteWrite, startPrometheus } from "./servers/prometheus.ts";

/** Scrapes of each target: before the measure, and in it. */
const WARM_UP = 3;
const STEADY = 4;
/** Both servers have two cores' worth of other work beside them: an interval leaves half of the time free. */
const LEAST_SECONDS = 4;
const SECONDS_A_SERIES = 1 / 15_000;
const MANY = 1_000;

type Shape = { readonly pages: PageServer; readonly interval: number };

function jobs({ pages, interval }: Shape): string {
  const targets = Array.from(
    { length: pages.targets },
    (_, at) => `{targets: ["127.0.0.1:${pages.port}"], labels: {__metrics_path__: "/${at}"}}`,
  );
  const settings = `job_name: bench, honor_labels: true, scrape_interval: ${interval}s, scrape_timeout: ${interval}s`;
  return `scrape_configs:\n- {${settings}, static_configs: [${targets.join(", ")}]}\n`;
}

/** CPU time of a process for each scraped sample, in microseconds, once all series are known. */
async function steady(begin: Begin, shape: Shape, more = ""): Promise<number> {
  return withFolder(async (folder) => {
    const { pages } = shape;
    const [warm, last] = [pages.nth(1 + WARM_UP), pages.nth(1 + WARM_UP + STEADY)];
    const running = await begin(join(folder, "data"), `${jobs(shape)}${more}`);
    try {
      await warm;
      const before = { cpu: cpuOf(running.pid), samples: pages.samples };
      await last;
      return (cpuOf(running.pid) - before.cpu) / (pages.samples - before.samples);
    } finally {
      await running.kill();
    }
  });
}

async function scraping(begin: Begin, texts: Texts, seriesATarget: number, more = ""): Promise<number> {
  const pages = await servePages(texts, seriesATarget);
  try {
    return await steady(begin, { pages, interval: Math.ceil(Math.max(LEAST_SECONDS, texts.fleet.count * SECONDS_A_SERIES)) }, more);
  } finally {
    await pages.close();
  }
}

/** Scraping with the servers' own scrapers: one page, and many targets. */
export async function scrapeGroups(size: Size, say: Say): Promise<BenchGroup[]> {
  const texts = new Texts(new Fleet(size.series));
  const { count } = texts.fleet;
  const measure = (begin: Begin) => async (): Promise<Measures> => ({
    one: await scraping(begin, texts, count),
    many: await scraping(begin, texts, Math.ceil(count / MANY)),
  });
  const taken = await inTurn(contenders(measure(configured), measure(startPrometheus)), Math.min(2, size.rounds), "scrape", say);
  const note = `${count} series in the text format over HTTP, each server with its own scraper; CPU time of the whole process with its log, scrapes ${WARM_UP + 1} to ${WARM_UP + STEADY}; ${SPREAD}`;
  const group = (id: string, title: string): BenchGroup => ({
    id: `metrics/scrape-${id}`,
    title,
    unit: "µs",
    better: "lower",
    rows: rowsOf(taken, id),
    note,
  });
  return [
    group("one", `Scraping one page of ${count} samples, CPU time per sample`),
    group("many", `Scraping ${MANY} targets, CPU time per sample`),
  ];
}

/** Accepts everything. */
async function sink(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => void request.resume().on("end", () => response.writeHead(204).end()));
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${portOf(server)}/`, close: () => (server.closeAllConnections(), server.close()) };
}

/** Sending by remote write what is scraped, and receiving. */
export async function remoteGroups(size: Size, say: Say): Promise<BenchGroup[]> {
  const texts = new Texts(new Fleet(size.series));
  const { count } = texts.fleet;
  const measure = (begin: Begin) => async (): Promise<Measures> => {
    const to = await sink();
    try {
      const alone = await scraping(begin, texts, count / 10);
      const both = await scraping(begin, texts, count / 10, `remote_write: [{url: "${to.url}"}]\n`);
      return { alone, out: both - alone, in: await receiving(begin, texts) };
    } finally {
      to.close();
    }
  };
  const taken = await inTurn(contenders(measure(configured), measure(startPrometheus)), Math.min(2, size.rounds), "remote", say);
  const shared = `${count} series; CPU time of the whole process; ${SPREAD}`;
  const group = (id: string, title: string, note: string): BenchGroup => ({
    id: `metrics/remote-${id}`,
    title,
    unit: "µs",
    better: "lower",
    rows: rowsOf(taken, id),
    note: `${note}; ${shared}`,
  });
  return [
    group(
      "out",
      "Sending by remote write, CPU time per sample",
      "scraping and sending with protocol 1, minus scraping alone, in ten targets",
    ),
    group("in", "Receiving by remote write, CPU time per sample", "requests of protocol 1 with 2,000 known series, one sample each"),
  ];
}

async function receiving(begin: Begin, texts: Texts): Promise<number> {
  return withFolder(async (folder) => {
    const running = await begin(join(folder, "data"), "");
    try {
      await remoteWrite(running.origin, texts, { endStep: WARM_UP });
      const before = cpuOf(running.pid);
      await remoteWrite(running.origin, texts, { firstStep: WARM_UP, endStep: WARM_UP + STEADY });
      return (cpuOf(running.pid) - before) / (texts.fleet.count * STEADY);
    } finally {
      await running.kill();
    }
  });
}
