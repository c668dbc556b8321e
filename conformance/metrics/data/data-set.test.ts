import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ServerDriver } from "../driver/server.ts";
import { requests } from "../driver/server-data.ts";
import { serverCases } from "../cases/server/load.ts";
import { everythingAsked } from "../cases/server/asked.ts";
import { BEGIN, dataSet, LENGTH } from "./data-set.ts";
import { dataPage } from "./page.ts";
import { startReference } from "../embedded/server.ts";
import { QUESTIONS } from "../cases/server/questions/index.ts";

const read = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(import.meta.dirname, "..", "cases", "server", "answers", `${file}.json`), "utf8")) as Record<
    string,
    unknown
  >;

describe("data set", () => {
  const all = dataSet();

  test("it is the same everywhere: what the answers were recorded of", () => {
    expect(all.length).toBe(274);
    expect(createHash("sha256").update(dataPage()).digest("hex")).toMatchInlineSnapshot(
      `"5b84669d328fd14407d2f3a679d6614db15172774ff81b130ba6fc3a137aa5b2"`,
    );
  });

  test("it lies within two hours, each series in the order of time", () => {
    for (const { name, times } of all) {
      expect(times.length, name).toBeGreaterThan(0);
      expect(
        times.every((time, at) => time >= BEGIN * 1_000 && time < (BEGIN + LENGTH) * 1_000 && time > (times[at - 1] ?? 0)),
        name,
      ).toBe(true);
    }
  });

  test("no sample is on a whole minute but those that are there for it", () => {
    const on = all.filter(({ times }) => times.some((time) => time % 60_000 === 0)).map(({ name }) => name);
    expect([...new Set(on)]).toEqual(["aligned_total", "aligned"]);
  });

  test("requests have every sample once, later ones in later requests", () => {
    const parts = requests(all);
    const spans = parts.map((part) => part.flatMap(({ samples }) => samples.map(({ time }) => time)));
    expect(spans.flat().length).toBe(all.reduce((sum, { times, stale }) => sum + times.length + stale.length, 0));
    for (const [at, span] of spans.entries()) expect(Math.min(...span)).toBeGreaterThan(Math.max(0, ...(spans[at - 1] ?? [])));
  });
});

describe("queries", () => {
  const asked = everythingAsked();

  test("there are as many instant and range queries as the suite promises", () => {
    expect(asked.filter(({ range }) => range === undefined).length).toBeGreaterThan(900);
    expect(asked.filter(({ range }) => range !== undefined).length).toBeGreaterThan(750);
  });

  test("each has an answer, and no answer is left over", () => {
    for (const file of Object.keys(QUESTIONS)) {
      const words = asked.filter((one) => one.file === file).map((one) => one.words);
      expect(Object.keys(read(file)).sort()).toEqual(words.sort());
    }
  });

  test("what was decided by hand is asked", () => {
    const words = new Set(asked.map((one) => one.words));
    expect(Object.keys(read("decided")).filter((one) => !words.has(one))).toEqual([]);
  });
});

test("driver: cases that need staleness markers are skipped without them, and a wrong answer says what is wrong", async () => {
  await using server = await startReference();
  const driver = new ServerDriver({ url: server.url, timeout: 20_000, verify: false });
  const { features, version } = await driver.probe();
  expect(version).toMatch(/^\d/);
  expect(driver.arrival).toBe("found");
  expect(features.get("staleness markers")?.has).toBe(true);
  const c = serverCases().find(({ id }) => id === "metrics/query-scalars-added")!;
  const wrong = { ...c, allowed: [{ see: { see: "scalar", sample: [BEGIN + 3_611, "3.6"] } }] as const };
  expect(await driver.play(c)).toMatchObject({ is: "allowed", index: 0 });
  expect(await driver.play(wrong)).toMatchObject({ is: "other", reason: "It has 3.5 at 1748739611, not 3.6." });
  expect(driver.expected(wrong)).toEqual(['the scalar "3.6"']);
  await driver.close();
});
