import type { ServerSpec, Sight, Step } from "../../client-vocabulary.ts";
import { calls, withConfig } from "./balance-phrases.ts";
import { all, good, received, type Row } from "./phrases.ts";
import { BUSY, IDLE, NEEDS, PLAIN, shared, SPEC, weighed, weighting } from "./weight-phrases.ts";

/** Balancing by reports on streams of their own (rpc-weighted-round-robin#oob-load-reporting). */

const OOB = `${SPEC}#oob-load-reporting`;
const ON = { enableOobLoadReport: true };
const NONE = [false, false] as const;

const streams = (count: number | readonly [number, number], everyMs?: number): Sight =>
  all(...[1, 2].map((server): Sight => ({ see: "load streams", server, count, ...(everyMs === undefined ? {} : { everyMs }) })));

/** A call that is held for a time while the client may ask for reports. */
const asking = (spec: ServerSpec["stream"], ms: number, config: Readonly<Record<string, unknown>> = {}): Step[] => {
  const server: ServerSpec = spec === undefined ? {} : { stream: spec };
  return [
    withConfig([server, server], weighting({ ...ON, ...config }), { later: calls(1) }),
    ...good(1),
    received(2),
    { do: "wait", ms },
    ...good(2),
  ];
};

const weights: readonly (readonly [id: string, title: string, covers: Row["covers"], steps: readonly Step[], counts: readonly number[]])[] =
  [
    [
      "rates",
      "With enableOobLoadReport calls are shared by the loads that servers report on streams.",
      `${OOB}/weights`,
      weighed({ loads: NONE, streams: [BUSY, IDLE], config: ON }),
      [10, 30],
    ],
    [
      "against-trailers",
      "With enableOobLoadReport the reports on streams count, and not those at the end of calls.",
      [`${OOB}/weights`, `${SPEC}#per-call-load-reporting/not-asked`],
      weighed({ loads: [IDLE, BUSY], streams: [BUSY, IDLE], config: ON }),
      [10, 30],
    ],
    [
      "changed",
      "The last report on a stream counts.",
      `${OOB}/weights`,
      weighed({ loads: NONE, streams: [BUSY, IDLE], config: ON, later: NONE, laterStreams: [IDLE, BUSY] }),
      [30, 10],
    ],
    [
      "errors",
      "Errors that a stream reports count as utilization.",
      [`${OOB}/weights`, `${SPEC}#subchannel-weights/formula`],
      weighed({ loads: NONE, streams: [{ ...BUSY, eps: 50 }, BUSY], config: ON, count: 42 }),
      [14, 28],
    ],
  ];
export const rows: readonly Row[] = [
  ...weights.map(([id, title, covers, steps, counts]): Row => ({
    id: `weights-streams-${id}`,
    title,
    covers,
    needs: NEEDS,
    steps,
    control: PLAIN(2),
    allowed: shared(counts, id === "changed"),
  })),
  {
    id: "weights-streams-one-each",
    title: "With enableOobLoadReport a client asks each of its servers for one stream of reports, every 10 seconds by default.",
    covers: [`${OOB}/asked`, `${OOB}/period`],
    needs: NEEDS,
    steps: weighed({ loads: NONE, streams: [BUSY, IDLE], config: ON }),
    control: PLAIN(2),
    allowed: streams(1, 10_000),
  },
  {
    id: "weights-streams-period",
    title: "The period of a stream of reports is oobReportingPeriod.",
    covers: `${OOB}/period`,
    needs: NEEDS,
    steps: weighed({ loads: NONE, streams: [BUSY, IDLE], config: { ...ON, oobReportingPeriod: "42.5s" } }),
    control: PLAIN(2),
    allowed: streams(1, 42_500),
  },
  {
    id: "weights-streams-unasked",
    title: "Without enableOobLoadReport a client asks for no stream of reports.",
    covers: `${OOB}/asked`,
    needs: NEEDS,
    steps: weighed({ loads: [BUSY, IDLE], streams: [BUSY, IDLE] }),
    control: PLAIN(2),
    allowed: streams(0),
  },
  {
    id: "weights-streams-unimplemented",
    title: "A server without streams of reports is not asked again.",
    covers: `${OOB}/unimplemented`,
    needs: NEEDS,
    steps: asking(undefined, 2_000),
    control: PLAIN(2),
    allowed: streams(1),
  },
  {
    id: "weights-streams-failing",
    title: "A stream of reports that fails is asked for again, after a time.",
    covers: `${OOB}/again`,
    needs: NEEDS,
    steps: asking("fails", 2_000),
    control: PLAIN(2),
    allowed: streams([2, 3]),
  },
  {
    id: "weights-streams-ended",
    title: "A stream of reports that ends is asked for again.",
    covers: `${OOB}/again`,
    needs: NEEDS,
    steps: asking({ ...BUSY, ends: true }, 2_000),
    control: PLAIN(2),
    allowed: streams([2, 1_000]),
  },
];
