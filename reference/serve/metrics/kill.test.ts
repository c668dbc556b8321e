import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { seeded } from "../../core/index.ts";
import { Labels } from "../../metrics/model/index.ts";
import { RequestWriter } from "../../metrics/remote/index.ts";
import { pack } from "../../metrics/tsdb/index.ts";

/** The whole server is killed under load, again and again, on one data directory. */

const KILLS = 10;
const WRITERS = 4;
const SERIES = 5;
const FIELDS = { "content-encoding": "snappy", "content-type": "application/x-protobuf", "x-prometheus-remote-write-version": "0.1.0" };
const BIN = join(import.meta.dirname, "../../../touchstone.ts");

let folder: string;
let child: ChildProcess | undefined;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "touchstone-kill-"))));
afterEach(async () => {
  await end();
  rmSync(folder, { recursive: true });
});
async function end(): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
async function start(): Promise<string> {
  const args = [
    "serve",
    "metrics",
    "--json",
    "--storage.tsdb.path",
    join(folder, "data"),
    "--web.enable-remote-write-receiver",
    "--no-self-scrape",
  ];
  child = spawn(process.execPath, [BIN, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface(child.stdout!), "line")) as [string];
  return (JSON.parse(line) as { readonly url: string }).url;
}

/** Requests of one writer, one after the other, until the server is gone. Each has a sample of several series at a time of its own. */
async function load(url: string, writer: number, acknowledged: (writer: number, time: number) => void, next: () => number): Promise<void> {
  const requests = new RequestWriter("prometheus.WriteRequest");
  const all = Array.from({ length: SERIES }, (_, at) =>
    requests.forms.of(Labels.of({ __name__: "kept", series: String(at), writer: String(writer) })),
  );
  for (;;) {
    const time = next();
    const samples = all.map((series) => ({ series, time, value: time % 1_000, isStale: false, histogram: undefined, exemplar: undefined }));
    const content = pack(requests.samples(samples, () => undefined));
    try {
      const response = await fetch(`${url}api/v1/write`, { method: "POST", headers: FIELDS, body: content.slice() });
      if (response.status < 300) acknowledged(writer, time);
      else throw new Error(`answered ${response.status}: ${await response.text()}`);
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

test("killed ten times under load, the server has every sample that it acknowledged", async () => {
  const random = seeded(11);
  const begin = Date.now() - 3_600_000;
  const kept = Array.from({ length: WRITERS }, () => new Set<number>());
  const clocks = Array.from({ length: WRITERS }, () => begin);
  let total = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const url = await start();
    const enough = Promise.withResolvers<void>();
    const goal = total + 20 + Math.floor(random() * 60);
    const acknowledged = (writer: number, time: number): void => {
      kept[writer]!.add(time);
      if (++total >= goal) enough.resolve();
    };
    const writers = clocks.map((_, writer) => load(url, writer, acknowledged, () => (clocks[writer]! += 1_000)));
    await Promise.race([enough.promise, Promise.all(writers)]);
    // Others are on their way.
    await end();
    await Promise.all(writers);
  }
  const url = await start();
  const asked = new URLSearchParams({ query: "kept[2h]", time: String((begin + 3_700_000) / 1_000) });
  const { data } = (await (await fetch(`${url}api/v1/query?${asked}`)).json()) as {
    data: { result: { metric: { writer: string; series: string }; values: [number, string][] }[] };
  };
  expect(data.result).toHaveLength(WRITERS * SERIES);
  for (const { metric, values } of data.result) {
    const found = new Map(values.map(([time, value]) => [Math.round(time * 1_000), Number(value)]));
    const lost = [...kept[Number(metric.writer)]!].filter((time) => found.get(time) !== time % 1_000);
    expect(lost, `writer ${metric.writer}, series ${metric.series}`).toEqual([]);
  }
});
