import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { CallFailed, type ServerCall, Status } from "../../rpc/index.ts";
import { openChannel } from "./client.ts";
import { implement, serveRpc } from "./server.ts";
import { ECHO, failure } from "./testing.ts";

type Answer = (attempt: number, call: ServerCall) => Promise<string> | string;

/** A server that gives each attempt its scripted answer, and a channel that hedges. */
async function hedging(answer: Answer, policy: object = {}, more: object = {}) {
  const attempts: string[] = [];
  const ended: Promise<unknown>[] = [];
  const one = (_: string, call: ServerCall) => {
    attempts.push(String(call.metadata.get("x") ?? ""));
    ended.push(new Promise((resolve) => call.signal.addEventListener("abort", resolve)));
    return answer(attempts.length, call);
  };
  const server = await serveRpc([implement(ECHO, { one })], { graceMs: 100 });
  const hedgingPolicy = { maxAttempts: 3, hedgingDelay: "0.1s", nonFatalStatusCodes: ["UNAVAILABLE"], ...policy };
  const channel = openChannel(server.url, {
    graceMs: 100,
    serviceConfig: { methodConfig: [{ name: [{}], hedgingPolicy }], ...more },
  });
  return {
    attempts,
    ended,
    echo: channel.client(ECHO),
    [Symbol.asyncDispose]: async () => {
      await channel.close();
      await server.close();
    },
  };
}
const never = (call: ServerCall): Promise<string> =>
  new Promise((_, reject) => call.signal.addEventListener("abort", () => reject(new Error("cancelled"))));

test("a slow attempt: the second answers, and the first is cancelled", async () => {
  await using at = await hedging((attempt, call) => (attempt === 1 ? never(call) : "two"));
  expect(await at.echo.one("x")).toBe("two");
  await at.ended[0];
  expect(at.attempts).toHaveLength(2);
});

test("a quick answer: no other attempt is sent", async () => {
  await using at = await hedging(() => "one");
  expect(await at.echo.one("x")).toBe("one");
  // A busy machine may have sent another one before.
  const before = at.attempts.length;
  await wait(250);
  expect(at.attempts).toHaveLength(before);
});

test("a failure that is not fatal sends the next attempt at once", async () => {
  await using at = await hedging(
    (attempt) => {
      if (attempt < 3) throw new CallFailed(Status.UNAVAILABLE, "not now");
      return "three";
    },
    { hedgingDelay: "60s" },
  );
  expect(await at.echo.one("x")).toBe("three");
});

test("a fatal failure ends the call with its metadata, and cancels the others", async () => {
  await using at = await hedging((attempt, call) => {
    if (attempt === 1) return never(call);
    throw new CallFailed(Status.NOT_FOUND, "no", { metadata: { why: "gone" } });
  });
  const trailers: unknown[] = [];
  const { status, message } = await failure(at.echo.one("x", { onTrailers: (metadata) => trailers.push(metadata.get("why")) }));
  expect([status, message, trailers]).toEqual([Status.NOT_FOUND, "no", ["gone"]]);
  await at.ended[0];
});

test("all attempts fail: the call ends with the last failure", async () => {
  await using at = await hedging(
    (attempt) => {
      throw new CallFailed(Status.UNAVAILABLE, `no ${attempt}`);
    },
    { hedgingDelay: "0s" },
  );
  expect((await failure(at.echo.one("x"))).status).toBe(Status.UNAVAILABLE);
  expect(at.attempts).toHaveLength(3);
});

test("push-back against further attempts, and throttling, end the call early", async () => {
  await using refused = await hedging(
    () => {
      throw new CallFailed(Status.UNAVAILABLE, "no", { metadata: [] });
    },
    { hedgingDelay: "9s" },
    { retryThrottling: { maxTokens: 2, tokenRatio: 0.1 } },
  );
  expect((await failure(refused.echo.one("x"))).message).toBe("no");
  expect(refused.attempts).toHaveLength(1);
});

test("the caller cancels all attempts", async () => {
  await using at = await hedging((_, call) => never(call));
  const controller = new AbortController();
  const failed = failure(at.echo.one("x", { signal: controller.signal }));
  await expect.poll(() => at.attempts.length).toBe(3);
  controller.abort();
  expect((await failed).status).toBe(Status.CANCELLED);
  await Promise.all(at.ended);
});
