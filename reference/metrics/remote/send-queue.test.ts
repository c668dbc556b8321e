import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Labels } from "../model/index.ts";
import { type SendBatch, SendQueue, type SendQueueOptions } from "./send-queue.ts";
import { SentForms } from "./sent-series.ts";
import type { SendOutcome } from "./send-outcome.ts";

const OPTIONS: SendQueueOptions = { capacity: 20, batch: 5, deadlineMs: 100, minBackoffMs: 30, maxBackoffMs: 100, ageLimitMs: 0 };
const FORMS = new SentForms("prometheus.WriteRequest");
const SERIES = Array.from({ length: 4 }, (_, hash) => ({ ...FORMS.of(Labels.of({ __name__: `m${hash}` })), hash }));
const sample = (series: number, time: number) => ({
  series: SERIES[series]!,
  time,
  value: time,
  isStale: false,
  histogram: undefined,
  exemplar: undefined,
});
const RETRY: SendOutcome = { is: "retry", why: "503" };
const REFUSED: SendOutcome = { is: "refused", why: "400" };
const ACCEPTED: SendOutcome = { is: "accepted" };
const timesOf = (batch: SendBatch | undefined): number[] | undefined => batch?.samples.map(({ time }) => time);
const queue = (options: Partial<SendQueueOptions> = {}, shards = 1): SendQueue<number> =>
  new SendQueue({ ...OPTIONS, ...options }, shards, 0);
const times = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => sample(0, from + at));

describe("a queue of samples", () => {
  test("a batch goes when it is full, or when its first sample has waited long enough", () => {
    const one = queue();
    one.add(times(1, 7), 1, 1_000);
    expect(timesOf(one.take(1_000))).toEqual([1, 2, 3, 4, 5]);
    expect(one.deadline).toBeUndefined();
    one.settle({ samples: [], shard: 0, attempt: 0, since: 0 }, ACCEPTED, 1_010);
    expect(one.deadline).toBe(1_100);
    expect(one.take(1_099)).toBeUndefined();
    expect(timesOf(one.take(1_100))).toEqual([6, 7]);
  });
  test("a request that failed is repeated as it was, after a wait that doubles", () => {
    const one = queue();
    one.add(times(1, 5), 1, 0);
    let now = 0;
    for (const wait of [30, 60, 100, 100]) {
      const batch = one.take(now)!;
      expect(timesOf(batch)).toEqual([1, 2, 3, 4, 5]);
      one.settle(batch, RETRY, now);
      expect(one.deadline).toBe(now + wait);
      expect(one.take(now + wait - 1)).toBeUndefined();
      now += wait;
    }
    const last = one.take(now)!;
    one.settle(last, { ...RETRY, afterMs: 5_000 } as SendOutcome, now);
    expect(one.deadline).toBe(now + 5_000);
    one.settle(one.take(now + 5_000)!, ACCEPTED, now);
    expect([one.length, one.acknowledged]).toEqual([0, 1]);
    expect(one.floats).toEqual({ sent: 5, accepted: 5, refused: 0, retried: 25, tooOld: 0 });
    // The next batch begins anew.
    one.add(times(6, 10), 2, now);
    one.settle(one.take(now)!, RETRY, now);
    expect(one.deadline).toBe(now + 30);
  });
  test("a refused batch is dropped and counted, and the log goes on", () => {
    const one = queue();
    one.add(times(1, 5), 1, 0);
    one.add([], 2, 0);
    expect(one.acknowledged).toBe(0);
    one.settle(one.take(0)!, REFUSED, 0);
    expect(one.floats.refused).toBe(5);
    expect(one.acknowledged).toBe(2);
  });
  test("a stretch without samples is acknowledged with the one before", () => {
    const one = queue();
    one.add([], 1, 0);
    expect(one.acknowledged).toBe(1);
    one.add(times(1, 5), 2, 0);
    one.add([], 3, 0);
    one.add(times(6, 7), 4, 0);
    one.add([], 5, 0);
    one.settle(one.take(0)!, ACCEPTED, 0);
    expect(one.acknowledged).toBe(3);
    one.settle(one.take(100)!, ACCEPTED, 100);
    expect(one.acknowledged).toBe(5);
  });
  test("a full shard wants no more, and a stretch is acknowledged when all of it is settled", () => {
    const one = queue({ capacity: 6 });
    one.add(times(1, 5), 1, 0);
    expect(one.isFull).toBe(false);
    one.add(times(6, 7), 2, 0);
    expect(one.isFull).toBe(true);
    one.settle(one.take(0)!, ACCEPTED, 0);
    expect([one.isFull, one.acknowledged]).toEqual([false, 1]);
    one.settle(one.take(100)!, ACCEPTED, 100);
    expect(one.acknowledged).toBe(2);
  });
  test("what is older than the limit is not sent, nor repeated", () => {
    const one = queue({ ageLimitMs: 1_000 });
    one.add(times(1, 5), 1, 1_002);
    const batch = one.take(1_003)!;
    expect(timesOf(batch)).toEqual([3, 4, 5]);
    one.settle(batch, RETRY, 1_003);
    expect(one.take(2_000)).toBeUndefined();
    expect([one.length, one.acknowledged, one.floats.tooOld]).toEqual([0, 1, 5]);
  });
  test("flushing sends batches that are not full; a queue that only waits to repeat is stuck", () => {
    const one = queue();
    one.add(times(1, 2), 1, 0);
    expect(one.take(0)).toBeUndefined();
    one.flush();
    expect(one.isStuck).toBe(false);
    const batch = one.take(0)!;
    expect(one.isStuck).toBe(false);
    one.settle(batch, RETRY, 0);
    expect(one.isStuck).toBe(true);
  });
  test("the number of shards changes once nothing waits", () => {
    const one = queue({}, 1);
    one.add([sample(0, 1), sample(1, 1)], 1, 0);
    one.resize(2);
    expect([one.shards, one.isFull]).toEqual([1, true]);
    one.settle(one.take(0)!, ACCEPTED, 0);
    expect([one.shards, one.isFull]).toEqual([2, false]);
    one.add([sample(0, 2), sample(1, 2)], 2, 0);
    expect([one.take(100)?.shard, one.take(100)?.shard]).toEqual([0, 1]);
  });

  test("whatever happens, each series arrives once and in order, and nothing is acknowledged too early", () => {
    const step = fc.oneof(
      fc.record({ is: fc.constant("add" as const), series: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 9 }) }),
      fc.record({ is: fc.constant("take" as const) }),
      fc.record({ is: fc.constant("settle" as const), at: fc.nat(3), outcome: fc.constantFrom(RETRY, ACCEPTED, REFUSED) }),
      fc.record({ is: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 150 }) }),
      fc.record({ is: fc.constant("resize" as const), shards: fc.integer({ min: 1, max: 3 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const one = queue({}, 2);
        const [ended, flying]: [number[][], SendBatch[]] = [SERIES.map(() => []), []];
        const ends: { readonly end: number; readonly total: number }[] = [];
        let [now, time, end, added] = [0, 0, 0, 0];
        const settled = (): number => ended.reduce((sum, list) => sum + list.length, 0);
        const settle = (batch: SendBatch, outcome: SendOutcome): void => {
          if (outcome.is !== "retry") for (const { series, time: at } of batch.samples) ended[SERIES.indexOf(series as never)]!.push(at);
          one.settle(batch, outcome, now);
        };
        for (const act of steps) {
          if (act.is === "wait") now += act.ms;
          else if (act.is === "resize") one.resize(act.shards);
          else if (act.is === "add" && !one.isFull) {
            one.add(
              act.series.map((of) => sample(of, ++time)),
              ++end,
              now,
            );
            ends.push({ end, total: (added += act.series.length) });
          } else if (act.is === "take") {
            const batch = one.take(now);
            if (batch !== undefined) flying.push(batch);
          } else if (act.is === "settle") {
            const [batch] = flying.splice(act.at % Math.max(1, flying.length), 1);
            if (batch !== undefined) settle(batch, act.outcome);
          }
          expect(one.length).toBe(added - settled());
          expect(ends.find((known) => known.end === one.acknowledged)?.total ?? 0).toBeLessThanOrEqual(settled());
          expect(one.length).toBeLessThanOrEqual(3 * (OPTIONS.capacity + 9 + OPTIONS.batch));
        }
        for (const batch of flying) settle(batch, ACCEPTED);
        one.flush();
        for (now += 200; one.deadline !== undefined; now += 200)
          for (let batch = one.take(now); batch !== undefined; batch = one.take(now)) settle(batch, ACCEPTED);
        expect([one.length, one.acknowledged]).toEqual([0, end]);
        expect(settled()).toBe(added);
        for (const list of ended) expect(list).toEqual([...new Set(list)].sort((a, b) => a - b));
      }),
      { numRuns: 300 },
    );
  });
});
