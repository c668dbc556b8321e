import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { sampleBench, sampleResult } from "./sample.ts";
import { readResults } from "./validate.ts";
import { writeBenchPage, writeReports } from "./write.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-write-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const result = sampleResult({ cases: 20 });

describe("writeReports()", () => {
  test("writes the requested reports and nothing else", async () => {
    const reports = await writeReports(result, { json: at("r.json"), junit: at("r.xml"), html: at("r.html"), markdown: at("r.md") });
    expect(reports.map(({ format, path, problem }) => [format, path, problem])).toEqual([
      ["json", at("r.json"), undefined],
      ["junit", at("r.xml"), undefined],
      ["html", at("r.html"), undefined],
      ["markdown", at("r.md"), undefined],
    ]);
    expect(readResults(at("r.json"))).toEqual([result]);
    expect(readFileSync(at("r.xml"), "utf8")).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites>\n/);
    expect(readFileSync(at("r.html"), "utf8")).toMatch(/^<!doctype html>/);
    expect(readFileSync(at("r.md"), "utf8")).toMatch(/^# Touchstone/);
    expect(await writeReports([], {})).toEqual([]);
  });

  test("one path fails: the others are written, and its report is kept elsewhere", async () => {
    mkdirSync(at("folder.json"));
    const reports = await writeReports(
      [result, sampleResult({ role: "client" })],
      { json: at("folder.json"), markdown: at("kept.md") },
      { fallback: folder },
    );
    expect(reports[0]?.problem).toContain("it is a folder");
    expect(readResults(reports[0]?.path ?? "")).toHaveLength(2);
    expect(reports[1]).toEqual({ format: "markdown", wanted: at("kept.md"), path: at("kept.md") });
  });

  test("prints annotations to the given function", async () => {
    const print = vi.fn<(text: string) => void>();
    await writeReports(result, { github: true }, { print });
    expect(print).toHaveBeenCalledOnce();
    expect(print.mock.calls[0]?.[0]).toContain("::notice title=http2 server%3A nghttpd::");
  });
});

test("writeBenchPage(): writes a page with charts, and reports a path that cannot be written", async () => {
  await writeBenchPage(sampleBench(), at("bench.html"));
  expect(readFileSync(at("bench.html"), "utf8")).toContain("HPACK decoding");
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  await writeBenchPage(sampleBench(), folder);
  expect(said).toHaveBeenCalledWith(expect.stringContaining(`cannot write ${folder}: it is a folder`));
  said.mockRestore();
});
