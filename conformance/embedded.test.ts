import { describe, expect, test } from "vitest";
import { check } from "./check.ts";
import { embedded } from "./embedded.ts";
import { suiteNames, SUITES } from "./suites.ts";

describe("the reference", () => {
  test("passes every case of every role, strictly, with none skipped", async () => {
    const results = await embedded(SUITES, suiteNames, (_title, part) => check(SUITES, part), {});
    expect(results.map(({ subject }) => subject.role)).toEqual([
      "server",
      "client",
      "proxy",
      "server",
      "client",
      "codec",
      "server",
      "client",
      "codec",
      "server",
      "client",
      "proxy",
      "codec",
      "server",
      "client",
      "server",
      "codec",
      "server",
      "client",
      "server",
      "client",
    ]);
    const others = results.flatMap(({ cases }) => cases.filter(({ verdict }) => verdict !== "pass"));
    expect(others.map(({ id, verdict, reason }) => `${verdict} ${id}: ${reason}`)).toEqual([]);
    expect(results.flatMap(({ cases }) => cases).length).toBeGreaterThan(2450);
  });

  test("a role without a selected case is not started", async () => {
    const started: string[] = [];
    await embedded(
      SUITES,
      suiteNames,
      (title, part) => {
        started.push(title);
        return check(SUITES, part);
      },
      { only: ["hpack/index-zero"] },
    );
    expect(started).toEqual(["hpack codec"]);
  });
});
