import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../conformance/peers/index.ts";
import type { Measures } from "../lib/alternate.ts";
import type { BenchGroup } from "../lib/result.ts";
import type { Say, Size } from "../lib/size.ts";
import { Fleet } from "./data/fleet.ts";
import { Texts } from "./data/texts.ts";
import { contenders, inTurn, rowsOf, withFolder } from "./measure.ts";
import { type Begin, configured } from "./servers/configured.ts";
import { servePages } from "./servers/pages.ts";
import { ask, type MetricsProcess } from "./servers/process.ts";
import { startPrometheus } from "./servers/prometheus.ts";
import { startTouchstone } from "./servers/touchstone.ts";

/** Series of the one target, which is scraped every second. */
const SERIES = 1_000;
/** The metric whose samples are counted, a tenth of all: a count of several would need their names. */
const COUNTED = "http_server_requests_total";
/** The store receives for this long, is away for that long, and the sender is killed and started again half-way. */
const BEFORE_MS = 10_000;
const AWAY_MS = 120_000;
/** A sender has this long to send what it has kept, and is done when nothing has arrived for a while, longer than its back-off. */
const LOOK_MS = 1_000;
const MOST_LOOKS = 180;
const SAME_LOOKS = 30;

/** What a store never receives of what a server scraped and sent by remote write, after an outage over a restart of the sender. */
export async function outageGroups(size: Size, say: Say): Promise<BenchGroup[]> {
  const texts = new Texts(new Fleet(SERIES));
  const measure = (begin: Begin) => (): Promise<Measures> => withFolder((folder) => outage(begin, texts, folder));
  const taken = await inTurn(contenders(measure(configured), measure(startPrometheus)), Math.min(2, size.rounds), "outage", say);
  const note = `${SERIES} series scraped every second and sent with the default queue; the store is a Touchstone server that is killed, away for ${AWAY_MS / 1_000} s, and started again on its data; the sender is killed and started again half-way; a tenth of the series is counted, by queries to both, up to the return of the store`;
  return [
    {
      id: "metrics/outage-lost",
      title: "Scraped samples that a remote store never receives, after it was away over a restart of the sender",
      unit: "%",
      better: "lower",
      rows: rowsOf(taken, "lost"),
      note,
    },
    {
      id: "metrics/outage-caught-up",
      title: "Time from the return of a remote store until it has all that was kept for it",
      unit: "s",
      better: "lower",
      rows: rowsOf(taken, "caughtUp"),
      note,
    },
  ];
}

async function outage(begin: Begin, texts: Texts, folder: string): Promise<Measures> {
  const pages = await servePages(texts, SERIES);
  const port = await freePort();
  const [stored, kept] = [join(folder, "store"), join(folder, "sender")];
  const store = (): Promise<MetricsProcess> => startTouchstone(stored, ["--no-self-scrape", "--web.enable-remote-write-receiver"], port);
  const config = [
    `scrape_configs:\n- {job_name: bench, honor_labels: true, scrape_interval: 1s, static_configs: [{targets: ["127.0.0.1:${pages.port}"], labels: {__metrics_path__: "/0"}}]}`,
    `remote_write: [{url: "http://127.0.0.1:${port}/api/v1/write"}]\n`,
  ].join("\n");
  let [receiving, sending] = [await store(), await begin(kept, config)];
  try {
    await pause(BEFORE_MS);
    await receiving.kill();
    await pause(AWAY_MS / 2);
    await sending.kill();
    sending = await begin(kept, config);
    await pause(AWAY_MS / 2);
    receiving = await store();
    const end = Date.now();
    // The last scrape before the end may still be on its way into the sender's own storage.
    await pause(LOOK_MS);
    const scraped = await samplesOf(sending, end);
    const { samples, ms } = await received(receiving, end, scraped);
    return { lost: (100 * (scraped - samples)) / scraped, caughtUp: ms / 1_000 };
  } finally {
    await Promise.all([receiving.kill(), sending.kill(), pages.close()]);
  }
}

/** The samples that a store has in the end, and when the last one had arrived. */
async function received(store: MetricsProcess, end: number, all: number): Promise<{ readonly samples: number; readonly ms: number }> {
  const began = performance.now();
  let [samples, ms] = [await samplesOf(store, end), 0];
  for (let [look, same] = [0, 0]; look < MOST_LOOKS && same < SAME_LOOKS && samples < all; look++) {
    await pause(LOOK_MS);
    const now = await samplesOf(store, end);
    same = now === samples ? same + 1 : 0;
    if (now !== samples) ms = performance.now() - began;
    samples = now;
  }
  return { samples, ms };
}

/** The samples of one metric up to a time. */
async function samplesOf({ origin, name }: MetricsProcess, end: number): Promise<number> {
  const query = new URLSearchParams({ query: `sum(count_over_time(${COUNTED}[1h]))`, time: String(end / 1_000) });
  const { status, body } = await ask(origin, `/api/v1/query?${query}`);
  if (status !== 200) throw new Error(`${name} does not count its samples: ${body.toString()}`);
  const { data } = JSON.parse(body.toString()) as { data: { result: { value: [number, string] }[] } };
  return Number(data.result[0]?.value[1] ?? 0);
}
