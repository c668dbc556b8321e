import { expect, test } from "vitest";
import { QueryCanceled, QueryTimedOut, type Work } from "../../metrics/promql/index.ts";
import { worked } from "./work.ts";

const never = new AbortController().signal;

/** Work without end; tells when it is put away. */
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

test("work gives what it comes to", async () => {
  const work = (function* run(): Work<string> {
    yield;
    return "done";
  })();
  await expect(worked(work, Infinity, never)).resolves.toBe("done");
});

test("others have their turn, and work ends with who waits for it", async () => {
  const { work, isClosed } = endless();
  const client = new AbortController();
  setImmediate(() => client.abort());
  await expect(worked(work, Infinity, client.signal)).rejects.toThrow(QueryCanceled);
  expect(isClosed()).toBe(true);
});

test("work ends at its time", async () => {
  const { work, isClosed } = endless();
  await expect(worked(work, performance.now() + 20, never)).rejects.toThrow(QueryTimedOut);
  expect(isClosed()).toBe(true);
});
