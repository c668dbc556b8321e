import fc from "fast-check";
import { expect, test } from "vitest";
import { instant } from "../../core/index.ts";
import { OutlierDetection } from "./outlier-detection.ts";
import { highFailurePercentages, lowSuccessRates, type OutlierDetectionConfig } from "./outliers.ts";
import { PickFirst } from "./pick-first.ts";
import { RoundRobin } from "./round-robin.ts";

const EJECTION = { enforcementPercent: 100, minimumHosts: 3, requestVolume: 10 };
const FAILURES: OutlierDetectionConfig = {
  intervalMs: 10_000,
  baseEjectionMs: 30_000,
  maxEjectionMs: 300_000,
  maxEjectionPercent: 100,
  failurePercentage: { ...EJECTION, threshold: 50 },
};
const KEYS = ["a", "b", "c", "d", "e"];
/** A policy around round robin with a connection to each of five addresses. Time begins at 0. */
function around(config: Partial<OutlierDetectionConfig> = {}, random: () => number = () => 0) {
  const policy = new OutlierDetection({ ...FAILURES, ...config }, new RoundRobin(undefined, () => 0), random);
  policy.update(
    KEYS.map((key) => ({ key, family: 4 })),
    instant(0),
  );
  for (const key of KEYS) policy.connected(key, instant(0));
  policy.take();
  return policy;
}
/** Calls of one interval: the number of good and bad ones by address. */
const calls = (policy: OutlierDetection, counts: Readonly<Record<string, readonly [number, number]>>): void => {
  for (const [key, [good, bad]] of Object.entries(counts)) {
    for (let count = 0; count < good; count++) policy.ended(key, true);
    for (let count = 0; count < bad; count++) policy.ended(key, false);
  }
};
/** The addresses that take calls. */
const used = (policy: OutlierDetection): string =>
  [...new Set(Array.from({ length: 20 }, () => policy.pick()).map((pick) => (pick.is === "connection" ? pick.key : pick.is)))]
    .toSorted()
    .join("");
const HEALTHY = { a: [20, 0], b: [20, 0], c: [20, 0], d: [20, 0] } as const;

test("an address whose calls fail is out after the interval, and back after the base time, with its connection", () => {
  const policy = around();
  expect(policy.deadline).toBe(10_000);
  calls(policy, { ...HEALTHY, e: [4, 16] });
  policy.tick(instant(9_999));
  expect(used(policy)).toBe("abcde");
  policy.tick(instant(10_000));
  expect([used(policy), policy.state, policy.take(), policy.deadline]).toEqual(["abcd", "READY", [], 20_000]);
  for (const at of [20_000, 30_000, 40_000]) policy.tick(instant(at));
  expect(used(policy)).toBe("abcd");
  // Not before its time is over, and then only with the next judgement.
  policy.tick(instant(50_000));
  expect([used(policy), policy.take()]).toEqual(["abcde", []]);
});

test("each further ejection is a base time longer, up to the longest; each interval in between takes one back", () => {
  const policy = around({ baseEjectionMs: 15_000, maxEjectionMs: 40_000 });
  let now = 0;
  const intervalsOut = (): number => {
    calls(policy, { ...HEALTHY, e: [0, 20] });
    policy.tick(instant((now += 10_000)));
    let count = 0;
    for (; !used(policy).includes("e"); count++) policy.tick(instant((now += 10_000)));
    return count;
  };
  // 15, 30 and 40 s, looked at every 10 s.
  expect([intervalsOut(), intervalsOut(), intervalsOut(), intervalsOut()]).toEqual([2, 4, 5, 5]);
  for (let count = 0; count < 3; count++) policy.tick(instant((now += 10_000)));
  expect(intervalsOut()).toBe(4);
});

test("a longest time below the base counts as the base", () => {
  const policy = around({ baseEjectionMs: 25_000, maxEjectionMs: 1_000 });
  calls(policy, { ...HEALTHY, e: [0, 20] });
  for (const at of [10_000, 20_000, 30_000]) policy.tick(instant(at));
  expect(used(policy)).toBe("abcd");
  policy.tick(instant(40_000));
  expect(used(policy)).toBe("abcde");
});

test("no further address is ejected when the permitted part is out; the first one always may be", () => {
  const bad = Object.fromEntries(KEYS.map((key) => [key, [0, 20] as const]));
  const out = (maxEjectionPercent: number): string => {
    const policy = around({ maxEjectionPercent });
    calls(policy, bad);
    policy.tick(instant(10_000));
    return used(policy);
  };
  expect([out(0), out(10), out(20), out(21), out(60)]).toEqual(["abcde", "bcde", "bcde", "cde", "de"]);
});

test("all addresses out: calls fail and say why, and the connections stay", () => {
  const policy = around();
  calls(policy, Object.fromEntries(KEYS.map((key) => [key, [0, 20] as const])));
  policy.tick(instant(10_000));
  expect([policy.state, policy.pick(), policy.take()]).toEqual([
    "TRANSIENT_FAILURE",
    { is: "fail", why: "too many calls to the addresses that have a connection have failed" },
    [],
  ]);
});

test("chance spares an outlier as often as the enforcement says", () => {
  const out = (random: number): string => {
    const policy = around({ failurePercentage: { ...EJECTION, threshold: 50, enforcementPercent: 30 } }, () => random);
    calls(policy, { ...HEALTHY, e: [0, 20] });
    policy.tick(instant(10_000));
    return used(policy);
  };
  expect([out(0.29), out(0.3), out(0.999)]).toEqual(["abcd", "abcde", "abcde"]);
});

test("an address that is out is not ejected again by calls that end late, and one that returns to the list begins anew", () => {
  const policy = around({ baseEjectionMs: 10_000 });
  calls(policy, { ...HEALTHY, e: [0, 20] });
  policy.tick(instant(10_000));
  calls(policy, { ...HEALTHY, e: [0, 20] });
  policy.tick(instant(20_000));
  policy.tick(instant(30_000));
  expect(used(policy)).toBe("abcde");
  calls(policy, { ...HEALTHY, e: [0, 20] });
  policy.tick(instant(40_000));
  const list = (keys: readonly string[]) => keys.map((key) => ({ key, family: 4 as const }));
  policy.update(list(["a", "b"]), instant(40_001));
  policy.update(list(KEYS), instant(40_002));
  policy.connected("e", instant(40_003));
  expect(used(policy)).toBe("abe");
});

test("a connection that is lost and made again while its address is out stays out", () => {
  const policy = around();
  calls(policy, { ...HEALTHY, e: [0, 20] });
  policy.tick(instant(10_000));
  policy.lost("e", instant(11_000));
  expect(policy.take()).toEqual([{ is: "resolve" }, { is: "connect", key: "e" }]);
  policy.connected("e", instant(11_001));
  expect(used(policy)).toBe("abcd");
});

test("without an algorithm nothing is judged; around pick_first nothing is excluded", () => {
  const { failurePercentage: _, ...nothing } = FAILURES;
  const off = new OutlierDetection(nothing, new RoundRobin(undefined, () => 0), () => 0);
  off.update([{ key: "a", family: 4 }], instant(0));
  off.connected("a", instant(0));
  expect(off.deadline).toBe(Number.POSITIVE_INFINITY);
  const first = new OutlierDetection(
    { ...FAILURES, failurePercentage: { ...EJECTION, minimumHosts: 1, threshold: 0 } },
    new PickFirst({}, () => 0),
    () => 0,
  );
  first.update([{ key: "a", family: 4 }], instant(0));
  first.wake(instant(0));
  first.connected("a", instant(1));
  calls(first, { a: [0, 50] });
  first.tick(instant(10_000));
  expect([first.state, first.pick()]).toEqual(["READY", { is: "connection", key: "a" }]);
});

test("success rate: below the mean by more than the deviations that the factor permits", () => {
  const counts = [100, 100, 100, 100, 60].map((good) => ({ good, bad: 100 - good }));
  const config = { ...EJECTION, minimumHosts: 5, requestVolume: 100 };
  // The mean is 0.92, the deviation 0.16: 1.9 of them leave 0.616, 2.1 leave 0.584.
  expect(lowSuccessRates(counts, { ...config, stdevFactor: 1_900 })).toEqual([4]);
  expect(lowSuccessRates(counts, { ...config, stdevFactor: 2_100 })).toEqual([]);
  expect(lowSuccessRates(counts.slice(1), { ...config, stdevFactor: 0 })).toEqual([]);
  expect(lowSuccessRates(counts, { ...config, requestVolume: 101, stdevFactor: 0 })).toEqual([]);
});

test("failure percentage: more than the threshold, not just as much; addresses with few calls neither count nor fail", () => {
  const config = { ...EJECTION, minimumHosts: 2, requestVolume: 100, threshold: 85 };
  const counts = [
    { good: 15, bad: 85 },
    { good: 14, bad: 86 },
    { good: 0, bad: 99 },
  ];
  expect(highFailurePercentages(counts, config)).toEqual([1]);
  expect(highFailurePercentages(counts, { ...config, minimumHosts: 3 })).toEqual([]);
});

test("whatever happens: no more than the permitted part and one is out, and everybody is back when all calls are good", () => {
  const interval = fc.dictionary(fc.constantFrom(...KEYS), fc.tuple(fc.nat(30), fc.nat(30)));
  fc.assert(
    fc.property(
      fc.array(interval, { maxLength: 12 }),
      fc.nat(100),
      fc.double({ min: 0, max: 0.99, noNaN: true }),
      (intervals, most, chance) => {
        const successRate = { ...EJECTION, stdevFactor: 500 };
        const policy = around({ maxEjectionPercent: most, successRate }, () => chance);
        let now = 0;
        for (const counts of intervals) {
          calls(policy, counts);
          policy.tick(instant((now += 10_000)));
          const count = used(policy) === "fail" ? 0 : used(policy).length;
          expect(KEYS.length - count).toBeLessThan((most / 100) * KEYS.length + 1);
        }
        for (let count = 0; count < 40; count++) policy.tick(instant((now += 10_000)));
        expect(used(policy)).toBe("abcde");
      },
    ),
  );
});
