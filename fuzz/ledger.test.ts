import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Held, publish, type Run, tableOf, withRun, without } from "./ledger.ts";

const run = (seed: number, date: string): Run => ({
  target: "a/b",
  seed,
  cpuSeconds: 90.4,
  inputs: 1_000,
  branches: { reached: seed, of: 10 },
  date,
});

test("runs add up, and a seed counts once", () => {
  const once = withRun([], run(1, "2026-11-22"));
  expect(withRun(once, run(1, "2026-11-23"))).toBe(once);
  expect(withRun(once, run(2, "2026-11-23"))).toEqual([
    {
      target: "a/b",
      seeds: [1, 2],
      cpuSeconds: 180,
      inputs: 2_000,
      branches: { reached: 2, of: 10 },
      since: "2026-11-22",
      until: "2026-11-23",
    } satisfies Held,
  ]);
});

test("a target that fails begins anew; others keep their time, in the order of their names", () => {
  const both = withRun(withRun([], run(1, "2026-11-22")), { ...run(1, "2026-11-22"), target: "a/a" });
  expect(both.map(({ target }) => target)).toEqual(["a/a", "a/b"]);
  expect(without(both, "a/b").map(({ target }) => target)).toEqual(["a/a"]);
});

test("the table and its data are kept in a folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-ledger-"));
  try {
    publish(folder, (ledger) => withRun(ledger, run(7, "2026-11-22")));
    publish(folder, (ledger) => withRun(ledger, run(8, "2026-11-23")));
    const table = readFileSync(join(folder, "fuzz.md"), "utf8");
    expect(table).toContain("| `a/b` | 2 | 3.0 | 2,000 | 8 of 10 | 2026-11-22 to 2026-11-23 |");
    expect(table).toBe(tableOf(JSON.parse(readFileSync(join(folder, "fuzz.json"), "utf8")) as Held[]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
