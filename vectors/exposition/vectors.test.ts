import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FAULTS, Page, readOpenMetrics, readText } from "../../reference/metrics/exposition/index.ts";
import { LabelOctets, Labels, METRIC_NAME } from "../../reference/metrics/model/index.ts";
import { linter } from "../lint.ts";
import { kindOf, loadVectors, vectorFiles } from "../load.ts";
import { fileOf, SOURCES } from "./make.ts";
import { type ExpositionKind, judgePage } from "./question.ts";
import { readPage } from "./read.ts";
import type { PageVector } from "./source/craft.ts";

/** Our own strict parsers against the pages, which were written from the text of the specifications. */

const files = vectorFiles().filter((name) => name.startsWith("exposition/"));
const pages = files.flatMap((name) => {
  const file = loadVectors<PageVector>(name);
  const op = kindOf(file) as ExpositionKind;
  if (op !== "exposition-text" && op !== "exposition-openmetrics") return [];
  return file.vectors.map((vector) => ({ title: `${vector.name}: ${vector.note}`, op, vector }));
});

test("every file is valid by its schema and up to date with its source", () => {
  const lint = linter();
  expect(files.flatMap((name) => lint(name))).toEqual([]);
  expect(files).toEqual(
    Object.keys(SOURCES)
      .map((name) => `exposition/${name}`)
      .sort(),
  );
  for (const [name, source] of Object.entries(SOURCES))
    expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8"), `node vectors/exposition/make.ts (${name})`).toBe(
      fileOf(name, source),
    );
  const of = (result: string): number => pages.filter(({ vector }) => vector.result === result).length;
  expect([of("valid") >= 200, of("invalid") >= 240]).toEqual([true, true]);
  expect(new Set(pages.map(({ vector }) => vector.name)).size).toBe(pages.length);
});

test.each(pages)("$title", ({ op, vector }) => {
  const reading = readPage(op, vector.page);
  expect(judgePage(vector, reading)).toBeUndefined();
  expect([reading.error, reading.line, reading.column]).toEqual([vector.fault, vector.line, vector.column]);
  expect(readPage(op, vector.control ?? "# EOF\n").error, "the control").toBeUndefined();
});

test("every valid page: the labels as octets, which a storage takes, are the labels as texts", () => {
  const [page, labels] = [new Page(), new LabelOctets()];
  for (const { title, op, vector } of pages.filter((one) => one.vector.result === "valid")) {
    const fault = (op === "exposition-text" ? readText : readOpenMetrics)(page, Buffer.from(vector.page, "latin1"));
    expect(fault, title).toBeUndefined();
    for (let n = 0; n < page.count; n++) {
      page.labelsInto(n, labels);
      expect(labels.toLabels().flat, title).toEqual(Labels.of([[METRIC_NAME, page.name(n)], ...page.labels(n)]).flat);
    }
  }
});

test("every fault that a small page can show has a page", () => {
  const seen = new Set(pages.map(({ vector }) => vector.fault));
  const limits = Object.entries(FAULTS).filter(([, { spec }]) => spec.endsWith("size-limits"));
  const missing = Object.keys(FAULTS).filter((name) => !seen.has(name) && !limits.some(([limit]) => limit === name));
  expect(missing).toEqual([]);
});

describe("judgePage()", () => {
  const { vector } = pages.find(({ vector: one }) => one.name === "om-exemplar-timestamp")!;
  const good = readPage("exposition-openmetrics", vector.page);
  const [sample] = good.samples;
  test.each([
    ["refused", { samples: [], error: "no" }, "it was refused: no"],
    ["a missing sample", { samples: [] }, "sample 1 is missing"],
    ["a surplus sample", { samples: [sample!, sample!] }, /^sample 2 is unexpected/],
    ["a different name", { samples: [{ ...sample!, name: "x" }] }, 'sample 1: name is "x", not "c_total"'],
    ["a different label", { samples: [{ ...sample!, labels: [["a", "b"] as const] }] }, 'sample 1: labels are [["a","b"]], not []'],
    ["a different value", { samples: [{ ...sample!, value: "2" }] }, 'sample 1: value is "2", not "1"'],
    ["an unexpected timestamp", { samples: [{ ...sample!, timestamp: 5 }] }, "sample 1: timestamp is 5, not absent"],
    ["a different exemplar", { samples: [{ ...sample!, exemplar: { labels: [], value: "0.5" } }] }, /^sample 1: exemplar is/],
    ["a different type", { ...good, families: [{ name: "c", type: "gauge" }] }, 'type of c is "gauge", not "counter"'],
  ])("%s", (_, reading, why) => {
    const due = { ...vector, families: [{ name: "c", type: "counter" }] };
    expect(judgePage(due, good)).toBeUndefined();
    expect(judgePage(due, reading)).toMatch(why);
  });
  test("an accepted invalid page", () => {
    expect(judgePage({ result: "invalid" }, good)).toBe("it was accepted, but must be refused");
  });
  test("a parser may leave out families, exemplars and fractions of a millisecond", () => {
    const { exemplar: _, ...plain } = sample!;
    expect(judgePage(vector, { samples: [plain] })).toBeUndefined();
  });
});
