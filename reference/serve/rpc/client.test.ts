import { setTimeout as wait } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { CallFailed, type Implementation, Status } from "../../rpc/index.ts";
import { openChannel } from "./client.ts";
import type { ChannelOptions, RpcServeOptions } from "./options.ts";
import { implement, serveRpc } from "./server.ts";
import { ECHO, ECHOES, failure } from "./testing.ts";

async function pair(implementation: Implementation<typeof ECHO> = ECHOES, options: RpcServeOptions = {}, mine: ChannelOptions = {}) {
  const server = await serveRpc([implement(ECHO, implementation)], { graceMs: 200, ...options });
  const channel = openChannel(server.url, { graceMs: 200, ...mine });
  return {
    server,
    channel,
    echo: channel.client(ECHO),
    [Symbol.asyncDispose]: async () => {
      await channel.close();
      await server.close();
    },
  };
}

async function* of(...texts: string[]) {
  for (const text of texts) {
    await Promise.resolve();
    yield text;
  }
}

test.each(["rpc", "grpc"] as const)("the four kinds in the dialect %s", async (dialect) => {
  await using at = await pair(ECHOES, { dialect }, { dialect });
  expect(await at.echo.one("hello")).toBe("HELLO");
  expect(await at.echo.gather(of("a", "b"))).toBe("a+b");
  expect(await Array.fromAsync(at.echo.spread("x,y"))).toEqual(["x", "y"]);
  expect(await Array.fromAsync(at.echo.chat(of("a", "b")))).toEqual(["a!", "b!"]);
  expect(await Array.fromAsync(at.echo.chat(of()))).toEqual([]);
});

test("requests and responses take turns", async () => {
  await using at = await pair();
  const turns = Promise.withResolvers<void>();
  const log: string[] = [];
  const chat = at.echo.chat(
    (async function* asks() {
      yield "first";
      await turns.promise;
      yield "second";
    })(),
  );
  for await (const text of chat) {
    log.push(text);
    turns.resolve();
  }
  expect(log).toEqual(["first!", "second!"]);
});

test("metadata goes both ways", async () => {
  await using at = await pair({
    one: (_, call) => {
      call.setTrailers({ late: "1" });
      call.sendHeaders({ early: String(call.metadata.get("x-a")) });
      return "";
    },
  });
  const seen: unknown[] = [];
  await at.echo.one("", {
    metadata: { "x-a": "yes" },
    onHeaders: (metadata) => seen.push(metadata.get("early")),
    onTrailers: (metadata) => seen.push(metadata.get("late")),
  });
  expect(seen).toEqual(["yes", "1"]);
});

test("the status of a call that fails: code, message, details, metadata", async () => {
  await using at = await pair({
    one: () => {
      throw new CallFailed(Status.NOT_FOUND, "no ☃", { details: Uint8Array.of(7), metadata: { why: "winter" } });
    },
    async *spread() {
      yield "a";
      await Promise.resolve();
      throw new CallFailed(Status.DATA_LOSS, "gone");
    },
  });
  const error = await failure(at.echo.one("x"));
  expect(error).toMatchObject({ status: 5, statusName: "NOT_FOUND", message: "no ☃", details: Uint8Array.of(7) });
  expect(error.metadata.get("why")).toBe("winter");
  const got: string[] = [];
  await expect(
    (async () => {
      for await (const text of at.echo.spread("x")) got.push(text);
    })(),
  ).rejects.toMatchObject({ status: Status.DATA_LOSS });
  expect(got).toEqual(["a"]);
  expect((await failure(at.echo.gather(of("x")))).status).toBe(Status.UNIMPLEMENTED);
});

test("a deadline that has passed fails the call without a stream", async () => {
  const one = vi.fn(ECHOES.one);
  await using at = await pair({ one });
  for (const options of [{ timeoutMs: 0 }, { timeoutMs: -1 }, { deadline: performance.now() - 1 }])
    expect((await failure(at.echo.one("x", options))).status).toBe(Status.DEADLINE_EXCEEDED);
  expect(at.server.connections).toBe(0);
  expect(one).not.toHaveBeenCalled();
});

test("at its deadline a call fails with DEADLINE_EXCEEDED, and the server knows the time that is left", async () => {
  let left = 0;
  const ended = Promise.withResolvers<unknown>();
  await using at = await pair({
    one: (_, call) => {
      left = call.deadline! - performance.now();
      call.signal.addEventListener("abort", () => ended.resolve(call.signal.reason));
      return new Promise(() => {});
    },
  });
  expect((await failure(at.echo.one("x", { timeoutMs: 60, deadline: performance.now() + 10_000 }))).status).toBe(Status.DEADLINE_EXCEEDED);
  expect(left).toBeGreaterThan(10);
  expect(left).toBeLessThanOrEqual(60);
  await ended.promise;
});

test("a handler's own calls inherit its deadline and its cancellation", async () => {
  const deadlines: (number | undefined)[] = [];
  await using inner = await pair({
    one: (_, call) => {
      deadlines.push(call.deadline);
      return new Promise(() => {});
    },
  });
  await using outer = await pair({
    one: (text, call) => {
      deadlines.push(call.deadline);
      return inner.echo.one(text, call.downstream);
    },
  });
  expect((await failure(outer.echo.one("x", { timeoutMs: 200 }))).status).toBe(Status.DEADLINE_EXCEEDED);
  expect(deadlines[1]! - deadlines[0]!).toBeLessThan(60);
});

test("cancelling: before the call, while it waits, and within its responses", async () => {
  const begun = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  await using at = await pair({
    one: (_, call) => {
      begun.resolve();
      call.signal.addEventListener("abort", () => aborted.resolve());
      return new Promise(() => {});
    },
    async *spread(text) {
      for (;;) {
        await wait(1);
        yield text;
      }
    },
  });
  expect((await failure(at.echo.one("x", { signal: AbortSignal.abort() }))).status).toBe(Status.CANCELLED);
  // On a connection that stands, too.
  void failure(at.echo.one("x", { timeoutMs: 2_000 }));
  await begun.promise;
  expect((await failure(at.echo.one("x", { signal: AbortSignal.abort() }))).status).toBe(Status.CANCELLED);
  const stop = new AbortController();
  const call = failure(at.echo.one("x", { signal: stop.signal }));
  await wait(30);
  stop.abort();
  expect((await call).status).toBe(Status.CANCELLED);
  await aborted.promise;
  const again = new AbortController();
  let count = 0;
  await expect(
    (async () => {
      for await (const _ of at.echo.spread("x", { signal: again.signal })) if (++count === 3) again.abort();
    })(),
  ).rejects.toMatchObject({ status: Status.CANCELLED });
});

test("leaving the loop over responses cancels the call", async () => {
  const ended = Promise.withResolvers<void>();
  await using at = await pair({
    async *spread(text) {
      try {
        for (;;) {
          await wait(1);
          yield text;
        }
      } finally {
        ended.resolve();
      }
    },
  });
  for await (const text of at.echo.spread("x")) {
    expect(text).toBe("x");
    break;
  }
  await ended.promise;
});

test("nothing listens: UNAVAILABLE at once; a call that waits for a connection gets one later", async () => {
  const closed = await serveRpc([]);
  const { port, url } = closed;
  await closed.close();
  await using channel = openChannel(url, { graceMs: 100 });
  const echo = channel.client(ECHO);
  const error = await failure(echo.one("x"));
  expect(error.status).toBe(Status.UNAVAILABLE);
  expect(error.message).toContain("nothing listens");
  // Within the back-off no other attempt is made.
  expect((await failure(echo.one("x"))).status).toBe(Status.UNAVAILABLE);
  expect((await failure(echo.one("x", { waitForReady: true, timeoutMs: 30 }))).status).toBe(Status.DEADLINE_EXCEEDED);
  const waiting = echo.one("x", { waitForReady: true });
  await using server = await serveRpc([implement(ECHO, ECHOES)], { port });
  expect(await waiting).toBe("X");
  expect(server.connections).toBe(1);
});

test("calls above the server's limit of streams wait in their order", async () => {
  const order: string[] = [];
  await using at = await pair(
    {
      one: async (text) => {
        order.push(text);
        await wait(5);
        return text;
      },
    },
    { http2: { settings: { maxConcurrentStreams: 2 } } },
  );
  const texts = ["a", "b", "c", "d", "e"];
  expect(await Promise.all(texts.map((text) => at.echo.one(text)))).toEqual(texts);
  expect(order).toEqual(texts);
  expect(at.server.connections).toBe(1);
});

test("interceptors see calls in their order, and may change or replace them", async () => {
  await using at = await pair(
    { one: (text, call) => `${text} ${String(call.metadata.get("token"))}` },
    {},
    {
      interceptors: [
        async (request, { method }, next) => (method.path.endsWith("One") ? `<${String(await next(request))}>` : next(request)),
        (request, { options }, next) =>
          request === "cached" ? Promise.resolve("from the cache") : next(request, { ...options, metadata: { token: "t" } }),
      ],
    },
  );
  expect(await at.echo.one("x")).toBe("<x t>");
  expect(await at.echo.one("cached")).toBe("<from the cache>");
});

test("TLS: an untrusted certificate is UNAVAILABLE, and the message says why", async () => {
  await using at = await pair({ one: (_, call) => call.connection.tls?.version ?? "none" }, { tls: true }, { tls: { verify: false } });
  expect(await at.echo.one("x")).toBe("TLSv1.3");
  await using untrusting = openChannel(at.server.url);
  const error = await failure(untrusting.client(ECHO).one("x"));
  expect(error.status).toBe(Status.UNAVAILABLE);
  expect(error.message).toContain("not trusted");
});

test("a closed channel makes no calls", async () => {
  const at = await pair();
  await at.channel.close();
  expect((await failure(at.echo.one("x"))).message).toBe("The channel is closed.");
  await at.server.close();
});

test("compression goes both ways", async () => {
  await using at = await pair(ECHOES, { encoding: "zstd" }, { encoding: "gzip" });
  expect(await at.echo.one("x".repeat(10_000))).toBe("X".repeat(10_000));
  expect(() => at.echo.one("x", { encoding: "br" })).toThrow('the encoding "br" is not known');
});
