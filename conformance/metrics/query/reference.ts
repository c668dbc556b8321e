import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Labels, METRIC_NAME } from "../../../reference/metrics/model/index.ts";
import { serveMetrics } from "../../../reference/serve/metrics/index.ts";
import { written } from "../driver/server-data.ts";
import { dataSet } from "./data.ts";

/** A server that has the data set and listens at `url` on this machine; `stop` removes its directory as well. */
export type RunningReference = AsyncDisposable & { readonly url: string; stop(): Promise<void> };

/** Our own metrics server, for as long as it is needed, with the data set in a directory of its own. */
export async function startReference(): Promise<RunningReference> {
  const directory = mkdtempSync(join(tmpdir(), "touchstone-check-metrics-"));
  const server = await serveMetrics({ directory, graceMs: 100, storage: { walSync: "never" } });
  const samples = dataSet()
    .map(written)
    .flatMap(({ labels, samples: own }) => {
      const { __name__: name = "", ...others } = labels;
      const named = Labels.of([[METRIC_NAME, name], ...Object.entries(others)]);
      return own.map((sample) => ({ named, ...sample }));
    })
    .sort((a, b) => a.time - b.time);
  const appender = server.database.appender();
  for (const { named, time, value } of samples) {
    const id = appender.series(named);
    const refusal = value === "stale" ? appender.appendStale(id, time) : appender.append(id, time, value);
    if (refusal !== undefined) throw new Error(`The data set is refused by our own storage: ${refusal} (${named}).`);
  }
  appender.commit();
  const stop = async (): Promise<void> => {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  };
  return { url: server.url, stop, [Symbol.asyncDispose]: stop };
}
