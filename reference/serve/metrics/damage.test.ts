import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Block } from "../../metrics/tsdb/index.ts";
import { loadPage, serveMetrics } from "./index.ts";

const BIN = fileURLToPath(new URL("../../../bin.js", import.meta.url));
const BEGIN = 1_760_000_400;
const END = BEGIN + 30_000;
const now = (): number => END * 1_000;

const beginOf = (path: string): number =>
  (JSON.parse(readFileSync(join(path, "meta.json"), "utf8")) as { readonly minTime: number }).minTime;

let directory: string;
let block: string;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "touchstone-damage-"));
  const server = await serveMetrics({ directory, now });
  const lines = ["a", "b"].flatMap((job) => Array.from({ length: 500 }, (_, at) => `up{job="${job}"} 1 ${BEGIN + at * 60}\n`));
  loadPage(Buffer.from(`# TYPE up gauge\n${lines.join("")}# EOF\n`), server.database);
  while (server.database.compact(now()));
  await server.close();
  // The oldest block: the samples of the newest one may also be in the log.
  block = readdirSync(directory)
    .filter((name) => /^[\dA-Z]{26}$/.test(name))
    .map((name) => join(directory, name))
    .reduce((a, b) => (beginOf(a) < beginOf(b) ? a : b));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Starts a server on the directory; returns the sample count of each series and the reported damage. */
async function inspect(): Promise<{ readonly samples: number[]; readonly damage: string[]; readonly corruptionCount: number }> {
  await using server = await serveMetrics({ directory, now });
  const get = async (path: string): Promise<unknown> =>
    ((await (await fetch(`${server.url}api/v1/${path}`)).json()) as { data: unknown }).data;
  const { result } = (await get(`query?query=count_over_time(up[10h])&time=${END}`)) as { result: { value: [number, string] }[] };
  const { corruptionCount } = (await get("status/runtimeinfo")) as { corruptionCount: number };
  const { database } = server;
  const damage = [...database.damage.map(({ message }) => message), ...database.log.repairs.map(({ path }) => path)];
  return { samples: result.map(({ value }) => Number(value[1])), damage, corruptionCount };
}

function flip(path: string, at: number): void {
  const octets = readFileSync(path);
  octets[at] = (octets[at] ?? 0) ^ 0x55;
  writeFileSync(path, octets);
}

test("an intact data directory: all samples are read, and no damage is reported", async () => {
  expect(await inspect()).toEqual({ samples: [500, 500], damage: [], corruptionCount: 0 });
});

test.each([
  ["index", "corrupt", (file: string) => flip(file, statSync(file).size >> 1)],
  ["index", "missing", (file: string) => rmSync(file)],
  ["chunks/000001", "corrupt", (file: string) => flip(file, 40)],
  ["chunks/000001", "truncated", (file: string) => truncateSync(file, 4)],
  ["meta.json", "malformed", (file: string) => writeFileSync(file, "{")],
  ["meta.json", "missing", (file: string) => rmSync(file)],
])("a block's %s is %s: the file is named and counted, and all other data is read", async (name, _how, harm) => {
  harm(join(block, name));
  const { samples, damage, corruptionCount } = await inspect();
  expect(damage.some((message) => message.includes(join(block, name)))).toBe(true);
  expect(corruptionCount).toBe(damage.length);
  expect(samples.length).toBe(2);
  expect(Math.min(...samples)).toBeLessThan(500);
  expect(Math.min(...samples)).toBeGreaterThan(300);
});

test.each(["index", "meta.json"])(
  "a block with a damaged %s: moved to the quarantine, and the next start reports no damage",
  async (name) => {
    writeFileSync(join(block, name), "{");
    const { samples } = await inspect();
    expect(existsSync(block)).toBe(false);
    expect(readdirSync(join(directory, "quarantine"))).toEqual([basename(block)]);
    expect(await inspect()).toEqual({ samples, damage: [], corruptionCount: 0 });
  },
);

test("delete_series, one block damaged: deletes from the other blocks and responds with the file and the reason", async () => {
  const harmed = await serveMetrics({ directory, now });
  const { index } = harmed.database.blocks.all[0] as Block;
  const place = index.table.find("job", "a") ?? 0;
  await harmed.close();
  flip(join(block, "index"), place + 8);

  await using server = await serveMetrics({ directory, now, admin: true });
  const response = await fetch(`${server.url}api/v1/admin/tsdb/delete_series?match[]=up{job="a"}`, { method: "POST" });
  const error = `${join(block, "index")} is damaged at ${place}: the checksum of a list of series does not match.`;
  expect([response.status, await response.json()]).toEqual([500, { status: "error", errorType: "internal", error }]);
  const query = await fetch(`${server.url}api/v1/query?query=count_over_time(up[10h])&time=${END}`);
  const { data } = (await query.json()) as { data: { result: unknown[] } };
  // The damaged block holds one hour of this series.
  expect(data.result).toMatchObject([
    { metric: { job: "a" }, value: [END, "60"] },
    { metric: { job: "b" }, value: [END, "500"] },
  ]);
});

test("snapshot, not writable: responds with 500, the path and the reason", async () => {
  await using server = await serveMetrics({ directory, now, admin: true });
  writeFileSync(join(directory, "snapshots"), "a file where a directory should be");
  const response = await fetch(`${server.url}api/v1/admin/tsdb/snapshot`, { method: "POST" });
  const { errorType, error } = (await response.json()) as { errorType: string; error: string };
  expect([response.status, errorType, error.startsWith(join(directory, "snapshots"))]).toEqual([500, "internal", true]);
});

test("quarantined files are reported at startup, with their new place", async () => {
  writeFileSync(join(block, "index"), "{");
  // The damage is in the first of two pages: in the last page the segment would be truncated instead.
  const segment = join(directory, "wal", "00000000");
  const page = Buffer.concat([readFileSync(segment), Buffer.alloc(32_768)]).subarray(0, 32_768);
  writeFileSync(segment, Buffer.concat([page, page]));
  flip(segment, 100);
  const child = spawn(process.execPath, [BIN, "serve", "metrics", "--port", "0", "--storage.tsdb.path", directory], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let errors = "";
  child.stderr.on("data", (text) => (errors += String(text)));
  // It listens: damage is reported before that.
  await new Promise((resolve) => child.stdout.once("data", resolve));
  child.kill("SIGTERM");
  await ended;
  const quarantine = join(directory, "quarantine");
  const lines = errors.split("\n").filter((line) => line.includes(" is damaged at "));
  expect(lines.map((line) => / data is in (\S+): inspect it/.exec(line)?.[1]).sort()).toEqual([
    join(quarantine, basename(block)),
    join(quarantine, "wal", "00000000"),
  ]);
});

test("a damaged segment of the log: the file is named and counted, and the blocks are read", async () => {
  const segment = join(directory, "wal", "00000000");
  flip(segment, 100);
  const { damage, samples, corruptionCount } = await inspect();
  expect(damage).toEqual([segment]);
  expect([samples.length, corruptionCount]).toEqual([2, 1]);
});
