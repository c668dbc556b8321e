import type { CallSpec, ServerSpec, Step } from "../../client-vocabulary.ts";
import { calls, FAILS, outcomes, REFUSES, served, SERVES, warmAll, withConfig } from "./balance-phrases.ts";
import { all, good, received, refused, type Row } from "./phrases.ts";

/** Outlier detection (rpc-outlier-detection): all cases have short intervals, and give the client two of them. */

const NEEDS = ["addresses", "outlier-detection"];
const SPEC = "rpc-outlier-detection";
/** Longer than two intervals. */
const SWEEPS_MS = 1_500;
const INTERVAL = "0.6s";

type Ejection = { readonly [name: string]: number };
type Of = {
  readonly servers?: readonly ServerSpec[];
  readonly config?: Readonly<Record<string, unknown>>;
  readonly child?: string;
};
/** One address suffices: a sweep may come while its calls are on their way. */
const failing = (more: Ejection = {}): Readonly<Record<string, unknown>> => ({
  failurePercentageEjection: { threshold: 50, enforcementPercentage: 100, minimumHosts: 1, requestVolume: 1, ...more },
});
const succeeding = (more: Ejection = {}): Readonly<Record<string, unknown>> => ({
  successRateEjection: { stdevFactor: 500, enforcementPercentage: 100, minimumHosts: 3, requestVolume: 1, ...more },
});
const detecting = ({ config = failing(), child = "round_robin" }: Of): unknown => ({
  loadBalancingConfig: [
    {
      outlier_detection: {
        interval: INTERVAL,
        baseEjectionTime: "60s",
        maxEjectionPercent: 100,
        childPolicy: [{ [child]: {} }],
        ...config,
      },
    },
  ],
});
const THREE: readonly ServerSpec[] = [SERVES, FAILS, SERVES];
const SHARE = 4;
const AFTER = 12;

/**
 * One call until all connections stand; four calls for each server; one call that is held until the sweeps are over; then twelve calls. The
 * held call stands at a server that is good, if the client spreads its calls.
 */
function judged(of: Of, more: { readonly holdMs?: number; readonly after?: readonly CallSpec[] } = {}): Step[] {
  const { servers = THREE } = of;
  const { holdMs = SWEEPS_MS, after = calls(AFTER) } = more;
  const held = 2 + SHARE * servers.length;
  return [
    withConfig(servers, detecting(of), { later: calls(SHARE * servers.length), more: [calls(1), after] }),
    ...warmAll(servers),
    received(held),
    { do: "wait", ms: holdMs },
    ...good(held),
  ];
}
/** The number of the first request after the sweeps. */
const afterwards = (servers = 3): number => 3 + SHARE * servers;
const out = (server: number, servers = 3) => served(server, 0, afterwards(servers));
const has = (server: number, count: number | readonly [number, number], servers = 3) => served(server, count, afterwards(servers));
const CONTROL = judged({ servers: [SERVES, SERVES, SERVES] });
const KEPT = all(has(1, 4), has(2, 4), has(3, 4));

/** The failing one of three servers keeps its share. */
const kept: readonly (readonly [id: string, title: string, covers: Row["covers"], config: Readonly<Record<string, unknown>>])[] = [
  ["without-algorithm", "Without an algorithm no address is ejected.", `${SPEC}#outlier-detection-behavior/sweep`, {}],
  [
    "few-hosts",
    "No address is ejected if fewer addresses than minimumHosts have calls.",
    `${SPEC}#failure-percentage-algorithm/volume`,
    failing({ minimumHosts: 4 }),
  ],
  [
    "few-calls",
    "No address is ejected that has fewer calls than requestVolume.",
    `${SPEC}#failure-percentage-algorithm/volume`,
    failing({ requestVolume: 50 }),
  ],
  [
    "not-enforced",
    "No address is ejected if the percentage of enforcement is 0.",
    `${SPEC}#success-rate-algorithm/chance`,
    failing({ enforcementPercentage: 0 }),
  ],
  [
    "threshold-100",
    "No address is ejected if the threshold is 100%, which nothing exceeds.",
    `${SPEC}#failure-percentage-algorithm/threshold`,
    failing({ threshold: 100 }),
  ],
  [
    "default-hosts",
    "By default five addresses need calls before one is ejected.",
    `${SPEC}#failure-percentage-algorithm/volume`,
    { failurePercentageEjection: { threshold: 50, enforcementPercentage: 100, requestVolume: 1 } },
  ],
  [
    "default-volume",
    "By default an address needs 50 calls to be judged.",
    `${SPEC}#failure-percentage-algorithm/volume`,
    { failurePercentageEjection: { threshold: 50, enforcementPercentage: 100, minimumHosts: 3 } },
  ],
  [
    "rate-few-hosts",
    "By success rate no address is ejected if fewer addresses than minimumHosts have calls.",
    `${SPEC}#success-rate-algorithm/volume`,
    succeeding({ minimumHosts: 4 }),
  ],
  [
    "rate-few-calls",
    "By success rate no address is ejected that has fewer calls than requestVolume.",
    `${SPEC}#success-rate-algorithm/volume`,
    succeeding({ requestVolume: 100 }),
  ],
  [
    "rate-not-enforced",
    "By success rate no address is ejected if the percentage of enforcement is 0.",
    `${SPEC}#success-rate-algorithm/chance`,
    succeeding({ enforcementPercentage: 0 }),
  ],
  [
    "rate-wide",
    "By success rate no address is ejected that is within the factor times the standard deviation.",
    `${SPEC}#success-rate-algorithm/threshold`,
    succeeding({ stdevFactor: 1_900 }),
  ],
];
/** The failing one of three servers is out. */
const ejected: readonly (readonly [id: string, title: string, covers: Row["covers"], config: Readonly<Record<string, unknown>>])[] = [
  [
    "failure",
    "An address whose calls fail more than the threshold is ejected.",
    `${SPEC}#failure-percentage-algorithm/threshold`,
    failing(),
  ],
  [
    "threshold-99",
    "An address all of whose calls fail exceeds a threshold of 99%.",
    `${SPEC}#failure-percentage-algorithm/threshold`,
    failing({ threshold: 99 }),
  ],
  [
    "default-threshold",
    "By default an address is ejected of whose calls more than 85% fail.",
    `${SPEC}#failure-percentage-algorithm/threshold`,
    { failurePercentageEjection: { enforcementPercentage: 100, minimumHosts: 1, requestVolume: 1 } },
  ],
  [
    "default-enforcement",
    "By default an outlier by failures is ejected in every case.",
    `${SPEC}#success-rate-algorithm/chance`,
    { failurePercentageEjection: { threshold: 50, minimumHosts: 1, requestVolume: 1 } },
  ],
  [
    "default-most",
    "By default one address may be out, whatever part of all it is.",
    [`${SPEC}#success-rate-algorithm/most`, `${SPEC}#lb-policy-config/defaults`],
    { ...failing(), maxEjectionPercent: undefined },
  ],
  ["rate", "An address whose success rate is too far below the mean is ejected.", `${SPEC}#success-rate-algorithm/threshold`, succeeding()],
  [
    "rate-default-enforcement",
    "By default an outlier by success rate is ejected in every case.",
    `${SPEC}#success-rate-algorithm/chance`,
    { successRateEjection: { stdevFactor: 500, minimumHosts: 3, requestVolume: 1 } },
  ],
  [
    "longest-below-base",
    "An address stays out for baseEjectionTime although maxEjectionTime is shorter.",
    `${SPEC}#lb-policy-config/longest`,
    { ...failing(), maxEjectionTime: "0.1s" },
  ],
  [
    "both",
    "With both algorithms one of them suffices.",
    `${SPEC}#outlier-detection-behavior/sweep`,
    { ...failing({ threshold: 100 }), ...succeeding() },
  ],
];
/** Values that make the config invalid. */
const invalid: readonly (readonly [
  id: string,
  words: string,
  requirement: "durations" | "percentages",
  config: Readonly<Record<string, unknown>>,
])[] = [
  ["interval", "a negative interval", "durations", { interval: "-1s" }],
  ["base-time", "a negative baseEjectionTime", "durations", { baseEjectionTime: "-1s" }],
  ["longest-time", "a negative maxEjectionTime", "durations", { maxEjectionTime: "-0.5s" }],
  ["most", "a maxEjectionPercent of 101", "percentages", { maxEjectionPercent: 101 }],
  ["threshold", "a threshold of 101", "percentages", failing({ threshold: 101 })],
  ["enforcement", "a percentage of enforcement of 101", "percentages", failing({ enforcementPercentage: 101 })],
  ["rate-enforcement", "a percentage of enforcement of 101 by success rate", "percentages", succeeding({ enforcementPercentage: 101 })],
];

export const rows: readonly Row[] = [
  ...ejected.map(([id, title, covers, config]): Row => ({
    id: `outlier-${id}`,
    title,
    covers,
    needs: NEEDS,
    steps: judged({ config }),
    control: CONTROL,
    allowed: all(out(2), has(1, 6), has(3, 6), outcomes(SHARE, "UNAVAILABLE")),
  })),
  ...kept.map(([id, title, covers, config]): Row => ({
    id: `outlier-kept-${id}`,
    title,
    covers,
    needs: NEEDS,
    steps: judged({ config }),
    control: CONTROL,
    allowed: KEPT,
  })),
  {
    id: "outlier-none",
    title: "No address is ejected when no calls fail.",
    covers: `${SPEC}#failure-percentage-algorithm/threshold`,
    needs: NEEDS,
    steps: CONTROL,
    allowed: all(outcomes(1 + 3 * SHARE + 1 + AFTER), KEPT),
  },
  {
    id: "outlier-connection-kept",
    title: "The connection to an ejected address stays.",
    covers: `${SPEC}#ejection-and-un-ejection/multiplier`,
    needs: NEEDS,
    steps: judged({}),
    control: CONTROL,
    allowed: all(out(2), { see: "reached", server: 2, count: 1 }),
  },
  {
    id: "outlier-reconnects",
    title: "An address whose connection is lost is connected again, and has its share of the calls.",
    covers: "rpc-balancing#round-robin/reconnects",
    needs: NEEDS,
    steps: [
      withConfig([SERVES, SERVES], detecting({}), { later: calls(6) }),
      received(1),
      { do: "await", see: { see: "connected", servers: [1, 2] } },
      { do: "goaway", request: 1, last: "all" },
      { do: "wait", ms: 300 },
      ...good(1),
    ],
    allowed: all(outcomes(7), served(1, 3, 2), served(2, 3, 2), { see: "connections", count: 3 }),
  },
  {
    id: "outlier-returns",
    title: "An ejected address has its share again after its time.",
    covers: `${SPEC}#outlier-detection-behavior/return`,
    needs: NEEDS,
    steps: judged({ config: { ...failing(), baseEjectionTime: "0.2s", maxEjectionTime: "0.2s" } }, { holdMs: 2_300 }),
    control: CONTROL,
    allowed: has(2, 4),
  },
  {
    id: "outlier-most",
    title: "Of two outliers among four addresses one is ejected, if 25% may be out.",
    covers: `${SPEC}#success-rate-algorithm/most`,
    needs: NEEDS,
    steps: judged({ servers: [SERVES, FAILS, FAILS, SERVES], config: { ...failing(), maxEjectionPercent: 25 } }),
    control: CONTROL,
    allowed: { see: "any", of: [all(out(2, 4), has(3, 4, 4)), all(has(2, 4, 4), out(3, 4))] },
  },
  {
    id: "outlier-two",
    title: "Two outliers among four addresses are ejected, if all may be out.",
    covers: `${SPEC}#failure-percentage-algorithm/threshold`,
    needs: NEEDS,
    steps: judged({ servers: [SERVES, FAILS, FAILS, SERVES] }),
    control: CONTROL,
    allowed: all(out(2, 4), out(3, 4), has(1, 6, 4), has(4, 6, 4)),
  },
  {
    id: "outlier-without-connection",
    title: "An address without a connection has no calls, and is no outlier: the two others stay below minimumHosts.",
    covers: `${SPEC}#failure-percentage-algorithm/volume`,
    needs: NEEDS,
    steps: [
      withConfig([SERVES, FAILS, REFUSES], detecting({ config: failing({ minimumHosts: 3 }) }), {
        later: calls(8),
        more: [calls(1), calls(AFTER)],
      }),
      received(1),
      { do: "await", see: { see: "connected", servers: [1, 2] } },
      { do: "wait", ms: 100 },
      ...good(1),
      received(10),
      { do: "wait", ms: SWEEPS_MS },
      ...good(10),
    ],
    control: CONTROL,
    allowed: all(served(1, 6, 11), served(2, 6, 11)),
  },
  {
    id: "outlier-pick-first",
    title: "Outlier detection has no effect on pick_first.",
    covers: "rpc-happy-eyeballs#generic-health-reporting-mechanism/alone",
    needs: NEEDS,
    steps: [
      withConfig([FAILS, SERVES], detecting({ child: "pick_first", config: failing() }), {
        later: calls(8),
        more: [calls(1), calls(6)],
      }),
      ...good(1),
      received(10),
      { do: "wait", ms: SWEEPS_MS },
      ...good(10),
    ],
    control: CONTROL,
    allowed: all(served(1, 6, 11), outcomes(14, "UNAVAILABLE")),
  },
  ...invalid.map(([id, words, requirement, config]): Row => ({
    id: `outlier-invalid-${id}`,
    title: `A service config with ${words} is invalid: calls fail.`,
    covers: `${SPEC}#validation/${requirement}`,
    needs: NEEDS,
    steps: [withConfig([SERVES, SERVES], detecting({ config: { ...failing(), ...config } }), { fence: false })],
    control: [withConfig([SERVES, SERVES], detecting({}))],
    allowed: refused,
  })),
];
