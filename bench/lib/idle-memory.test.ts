import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { answered } from "../http1/load.ts";
import { idleConnections, perThing, perThingGroups, withMeasured } from "./idle-memory.ts";

const http1 = { folder: join(import.meta.dirname, "../http1"), name: "touchstone" };

/** A folder with this `memory-subject`. */
function folderWith(subject: string): string {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-idle-memory-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "memory-subject.ts"), subject);
  return folder;
}

test("perThing(): the difference in KiB divided by the count", () => {
  const answer = (held: number, resident: number) => ({ port: 1, held, resident });
  const measures = perThing("stream", answer(5_120, 20_480), answer(1_024, 10_240), 2);
  expect(measures).toEqual({ "resident-per-stream": 5, "heap-per-stream": 2 });
});

test("perThingGroups(): groups named by suite and thing, with a row for each contender", () => {
  const taken = new Map([["ours", { "resident-per-connection": [3, 1, 2], "heap-per-connection": [1] }]]);
  const groups = perThingGroups({ suite: "http1", thing: "connection", title: "an idle connection", taken, note: "100 connections" });
  expect(groups.map(({ id, title, rows }) => [id, title, rows.map(({ subject, median }) => [subject, median])])).toEqual([
    ["http1/resident-per-connection", "Memory of an idle connection", [["ours", 2]]],
    ["http1/heap-per-connection", "JavaScript heap of an idle connection", [["ours", 1]]],
  ]);
});

test("idleConnections(): opens warm-up connections, then the requested number, and measures some KiB for each", async () => {
  let opened = 0;
  const measures = await idleConnections(http1, 100, (port) => {
    opened += 1;
    return answered(port);
  });
  expect(opened).toBe(50 + 100);
  expect(Object.keys(measures)).toEqual(["resident-per-connection", "heap-per-connection"]);
  expect(measures["heap-per-connection"]).toBeGreaterThan(0.5);
  expect(measures["heap-per-connection"]).toBeLessThan(50);
});

test("withMeasured(): reports the status of a server that exits before it answers", async () => {
  const folder = folderWith("process.exit(3);");
  await expect(withMeasured({ folder, name: "any" }, async () => {})).rejects.toThrow("exited with status 3");
});

test("tellMemory(): throws without --expose-gc", async () => {
  const library = JSON.stringify(join(import.meta.dirname, "tell-memory.ts"));
  const folder = folderWith(`
    import { tellMemory } from ${library};
    globalThis.gc = undefined;
    try { tellMemory(1); } catch ({ message }) { process.exit(message.includes("--expose-gc") ? 4 : 5); }
  `);
  await expect(withMeasured({ folder, name: "any" }, async () => {})).rejects.toThrow("exited with status 4");
});
