import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { DamagedFile } from "./damaged.ts";
import { gzip } from "./gzip.ts";
import { toJson } from "./json.ts";
import { sampleBench, sampleResult } from "./sample.ts";
import { problem, readReport, readResults } from "./validate.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-validate-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const messageOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    if (error instanceof DamagedFile) return error.message;
    throw error;
  }
  return "";
};

const sample = sampleResult({ version: "1.52.0" });

describe("schemas", () => {
  test("a result, a bench result and a list of cases fit theirs", () => {
    expect(problem("result", sample)).toBeUndefined();
    expect(problem("bench", sampleBench())).toBeUndefined();
    expect(
      problem("list", [{ id: "http2/x", spec: "rfc9113#6.9", level: "MUST NOT", role: "client", title: "It does not." }]),
    ).toBeUndefined();
  });

  test("accepts members that a later version adds", () => {
    expect(problem("result", { ...sample, later: true, subject: { ...sample.subject, later: 1 } })).toBeUndefined();
  });

  const [first, ...others] = sample.cases;
  test.each([
    ["a verdict that there is not", { ...sample, cases: [{ ...first, verdict: "passed" }, ...others] }, 'cases/0/verdict is "passed"'],
    ["a member left out", { ...sample, summary: undefined }, 'the document lacks "summary"'],
    ["a summary with words for numbers", { ...sample, summary: { ...sample.summary, fail: "3" } }, "summary/fail must be integer"],
    ["invalid hex", { ...sample, cases: [{ ...first, transcript: [{ at: 0, way: "->", means: "x", hex: "zz" }] }] }, "transcript/0/hex"],
    ["an address without a section", { ...sample, cases: [{ ...first, spec: "6.9" }] }, "cases/0/spec"],
    ["no object", 7, "the document must be object"],
  ])("%s is named with its place", (_, value, words) => {
    expect(problem("result", JSON.parse(JSON.stringify(value)))).toContain(words);
  });

  test.each([
    ["an id that is not words", { id: "17", spec: "rfc9113#6.9", level: "MUST", role: "server", title: "x" }],
    ["a level that there is not", { id: "http2/x", spec: "rfc9113#6.9", level: "OUGHT", role: "server", title: "x" }],
  ])("a list with %s is refused", (_, entry) => {
    expect(problem("list", [entry])).toBeDefined();
  });

  test("a section of every document that has requirements is an address", () => {
    const documents = readdirSync(new URL("../conformance/requirements/", import.meta.url))
      .filter((file) => file.endsWith(".json") && file !== "titles.json")
      .map((file) => file.replace(".json", ""));
    expect(documents.length).toBeGreaterThan(20);
    const addressed = (doc: string) => ({ ...sample, cases: [{ ...first, spec: `${doc}#1` }, ...others] });
    expect(documents.filter((doc) => problem("result", addressed(doc)) !== undefined)).toEqual([]);
    const entry = { id: "http2/x", level: "MUST", role: "client", title: "It does." };
    expect(documents.filter((doc) => problem("list", [{ ...entry, spec: `${doc}#1` }]) !== undefined)).toEqual([]);
  });

  test("a bench row without samples is refused", () => {
    const { groups, ...rest } = sampleBench();
    expect(
      problem("bench", { ...rest, groups: groups.map((g) => ({ ...g, rows: [{ subject: "x", median: 1, spread: [1, 1] }] })) }),
    ).toContain('lacks "samples"');
  });
});

describe("saved files", () => {
  test("reads back what the JSON writer wrote: one result, or several", () => {
    expect(readResults(file("one.json", toJson([sample])))).toEqual([sample]);
    const client = sampleResult({ role: "client", seed: 2 });
    expect(readResults(file("two.json", toJson([sample, client])))).toEqual([sample, client]);
  });

  test("reads a file in gzip, whatever its name is", () => {
    expect(readResults(file("one.json.gz", gzip(toJson([sample]))))).toEqual([sample]);
    expect(readResults(file("packed.json", gzip(toJson([sample]))))).toEqual([sample]);
  });

  test("distinguishes a bench result from a result", () => {
    const read = readReport(file("both.json", JSON.stringify([sample, sampleBench()])));
    expect(read).toEqual({ results: [sample], benches: [sampleBench()], connections: [] });
    expect(messageOf(() => readResults(file("bench.json", JSON.stringify(sampleBench()))))).toContain(
      'this command needs results of "touchstone check"',
    );
  });

  test.each([
    ["missing", () => join(folder, "nowhere.json"), "there is no such file (ENOENT)"],
    ["a folder", () => folder, "it is a folder"],
    ["empty", () => file("empty.json", ""), "is not JSON: it is empty"],
    ["cut short", () => file("short.json", toJson([sample]).slice(0, 5000)), "is not JSON"],
    [
      "gzip that is cut short",
      () => file("short.json.gz", gzip(toJson([sample])).subarray(0, 900)),
      "cannot be read: unexpected end of file",
    ],
    ["binary", () => file("binary.json", "\u001b]0;x\u0007{"), "is not JSON"],
    ["an empty list", () => file("none.json", "[]"), "empty list"],
    ["something else", () => file("package.json", '{"name":"x"}'), 'is not a result of Touchstone: the document lacks "subject"'],
    ["wrong in its second entry", () => file("second.json", JSON.stringify([sample, {}])), "entry 2: the document lacks"],
    ["null", () => file("null.json", "null"), "the document must be object"],
  ])("a file that is %s gives one line with its path", (_, make, words) => {
    const path = make();
    const message = messageOf(() => readResults(path));
    expect(message).toContain(words);
    expect(message.startsWith(`${path}: `)).toBe(true);
    // oxlint-disable-next-line no-control-regex
    expect(message).not.toMatch(/[\u0000-\u001f\u007f]/);
  });
});
