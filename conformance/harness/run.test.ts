import { describe, expect, test } from "vitest";
import type { Case } from "./case.ts";
import type { Driver, Feature, Played, Twin } from "./driver.ts";
import { runCases } from "./run.ts";

type C = Case<unknown, unknown>;
const one = (id: string, change: Partial<C> = {}): C => ({
  id: `http2/${id}`,
  spec: "rfc9113#6.9",
  covers: ["rfc9113#6.9/x"],
  level: "MUST",
  role: "server",
  title: "T.",
  steps: [id],
  control: ["legal"],
  allowed: [{ see: "it" }],
  ...change,
});
const allowed: Played = { is: "allowed", index: 0, reason: "", observed: "it", transcript: [] };
const accepted: Twin = { is: "accepted", reason: "", transcript: [] };

class Fake implements Driver {
  readonly role = "server";
  readonly controls: unknown[] = [];
  readonly played: string[] = [];
  atOnce = 0;
  most = 0;
  answer: (c: C) => Played | Promise<Played> = () => allowed;
  features = new Map<string, Feature>([["body", { has: false, how: "no content" }]]);
  probe = async () => ({ features: this.features, version: "fake/1" });
  play = async (c: C): Promise<Played> => {
    this.played.push(c.id);
    this.most = Math.max(this.most, ++this.atOnce);
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    this.atOnce -= 1;
    return this.answer(c);
  };
  control = async (c: C): Promise<Twin> => {
    this.controls.push(c.control);
    return accepted;
  };
  controlKey = (c: C): string => JSON.stringify(c.control);
  expected = (): string[] => ["it"];
  close = async (): Promise<void> => {};
}
const run = (driver: Fake, cases: readonly C[], more: Partial<Parameters<typeof runCases>[0]> = {}) =>
  runCases({ suite: "http2", driver, cases, all: cases, subject: { name: "s", target: "t" }, concurrency: 4, ...more });

describe("runCases()", () => {
  test("identical controls are performed once a run", async () => {
    const driver = new Fake();
    const { summary, subject } = await run(driver, [one("a"), one("b"), one("c", { control: ["other"] })]);
    expect(driver.controls).toEqual([["legal"], ["other"]]);
    expect(summary.pass).toBe(3);
    expect(subject).toMatchObject({ role: "server", version: "fake/1" });
  });

  test("runs at most `concurrency` cases at a time", async () => {
    const driver = new Fake();
    await run(
      driver,
      Array.from({ length: 20 }, (_, at) => one(`c${at}`)),
    );
    expect(driver.most).toBe(4);
  });

  test("results are in the order of the cases, whatever the seed", async () => {
    const cases = Array.from({ length: 12 }, (_, at) => one(`c${at}`));
    const driver = new Fake();
    const { cases: results } = await run(driver, cases, { seed: 7, concurrency: 1 });
    expect(results.map(({ id }) => id)).toEqual(cases.map(({ id }) => id));
    expect(driver.played).not.toEqual(cases.map(({ id }) => id));
    const again = new Fake();
    await run(again, cases, { seed: 7, concurrency: 1 });
    expect(again.played).toEqual(driver.played);
  });

  test("a feature that the subject lacks is a skip with its reason; an unknown feature is an error", async () => {
    const { cases } = await run(new Fake(), [one("a", { needs: ["body"] }), one("b", { needs: ["luck"] })]);
    expect(cases[0]).toMatchObject({ verdict: "skip", reason: "Not offered (body): no content." });
    expect(cases[1]).toMatchObject({ verdict: "error" });
  });

  test("a case is unproved, not skipped, if the run expects the feature that it needs", async () => {
    const { cases } = await run(new Fake(), [one("a", { needs: ["body"] })], { offers: ["body"] });
    expect(cases[0]).toMatchObject({ verdict: "unproved", reason: "Not offered (body): no content. The run was to expect it." });
  });

  test("a case that throws is an error, and the others go on", async () => {
    const driver = new Fake();
    driver.answer = (c) => {
      if (c.id === "http2/a") throw new Error("no luck");
      return allowed;
    };
    const { cases, summary } = await run(driver, [one("a"), one("b")]);
    expect(cases[0]).toMatchObject({ verdict: "error", reason: "The harness failed: no luck" });
    expect(summary).toMatchObject({ error: 1, pass: 1 });
  });

  test("an early end keeps the results so far", async () => {
    const driver = new Fake();
    const stop = new AbortController();
    const { cases } = await run(driver, [one("a"), one("b"), one("c")], {
      concurrency: 1,
      signal: stop.signal,
      onResult: () => stop.abort(),
    });
    expect(cases.map(({ id }) => id)).toEqual(["http2/a"]);
  });
});
