import { once } from "node:events";
import { createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { Status } from "../../rpc/index.ts";
import { serve } from "../server/serve.ts";
import { openChannel } from "./client.ts";
import type { ChannelOptions } from "./options.ts";
import { ECHO, envelope, failure } from "./testing.ts";

/** A server of node:http2 that does what it is told with each call, and a channel to it. */
async function against(act: (stream: ServerHttp2Stream, count: number) => void, mine: ChannelOptions = {}) {
  const server: Http2Server = createServer();
  let count = 0;
  const sessions = new Set<{ destroy(): void }>();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => {});
  });
  const heads: IncomingHttpHeaders[] = [];
  server.on("stream", (stream: ServerHttp2Stream, head: IncomingHttpHeaders) => {
    heads.push(head);
    stream.on("error", () => {});
    act(stream, ++count);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const channel = openChannel(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { graceMs: 100, ...mine });
  return {
    echo: channel.client(ECHO),
    sessions,
    heads,
    [Symbol.asyncDispose]: async () => {
      await channel.close();
      for (const session of sessions) session.destroy();
      server.close();
    },
  };
}
const HEADERS = { ":status": 200, "content-type": "application/rpc" };
const answer = (
  stream: ServerHttp2Stream,
  messages: readonly Uint8Array[],
  trailers: Record<string, string> = { "rpc-status": "0" },
): void => {
  stream.respond(HEADERS, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers(trailers));
  for (const message of messages) stream.write(message);
  stream.end();
};

test.each([
  ["REFUSED_STREAM twice", 7, Status.UNAVAILABLE],
  ["CANCEL", 8, Status.CANCELLED],
  ["ENHANCE_YOUR_CALM", 11, Status.RESOURCE_EXHAUSTED],
  ["INADEQUATE_SECURITY", 12, Status.PERMISSION_DENIED],
  ["INTERNAL_ERROR", 2, Status.INTERNAL],
])("RST_STREAM with %s is a status", async (_, code, status) => {
  await using at = await against((stream) => stream.close(code));
  expect((await failure(at.echo.one("x"))).status).toBe(status);
});

test.each([
  [404, Status.UNIMPLEMENTED],
  [503, Status.UNAVAILABLE],
  [400, Status.INTERNAL],
  [418, Status.UNKNOWN],
])("the HTTP status %i is a status", async (http, status) => {
  await using at = await against((stream) => {
    stream.respond({ ":status": http, "content-type": "text/html" });
    stream.end("<p>sorry</p>");
  });
  expect((await failure(at.echo.one("x"))).status).toBe(status);
});

test.each([
  ["no trailers", [envelope("x")], {}, Status.UNKNOWN],
  ["an invalid status", [envelope("x")], { "rpc-status": "zero" }, Status.UNKNOWN],
  ["no message", [], { "rpc-status": "0" }, Status.UNIMPLEMENTED],
  ["two messages", [envelope("x"), envelope("y")], { "rpc-status": "0" }, Status.UNIMPLEMENTED],
  ["half a message", [envelope("hello").subarray(0, 8)], { "rpc-status": "0" }, Status.INTERNAL],
  ["reserved flags", [Uint8Array.of(4, 0, 0, 0, 0)], { "rpc-status": "0" }, Status.INTERNAL],
  ["a message above the limit", [envelope("x".repeat(101))], { "rpc-status": "0" }, Status.RESOURCE_EXHAUSTED],
  ["a message that does not decode", [envelope("undecodable")], { "rpc-status": "0" }, Status.INTERNAL],
  ["half a message and its own status", [envelope("hello").subarray(0, 8)], { "rpc-status": "9" }, Status.FAILED_PRECONDITION],
])("a unary response with %s fails the call", async (_, messages, trailers, status) => {
  await using at = await against((stream) => answer(stream, messages, trailers), { maxMessageOctets: 100 });
  expect((await failure(at.echo.one("x"))).status).toBe(status);
});

test("a call that the server refuses is sent once more, with its requests from the beginning", async () => {
  const got: string[] = [];
  await using at = await against((stream, count) => {
    stream.on("data", (chunk: Buffer) => {
      got.push(`${count}:${chunk.subarray(5).toString()}`);
      if (count === 1) stream.close(7);
    });
    if (count === 2) stream.on("end", () => answer(stream, [envelope("done")]));
  });
  const gate = Promise.withResolvers<void>();
  const call = at.echo.gather(
    (async function* asks() {
      yield "a";
      await gate.promise;
      yield "b";
    })(),
  );
  await expect.poll(() => got).toContain("2:a");
  gate.resolve();
  expect(await call).toBe("done");
  expect(got).toEqual(["1:a", "2:a", "2:b"]);
});

test("after GOAWAY calls go to a new connection", async () => {
  await using at = await against((stream, count) => {
    if (count === 1) stream.session?.goaway(0, stream.id);
    answer(stream, [envelope(String(count))]);
  });
  expect(await at.echo.one("x")).toBe("1");
  await wait(20);
  expect(await at.echo.one("x")).toBe("2");
  expect(at.sessions.size).toBe(2);
});

test("a connection that breaks fails its calls with UNAVAILABLE", async () => {
  await using at = await against((stream) => stream.session?.destroy());
  expect((await failure(at.echo.one("x"))).status).toBe(Status.UNAVAILABLE);
});

test("a response that ends before the requests stops them, and their source, with NO_ERROR", async () => {
  let octets = "";
  // This server sends no RST_STREAM of its own.
  await using server = await serve(
    () => ({ status: 200, fields: [["content-type", "application/rpc"]], body: envelope("enough"), trailers: [["rpc-status", "0"]] }),
    {
      graceMs: 100,
      filter: (_, link) => ({
        incoming: (bytes) => {
          octets += Buffer.from(bytes).toString("hex");
          link.receive(bytes);
        },
        outgoing: (pieces) => link.write(pieces),
      }),
    },
  );
  await using channel = openChannel(server.url, { graceMs: 100 });
  const ended = Promise.withResolvers<void>();
  const asks = async function* asks() {
    try {
      for (;;) {
        yield "a";
        await wait(5);
      }
    } finally {
      ended.resolve();
    }
  };
  expect(await channel.client(ECHO).gather(asks())).toBe("enough");
  await ended.promise;
  // RST_STREAM on stream 1 with the code 0.
  await expect.poll(() => octets).toContain("0000040300" + "00000001" + "00000000");
});

test("content of another protocol is cancelled", async () => {
  const code = Promise.withResolvers<number>();
  await using at = await against((stream) => {
    stream.on("close", () => code.resolve(stream.rstCode));
    stream.respond({ ":status": 404 });
    stream.write("sorry");
  });
  expect((await failure(at.echo.one("x"))).status).toBe(Status.UNIMPLEMENTED);
  expect(await code.promise).toBe(8);
});

test("a call that fails ends the source of its requests", async () => {
  await using at = await against((stream) => stream.respond({ ...HEADERS, "rpc-status": "5" }, { endStream: true }));
  const ended = Promise.withResolvers<void>();
  const asks = async function* asks() {
    try {
      for (;;) {
        yield "a";
        await wait(5);
      }
    } finally {
      ended.resolve();
    }
  };
  expect((await failure(at.echo.gather(asks()))).status).toBe(Status.NOT_FOUND);
  await ended.promise;
});

test("within the back-off no other connection is tried", async () => {
  let dials = 0;
  const server = createTcpServer((socket) => {
    dials++;
    socket.on("error", () => {}).destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  await using channel = openChannel(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const echo = channel.client(ECHO);
  for (let count = 0; count < 5; count++) expect((await failure(echo.one("x"))).status).toBe(Status.UNAVAILABLE);
  expect(dials).toBe(1);
  server.close();
});

const RETRIED = {
  methodConfig: [
    {
      name: [{ service: "test.Echo" }],
      timeout: "5s",
      retryPolicy: {
        maxAttempts: 3,
        initialBackoff: "0.01s",
        maxBackoff: "0.02s",
        backoffMultiplier: 2,
        retryableStatusCodes: ["UNAVAILABLE"],
      },
    },
  ],
};

test("a call is sent again by its policy, and says how often", async () => {
  const attempts: unknown[] = [];
  await using at = await against(
    (stream, count) => {
      attempts.push(stream.session === undefined ? "none" : count);
      if (count < 3) stream.respond({ ...HEADERS, "rpc-status": "14" }, { endStream: true });
      else answer(stream, [envelope("third")]);
    },
    { serviceConfig: RETRIED },
  );
  expect(await at.echo.one("x")).toBe("third");
  expect(attempts).toEqual([1, 2, 3]);
  expect(at.heads.map((head) => head["rpc-previous-rpc-attempts"])).toEqual([undefined, "1", "2"]);
  expect(at.heads[0]?.["rpc-timeout"]).toMatch(/^\d+u$/);
});

test.each([
  ["another status", { "rpc-status": "5" }, 1],
  ["all attempts", { "rpc-status": "14" }, 3],
  ["a push-back that says no", { "rpc-status": "14", "rpc-retry-pushback-ms": "-1" }, 1],
])("%s: no further attempt", async (_, fields, count) => {
  await using at = await against((stream) => stream.respond({ ...HEADERS, ...fields }, { endStream: true }), { serviceConfig: RETRIED });
  await failure(at.echo.one("x"));
  expect(at.heads).toHaveLength(count);
});

test("after headers a call is not sent again", async () => {
  await using at = await against((stream) => answer(stream, [], { "rpc-status": "14" }), { serviceConfig: RETRIED });
  expect((await failure(at.echo.one("x"))).status).toBe(Status.UNAVAILABLE);
  expect(at.heads).toHaveLength(1);
});

test("too many failures stop the retries of a channel", async () => {
  await using at = await against((stream) => stream.respond({ ...HEADERS, "rpc-status": "14" }, { endStream: true }), {
    serviceConfig: { ...RETRIED, retryThrottling: { maxTokens: 4, tokenRatio: 0.1 } },
  });
  await failure(at.echo.one("x"));
  await failure(at.echo.one("x"));
  expect(at.heads).toHaveLength(3);
});

test("GOAWAY with an error says why the calls fail that the server leaves", async () => {
  await using at = await against((stream) => {
    stream.session?.goaway(11, 0x7fff_ffff, Buffer.from("too_many_pings"));
    setTimeout(() => stream.session?.socket.destroy(), 50);
  });
  const { status, message } = await failure(at.echo.one("x"));
  expect([status, message]).toEqual([
    Status.UNAVAILABLE,
    expect.stringContaining('the server sent GOAWAY with ENHANCE_YOUR_CALM ("too_many_pings")'),
  ]);
});

test("the deadline ends the wait for a retry", async () => {
  const slow = { ...RETRIED.methodConfig[0]!.retryPolicy, initialBackoff: "60s", maxBackoff: "60s" };
  await using at = await against((stream) => stream.respond({ ...HEADERS, "rpc-status": "14" }, { endStream: true }), {
    serviceConfig: { methodConfig: [{ name: [{}], retryPolicy: slow }] },
  });
  expect((await failure(at.echo.one("x", { timeoutMs: 50 }))).status).toBe(Status.DEADLINE_EXCEEDED);
  expect(at.heads).toHaveLength(1);
});

test("a server that sends a PING for each call is no flood", async () => {
  const act = (stream: ServerHttp2Stream): void => {
    stream.session?.ping(() => {});
    answer(stream, [envelope("x")]);
  };
  // Each request earns a PING: the budget does not matter.
  await using at = await against(act, { http2: { limits: { pings: { burst: 3, perSecond: 0 } } } });
  for (let count = 0; count < 60; count++) expect(await at.echo.one("x")).toBe("x");
  expect(at.sessions.size).toBe(1);
});
