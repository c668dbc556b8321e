import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningReference, startReference } from "../embedded/server.ts";
import { atATime } from "../../harness/perform.ts";
import { fates, passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { METRICS_QUERY_FAILS as FAILS } from "./query-fails.ts";
import { METRICS_QUERY_FLAWS, MUTE } from "./query-flaws.ts";
import { CONCURRENCY, metricsDriver, metricsServers, readMetricsQueryHints, wrongMetricsServer } from "./query-parties.ts";
import { startMetricsImpostor } from "./query.ts";

let ours: RunningReference;
beforeAll(async () => {
  ours = await startReference();
});
afterAll(() => ours.stop());

const { cases } = metricsServers("");

describe("metrics servers that are wrong on purpose", () => {
  test("every case is failed by an impostor that is wrong about one thing and accepts the control", async () => {
    expect(cases.length).toBeGreaterThan(2_000);
    expect(await uncaught(metricsServers(ours.url), readMetricsQueryHints())).toEqual([]);
  });

  test("the impostor that ignores resets is right about a counter without resets", async () => {
    const steady = ["query-rate-of-steady", "query-increase-of-from-zero", "query-rate-as-the-data-ends", "query-delta-of-up"];
    const asked = cases.filter(({ id }) => steady.includes(id.slice("metrics/".length)));
    const passed = await passedBy({ cases: asked, start: wrongMetricsServer(ours.url), concurrency: CONCURRENCY }, "ignores-resets");
    expect(passed.length).toBe(steady.length);
  });

  test.each(Object.entries(FAILS))("%s fails its own cases", async (name, ids) => {
    const asked = cases.filter(({ id }) => ids.includes(id.slice("metrics/".length)));
    expect(asked.length).toBe(ids.length);
    const subject = await wrongMetricsServer(ours.url)(name);
    const found = await fates(subject.driver, asked, CONCURRENCY);
    await subject.stop();
    expect(asked.filter(({ id }) => found.get(id) !== "fails").map(({ id }) => id)).toEqual([]);
  });

  test.each(MUTE)("the impostor %j passes nothing", async (name) => {
    expect(await passedBy({ cases, start: wrongMetricsServer(ours.url), concurrency: CONCURRENCY }, name)).toEqual([]);
  });

  test("our own server passes every case strictly", async () => {
    const own = metricsDriver(ours.url);
    const { features } = await own.probe();
    expect([...features].filter(([, { has }]) => !has)).toEqual([]);
    await atATime(cases, CONCURRENCY, async (c) => {
      expect(await own.play(c), c.id).toMatchObject({ is: "allowed", index: 0 });
    });
    await own.close();
  });

  test("every flaw has cases that it must fail", () => {
    expect(
      Object.keys(METRICS_QUERY_FLAWS)
        .filter((name) => FAILS[name] === undefined)
        .sort(),
    ).toEqual([...MUTE].sort());
  });

  test("an unknown impostor is refused with the names of the known ones", async () => {
    await expect(startMetricsImpostor("nobody", ours.url)).rejects.toThrow(/Known: one-more, answers-all/);
  });
});
