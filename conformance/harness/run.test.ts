import { describe, expect, test } from "vitest";
import type { Case } from "./case.ts";
import { type Driver, type Feature, type Played, type Twin, Unreachable } from "./driver.ts";
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

  test("no placeholder of a case is in what readers get", async () => {
    const driver = new Fake();
    driver.expected = () => ["a response to GET {path} with ETag {etag}"];
    driver.answer = () => ({ ...allowed, is: "skip", reason: 'GET {path} is answered with {"a":{}}' });
    const { cases } = await run(driver, [one("a")]);
    expect(cases[0]).toMatchObject({
      reason: expect.stringContaining('GET the path of the server is answered with {"a":{}}') as string,
      expected: ["a response to GET the path of the server with ETag the etag of the server"],
    });
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

  test("an early end says how many of how many cases ran; a whole run says nothing", async () => {
    const stop = new AbortController();
    const onResult = (): void => stop.abort();
    const cut = await run(new Fake(), [one("a"), one("b")], { concurrency: 1, signal: stop.signal, onResult });
    expect(cut.partial).toEqual({ ran: 1, of: 2, why: "interrupted" });
    expect((await run(new Fake(), [one("a")])).partial).toBeUndefined();
  });

  test("a run stops at a case that stands, and says so", async () => {
    const driver = new Fake();
    driver.answer = (c) => (c.id === "http2/b" ? { ...allowed, is: "other" } : allowed);
    const stopsAt = ({ verdict }: { verdict: string }): boolean => verdict === "fail";
    const { cases, partial } = await run(driver, [one("a"), one("b"), one("c")], { concurrency: 1, stopsAt });
    expect(cases.map(({ verdict }) => verdict)).toEqual(["pass", "fail"]);
    expect(partial).toEqual({ ran: 2, of: 3, why: "fail-fast" });
  });

  test("a run goes on if the case that would stop it does not stand", async () => {
    const driver = new Fake();
    let first = true;
    driver.answer = (c) => {
      if (c.id !== "http2/b" || !first) return allowed;
      first = false;
      return { ...allowed, is: "other" };
    };
    const stopsAt = ({ verdict }: { verdict: string }): boolean => verdict === "fail";
    const { cases, partial } = await run(driver, [one("a"), one("b"), one("c")], { concurrency: 1, stopsAt });
    expect(cases.map(({ verdict }) => verdict)).toEqual(["pass", "pass", "pass"]);
    expect(partial).toBeUndefined();
  });

  test("no value of a secret is in the results", async () => {
    const driver = new Fake();
    driver.answer = () => ({ ...allowed, observed: "it sent Basic abcd back" });
    const { cases } = await run(driver, [one("a")], { secrets: ["Basic abcd"] });
    expect(cases[0]?.observed).toBe("it sent ********** back");
  });

  test("a subject that does not answer at once is waited for, with patience", async () => {
    const driver = new Fake();
    const probe = driver.probe.bind(driver);
    let attempts = 0;
    driver.probe = async () => {
      attempts += 1;
      if (attempts < 3) throw new Unreachable("not yet");
      return probe();
    };
    await expect(run(driver, [one("a")])).rejects.toThrow("not yet");
    const { summary } = await run(driver, [one("a")], { patience: { ms: 5_000 } });
    expect(summary.pass).toBe(1);
  });
});
