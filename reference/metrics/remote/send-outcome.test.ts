import { expect, test } from "vitest";
import { MOST_RETRY_AFTER_MS, outcomeOf } from "./send-outcome.ts";

const NOW = Date.UTC(2025, 0, 1);
const of = (status: number, fields: Record<string, string> = {}, { retry429 = false, two = false } = {}) =>
  outcomeOf({ status, field: (name) => fields[name], text: "why" }, two ? "io.prometheus.write.v2.Request" : "prometheus.WriteRequest", {
    retry429,
    now: NOW,
  });

test.each([
  [200, "accepted"],
  [204, "accepted"],
  [299, "accepted"],
  [302, "refused"],
  [400, "refused"],
  [415, "refused"],
  [429, "refused"],
  [500, "retry"],
  [503, "retry"],
  [599, "retry"],
])("the status %i: %s", (status, is) => {
  expect(of(status).is).toBe(is);
});

test("429 is repeated if the configuration says so", () => {
  expect(of(429, {}, { retry429: true }).is).toBe("retry");
});

test.each<[string, number | undefined]>([
  ["7", 7_000],
  ["0", 0],
  ["Wed, 01 Jan 2025 00:00:09 GMT", 9_000],
  ["Wed, 01 Jan 2020 00:00:09 GMT", undefined],
  ["soon", undefined],
  ["-1", undefined],
  ["99999999999", MOST_RETRY_AFTER_MS],
])("Retry-After: %s", (value, ms) => {
  expect(of(503, { "retry-after": value })).toEqual({ is: "retry", why: "it answers 503: why", ...(ms !== undefined && { afterMs: ms }) });
});

test("a success without a word about what was written is one of a receiver that does not know protocol 2", () => {
  expect(of(204, {}, { two: true }).is).toBe("refused");
  expect(of(204, { "x-prometheus-remote-write-histograms-written": "0" }, { two: true }).is).toBe("accepted");
});
