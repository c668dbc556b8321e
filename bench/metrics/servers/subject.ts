import { KnownSeries, Page, readText, SCRAPE } from "../../../reference/metrics/exposition/index.ts";
import { LabelOctets } from "../../../reference/metrics/model/index.ts";
import { createClient } from "../../../reference/serve/index.ts";
import { serveMetrics } from "../../../reference/serve/metrics/index.ts";

/**
 * A Touchstone metrics server that follows orders from its parent process: read and store pages, collect garbage, write blocks. Runs
 * with --expose-gc.
 */
export type Order =
  /** `keeps`: remember series by their text between pages, as a scraper does. Otherwise look up each by its labels, as remote write must. */
  | { readonly is: "read"; readonly urls: readonly string[]; readonly keeps: boolean }
  | { readonly is: "collect" }
  | { readonly is: "compact" };
/** `ms`: the duration of the order. */
export type Reply = { readonly origin?: string; readonly ms?: number; readonly samples?: number };

const [, , directory = ""] = process.argv;
const server = await serveMetrics({ directory, storage: { retention: { ms: 0, octets: 0 } } });
const client = createClient({ alpn: ["http/1.1"] });
const page = new Page();
/** Reused for all pages: a new buffer for each would be garbage. */
let room = new Uint8Array(1 << 20);

/** The series of each target, remembered between pages. */
const known = new Map<string, KnownSeries>();
const labels = new LabelOctets();

async function read(url: string, keeps: boolean): Promise<number> {
  const response = await client.request(url);
  let length = 0;
  for await (const part of response.body) {
    if (length + part.length > room.length) {
      const wider = new Uint8Array(2 * (length + part.length));
      wider.set(room);
      room = wider;
    }
    room.set(part, length);
    length += part.length;
  }
  const octets = room.subarray(0, length);
  const target = new URL(url).pathname;
  const series = known.get(target) ?? new KnownSeries();
  if (keeps) known.set(target, series);
  const fault = readText(page, octets, { lenient: SCRAPE, known: series });
  if (fault !== undefined) throw new Error(fault.message);
  const appender = server.database.appender();
  const now = Date.now();
  for (let at = 0; at < page.count; at++) {
    let ref = series.numberOf(at);
    if (ref < 0) {
      page.labelsInto(at, labels);
      ref = appender.seriesOf(labels);
      series.put(at, ref);
    }
    const time = page.timestamps[at]!;
    const refusal = appender.append(ref, Number.isNaN(time) ? now : time, page.values[at]!);
    if (refusal !== undefined) throw new Error(`${page.name(at)}: ${refusal}`);
  }
  if (keeps) series.keep(page);
  appender.commit();
  return page.count;
}

async function obey(order: Order): Promise<Reply> {
  const began = performance.now();
  let samples = 0;
  switch (order.is) {
    case "read":
      for (const url of order.urls) samples += await read(url, order.keeps);
      break;
    case "collect":
      for (let i = 0; i < 4; i++)
        (globalThis as { gc?: (o: object) => void }).gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
      break;
    case "compact":
      while (server.database.compact(Date.now()));
      break;
  }
  return { ms: performance.now() - began, samples };
}

process.on("message", (order: Order) => {
  obey(order).then(
    (reply) => process.send?.(reply),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on("disconnect", () => process.exit());
process.send?.({ origin: server.url.replace(/\/$/, "") } satisfies Reply);
