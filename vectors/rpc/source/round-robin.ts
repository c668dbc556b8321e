import {
  addresses,
  type BalancingDraft,
  type BalancingSource,
  type BalancingStep,
  call,
  calls,
  connected,
  ejected,
  failed,
  healthy,
  life,
  type Load,
  lost,
  report,
  returned,
  time,
  unhealthy,
} from "./balancing-steps.ts";

/** Lives of `round_robin` and `weighted_round_robin`. Append to lists only: the position of a vector is its id. */

/** Draws of 0 make calls begin with the first address. */
const FIRST = { otherwise: 0 };
const POLICY = { policy: { round_robin: {} }, random: FIRST };
const TURNS = { flag: "Turns", spec: "rpc-balancing#round-robin", ...POLICY };
const CONNECTIONS = { flag: "Connections", spec: "rpc-balancing#round-robin", ...POLICY };
const LISTS = { flag: "Lists", spec: "rpc-balancing#round-robin", ...POLICY };
const OUT = { flag: "Out", spec: "rpc-outlier-detection#ejection-and-un-ejection", ...POLICY };
const HEALTH = { flag: "Health", spec: "rpc-client-health#client-workflow", ...POLICY };

/** A policy with a connection to each address. */
const standing = (keys: string): BalancingStep[] => [
  addresses(0, keys, { connects: keys, state: "CONNECTING" }),
  ...[...keys].map((key, index) => connected(0, key, index === 0 ? { state: "READY" } : {})),
];
/** With draws of 0 the back-off is at its least. */
const LEAST_MS = 800;

const WEIGHTED = "rpc-weighted-round-robin#";
const CONFIG = { blackoutPeriod: "0s", weightExpirationPeriod: "10s", weightUpdatePeriod: "0.1s" };
type About = { readonly flag: string; readonly section: string };
const weighted = (note: string, { flag, section }: About, config: object, ...steps: readonly BalancingStep[]): BalancingDraft =>
  life(note, { flag, spec: `${WEIGHTED}${section}`, policy: { weighted_round_robin: { ...CONFIG, ...config } }, random: FIRST }, ...steps);
const FORMULA = { flag: "Formula", section: "subchannel-weights" };
const TIMES = { flag: "Times", section: "lb-policy-config-and-parameters" };
const SHARES = { flag: "Shares", section: "earliest-deadline-first-edf-scheduler" };
/** Reports of `b` that say the same as 100 calls at half of the processor. */
const USUAL: Load = { cpu: 0.5, rps: 100 };
/** A report of `a` for twice the weight of `b`. */
const REPORTED: readonly BalancingStep[] = [report(0, "a", { cpu: 0.5, rps: 200 }, { next: 100 }), report(0, "b", USUAL, { next: 100 })];
/** The report of one address beside that of another, which is the usual one, and the calls after they count. */
const beside = (note: string, load: Load, goes: string, config: object = {}): BalancingDraft =>
  weighted(note, FORMULA, config, ...standing("ab"), report(0, "a", load, { next: 100 }), report(0, "b", USUAL, { next: 100 }), time(100, { next: 200 }), calls(100, goes, { next: 200 }));
/** A report that says nothing: with that of one other address there are no weights. */
const silent = (note: string, load: Load | string): BalancingDraft =>
  weighted(note, FORMULA, {}, ...standing("ab"), report(0, "a", load), report(0, "b", { cpu: 0.5, rps: 300 }, { next: 100 }), time(100, { next: 200 }), calls(100, "abab", { next: 200 }));

export const source: BalancingSource = {
  about: "lives of round_robin and weighted_round_robin: connections, weights, and where calls go",
  spec: "rpc-balancing#round-robin",
  flags: {
    Turns: { why: "calls go to one address after the other", bug: "WRONG_RESULT" },
    Connections: { why: "connections that come, fail and go", bug: "WRONG_STATE" },
    Lists: { why: "another list of addresses", bug: "WRONG_STATE" },
    Out: { why: "addresses that are ejected", bug: "WRONG_STATE" },
    Health: { why: "servers that say that they are not healthy", bug: "WRONG_STATE" },
    Formula: { why: "the weight of a report", bug: "WRONG_RESULT" },
    Times: { why: "when weights count, and until when", bug: "OFF_BY_ONE" },
    Shares: { why: "calls in proportion to weights", bug: "WRONG_RESULT" },
  },
  vectors: [
    // Turns and connections.
    life("all addresses are connected at once, without a call", CONNECTIONS, addresses(0, "abc", { connects: "abc", state: "CONNECTING" }), call(0, "wait"), time(9_000)),
    life("calls go to the first connection that stands", CONNECTIONS, addresses(0, "abc", { connects: "abc", state: "CONNECTING" }), connected(10, "b", { state: "READY" }), calls(10, "bbb")),
    life("calls go round", TURNS, ...standing("abc"), calls(10, "abcabca")),
    life("calls go round two addresses", TURNS, ...standing("ab"), calls(10, "abab")),
    life("a draw puts an address before the first", { ...TURNS, random: { draws: [0.5, 0, 0.9], otherwise: 0 } }, ...standing("ab"), calls(10, "baba")),
    life("turns begin anew with another connection", TURNS, ...standing("ab"), calls(10, "a"), lost(20, "b", { resolves: true, connects: "b" }), calls(20, "aa"), connected(30, "b"), calls(30, "abab")),
    life("an address that fails is tried again, and the name is looked up", CONNECTIONS, addresses(0, "ab", { connects: "ab", state: "CONNECTING" }), failed(10, "a", { resolves: true, next: LEAST_MS }), call(20, "wait", { next: LEAST_MS }), time(799, { next: LEAST_MS }), time(800, { connects: "a" })),
    life("all addresses have failed", CONNECTIONS, addresses(0, "ab", { connects: "ab", state: "CONNECTING" }), failed(10, "a", { resolves: true, next: LEAST_MS }), failed(20, "b", { resolves: true, state: "TRANSIENT_FAILURE", next: LEAST_MS }), call(30, "fail", { next: LEAST_MS })),
    life("while all that have failed are tried again, calls fail", CONNECTIONS, addresses(0, "ab", { connects: "ab", state: "CONNECTING" }), failed(10, "a", { resolves: true, next: LEAST_MS }), failed(20, "b", { resolves: true, state: "TRANSIENT_FAILURE", next: LEAST_MS }), time(800, { connects: "ab" }), call(810, "fail"), connected(820, "b", { state: "READY" }), calls(830, "bb")),
    life("an address that has connected since counts no longer as failed", CONNECTIONS, addresses(0, "a", { connects: "a", state: "CONNECTING" }), failed(10, "a", { resolves: true, state: "TRANSIENT_FAILURE", next: LEAST_MS }), time(800, { connects: "a" }), connected(810, "a", { state: "READY" }), lost(820, "a", { resolves: true, connects: "a", state: "CONNECTING" }), call(830, "wait")),
    life("the waits of an address grow by themselves", CONNECTIONS, addresses(0, "ab", { connects: "ab", state: "CONNECTING" }), connected(0, "b", { state: "READY" }), failed(0, "a", { resolves: true, next: 800 }), time(800, { connects: "a" }), failed(800, "a", { resolves: true, next: 2_080 }), time(2_079, { next: 2_080 }), time(2_080, { connects: "a" }), calls(2_090, "bb")),
    life("a call does not try an address before its time", CONNECTIONS, addresses(0, "a", { connects: "a", state: "CONNECTING" }), failed(10, "a", { resolves: true, state: "TRANSIENT_FAILURE", next: 800 }), call(20, "fail", { next: 800 }), call(800, "fail", { connects: "a" })),
    life("a lost connection is made again at once", CONNECTIONS, ...standing("ab"), lost(10, "a", { resolves: true, connects: "a" }), calls(20, "bb"), connected(30, "a"), calls(40, "abab")),
    life("the loss of the only connection", CONNECTIONS, ...standing("a"), lost(10, "a", { resolves: true, connects: "a", state: "CONNECTING" }), call(20, "wait")),
    life("the loss of a connection that does not stand", CONNECTIONS, addresses(0, "ab", { connects: "ab", state: "CONNECTING" }), lost(10, "a"), lost(10, "z"), connected(20, "a", { state: "READY" }), calls(20, "a")),
    life("events of an address that is not in the list", CONNECTIONS, ...standing("ab"), connected(10, "z"), failed(10, "z"), ejected(10, "z"), returned(10, "z"), unhealthy(10, "z"), healthy(10, "z"), calls(20, "abab")),

    // Lists.
    life("no address", LISTS, addresses(0, "", { resolves: true, state: "TRANSIENT_FAILURE" }), call(0, "fail")),
    life("no address any more", LISTS, ...standing("ab"), addresses(10, "", { drops: "ab", resolves: true, state: "TRANSIENT_FAILURE" }), call(20, "fail")),
    life("a further address is connected, the others stay", LISTS, ...standing("ab"), addresses(10, "abc", { connects: "c" }), connected(20, "c"), calls(30, "abcabc")),
    life("an address that has gone is dropped", LISTS, ...standing("abc"), addresses(10, "ac", { drops: "b" }), calls(20, "acac")),
    life("an attempt to an address that has gone is dropped", LISTS, addresses(0, "ab", { connects: "ab", state: "CONNECTING" }), addresses(10, "b", { drops: "a" }), connected(20, "b", { state: "READY" }), calls(20, "b")),
    life("an address that has failed and gone has nothing to drop", LISTS, addresses(0, "ab", { connects: "ab", state: "CONNECTING" }), failed(10, "a", { resolves: true, next: LEAST_MS }), addresses(20, "b"), time(9_000)),
    life("the same addresses in another order", LISTS, ...standing("ab"), calls(10, "a"), addresses(10, "ba"), calls(20, "bab")),
    life("an address that comes back is connected anew", LISTS, ...standing("ab"), addresses(10, "a", { drops: "b" }), addresses(20, "ab", { connects: "b" }), calls(30, "aa")),

    // Out of use.
    life("calls do not go to an ejected address", OUT, ...standing("abc"), ejected(10, "b"), calls(20, "acac")),
    life("an ejected address that returns has its turns at once", OUT, ...standing("ab"), ejected(10, "b"), calls(20, "aa"), returned(30, "b"), calls(40, "abab")),
    life("all addresses are ejected", OUT, ...standing("ab"), ejected(10, "a"), ejected(10, "b", { state: "TRANSIENT_FAILURE" }), call(20, "fail"), returned(30, "a", { state: "READY" }), calls(40, "aa")),
    life("the only address that is not ejected is still being connected", OUT, addresses(0, "ab", { connects: "ab", state: "CONNECTING" }), connected(0, "a", { state: "READY" }), ejected(10, "a", { state: "CONNECTING" }), call(20, "wait")),
    life("an ejected address that is connected anew stays out", OUT, ...standing("ab"), ejected(10, "b"), lost(20, "b", { resolves: true, connects: "b" }), connected(30, "b"), calls(40, "aa")),
    life("calls do not go to a server that is not healthy", HEALTH, ...standing("abc"), unhealthy(10, "b"), calls(20, "acac"), healthy(30, "b"), calls(40, "abcabc")),
    life("no server is healthy", HEALTH, ...standing("ab"), unhealthy(10, "a"), unhealthy(10, "b", { state: "TRANSIENT_FAILURE" }), call(20, "fail"), healthy(30, "b", { state: "READY" }), calls(40, "bb")),
    life("an address that is ejected and not healthy needs both back", HEALTH, ...standing("ab"), ejected(10, "b"), unhealthy(10, "b"), calls(20, "aa"), healthy(30, "b"), calls(40, "aa"), returned(50, "b"), calls(60, "abab")),
    life("an address that is not healthy and returns", HEALTH, ...standing("ab"), ejected(10, "b"), unhealthy(10, "b"), returned(30, "b"), calls(40, "aa"), healthy(50, "b"), calls(60, "abab")),

    // Weights.
    weighted("without reports all addresses have the same", SHARES, {}, ...standing("abc"), calls(0, "abcabc"), time(100), calls(1_000, "abcabc")),
    beside("twice the rate", { cpu: 0.5, rps: 200 }, "abaaba"),
    beside("half of the utilization", { cpu: 0.25, rps: 100 }, "abaaba"),
    beside("the same", USUAL, "abab"),
    beside("the utilization of the application counts in place of that of the processor", { cpu: 0.5, rps: 100, application: 0.25 }, "abaaba"),
    beside("the utilization of the application by itself", { rps: 100, application: 0.25 }, "abaaba"),
    beside("a utilization of the application of 0 does not count", { cpu: 0.25, rps: 100, application: 0 }, "abaaba"),
    beside("errors make an address appear busier", { cpu: 0.5, rps: 100, eps: 50 }, "babbab"),
    beside("a greater penalty for errors", { cpu: 0.5, rps: 100, eps: 25 }, "babbab", { errorUtilizationPenalty: 2 }),
    beside("no penalty for errors", { cpu: 0.5, rps: 100, eps: 50 }, "abab", { errorUtilizationPenalty: 0 }),
    beside("a utilization above 1", { cpu: 1, rps: 100 }, "babbab"),
    silent("a report without a rate", { cpu: 0.5 }),
    silent("a report without a utilization", { rps: 100 }),
    silent("an empty report", {}),
    silent("a negative utilization", { cpu: -0.5, rps: 100 }),
    silent("a negative rate", { cpu: 0.5, rps: -100 }),
    silent("a utilization that is no number", { cpu: Number.NaN, rps: 100 }),
    silent("an endless rate", { cpu: 0.5, rps: Number.POSITIVE_INFINITY }),
    silent("a report that does not decode", "09000000"),
    weighted("a report without weight changes nothing", FORMULA, {}, ...standing("ab"), ...REPORTED, report(10, "a", { cpu: 0.5 }, { next: 100 }), time(100, { next: 200 }), calls(100, "abaaba", { next: 200 })),
    weighted("a report of an address that is not in the list", FORMULA, {}, ...standing("ab"), report(0, "z", USUAL), calls(10, "abab")),
    weighted("the last report counts", FORMULA, {}, ...standing("ab"), report(0, "a", { cpu: 0.5, rps: 900 }, { next: 100 }), report(0, "b", USUAL, { next: 100 }), report(10, "a", { cpu: 0.5, rps: 200 }, { next: 100 }), time(100, { next: 200 }), calls(100, "abaaba", { next: 200 })),

    // Shares.
    weighted("an address without a report has the mean of the others", SHARES, {}, ...standing("abc"), report(0, "a", { cpu: 1, rps: 300 }, { next: 100 }), report(0, "b", { cpu: 1, rps: 100 }, { next: 100 }), time(100, { next: 200 }), calls(100, "acabca", { next: 200 })),
    weighted("one report is not enough", SHARES, {}, ...standing("ab"), report(0, "a", { cpu: 0.5, rps: 200 }, { next: 100 }), time(100, { next: 200 }), calls(100, "abab", { next: 200 })),
    weighted("a report of an address without a connection is not enough", SHARES, {}, ...standing("ab"), ...REPORTED, time(100, { next: 200 }), lost(110, "b", { resolves: true, connects: "b", next: 200 }), time(200, { next: 300 }), calls(200, "aa", { next: 300 })),
    weighted("weights of three to one", SHARES, {}, ...standing("ab"), report(0, "a", { cpu: 0.5, rps: 300 }, { next: 100 }), report(0, "b", USUAL, { next: 100 }), time(100, { next: 200 }), calls(100, "aabaaaba", { next: 200 })),

    // Times.
    weighted("weights are calculated when their time has come", TIMES, { weightUpdatePeriod: "1s" }, ...standing("ab"), report(0, "a", { cpu: 0.5, rps: 200 }, { next: 1_000 }), report(0, "b", USUAL, { next: 1_000 }), time(999, { next: 1_000 }), calls(999, "abab", { next: 1_000 }), time(1_000, { next: 2_000 }), calls(1_000, "abaaba", { next: 2_000 })),
    weighted("the time counts from the first report", TIMES, {}, ...standing("ab"), report(50, "a", { cpu: 0.5, rps: 200 }, { next: 150 }), report(90, "b", USUAL, { next: 150 }), time(150, { next: 250 }), calls(150, "abaaba", { next: 250 })),
    weighted("weights are calculated anew with a new connection", TIMES, {}, addresses(0, "abc", { connects: "abc", state: "CONNECTING" }), connected(0, "a", { state: "READY" }), connected(0, "b"), ...REPORTED, connected(10, "c", { next: 110 }), calls(10, "acbaca", { next: 110 })),
    weighted("a weight that has not expired yet", TIMES, {}, ...standing("ab"), ...REPORTED, time(9_999, { next: 10_099 }), calls(9_999, "abaaba", { next: 10_099 })),
    weighted("a weight that has expired", TIMES, {}, ...standing("ab"), ...REPORTED, time(10_000), calls(10_000, "abab")),
    weighted("weights that counted, and have expired", TIMES, {}, ...standing("ab"), ...REPORTED, time(100, { next: 200 }), time(10_000), calls(10_000, "abab")),
    weighted("each report lets a weight count on", TIMES, {}, ...standing("ab"), ...REPORTED, report(5_000, "a", { cpu: 0.5, rps: 200 }, { next: 100 }), report(5_000, "b", USUAL, { next: 100 }), time(14_999, { next: 15_099 }), calls(14_999, "abaaba", { next: 15_099 })),
    weighted("a weight in its blackout", TIMES, { blackoutPeriod: "1s" }, ...standing("ab"), ...REPORTED, time(999, { next: 1_099 }), calls(999, "abab", { next: 1_099 })),
    weighted("a weight after its blackout", TIMES, { blackoutPeriod: "1s" }, ...standing("ab"), ...REPORTED, time(1_000, { next: 1_100 }), calls(1_000, "abaaba", { next: 1_100 })),
    weighted("the blackout counts from the first report", TIMES, { blackoutPeriod: "1s" }, ...standing("ab"), ...REPORTED, report(900, "a", { cpu: 0.5, rps: 200 }, { next: 100 }), time(1_000, { next: 1_100 }), calls(1_000, "abaaba", { next: 1_100 })),
    ...([
      ["a new connection in its blackout", 2_029, "abab"],
      ["a new connection after its blackout", 2_030, "abaaba"],
    ] as const).map(([note, at, goes]) =>
      weighted(note, TIMES, { blackoutPeriod: "1s" }, ...standing("ab"), ...REPORTED, time(1_000, { next: 1_100 }), lost(1_010, "a", { resolves: true, connects: "a", next: 1_100 }), connected(1_020, "a", { next: 1_120 }), report(1_030, "a", { cpu: 0.5, rps: 200 }, { next: 1_120 }), time(at, { next: at + 100 }), calls(at, goes, { next: at + 100 })),
    ),
    weighted("a new connection without a blackout keeps its weight", TIMES, {}, ...standing("ab"), ...REPORTED, time(100, { next: 200 }), lost(110, "a", { resolves: true, connects: "a", next: 200 }), connected(120, "a", { next: 220 }), calls(120, "abaaba", { next: 220 })),
    ...([
      ["a weight that has expired is in its blackout again", 3_999, "abab"],
      ["a weight that has expired after its blackout", 4_000, "abaaba"],
    ] as const).map(([note, at, goes]) =>
      weighted(note, TIMES, { blackoutPeriod: "1s", weightExpirationPeriod: "2s" }, ...standing("ab"), ...REPORTED, time(2_000), report(3_000, "a", { cpu: 0.5, rps: 200 }, { next: 3_100 }), report(3_000, "b", USUAL, { next: 3_100 }), time(at, { next: at + 100 }), calls(at, goes, { next: at + 100 })),
    ),
  ],
};
