import { outcomes, withConfig } from "./balance-phrases.ts";
import { all, refused, type Row } from "./phrases.ts";
import { BUSY, COUNT, EACH, EVEN, IDLE, NEEDS, PLAIN, shared, SPEC, weighed, WEIGHS, weighting, type Weighing } from "./weight-phrases.ts";

/** Balancing by the loads that servers report (rpc-weighted-round-robin): all cases calculate weights as often as the text permits. */

const CONFIG = `${SPEC}#lb-policy-config-and-parameters`;
const SCHEDULER = `${SPEC}#earliest-deadline-first-edf-scheduler`;
const WEIGHTS = `${SPEC}#subchannel-weights`;

const uneven: readonly (readonly [id: string, title: string, covers: Row["covers"], of: Weighing, counts: readonly number[]])[] = [
  [
    "rates",
    "Of two servers of the same utilization the one with three times the rate has three times the calls.",
    [`${SCHEDULER}/share`, `${CONFIG}/per-call`],
    { loads: [BUSY, IDLE] },
    [10, 30],
  ],
  [
    "utilization",
    "Of two servers of the same rate the one with a quarter of the utilization has four times the calls.",
    `${WEIGHTS}/formula`,
    { loads: [BUSY, { rps: 100, cpu: 0.125 }] },
    [8, 32],
  ],
  [
    "errors",
    "Half a call in errors counts as half a utilization.",
    [`${WEIGHTS}/formula`, `${CONFIG}/penalty`],
    { loads: [{ ...BUSY, eps: 50 }, BUSY], count: 42 },
    [14, 28],
  ],
  [
    "errors-thrice",
    "Errors count by errorUtilizationPenalty.",
    [`${WEIGHTS}/formula`, `${CONFIG}/penalty`],
    { loads: [{ ...BUSY, eps: 50 }, BUSY], config: { errorUtilizationPenalty: 3 } },
    [8, 32],
  ],
  [
    "small",
    "Weights far below 1 count in proportion, too.",
    `${SCHEDULER}/share`,
    {
      loads: [
        { rps: 0.05, cpu: 0.5 },
        { rps: 0.15, cpu: 0.5 },
      ],
    },
    [10, 30],
  ],
  [
    "mean",
    "A server that does not report has the mean of the weights of the others.",
    `${SCHEDULER}/mean`,
    { loads: [BUSY, false, IDLE], count: 48 },
    [8, 16, 24],
  ],
  [
    "short-update",
    "A weightUpdatePeriod below 100 ms counts as 100 ms.",
    `${CONFIG}/update`,
    { loads: [BUSY, IDLE], config: { weightUpdatePeriod: "0.001s" } },
    [10, 30],
  ],
  [
    "default-update",
    "By default weights are calculated every second.",
    `${CONFIG}/update`,
    { loads: [BUSY, IDLE], config: { weightUpdatePeriod: undefined }, waitMs: 2_300 },
    [10, 30],
  ],
  [
    "blackout-over",
    "Weights count when reports have come for the blackoutPeriod.",
    `${CONFIG}/blackout`,
    { loads: [BUSY, IDLE], config: { blackoutPeriod: "0.2s" } },
    [10, 30],
  ],
];
const again: typeof uneven = [
  ["changed", "The last report counts.", `${SCHEDULER}/share`, { loads: [BUSY, IDLE], later: [IDLE, BUSY] }, [30, 10]],
  [
    "kept",
    "Calls without a report leave the weights as they are.",
    `${SPEC}#per-call-load-reporting/missing`,
    { loads: [BUSY, IDLE], later: [false, false] },
    [10, 30],
  ],
  [
    "empty-kept",
    "Reports without a utilization leave the weights as they are.",
    `${WEIGHTS}/non-zero`,
    { loads: [BUSY, IDLE], later: [{ rps: 900 }, { rps: 10 }] },
    [10, 30],
  ],
];
const even: readonly (readonly [id: string, title: string, covers: Row["covers"], of: Weighing])[] = [
  ["one-report", "If one of two servers reports, both have the same number of calls.", `${SCHEDULER}/few`, { loads: [IDLE, false] }],
  [
    "no-utilization",
    "Reports without a utilization do not count.",
    `${WEIGHTS}/non-zero`,
    {
      loads: [
        { rps: 100, eps: 50 },
        { rps: 300, cpu: 0, eps: 50 },
      ],
    },
  ],
  [
    "blackout",
    "By default weights do not count before reports have come for ten seconds.",
    `${CONFIG}/blackout`,
    { loads: [BUSY, IDLE], config: { blackoutPeriod: undefined } },
  ],
  [
    "expired",
    "Weights do not count when no report has come for the weightExpirationPeriod.",
    `${CONFIG}/expiration`,
    { loads: [BUSY, IDLE], config: { weightExpirationPeriod: "0.3s" }, waitMs: 900 },
  ],
  [
    "long-update",
    "Weights do not change within the weightUpdatePeriod.",
    `${CONFIG}/update`,
    { loads: [BUSY, IDLE], config: { weightUpdatePeriod: "60s" } },
  ],
  [
    "no-penalty",
    "Errors do not count if errorUtilizationPenalty is 0: rate and utilization are in proportion.",
    `${CONFIG}/penalty`,
    {
      loads: [
        { rps: 100, cpu: 0.25, eps: 50 },
        { rps: 300, cpu: 0.75 },
      ],
      config: { errorUtilizationPenalty: 0 },
    },
  ],
  [
    "proportional",
    "Servers whose rates are in proportion to their utilizations have the same number of calls.",
    `${WEIGHTS}/formula`,
    {
      loads: [
        { rps: 100, cpu: 0.2 },
        { rps: 300, cpu: 0.6 },
      ],
    },
  ],
  [
    "out-of-band",
    "Reports at the end of calls do not count with enableOobLoadReport.",
    `${SPEC}#per-call-load-reporting/not-asked`,
    { loads: [BUSY, IDLE], config: { enableOobLoadReport: true } },
  ],
];

export const rows: readonly Row[] = [
  ...[uneven, again].flatMap((list) =>
    list.map(([id, title, covers, of, counts]): Row => ({
      id: `weights-${id}`,
      title,
      covers,
      needs: NEEDS,
      steps: weighed(of),
      control: PLAIN(of.loads.length),
      allowed: shared(counts, of.later !== undefined),
    })),
  ),
  ...even.map(([id, title, covers, of]): Row => ({
    id: `weights-even-${id}`,
    title,
    covers,
    needs: NEEDS,
    steps: weighed(of),
    control: WEIGHS,
    allowed: EVEN,
  })),
  {
    id: "weights-none",
    title: "Servers that do not report have the same number of calls.",
    covers: `${SCHEDULER}/few`,
    needs: NEEDS,
    steps: PLAIN(3),
    allowed: all(outcomes(1 + EACH * 3 + 1 + COUNT), shared([13, 13, 13])),
  },
  {
    id: "weights-negative-penalty",
    title: "A service config with a negative errorUtilizationPenalty is invalid: calls fail.",
    covers: `${CONFIG}/penalty`,
    needs: NEEDS,
    steps: [withConfig([{}, {}], weighting({ errorUtilizationPenalty: -1 }), { fence: false })],
    control: [withConfig([{}, {}], weighting({ errorUtilizationPenalty: 1 }))],
    allowed: refused,
  },
];
