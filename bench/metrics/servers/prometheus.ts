import { writeFileSync } from "node:fs";
import { prometheusVersion } from "../../../reference/serve/metrics/differential/peer.ts";
import type { Texts } from "../data/texts.ts";
import { ask, startProcess, type MetricsProcess } from "./process.ts";
import { freePort } from "../../../conformance/peers/index.ts";

/** Series per remote-write request: the default of its clients (`max_samples_per_send`). */
const SERIES_A_REQUEST = 2_000;
/** With many samples per series, a request has fewer series. */
const SAMPLES_A_REQUEST = 20_000;

export { prometheusVersion };

/** Starts Prometheus with a data directory; `scrapes` is the rest of its configuration. */
export async function startPrometheus(directory: string, scrapes = ""): Promise<MetricsProcess> {
  const port = await freePort();
  const config = `${directory}.yml`;
  writeFileSync(config, `global:\n  scrape_interval: 1h\n${scrapes}`);
  return startProcess(
    "prometheus",
    [
      "prometheus",
      `--config.file=${config}`,
      `--storage.tsdb.path=${directory}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--storage.tsdb.retention.time=100y",
      "--web.enable-remote-write-receiver",
      "--log.level=warn",
    ],
    port,
  );
}

/** `together`: steps of a series in one request; 1 by default, as from a scraper. `series`: only this many of the first series. */
type WriteOptions = { readonly endStep: number; readonly firstStep?: number; readonly together?: number; readonly series?: number };

/** Sends the samples of the steps from `firstStep` to `endStep` by remote write. */
export async function remoteWrite(origin: string, texts: Texts, options: WriteOptions): Promise<void> {
  const { endStep, firstStep = 0, together = 1, series: count = texts.fleet.count } = options;
  const each = Math.min(SERIES_A_REQUEST, Math.ceil(SAMPLES_A_REQUEST / together));
  for (let step = firstStep; step < endStep; step += together) {
    for (let from = 0; from < count; from += each) {
      const body = texts.request(from, Math.min(count, from + each), step, Math.min(endStep, step + together));
      const { status, body: answer } = await ask(origin, "/api/v1/write", body, {
        "content-encoding": "snappy",
        "content-type": "application/x-protobuf",
        "x-prometheus-remote-write-version": "0.1.0",
      });
      if (status >= 300) throw new Error(`prometheus refuses samples with ${status}: ${answer.toString().trim()}`);
    }
  }
}

/** A value from Prometheus's own metrics page; 0 if it is missing. */
export async function ownMetric(origin: string, name: string): Promise<number> {
  const page = (await ask(origin, "/metrics")).body.toString();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(page)?.[1] ?? 0);
}
