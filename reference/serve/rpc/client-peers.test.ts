import { once } from "node:events";
import { createServer, type Http2Server, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { Status } from "../../rpc/index.ts";
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
  server.on("stream", (stream: ServerHttp2Stream) => {
    stream.on("error", () => {});
    act(stream, ++count);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const channel = openChannel(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { graceMs: 100, ...mine });
  return {
    echo: channel.client(ECHO),
    sessions,
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
  await vi.waitFor(() => expect(got).toContain("2:a"));
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

test("a response that ends before the requests stops them, with NO_ERROR", async () => {
  const code = Promise.withResolvers<number>();
  await using at = await against((stream) => {
    stream.on("close", () => code.resolve(stream.rstCode));
    answer(stream, [envelope("enough")]);
  });
  let ended = false;
  const asks = async function* asks() {
    try {
      yield "a";
      await new Promise(() => {});
    } finally {
      ended = true;
    }
  };
  expect(await at.echo.gather(asks())).toBe("enough");
  expect(await code.promise).toBe(0);
  expect(ended).toBe(false);
});

test("a server that sends a PING for each call is no flood", async () => {
  await using at = await against((stream) => {
    for (let count = 0; count < 20; count++) stream.session?.ping(() => {});
    answer(stream, [envelope("x")]);
  });
  for (let count = 0; count < 60; count++) expect(await at.echo.one("x")).toBe("x");
  expect(at.sessions.size).toBe(1);
});
