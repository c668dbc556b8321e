import { describe, expect, test } from "vitest";
import { check } from "./check.ts";
import { embedded } from "./embedded.ts";
import type { CaseResult, Result } from "./harness/result.ts";
import { suiteNames, SUITES } from "./suites.ts";

const othersOf = (results: readonly Result[]): CaseResult[] =>
  results.flatMap(({ cases }) => cases.filter(({ verdict }) => verdict !== "pass"));

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
      "client",
      "client",
      "server",
      "client",
      "server",
      "client",
    ]);
    // On a busy machine a control may not be answered in time: what is left is performed again, alone.
    const left = othersOf(results).map(({ id }) => id);
    const again = left.length === 0 ? [] : await embedded(SUITES, suiteNames, (_title, part) => check(SUITES, part), { only: left });
    const others = othersOf(again);
    expect(others.map(({ id, verdict, reason }) => `${verdict} ${id}: ${reason}`)).toEqual([]);
    expect(results.flatMap(({ cases }) => cases).length).toBeGreaterThan(3260);
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

  test("a role that refuses the settings is left out while another takes them", async () => {
    const started: string[] = [];
    const settings = { dialect: "connect" };
    const perform = (title: string, part: Parameters<Parameters<typeof embedded>[2]>[1]) => {
      started.push(title);
      return check(SUITES, { ...part, settings });
    };
    const only = ["rpc/server-connect-unary-proto-http*"];
    const results = await embedded(SUITES, ["rpc"], perform, { only, settingsOf: async () => settings });
    expect(started).toEqual(["rpc server, in the dialects for browsers and plain HTTP"]);
    expect(results.map(({ summary }) => summary.pass)).toEqual([2]);
    const refused = embedded(SUITES, ["rpc"], perform, { settingsOf: async () => ({ dialect: "soap" }) });
    await expect(refused).rejects.toThrow('not "soap"');
  });
});
