import { describe, expect, test } from "vitest";
import { Labels } from "../../metrics/model/index.ts";
import { type Expr, parse, QueryCanceled, QueryTimedOut, ServerBusy } from "../../metrics/promql/index.ts";
import { MemoryStorage, type Queryable } from "../../metrics/storage/index.ts";
import { queryRunner, QUERY_LIMITS } from "./queries.ts";

const UP = parse("up") as Expr;

/** A storage with endless series: a query reads on until it is stopped. Counts the open queriers. */
function endless(): Queryable & { open: number } {
  return {
    open: 0,
    querier() {
      this.open += 1;
      return {
        *select() {
          for (let at = 0; ; at++) yield { labels: Labels.of({ at: String(at) }), read: () => {} };
        },
        labelNames: () => [],
        labelValues: () => [],
        close: () => void (this.open -= 1),
      };
    },
  };
}
const task = (signal: AbortSignal, timeoutMs?: number) => ({
  expr: UP,
  startMs: 0,
  endMs: 0,
  stepMs: 0,
  timeoutMs,
  lookbackMs: undefined,
  countSamples: false,
  signal,
});
const never = new AbortController().signal;

describe("queryRunner()", () => {
  test("the client disconnects while series are selected: the query ends and closes its querier", async () => {
    const storage = endless();
    const client = new AbortController();
    const query = queryRunner(storage, {})(task(client.signal));
    setImmediate(() => client.abort());
    await expect(query).rejects.toThrow(QueryCanceled);
    expect(storage.open).toBe(0);
  });

  test("a query times out after its own timeout or the server's, whichever is shorter", async () => {
    const storage = endless();
    await expect(queryRunner(storage, {})(task(never, 20))).rejects.toThrow(QueryTimedOut);
    await expect(queryRunner(storage, {}, { ...QUERY_LIMITS, timeoutMs: 20 })(task(never, 3_600_000))).rejects.toThrow(QueryTimedOut);
    expect(storage.open).toBe(0);
  });

  test("the client disconnects after the selection: the query ends during evaluation", async () => {
    const client = new AbortController();
    let isOpen = false;
    const storage: Queryable = {
      querier() {
        isOpen = true;
        return {
          *select() {
            for (let at = 0; at < 3_000; at++) yield { labels: Labels.of({ at: String(at) }), read: (into) => into.push(0, at) };
            // The selector does not pause after this.
            client.abort();
          },
          labelNames: () => [],
          labelValues: () => [],
          close: () => void (isOpen = false),
        };
      },
    };
    const expr = parse("topk(1000, up)") as Expr;
    const query = queryRunner(storage, { lookbackMs: 3_600_000 })({ ...task(client.signal), expr, endMs: 1_000_000, stepMs: 1_000 });
    await expect(query).rejects.toThrow(QueryCanceled);
    expect(isOpen).toBe(false);
  });

  test("queries beyond the concurrency wait in order; a waiting query can time out or be canceled, and a full queue refuses more", async () => {
    const storage = endless();
    const run = queryRunner(storage, {}, { timeoutMs: 60_000, concurrency: 1, waiting: 2, samples: 1_000 });
    const [first, second] = [new AbortController(), new AbortController()];
    const running = run(task(first.signal));
    const late = run(task(never, 20));
    const waiting = run(task(second.signal));
    await expect(run(task(never))).rejects.toThrow("too many queries are waiting (2)");
    await expect(late).rejects.toThrow("query timed out in query queue");
    second.abort();
    await expect(waiting).rejects.toThrow("query was canceled in query queue");
    const next = run(task(never, 200));
    expect(storage.open).toBe(1);
    first.abort();
    await expect(running).rejects.toThrow(QueryCanceled);
    await expect(next).rejects.toThrow("query timed out in expression evaluation");
    expect(storage.open).toBe(0);
  });

  test("a short query passes a queue of long ones, and long ones hold no querier while they wait", async () => {
    const storage = endless();
    const run = queryRunner(storage, {}, { ...QUERY_LIMITS, concurrency: 1 });
    const client = new AbortController();
    const long = Array.from({ length: 5 }, () => run(task(client.signal)));
    const { result } = await run({ ...task(never, 5_000), expr: parse("1") as Expr });
    expect(result.value).toMatchObject({ is: "scalar", value: 1 });
    expect(storage.open).toBe(1);
    client.abort();
    await Promise.all(long.map((query) => expect(query).rejects.toThrow(QueryCanceled)));
    expect(storage.open).toBe(0);
  });

  test("queries that do not fit into the shared budget at the same time run one after another", async () => {
    const storage = new MemoryStorage();
    const appender = storage.appender();
    for (let at = 0; at < 100; at++) appender.append(appender.series(Labels.of({ __name__: "up", at: String(at) })), 0, at);
    appender.commit();
    const run = queryRunner(storage, {}, { ...QUERY_LIMITS, samples: 700_000 });
    const wide = { ...task(never), expr: parse("sum(up * on (at) up)") as Expr, endMs: 200_000, stepMs: 100 };
    const results = await Promise.all(Array.from({ length: 4 }, () => run(wide)));
    expect(results.map(({ result }) => result.value)).toEqual(
      Array.from({ length: 4 }, () => expect.objectContaining({ size: 1 }) as unknown),
    );
  });

  test("queries share a budget of samples: beyond it they fail, and when one ends there is room again", async () => {
    const storage = new MemoryStorage();
    const appender = storage.appender();
    for (let at = 0; at < 60; at++) appender.append(appender.series(Labels.of({ __name__: "up", at: String(at) })), 0, at);
    appender.commit();
    const run = queryRunner(storage, {}, { ...QUERY_LIMITS, samples: 100 });
    await expect(run({ ...task(never), expr: parse("up + on (at) up") as Expr })).rejects.toThrow(ServerBusy);
    await expect(run(task(never))).resolves.toMatchObject({ result: { value: { is: "vector" } } });
    await expect(
      run({ ...task(never), expr: parse('label_replace(up, "text", "more than the samples", "", "")') as Expr }),
    ).rejects.toThrow(ServerBusy);
    await expect(run(task(never))).resolves.toMatchObject({ result: { value: { is: "vector" } } });
  });
});
