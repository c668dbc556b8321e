import { expect, test } from "vitest";
import { instant, NEVER } from "../../core/index.ts";
import { LOAD_REPORT, type LoadReport } from "./load-report.ts";
import type { Address, Command } from "./policy.ts";
import type { WeightConfig } from "./reported-weight.ts";
import { RoundRobin } from "./round-robin.ts";

const at = (key: string, weight = 1): Address => ({ key, family: 4, weight });
const text = (commands: readonly Command[]): string[] => commands.map((one) => (one.is === "resolve" ? "resolve" : `${one.is} ${one.key}`));
const WEIGHTS: WeightConfig = { outOfBandMs: undefined, blackoutMs: 0, expirationMs: 10_000, updateMs: 100, errorPenalty: 1 };
/** A policy with a connection to each address. */
function connected(addresses: readonly Address[], weights?: WeightConfig): RoundRobin {
  const policy = new RoundRobin(weights, () => 0);
  policy.update(addresses, instant(0));
  for (const { key } of addresses) policy.connected(key, instant(1));
  policy.take();
  return policy;
}
const picks = (policy: RoundRobin, count: number): string =>
  Array.from({ length: count }, () => policy.pick())
    .map((pick) => (pick.is === "connection" ? pick.key : pick.is))
    .join("");

test("all addresses are connected at once; calls wait for the first, then go to those that are there", () => {
  const policy = new RoundRobin(undefined, () => 0);
  policy.update([at("a"), at("b")], instant(0));
  expect([policy.state, text(policy.take()), policy.pick()]).toEqual(["CONNECTING", ["connect a", "connect b"], { is: "wait" }]);
  policy.connected("b", instant(1));
  expect([policy.state, picks(policy, 3)]).toEqual(["READY", "bbb"]);
});
test("calls go round", () => {
  expect(picks(connected([at("a", 5), at("b"), at("c")]), 9)).toBe("abcabcabc");
});
test("by weight, spread out", () => {
  expect(picks(connected([at("a", 5), at("b", 1), at("c", 1)], WEIGHTS), 7)).toBe("aabacaa");
});
test("an address that fails is tried again by its back-off, and counts as failed until it has a connection", () => {
  const policy = connected([at("a")]);
  policy.lost("a", instant(10));
  expect([policy.state, text(policy.take())]).toEqual(["CONNECTING", ["resolve", "connect a"]]);
  policy.failed("a", "no", instant(20));
  expect([policy.state, policy.pick(), text(policy.take())]).toEqual(["TRANSIENT_FAILURE", { is: "fail", why: "no" }, ["resolve"]]);
  const { deadline } = policy;
  expect(deadline).toBe(810);
  policy.tick(deadline);
  expect([policy.state, text(policy.take()), policy.deadline]).toEqual(["TRANSIENT_FAILURE", ["connect a"], NEVER]);
  policy.connected("a", instant(900));
  expect(policy.state).toBe("READY");
});
test("new addresses join, old ones are dropped", () => {
  const policy = connected([at("a"), at("b")]);
  policy.update([at("b"), at("c")], instant(5));
  expect(text(policy.take())).toEqual(["drop a", "connect c"]);
  policy.connected("c", instant(6));
  expect([...new Set(picks(policy, 4))].toSorted()).toEqual(["b", "c"]);
  policy.update([], instant(7));
  expect([policy.state, policy.pick()]).toEqual(["TRANSIENT_FAILURE", { is: "fail", why: "the name has no address" }]);
});
test("when an address is left out, the others take turns from the next call on", () => {
  const policy = connected([at("a"), at("b"), at("c")]);
  for (let count = 0; count < 3; count++) {
    picks(policy, 1);
    policy.exclude("b", true);
    expect(["acac", "caca"]).toContain(picks(policy, 4));
    policy.exclude("b", false);
    expect([...picks(policy, 3)].toSorted().join("")).toBe("abc");
  }
});

const LOAD: LoadReport = { cpuUtilization: 0.5, applicationUtilization: 0, rpsFractional: 100, eps: 0 };
const report = (policy: RoundRobin, key: string, load: Partial<LoadReport>, now = 2): void =>
  policy.reported?.(key, LOAD_REPORT.encode({ ...LOAD, ...load }), instant(now));
/** How many of the next calls each address has. */
function shares(policy: RoundRobin, count: number): Readonly<Record<string, number>> {
  const all = picks(policy, count);
  return Object.fromEntries([..."abc"].map((key) => [key, all.split(key).length - 1]));
}
const THREE = [at("a"), at("b"), at("c")];

test("reported weights count from the next calculation on; an address without one has their mean", () => {
  const policy = connected(THREE, WEIGHTS);
  expect(policy.deadline).toBe(NEVER);
  report(policy, "a", { rpsFractional: 100 });
  report(policy, "b", { rpsFractional: 300 });
  expect([policy.deadline, shares(policy, 6)]).toEqual([102, { a: 2, b: 2, c: 2 }]);
  policy.tick(instant(101));
  expect(shares(policy, 6)).toEqual({ a: 2, b: 2, c: 2 });
  policy.tick(instant(102));
  expect([policy.deadline, shares(policy, 12)]).toEqual([202, { a: 2, b: 6, c: 4 }]);
  // A weight in a new scale owes nothing in the old one.
  report(policy, "a", { rpsFractional: 1 }, 150);
  report(policy, "b", { rpsFractional: 1 }, 150);
  policy.tick(instant(202));
  expect(shares(policy, 3)).toEqual({ a: 1, b: 1, c: 1 });
});
test("with one report the given weights count", () => {
  const policy = connected([at("a", 3), at("b")], WEIGHTS);
  report(policy, "a", { rpsFractional: 1_000 });
  policy.tick(instant(102));
  expect(shares(policy, 8)).toEqual({ a: 6, b: 2, c: 0 });
  report(policy, "b", { rpsFractional: 1_000 }, 110);
  policy.tick(instant(202));
  expect(shares(policy, 8)).toEqual({ a: 4, b: 4, c: 0 });
});
test("a report expires; afterwards the given weights count, and nothing is calculated any more", () => {
  const policy = connected(THREE.slice(0, 2), { ...WEIGHTS, expirationMs: 300 });
  report(policy, "a", { rpsFractional: 300 });
  report(policy, "b", {});
  policy.tick(instant(301));
  expect([policy.deadline, shares(policy, 8)]).toEqual([401, { a: 6, b: 2, c: 0 }]);
  policy.tick(instant(401));
  expect([policy.deadline, shares(policy, 8)]).toEqual([NEVER, { a: 4, b: 4, c: 0 }]);
});
test("a blackout begins with the first report, and again after another connection or an expired report", () => {
  const policy = connected(THREE.slice(0, 2), { ...WEIGHTS, blackoutMs: 200, expirationMs: 1_000 });
  const reports = (now: number): void => {
    report(policy, "a", { rpsFractional: 300 }, now);
    report(policy, "b", {}, now);
    policy.tick(instant(now));
  };
  const even = { a: 4, b: 4, c: 0 };
  const weighted = { a: 6, b: 2, c: 0 };
  reports(100);
  reports(299);
  expect(shares(policy, 8)).toEqual(even);
  reports(400);
  expect(shares(policy, 8)).toEqual(weighted);
  policy.lost("a", instant(410));
  policy.connected("a", instant(420));
  expect(shares(policy, 8)).toEqual(even);
  reports(500);
  reports(699);
  expect(shares(policy, 8)).toEqual(even);
  reports(800);
  expect(shares(policy, 8)).toEqual(weighted);
  policy.tick(instant(1_900));
  reports(1_901);
  reports(2_050);
  expect(shares(policy, 8)).toEqual(even);
  reports(2_200);
  expect(shares(policy, 8)).toEqual(weighted);
});
test.each<readonly [words: string, load: Partial<LoadReport>, weights: Partial<WeightConfig>, a: number]>([
  ["utilization divides", { cpuUtilization: 0.125 }, {}, 8],
  ["that of the application counts first", { applicationUtilization: 0.25 }, {}, 7],
  ["errors raise it", { eps: 50 }, {}, 3],
  ["errors do not count without a penalty", { eps: 50 }, { errorPenalty: 0 }, 5],
  ["no calls: no report", { rpsFractional: 0 }, {}, 5],
  ["no utilization: no report", { cpuUtilization: 0, eps: 50 }, {}, 5],
  ["a weight that is not a number: no report", { rpsFractional: Number.NaN }, {}, 5],
  ["an infinite weight: no report", { rpsFractional: Infinity, cpuUtilization: 0.1 }, {}, 5],
  ["a negative weight: no report", { eps: -1_000 }, {}, 5],
])("of a report, %s", (_, load, weights, a) => {
  const policy = connected([at("a"), at("b")], { ...WEIGHTS, ...weights });
  report(policy, "a", load);
  report(policy, "b", {});
  policy.tick(instant(200));
  expect(shares(policy, 10)).toEqual({ a, b: 10 - a, c: 0 });
});
test("a report that does not decode, or of an address that is gone, changes nothing", () => {
  const policy = connected([at("a"), at("b")], WEIGHTS);
  policy.reported?.("a", Uint8Array.of(0xff), instant(2));
  report(policy, "gone", {});
  expect(policy.deadline).toBe(NEVER);
});
test("reports are not asked for without weights, and on streams of their own only by the config", () => {
  expect(connected(THREE)).toMatchObject({ reported: undefined, reportsEveryMs: undefined });
  expect(connected(THREE, WEIGHTS)).toMatchObject({ reported: expect.any(Function), reportsEveryMs: undefined });
  expect(connected(THREE, { ...WEIGHTS, outOfBandMs: 5 })).toMatchObject({ reported: expect.any(Function), reportsEveryMs: 5 });
});
