import { expect, test } from "vitest";
import { QueryCanceled, QueryTimedOut, type Work } from "../../metrics/promql/index.ts";
import { runInSlices } from "./work.ts";

const never = new AbortController().signal;

/** Endless work, and whether it was closed. */
function endless(): { readonly work: Work<never>; readonly isClosed: () => boolean } {
  let isClosed = false;
  const work = (function* run(): Work<never> {
    try {
      for (;;) yield;
    } finally {
      isClosed = true;
    }
  })();
  return { work, isClosed: () => isClosed };
}

test("work that finishes: resolves with its result", async () => {
  const work = (function* run(): Work<string> {
    yield;
    return "done";
  })();
  await expect(runInSlices(work, Infinity, never)).resolves.toBe("done");
});

test("endless work, signal aborted by other work in between: rejects with QueryCanceled and closes the work", async () => {
  const { work, isClosed } = endless();
  const client = new AbortController();
  setImmediate(() => client.abort());
  await expect(runInSlices(work, Infinity, client.signal)).rejects.toThrow(QueryCanceled);
  expect(isClosed()).toBe(true);
});

test("endless work, deadline reached: rejects with QueryTimedOut and closes the work", async () => {
  const { work, isClosed } = endless();
  await expect(runInSlices(work, performance.now() + 20, never)).rejects.toThrow(QueryTimedOut);
  expect(isClosed()).toBe(true);
});
