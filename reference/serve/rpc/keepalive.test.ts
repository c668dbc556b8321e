import { once } from "node:events";
import { connect as connectHttp2, type ClientHttp2Session } from "node:http2";
import { connect as connectTcp, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { readServiceConfig, Status } from "../../rpc/index.ts";
import { openChannel } from "./client.ts";
import { ChannelConfig } from "./channel-config.ts";
import { Lines } from "./lines.ts";
import type { RpcServeOptions } from "./options.ts";
import { implement, serveRpc } from "./server.ts";
import { targetOf } from "./target.ts";
import { begin, call, ECHO, ECHOES, failure, statusOf } from "./testing.ts";

afterEach(() => void vi.useRealTimers());

/** A server of echoes, and a session of node:http2 with it. */
async function withSession(options: RpcServeOptions) {
  const server = await serveRpc([implement(ECHO, ECHOES)], { graceMs: 100, ...options });
  const session = connectHttp2(server.url);
  session.on("error", () => {});
  const gone = Promise.withResolvers<{ readonly code: number; readonly debug: string }>();
  session.on("goaway", (code, _, debug) => gone.resolve({ code, debug: debug === undefined ? "" : Buffer.from(debug).toString() }));
  await once(session, "connect");
  return {
    server,
    session,
    gone: gone.promise,
    [Symbol.asyncDispose]: async () => {
      session.destroy();
      await server.close();
    },
  };
}
const ping = (session: ClientHttp2Session): Promise<void> =>
  new Promise((resolve, reject) => session.ping((error) => (error === null ? resolve() : reject(error))));

test("PINGs without an answer of ours: the fourth ends the connection with too_many_pings", async () => {
  await using at = await withSession({});
  for (let count = 0; count < 3; count++) await ping(at.session);
  const fourth = ping(at.session).catch((error: unknown) => error);
  expect(await at.gone).toEqual({ code: 11, debug: "too_many_pings" });
  expect(await fourth).toBeInstanceOf(Error);
});

test("PINGs between answers of ours are as many as answers", async () => {
  await using at = await withSession({});
  for (let count = 0; count < 20; count++) {
    await ping(at.session);
    expect(statusOf(await call(at.session, "One", ["x"]))).toBe("0");
    await ping(at.session);
  }
});

test("without calls PINGs are for two hours, unless the server permits them", async () => {
  await using strict = await withSession({ http2: { permitPings: { everyMs: 0, withoutStreams: false } } });
  for (let count = 0; count < 4; count++) void ping(strict.session).catch(() => {});
  expect((await strict.gone).debug).toBe("too_many_pings");
  await using mild = await withSession({ http2: { permitPings: { everyMs: 0, withoutStreams: true } } });
  for (let count = 0; count < 10; count++) await ping(mild.session);
});

test("maxIdleMs: a connection without calls ends with max_idle", async () => {
  await using at = await withSession({ http2: { life: { maxIdleMs: 150 } } });
  expect(await at.gone).toEqual({ code: 0, debug: "max_idle" });
});

test("maxAgeMs: a call in progress goes on, until the grace is over", async () => {
  await using at = await withSession({ http2: { life: { maxAgeMs: 150, graceMs: 300 } } });
  const stream = begin(at.session, "Chat");
  stream.on("error", () => {});
  const closed = once(stream, "close");
  expect(await at.gone).toEqual({ code: 0, debug: "max_age" });
  expect(stream.closed).toBe(false);
  await closed;
});

test("keepalive of a server: a client that does not answer is dropped", async () => {
  const server = await serveRpc([], { http2: { keepalive: { timeMs: 150, timeoutMs: 150, withoutStreams: true } } });
  const socket = connectTcp(server.port, "127.0.0.1");
  socket.on("error", () => {});
  const octets: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => octets.push(chunk));
  // The preface, SETTINGS, and an acknowledgement.
  socket.write(Buffer.from("505249202a20485454502f322e300d0a0d0a534d0d0a0d0a000000040000000000000000040100000000", "hex"));
  await once(socket, "close");
  // A PING of ours: eight octets, type 6.
  expect(Buffer.concat(octets).toString("hex")).toContain("0000080600000000006b6b6b6b6b6b6b6b");
  await server.close();
});

/** A relay that can go deaf: the connection stays, and nothing passes any more. */
async function deafRelay(port: number) {
  const sockets = new Set<Socket>();
  let isDeaf = false;
  const relay = createServer((near) => {
    const far = connectTcp(port, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => other.destroy());
      one.on("data", (chunk) => {
        if (!isDeaf) other.write(chunk);
      });
    }
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  return {
    url: `http://127.0.0.1:${(relay.address() as { readonly port: number }).port}/`,
    goDeaf: () => (isDeaf = true),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      relay.close();
    },
  };
}

test("keepalive of a client: a dead connection is noticed, and its calls are UNAVAILABLE", async () => {
  await using server = await serveRpc([implement(ECHO, ECHOES)], {
    graceMs: 100,
    http2: { permitPings: { everyMs: 0, withoutStreams: true } },
  });
  await using relay = await deafRelay(server.port);
  const keepalive = { timeMs: 200, timeoutMs: 200, withoutStreams: false };
  await using channel = openChannel(relay.url, { graceMs: 100, http2: { keepalive } });
  const echo = channel.client(ECHO);
  expect(await echo.one("x")).toBe("X");
  // While the peer answers, a silent call goes on.
  const never = Promise.withResolvers<string>();
  const waiting = failure(
    echo.gather(
      (async function* none() {
        yield await never.promise;
      })(),
    ),
  );
  await wait(900);
  relay.goDeaf();
  const { status, message } = await waiting;
  expect([status, message]).toEqual([Status.UNAVAILABLE, expect.stringContaining("the peer has not answered a PING within 0.2 seconds")]);
  never.resolve("");
});

test("a channel whose server permits fewer PINGs asks half as often", async () => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  await using server = await serveRpc([implement(ECHO, ECHOES)], {
    graceMs: 100,
    http2: { permitPings: { everyMs: 3_600_000, withoutStreams: false } },
  });
  const line = new Lines(targetOf(server.url, false), {
    connect: { graceMs: 100 },
    keepalive: { timeMs: 1 },
    config: new ChannelConfig(readServiceConfig({}), 1, undefined),
    watches: {
      begin: () => {
        throw new Error("nobody watches the server");
      },
      end: () => {},
    },
    lookUpApartMs: 1,
  });
  const connection = await line.take(false, (one) => one);
  for (let count = 0; count < 5; count++) void connection.ping().catch(() => {});
  await connection.closed;
  expect(errors.mock.calls.flat().join()).toContain("permits fewer PINGs: the channel asks every 20 seconds now");
  errors.mockRestore();
  await line.close();
});

test("a connection may be silent for long, unless the option idleMs says otherwise", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  await using patient = await withSession({});
  await using limited = await withSession({ idleMs: 300_000 });
  while (!limited.session.closed) {
    // What a client sends at first may come late, and begin the time anew.
    vi.advanceTimersByTime(300_001);
    await wait(150);
  }
  expect(patient.session.closed).toBe(false);
  expect(statusOf(await call(patient.session, "One", ["x"]))).toBe("0");
});
