import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Columns, Labels, Matcher } from "../../metrics/model/index.ts";
import type { DatabaseOptions } from "../../metrics/tsdb/index.ts";
import { type MetricsServer, serveMetrics } from "./server.ts";

let directory: string;
const errors: unknown[] = [];
beforeEach(() => {
  // Before the server starts its timers. Sockets keep the real ones.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  directory = mkdtempSync(join(tmpdir(), "touchstone-clock-"));
  errors.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(directory, { recursive: true, force: true });
});
const start = (walSync: DatabaseOptions["walSync"]): Promise<MetricsServer> =>
  serveMetrics({ port: 0, directory, storage: { walSync }, graceMs: 0, onStorageError: (error) => errors.push(error) });

describe("a metrics server's timers", () => {
  test.each([
    ["interval", 3],
    ["commit", 0],
    ["never", 0],
  ] as const)("--storage.wal-fsync %s: the log is synced %i times in 30 seconds, and never after close()", async (policy, times) => {
    const server = await start(policy);
    const sync = vi.spyOn(server.database, "sync");
    vi.advanceTimersByTime(30_000);
    expect(sync).toHaveBeenCalledTimes(times);
    await server.close();
    vi.advanceTimersByTime(30_000);
    expect(sync).toHaveBeenCalledTimes(times);
  });

  test("a chunk that a query finds damaged: its file is reported once", async () => {
    const first = await start("never");
    const appender = first.database.appender();
    appender.append(appender.series(Labels.of({ __name__: "a" })), 1_000, 1);
    appender.commit();
    first.database.flush(2_000);
    const path = `${first.database.blocks.all[0]?.directory ?? ""}/chunks/000001`;
    await first.close();
    const octets = readFileSync(path);
    octets[octets.length - 1]! ^= 0xff;
    writeFileSync(path, octets);

    const second = await start("never");
    vi.advanceTimersByTime(10_000);
    expect(errors).toEqual([]);
    for (let time = 0; time < 3; time++) {
      const querier = second.database.querier(0, 5_000);
      for (const series of querier.select([new Matcher("__name__", "=", "a")], 0, 5_000)) series.read(new Columns(), 0, 5_000);
      querier.close();
      vi.advanceTimersByTime(10_000);
    }
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining(`${path} is damaged at 8: `) as string })]);
    await second.close();
  });
});
