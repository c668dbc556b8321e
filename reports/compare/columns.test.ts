import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { sampleResult } from "../sample.ts";
import { readColumns, writeColumns } from "./columns.ts";
import { compacted } from "./published.ts";

const root = mkdtempSync(join(tmpdir(), "touchstone-columns-"));
afterAll(() => rmSync(root, { recursive: true }));
const [nginx, proxy, h2o] = ["nginx", "h2o before ws", "h2o"].map((name, seed) => sampleResult({ name, seed }));
if (nginx === undefined || proxy === undefined || h2o === undefined) throw new Error("there are three");

describe("the columns of a published matrix", () => {
  test("each one is a file, and comes back without its transcripts", () => {
    const folder = join(root, "each");
    expect(writeColumns(folder, [nginx, proxy])).toEqual(["nginx.json.gz", "h2o-before-ws.json.gz"]);
    expect(readColumns(folder)).toEqual([compacted(proxy), compacted(nginx)]);
  });

  test("a column that did not change is not written", () => {
    const folder = join(root, "one");
    writeColumns(folder, [nginx, h2o]);
    const before = readFileSync(join(folder, "nginx.json.gz"));
    utimesSync(join(folder, "nginx.json.gz"), 1, 1);
    expect(writeColumns(folder, [nginx, sampleResult({ name: "h2o", seed: 9 })])).toEqual(["h2o.json.gz"]);
    expect(readFileSync(join(folder, "nginx.json.gz")).equals(before)).toBe(true);
    expect(statSync(join(folder, "nginx.json.gz")).mtimeMs).toBe(1000);
  });

  test("a column that left the matrix is removed", () => {
    const folder = join(root, "left");
    writeColumns(folder, [nginx, h2o]);
    expect(writeColumns(folder, [h2o])).toEqual(["nginx.json.gz"]);
    expect(readdirSync(folder)).toEqual(["h2o.json.gz"]);
  });

  test("a folder that is not there has no columns", () => {
    expect(readColumns(join(root, "nowhere"))).toEqual([]);
  });

  test("two columns that need the same file are refused, and nothing is written", () => {
    const folder = join(root, "twice");
    expect(() => writeColumns(folder, [proxy, { ...h2o, subject: { ...h2o.subject, name: "h2o-before ws" } }])).toThrow(
      "two columns need the same file: h2o-before-ws.json.gz, h2o-before-ws.json.gz",
    );
    expect(readColumns(folder)).toEqual([]);
  });
});
