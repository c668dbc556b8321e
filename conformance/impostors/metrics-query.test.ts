import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningReference, type ServerCase, serverCases, ServerDriver, startReference } from "../metrics/index.ts";
import { fates, passedBy, type Started, uncaught } from "./catch.ts";
import { METRICS_QUERY_FLAWS, MUTE } from "./metrics-query-flaws.ts";
import { startMetricsImpostor } from "./metrics-query.ts";

const cases = serverCases();
const CONCURRENCY = 8;
let ours: RunningReference;
beforeAll(async () => {
  ours = await startReference();
}, 60_000);
afterAll(() => ours.stop());

const driver = (url: string): ServerDriver => new ServerDriver({ url, timeout: 60_000, verify: false });
const impostor = async (name: string): Promise<Started<ServerCase>> => {
  const { url, stop } = await startMetricsImpostor(name, ours.url);
  const own = driver(url);
  return { driver: own, stop: () => own.close().then(stop) };
};

/** What each of them must fail, at the least. */
const FAILS: Readonly<Record<string, readonly string[]>> = {
  "few-points": ["api-range-most-points"],
  "says-it-is-a-page": ["api-success"],
  "ignores-resets": [
    "query-rate-of-thrice",
    "query-increase-of-two-restarts",
    "query-irate-at-a-reset",
    "query-rate-of-a-restarted-instance",
  ],
  "does-not-extrapolate": ["query-rate-of-steady", "query-increase-of-from-zero", "query-delta-of-up", "query-rate-as-the-data-ends"],
  "drops-offset": [
    "query-offset-of-minutes",
    "query-offset-negative",
    "query-offset-on-a-range",
    "query-offset-on-a-subquery",
    "query-stale-by-offset",
  ],
  "drops-at": ["query-at-a-time", "query-at-start-over-a-range", "query-at-on-a-range-over-a-range", "refuses-at-twice"],
  "ignores-stale-marks": ["query-stale-just-behind", "query-stale-until-it-returns", "query-stale-counted"],
  "short-look-back": ["query-look-back-over-a-short-gap", "query-look-back-just-within"],
  "long-look-back": ["query-look-back-just-beyond", "query-look-back-not-over-a-long-gap"],
  "closed-look-back": ["query-look-back-boundary-is-outside"],
  "closed-ranges": ["query-range-left-boundary-is-outside", "query-subquery-left-boundary-is-outside"],
  "whole-numbers": ["query-scalars-added", "query-avg-of-all", "query-special-values"],
  "floats-of-32-bits": ["query-number-rounding", "query-scalars-power-of-a-fraction"],
  "six-digits": ["query-scalars-power-of-a-fraction", "query-timestamp-of-samples"],
  "no-infinities": ["query-scalars-divided-by-zero", "query-min-of-nan-alone", "api-value-nan"],
  "numbers-not-texts": ["query-scalars-added", "api-value-is-a-text", "api-metric-without-labels"],
  "whole-seconds": ["query-range-of-samples", "api-time-unix-fraction", "api-time-of-milliseconds"],
  "keeps-names": ["query-vectors-added", "query-rate-of-steady", "query-sum-of-all", "query-bool-drops-the-name"],
  "drops-names": [
    "query-name-alone",
    "query-comparison-keeps-the-vector-value",
    "query-topk-keeps-labels",
    "query-last-over-time-of-waves",
  ],
  "drops-a-label": ["query-match-ignoring-a-label", "query-by-behind"],
  "ignores-by": ["query-by-behind", "query-sum-by-a-label", "query-without-behind"],
  "swaps-and-or": ["query-and-on", "query-or-adds-what-is-missing"],
  "unless-is-and": ["query-unless-on", "query-unless-nothing"],
  "ignores-bool": ["query-bool-of-scalars-true", "query-group-left-bool"],
  "ignores-on": ["query-match-on-a-label", "query-match-ignoring-a-label", "query-group-left", "query-and-on"],
  "drops-group-labels": ["query-group-left-with-a-label", "query-group-left-info", "query-group-right-with-a-label"],
  "from-the-left": ["query-precedence-power-from-the-right"],
  "no-precedence": ["query-precedence-times-before-plus"],
  "quantiles-of-bounds": ["query-histogram-quantile-of-rates", "query-quantile-over-time-interpolated"],
  "subqueries-of-a-minute": ["query-subquery-of-seconds", "query-subquery-step-that-does-not-divide"],
  "patterns-within": ["query-pattern-anchored-at-the-begin", "query-pattern-anchored-at-the-end", "query-pattern-negative-anchored"],
  "takes-matchers-for-names": ["query-matcher-equal", "query-pattern-alternatives"],
  "days-begin-at-one": ["query-hour-of-moments", "query-day-of-month-of-moments"],
  "topk-of-one-more": ["query-topk-ordered", "query-bottomk-ordered", "query-topk-of-none"],
  "ignores-time": ["query-newest-sample-of-each", "api-time-rfc3339"],
  "drops-the-last-step": ["query-range-end-not-on-a-step", "query-rate-of-steady-over-a-range"],
  "ignores-step": ["query-range-step-of-a-second", "api-range-step-duration"],
  "wrong-type-of-error": ["refuses-parenthesis-not-closed", "api-error", "api-error-of-execution"],
  "wrong-status-of-error": ["refuses-parenthesis-not-closed", "api-range-step-zero"],
  "errors-in-words": ["refuses-parenthesis-not-closed", "api-series-without-a-selector"],
  "executes-what-is-malformed": ["refuses-many-on-both-sides", "refuses-label-replace-pattern-malformed", "api-range-impossible"],
  "does-not-read-forms": ["api-post-form", "api-series-posted", "api-format-post"],
  "ignores-limits": ["api-limit", "api-limit-warned", "api-series-limit", "api-values-limit"],
  "ignores-look-back": ["api-lookback-shorter", "api-lookback-longer"],
  "ignores-timeouts": ["api-error-of-time", "api-range-timeout", "api-timeout-malformed"],
  "ignores-selectors": ["api-series-by-name", "api-labels-of-a-selector", "api-values-of-a-selector"],
  "first-selector": ["api-series-by-two-selectors", "api-series-second-malformed"],
  "ignores-times": ["api-series-outside", "api-labels-outside"],
  "formats-nothing": ["api-format-binary", "api-format-comment"],
  "tells-no-state": ["api-status-flags", "api-status-tsdb-head", "api-metadata"],
  "tells-no-statistics": ["api-stats", "api-stats-all"],
};

describe("metrics servers that are wrong on purpose", { timeout: 300_000 }, () => {
  test("every case is failed by one that is answered its control", async () => {
    expect(cases.length).toBeGreaterThan(2_000);
    // Those that come first fail most of all there is: nothing is searched for long.
    const names = Object.keys(METRICS_QUERY_FLAWS).filter((name) => !MUTE.includes(name));
    expect(await uncaught({ cases, names, start: impostor, concurrency: CONCURRENCY }, {})).toEqual([]);
  });

  test.each(Object.entries(FAILS))("%s fails what it is about", async (name, ids) => {
    const asked = cases.filter(({ id }) => ids.includes(id.slice("metrics/".length)));
    expect(asked.length).toBe(ids.length);
    const subject = await impostor(name);
    const found = await fates(subject.driver, asked, CONCURRENCY);
    await subject.stop();
    expect(asked.filter(({ id }) => found.get(id) !== "fails").map(({ id }) => id)).toEqual([]);
  });

  test.each(MUTE)("the one that %s passes nothing", async (name) => {
    expect(await passedBy(cases, await impostor(name), CONCURRENCY)).toEqual([]);
  });

  test("our own server passes all of them, strictly", async () => {
    const own = driver(ours.url);
    const { features } = await own.probe();
    expect([...features].filter(([, { has }]) => !has)).toEqual([]);
    for (const c of cases) expect(await own.play(c), c.id).toMatchObject({ is: "allowed", index: 0 });
    await own.close();
  });

  test("every name of a flaw is asked for", () => {
    const first = [
      "one-more",
      "answers-all",
      "nothing-is-something",
      "wrong-data",
      "sorts-backwards",
      "no-notes",
      "packs-everything",
      "knows-every-endpoint",
    ];
    expect(
      Object.keys(METRICS_QUERY_FLAWS)
        .filter((name) => FAILS[name] === undefined)
        .sort(),
    ).toEqual([...first, ...MUTE].sort());
  });

  test("an impostor that does not exist is named with those that do", async () => {
    await expect(startMetricsImpostor("nobody", ours.url)).rejects.toThrow(/Known: one-more, answers-all/);
  });
});
