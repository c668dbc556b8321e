import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Labels } from "../../metrics/model/index.ts";
import { serveMetrics, type MetricsServer } from "./index.ts";

/** Servers that send what they store, and samples for them: also in a process of their own, which a test can kill. */

export type Start = {
  readonly folder: string;
  readonly name: string;
  readonly config: string;
  readonly agent?: true;
  readonly port?: number;
};

export function start({ folder, name, config, agent, port = 0 }: Start): Promise<MetricsServer> {
  const file = join(folder, `${name}.yml`);
  writeFileSync(file, config);
  return serveMetrics({
    directory: join(folder, name),
    port,
    graceMs: 50,
    storage: { walSegmentOctets: 4_096 },
    remoteWriteReceiver: true,
    ...(agent === true && { agent: { keptMs: 0 } }),
    scrape: { file, onNotice: () => {}, flushMs: 200 },
  });
}

export const MINUTE = 60_000;
/** Minute 0 of `from`. */
export type Minutes = { readonly from: number; readonly minutes: readonly number[]; readonly name?: string };

export function write(server: MetricsServer, { from, minutes, name = "a" }: Minutes): void {
  for (const minute of minutes) {
    const appender = server.database.appender();
    for (let series = 0; series < 3; series++)
      appender.append(appender.series(Labels.of({ __name__: name, series: String(series) })), from + minute * MINUTE, minute);
    appender.commit();
  }
}

/** What a process that is to be killed runs: stores minutes, writes blocks, says how many, and goes on sending. */
export async function sendUntilKilled(how: Start, what: Minutes): Promise<void> {
  const server = await start(how);
  write(server, what);
  while (server.database.compact(Date.now()));
  console.log(server.database.blocks.all.length);
}
