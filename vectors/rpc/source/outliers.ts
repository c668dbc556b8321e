import type { Vector } from "../../load.ts";
import type { VectorSource, WithoutId } from "../../write.ts";

/** Lives of outlier detection with given calls and given randomness. Append to lists only: the position of a vector is its id. */

type Calls = Readonly<Record<string, readonly [good: number, bad: number]>>;
type Sweep = {
  /** Milliseconds since the first list of addresses. */
  readonly at: number;
  /** Another list of addresses, which comes before the calls. */
  readonly addresses?: readonly string[];
  /** The calls that ended since the sweep before: how many were good, and how many were not. */
  readonly calls: Calls;
  /** Random integers from 0 to 99 in the order in which they are drawn; 0 for all others. */
  readonly random?: readonly number[];
  /** The addresses that are out after the sweep, in the order of the list. */
  readonly out: readonly string[];
};
export type OutlierVector = Vector & {
  /** Permanent, and unique in its file. */
  readonly name: string;
  /** The config of the policy as JSON, without its child. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly addresses: readonly string[];
  readonly sweeps: readonly Sweep[];
};
export type OutlierSource = VectorSource<OutlierVector>;

type Draft = WithoutId<OutlierVector>;
const nameOf = (note: string): string => note.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-+|-+$/g, "");
const FIVE = ["a", "b", "c", "d", "e"] as const;
const INTERVAL = 10_000;

type Life = { readonly flag: string; readonly spec: string; readonly config: object; readonly addresses?: readonly string[] };
/** A life whose sweeps come after each interval. */
const life = (note: string, { flag, spec, config, addresses = FIVE }: Life, ...sweeps: Omit<Sweep, "at">[]): Draft => ({
  name: nameOf(note),
  note,
  spec: `rpc-outlier-detection#${spec}`,
  config: config as OutlierVector["config"],
  addresses,
  sweeps: sweeps.map((sweep, index) => ({ at: (index + 1) * INTERVAL, ...sweep })),
  result: "valid",
  flags: [flag],
});
const refused = (note: string, spec: string, config: object): Draft => ({
  ...life(note, { flag: "Config", spec, config }),
  result: "invalid",
});

const all = (good: number, bad: number, other: Calls = {}, of: readonly string[] = FIVE): Calls => ({
  ...Object.fromEntries(of.map((name) => [name, [good, bad] as const])),
  ...other,
});
const failing = (more: object = {}, whole: object = {}): object => ({ failurePercentageEjection: { ...more }, maxEjectionPercent: 100, ...whole });
const succeeding = (more: object = {}, whole: object = {}): object => ({ successRateEjection: { ...more }, maxEjectionPercent: 100, ...whole });
const NONE: Calls = {};
const FAILURE = "failure-percentage-algorithm";
const SUCCESS = "success-rate-algorithm";
const BEHAVIOR = "outlier-detection-behavior";
const BAD_A = all(100, 0, { a: [0, 100] });

export const source: OutlierSource = {
  about: "lives of outlier detection: which addresses are out after each interval",
  spec: "rpc-outlier-detection#outlier-detection-behavior",
  flags: {
    Threshold: { why: "rates at a threshold, and beside it", bug: "OFF_BY_ONE" },
    Volume: { why: "too few calls, or too few addresses, for a judgement", bug: "MISSING_CHECK" },
    Chance: { why: "enforcement by a random integer", bug: "WRONG_RESULT" },
    Most: { why: "the largest part of the addresses that may be out", bug: "MISSING_CHECK" },
    Return: { why: "how long an address is out", bug: "WRONG_RESULT" },
    Addresses: { why: "another list of addresses", bug: "WRONG_STATE" },
    Config: { why: "configs that are invalid, or leave a value out", bug: "MISSING_CHECK" },
  },
  vectors: [
    // By the percentage of failures.
    life("all calls good", { flag: "Threshold", spec: FAILURE, config: failing() }, { calls: all(100, 0), out: [] }),
    life("all calls of one address bad", { flag: "Threshold", spec: FAILURE, config: failing() }, { calls: BAD_A, out: ["a"] }),
    life("failures at the default threshold", { flag: "Threshold", spec: FAILURE, config: failing() }, { calls: all(100, 0, { a: [15, 85] }), out: [] }),
    life("failures one above the default threshold", { flag: "Threshold", spec: FAILURE, config: failing() }, { calls: all(100, 0, { b: [14, 86] }), out: ["b"] }),
    life("failures at a threshold that floating point misses", { flag: "Threshold", spec: FAILURE, config: failing({ threshold: 29, requestVolume: 1 }) }, { calls: all(100, 0, { c: [71, 29] }), out: [] }),
    life("a threshold of 0 and one failure", { flag: "Threshold", spec: FAILURE, config: failing({ threshold: 0 }) }, { calls: all(100, 0, { d: [99, 1] }), out: ["d"] }),
    life("a threshold of 100 ejects nobody", { flag: "Threshold", spec: FAILURE, config: failing({ threshold: 100 }) }, { calls: all(0, 100), out: [] }),
    life("one call less than the volume", { flag: "Volume", spec: FAILURE, config: failing({ minimumHosts: 4 }) }, { calls: all(100, 0, { a: [0, 49] }), out: [] }),
    life("as many calls as the volume", { flag: "Volume", spec: FAILURE, config: failing({ minimumHosts: 4 }) }, { calls: all(100, 0, { a: [0, 50] }), out: ["a"] }),
    life("one address less than the minimum", { flag: "Volume", spec: FAILURE, config: failing() }, { calls: all(100, 0, { a: [0, 100], e: [49, 0] }), out: [] }),
    life("calls of other intervals do not count", { flag: "Volume", spec: BEHAVIOR, config: failing({ minimumHosts: 1 }) }, { calls: { a: [0, 30] }, out: [] }, { calls: { a: [0, 30] }, out: [] }),
    life("one address may be enough", { flag: "Volume", spec: FAILURE, config: failing({ minimumHosts: 1 }) }, { calls: { a: [0, 50] }, out: ["a"] }),
    // By the rate of success.
    life("equal rates have no outlier", { flag: "Threshold", spec: SUCCESS, config: succeeding() }, { calls: all(50, 50), out: [] }),
    life("one rate of five far below, within the default factor", { flag: "Threshold", spec: SUCCESS, config: succeeding() }, { calls: BAD_A, out: ["a"] }),
    life("a factor of 2000 spares one of five", { flag: "Threshold", spec: SUCCESS, config: succeeding({ stdevFactor: 2_000 }) }, { calls: all(100, 0, { a: [10, 90] }), out: [] }),
    life("a factor of 0 ejects what is below the mean", { flag: "Threshold", spec: SUCCESS, config: succeeding({ stdevFactor: 0 }) }, { calls: all(100, 0, { a: [99, 1], b: [98, 2] }), out: ["a", "b"] }),
    life("rates count, not the number of calls", { flag: "Threshold", spec: SUCCESS, config: succeeding({ stdevFactor: 0 }) }, { calls: { a: [900, 100], b: [90, 10], c: [900, 100], d: [90, 10], e: [80, 20] }, out: ["e"] }),
    life("a rate of 99 calls is not looked at", { flag: "Volume", spec: SUCCESS, config: succeeding({ minimumHosts: 4 }) }, { calls: all(100, 0, { a: [0, 99] }), out: [] }),
    life("four addresses with enough calls are too few", { flag: "Volume", spec: SUCCESS, config: succeeding() }, { calls: all(100, 0, { a: [0, 100], b: [99, 0] }), out: [] }),
    life("both algorithms, each with its outlier", { flag: "Threshold", spec: BEHAVIOR, config: { ...succeeding({ minimumHosts: 5 }), failurePercentageEjection: { threshold: 50, minimumHosts: 1 } }, addresses: [...FIVE, "f"] }, { calls: all(100, 0, { a: [40, 60], f: [10, 50] }, [...FIVE, "f"]), out: ["a", "f"] }),
    // Chance.
    life("a random 49 is less than an enforcement of 50", { flag: "Chance", spec: FAILURE, config: failing({ enforcementPercentage: 50 }) }, { calls: BAD_A, random: [49], out: ["a"] }),
    life("a random 50 is not less than an enforcement of 50", { flag: "Chance", spec: FAILURE, config: failing({ enforcementPercentage: 50 }) }, { calls: BAD_A, random: [50], out: [] }),
    life("an enforcement of 0 ejects nobody", { flag: "Chance", spec: FAILURE, config: failing({ enforcementPercentage: 0 }) }, { calls: BAD_A, random: [0], out: [] }),
    life("an enforcement of 100 ejects always", { flag: "Chance", spec: FAILURE, config: failing() }, { calls: BAD_A, random: [99], out: ["a"] }),
    life("each outlier has its own chance", { flag: "Chance", spec: FAILURE, config: failing({ enforcementPercentage: 30 }) }, { calls: all(0, 100), random: [29, 30, 0, 99, 15], out: ["a", "c", "e"] }),
    life("an outlier by its rate of success has its chance", { flag: "Chance", spec: SUCCESS, config: succeeding({ enforcementPercentage: 10 }) }, { calls: BAD_A, random: [10], out: [] }, { calls: BAD_A, random: [9], out: ["a"] }),
    // How many.
    life("ten percent of five addresses are one", { flag: "Most", spec: FAILURE, config: { failurePercentageEjection: {} } }, { calls: all(0, 100), out: ["a"] }),
    life("forty percent of five addresses are two", { flag: "Most", spec: FAILURE, config: failing({}, { maxEjectionPercent: 40 }) }, { calls: all(0, 100), out: ["a", "b"] }),
    life("forty-one percent of five addresses are three", { flag: "Most", spec: FAILURE, config: failing({}, { maxEjectionPercent: 41 }) }, { calls: all(0, 100), out: ["a", "b", "c"] }),
    life("none may be out", { flag: "Most", spec: FAILURE, config: failing({}, { maxEjectionPercent: 0 }) }, { calls: BAD_A, out: [] }),
    life("those that are out already count", { flag: "Most", spec: FAILURE, config: failing({}, { maxEjectionPercent: 20 }) }, { calls: BAD_A, out: ["a"] }, { calls: all(100, 0, { a: [0, 0], b: [0, 100] }), out: ["a"] }),
    // How long.
    life("out for the base time, and back at the first sweep after it", { flag: "Return", spec: BEHAVIOR, config: failing() }, { calls: BAD_A, out: ["a"] }, { calls: NONE, out: ["a"] }, { calls: NONE, out: ["a"] }, { calls: NONE, out: ["a"] }, { calls: NONE, out: [] }),
    life("a base time of 25 seconds ends before the third sweep", { flag: "Return", spec: BEHAVIOR, config: failing({}, { baseEjectionTime: "25s" }) }, { calls: BAD_A, out: ["a"] }, { calls: NONE, out: ["a"] }, { calls: NONE, out: ["a"] }, { calls: NONE, out: [] }),
    life("the second time is twice as long", { flag: "Return", spec: "ejection-and-un-ejection", config: failing({}, { baseEjectionTime: "15s" }) }, { calls: BAD_A, out: ["a"] }, { calls: NONE, out: ["a"] }, { calls: NONE, out: [] }, { calls: BAD_A, out: ["a"] }, { calls: NONE, out: ["a"] }, { calls: NONE, out: ["a"] }, { calls: NONE, out: ["a"] }, { calls: NONE, out: [] }),
    life("a sweep without an ejection makes the next one shorter again", { flag: "Return", spec: BEHAVIOR, config: failing({}, { baseEjectionTime: "15s" }) }, { calls: BAD_A, out: ["a"] }, { calls: NONE, out: ["a"] }, { calls: NONE, out: [] }, { calls: NONE, out: [] }, { calls: BAD_A, out: ["a"] }, { calls: NONE, out: ["a"] }, { calls: NONE, out: [] }),
    life("no longer than the longest time", { flag: "Return", spec: BEHAVIOR, config: failing({}, { baseEjectionTime: "15s", maxEjectionTime: "18s" }) }, { calls: BAD_A, out: ["a"] }, { calls: NONE, out: ["a"] }, { calls: NONE, out: [] }, { calls: BAD_A, out: ["a"] }, { calls: NONE, out: ["a"] }, { calls: NONE, out: [] }),
    life("a longest time below the base time counts as the base time", { flag: "Return", spec: "lb-policy-config", config: failing({}, { baseEjectionTime: "15s", maxEjectionTime: "1s" }) }, { calls: BAD_A, out: ["a"] }, { calls: NONE, out: ["a"] }, { calls: NONE, out: [] }),
    // Addresses.
    life("an address that leaves and comes back is forgotten", { flag: "Addresses", spec: BEHAVIOR, config: failing() }, { calls: BAD_A, out: ["a"] }, { addresses: ["b", "c", "d", "e"], calls: NONE, out: [] }, { addresses: FIVE, calls: NONE, out: [] }),
    life("an address that stays is still out", { flag: "Addresses", spec: BEHAVIOR, config: failing() }, { calls: BAD_A, out: ["a"] }, { addresses: ["a", "b", "f"], calls: NONE, out: ["a"] }),
    life("calls of an address that has left do not count", { flag: "Addresses", spec: BEHAVIOR, config: failing({ minimumHosts: 1 }) }, { addresses: ["b"], calls: { a: [0, 100], b: [100, 0] }, out: [] }),
    // Configs.
    life("without an algorithm nobody is ejected", { flag: "Config", spec: BEHAVIOR, config: {} }, { calls: all(0, 1_000), out: [] }),
    refused("a negative interval", "validation", { interval: "-1s", failurePercentageEjection: {} }),
    refused("a negative base time", "validation", { baseEjectionTime: "-0.5s", failurePercentageEjection: {} }),
    refused("a negative longest time", "validation", { maxEjectionTime: "-30s", failurePercentageEjection: {} }),
    refused("a duration that is a number", "validation", { interval: 10, failurePercentageEjection: {} }),
    refused("more than 100 percent may be out", "validation", { maxEjectionPercent: 101, failurePercentageEjection: {} }),
    refused("an enforcement of 101 by rates of success", "validation", { successRateEjection: { enforcementPercentage: 101 } }),
    refused("an enforcement of 101 by percentages of failures", "validation", { failurePercentageEjection: { enforcementPercentage: 101 } }),
    refused("a threshold of 101", "validation", { failurePercentageEjection: { threshold: 101 } }),
  ],
};
