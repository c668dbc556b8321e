import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { LOAD_REPORT } from "../../rpc/balance/load-report.ts";
import { CallFailed, LOAD_TRAILER, type ServerCall, Status } from "../../rpc/index.ts";
import { openChannel, type Channel } from "./client.ts";
import { loadEntry, LoadReports } from "./load-reports.ts";
import type { ServerInterceptor } from "./options.ts";
import { implement, serveRpc } from "./server.ts";
import { targetOf } from "./target.ts";
import { ECHO, ECHOES, envelope, failure } from "./testing.ts";

/** A server whose answers say which one it is. */
const named = (name: string, port = 0) => serveRpc([implement(ECHO, { ...ECHOES, one: () => name })], { graceMs: 100, port });
const NEVER_MS = 0x7fff_ffff;
/** Accepts connections, and says nothing. */
async function silentServer() {
  const accepted = Promise.withResolvers<Socket>();
  // A socket that nobody reads does not notice its end.
  const server = createTcpServer((socket) => accepted.resolve(socket.resume().on("error", () => {}))).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    socket: accepted.promise,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}
const ROUND_ROBIN = { graceMs: 100, serviceConfig: { loadBalancingConfig: [{ round_robin: {} }] } };

test("several servers: the first with a connection gets all calls, and another when it is gone", async () => {
  const one = await named("one");
  await using two = await named("two");
  await using channel = openChannel([one.url, two.url], { graceMs: 100 });
  const echo = channel.client(ECHO);
  expect(channel.state).toBe("IDLE");
  expect(await Promise.all(Array.from({ length: 6 }, () => echo.one("x")))).toEqual(Array(6).fill("one"));
  expect(channel.state).toBe("READY");
  await one.close();
  await expect.poll(() => echo.one("x", { waitForReady: true })).toBe("two");
});

test("round_robin: calls go round, past a server that is gone, and back to it when it returns", async () => {
  const one = await named("one");
  await using two = await named("two");
  await using channel = openChannel([one.url, two.url], ROUND_ROBIN);
  const echo = channel.client(ECHO);
  await echo.one("x", { waitForReady: true });
  await expect.poll(async () => new Set([await echo.one("x"), await echo.one("x")]).size).toBe(2);
  await one.close();
  await expect.poll(async () => [await echo.one("x"), await echo.one("x")].join()).toBe("two,two");
  await using _again = await named("one", one.port);
  await expect.poll(async () => new Set([await echo.one("x"), await echo.one("x")]).size).toBe(2);
});

test("weighted_round_robin: by their weights", async () => {
  await using one = await named("one");
  await using two = await named("two");
  await using channel = openChannel(
    [
      { url: one.url, weight: 3 },
      { url: two.url, weight: 1 },
    ],
    { graceMs: 100, serviceConfig: { loadBalancingConfig: [{ weighted_round_robin: {} }] } },
  );
  const echo = channel.client(ECHO);
  await echo.one("x");
  const count = async (): Promise<number> =>
    (await Promise.all(Array.from({ length: 8 }, () => echo.one("x")))).filter((name) => name === "one").length;
  await expect.poll(count).toBe(6);
});

test("weighted_round_robin: by the loads that servers report at the end of calls", async () => {
  const loaded = (name: string, rpsFractional: number) =>
    serveRpc(
      [
        implement(ECHO, {
          ...ECHOES,
          one: (_, call) => {
            call.setTrailers({ [LOAD_TRAILER]: LOAD_REPORT.encode({ cpuUtilization: 0.5, rpsFractional }) });
            return name;
          },
        }),
      ],
      { graceMs: 100 },
    );
  await using one = await loaded("one", 300);
  await using two = await loaded("two", 100);
  const weighted_round_robin = { blackoutPeriod: "0s", weightUpdatePeriod: "0.1s" };
  await using channel = openChannel([one.url, two.url], {
    graceMs: 100,
    serviceConfig: { loadBalancingConfig: [{ weighted_round_robin }] },
  });
  const echo = channel.client(ECHO);
  const count = async (): Promise<number> =>
    (await Promise.all(Array.from({ length: 8 }, () => echo.one("x")))).filter((name) => name === "one").length;
  await expect.poll(count, { timeout: 5_000 }).toBe(6);
});

test("weighted_round_robin: by the loads that servers report on streams of their own, and not by those at the end of calls", async () => {
  const asked: unknown[] = [];
  const loaded = (name: string, rpsFractional: number) => {
    const loads = new LoadReports({ leastIntervalMs: 10 });
    loads.set({ applicationUtilization: 0.5, rpsFractional });
    const lies = loadEntry({ cpuUtilization: 0.5, rpsFractional: 1 / rpsFractional });
    const one = (_: string, call: ServerCall): string => {
      call.setTrailers([lies]);
      return name;
    };
    const interceptors: ServerInterceptor[] = [
      (request, call, next) => {
        if (call.method.path.includes("OpenRcaService")) asked.push(request);
        return next(request);
      },
    ];
    return serveRpc([implement(ECHO, { ...ECHOES, one }), loads.service()], { graceMs: 100, interceptors });
  };
  await using one = await loaded("one", 300);
  await using two = await loaded("two", 100);
  const weighted_round_robin = {
    enableOobLoadReport: true,
    oobReportingPeriod: "1.5s",
    blackoutPeriod: "0s",
    weightUpdatePeriod: "0.1s",
  };
  await using channel = openChannel([one.url, two.url], {
    graceMs: 100,
    serviceConfig: { loadBalancingConfig: [{ weighted_round_robin }] },
  });
  const echo = channel.client(ECHO);
  const count = async (): Promise<number> =>
    (await Promise.all(Array.from({ length: 8 }, () => echo.one("x")))).filter((name) => name === "one").length;
  await expect.poll(count, { timeout: 5_000 }).toBe(6);
  expect(asked).toMatchObject([
    { reportInterval: { seconds: 1n, nanos: 500_000_000 } },
    { reportInterval: { seconds: 1n, nanos: 500_000_000 } },
  ]);
});

test("states: idle, connecting, ready, idle again when the connection ends, failing, and shut down", async () => {
  const server = await named("one");
  const channel = openChannel(server.url, { graceMs: 100 });
  expect(channel.state).toBe("IDLE");
  channel.connect();
  expect(channel.state).toBe("CONNECTING");
  expect(await channel.stateChanged("CONNECTING")).toBe("READY");
  await server.close();
  expect(await channel.stateChanged("READY")).toBe("IDLE");
  channel.connect();
  expect(await channel.stateChanged("CONNECTING")).toBe("TRANSIENT_FAILURE");
  expect((await failure(channel.client(ECHO).one("x"))).status).toBe(Status.UNAVAILABLE);
  const last = channel.stateChanged("TRANSIENT_FAILURE");
  await channel.close();
  expect([await last, channel.state]).toEqual(["SHUTDOWN", "SHUTDOWN"]);
});

test("many calls that wait for a connection are sent when it stands", async () => {
  const server = await named("one");
  const { port } = server;
  await server.close();
  await using channel = openChannel(`http://127.0.0.1:${port}`, { graceMs: 100 });
  const echo = channel.client(ECHO);
  const calls = Array.from({ length: 50 }, () => echo.one("x", { waitForReady: true }));
  await wait(200);
  await using _again = await named("again", port);
  expect(new Set(await Promise.all(calls))).toEqual(new Set(["again"]));
});

test("dns: every address of the name is tried", async () => {
  await using server = await named("one");
  await using channel = openChannel(`dns:///localhost:${server.port}`, { graceMs: 100 });
  expect(await channel.client(ECHO).one("x")).toBe("one");
});

test("dns: a name without an address fails its calls, and says so", async () => {
  await using channel = openChannel("dns:///nothing.invalid:80", { graceMs: 100 });
  const { status, message } = await failure(channel.client(ECHO).one("x"));
  expect([status, message]).toEqual([Status.UNAVAILABLE, expect.stringContaining("the name nothing.invalid has no address")]);
  expect(channel.state).toBe("TRANSIENT_FAILURE");
});

test("dns with TLS: the certificate is checked for the name", async () => {
  await using server = await serveRpc([implement(ECHO, ECHOES)], { tls: true, graceMs: 100 });
  await using channel = openChannel(`dns:///localhost:${server.port}`, { tls: { ca: server.certificate! }, graceMs: 100 });
  expect(await channel.client(ECHO).one("x")).toBe("X");
});

test("unix: a channel over a socket of the file system", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-unix-"));
  const server = createServer();
  server.on("stream", (stream: ServerHttp2Stream, headers) => {
    stream.respond({ ":status": 200, "content-type": "application/rpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "rpc-status": "0" }));
    stream.resume().end(envelope(String(headers[":authority"])));
  });
  server.listen(join(folder, "rpc.sock"));
  await once(server, "listening");
  const channel = openChannel(`unix:${join(folder, "rpc.sock")}`, { graceMs: 100 });
  expect(await channel.client(ECHO).one("x")).toBe("localhost");
  await channel.close();
  server.close();
  rmSync(folder, { recursive: true });
});

test("more calls than the server permits wait in order", async () => {
  await using server = await serveRpc([implement(ECHO, ECHOES)], { graceMs: 100, http2: { settings: { maxConcurrentStreams: 2 } } });
  await using channel = openChannel(server.url, { graceMs: 100 });
  const echo = channel.client(ECHO);
  const done: number[] = [];
  await Promise.all(Array.from({ length: 40 }, async (_, at) => echo.one("x").then(() => done.push(at))));
  expect(done).toEqual(Array.from({ length: 40 }, (_, at) => at));
});

/** Calls that go on until they are ended, and how many of them the server has. */
function held(channel: Channel, count: number) {
  const released = Promise.withResolvers<void>();
  async function* asks(): AsyncGenerator<string> {
    yield "x";
    await released.promise;
  }
  const answered: number[] = [];
  const calls = Array.from({ length: count }, async (_, at) => {
    for await (const _text of channel.client(ECHO).chat(asks())) answered.push(at);
  });
  return { answered, end: () => (released.resolve(), Promise.all(calls)) };
}
const scaled = (most: number, streams: number) => ({
  server: serveRpc([implement(ECHO, ECHOES)], { graceMs: 100, http2: { settings: { maxConcurrentStreams: streams } } }),
  options: { graceMs: 100, serviceConfig: { connectionScaling: { maxConnectionsPerSubchannel: most } } },
});

test("connectionScaling: calls without room open further connections, up to the most; what is left waits in order", async () => {
  const { server: serving, options } = scaled(3, 2);
  await using server = await serving;
  await using channel = openChannel(server.url, options);
  const calls = held(channel, 8);
  await expect.poll(() => calls.answered.length).toBe(6);
  expect([server.connections, calls.answered.toSorted()]).toEqual([3, [0, 1, 2, 3, 4, 5]]);
  await calls.end();
  expect([server.connections, calls.answered.slice(6)]).toEqual([3, [6, 7]]);
  const texts = Array.from({ length: 300 }, (_, at) => `n${at}`);
  expect(await Promise.all(texts.map((text) => channel.client(ECHO).one(text)))).toEqual(texts.map((text) => text.toUpperCase()));
});

test("connectionScaling: a call that waits for room ends at its deadline, by its signal, or with the channel", async () => {
  const { server: serving, options } = scaled(2, 1);
  await using server = await serving;
  const channel = openChannel(server.url, options);
  const calls = held(channel, 2);
  await expect.poll(() => calls.answered.length).toBe(2);
  const stop = new AbortController();
  const echo = channel.client(ECHO);
  const waiting = [echo.one("x", { timeoutMs: 100 }), echo.one("x", { signal: stop.signal })].map(failure);
  const third = echo.one("third");
  const last = echo.one("last");
  expect((await waiting[0]!).status).toBe(Status.DEADLINE_EXCEEDED);
  stop.abort();
  expect((await waiting[1]!).status).toBe(Status.CANCELLED);
  await calls.end();
  expect([await third, await last]).toEqual(["THIRD", "LAST"]);
  const more = held(channel, 2);
  await expect.poll(() => more.answered.length).toBe(2);
  const late = [echo.one("y"), echo.one("y")].map(failure);
  const closing = channel.close();
  for (const one of late) expect((await one).status).toBe(Status.UNAVAILABLE);
  await more.end();
  await closing;
});

test("connectionScaling: the channel limits what a service config asks for; without it there is one connection", async () => {
  const { server: serving, options } = scaled(100, 1);
  await using server = await serving;
  for (const [given, most] of [
    [{ ...options, maxConnectionsPerSubchannel: 2 }, 2],
    [{ graceMs: 100 }, 1],
    [options, 10],
  ] as const) {
    await using channel = openChannel(server.url, given);
    const calls = held(channel, 12);
    await expect.poll(() => calls.answered.length).toBe(most);
    expect(server.connections).toBe(most);
    await calls.end();
    await channel.close();
    await expect.poll(() => server.connections).toBe(0);
  }
});

test("connectionScaling: when the connection of a waiting call ends, it takes another one", async () => {
  const { server: serving, options } = scaled(2, 1);
  await using server = await serving;
  await using channel = openChannel(server.url, options);
  const first = held(channel, 2);
  await expect.poll(() => first.answered.length).toBe(2);
  const waiting = channel.client(ECHO).one("later");
  await first.end();
  expect(await waiting).toBe("LATER");
});

test.each([
  ["dns://names.example/example.com", "names a server of names that is not an address"],
  ["dns:", "is not a name"],
  ["unix:", "is not a socket"],
  ["unix://host/path", "is not a socket"],
  [[], "a channel needs at least one server"],
  [["http://a", "https://b"], "must be all http: or all https:"],
  [[{ url: "http://a", weight: 0 }], "must be a number above 0"],
])("the target %j is refused", (target, why) => {
  expect(() => targetOf(target, false)).toThrow(why);
});
test("the ports of names, and names that are addresses", () => {
  expect(targetOf("dns:///[::1]:8080", false).addresses).toMatchObject([{ key: "[::1]:8080", family: 6 }]);
  expect(targetOf("dns:127.0.0.1", true).addresses).toMatchObject([{ key: "127.0.0.1:443", family: 4 }]);
});

test("outlier_detection: a server whose calls fail is left out for a while; its connection stays, and it comes back", async () => {
  let isGood = false;
  let asked = 0;
  const ill = () => {
    asked += 1;
    if (isGood) return "three";
    throw new CallFailed(Status.INTERNAL, "not well");
  };
  await using one = await named("one");
  await using two = await named("two");
  await using three = await serveRpc([implement(ECHO, { ...ECHOES, one: ill })], { graceMs: 100 });
  const outlier_detection = {
    interval: "0.1s",
    baseEjectionTime: "0.2s",
    maxEjectionPercent: 40,
    failurePercentageEjection: { threshold: 50, minimumHosts: 3, requestVolume: 1 },
    childPolicy: [{ round_robin: {} }],
  };
  await using channel = openChannel([one.url, two.url, three.url], {
    graceMs: 100,
    serviceConfig: { loadBalancingConfig: [{ outlier_detection }] },
  });
  const echo = channel.client(ECHO);
  // Six calls go twice round.
  const round = () => Promise.all(Array.from({ length: 6 }, () => echo.one("x").catch(() => "failed")));
  await expect.poll(async () => (await round()).filter((answer) => answer === "failed").length).toBe(2);
  await expect.poll(async () => new Set(await round()).has("failed")).toBe(false);
  isGood = true;
  const before = asked;
  await expect.poll(async () => new Set(await round()).has("three")).toBe(true);
  expect(asked).toBeGreaterThan(before);
  expect(three.connections).toBe(1);
});

test("pick_first: an attempt at a silent server ends when another one is connected", async () => {
  await using silent = await silentServer();
  await using good = await named("good");
  await using channel = openChannel([silent.url, good.url], { graceMs: 100, connectMs: NEVER_MS });
  expect(await channel.client(ECHO).one("x")).toBe("good");
  const socket = await silent.socket;
  if (!socket.closed) await once(socket, "close");
  expect(socket.closed).toBe(true);
});

test("a channel that is closed ends its attempts to connect", async () => {
  await using silent = await silentServer();
  const channel = openChannel(silent.url, { graceMs: 100, connectMs: NEVER_MS });
  channel.connect();
  const socket = await silent.socket;
  await channel.close();
  if (!socket.closed) await once(socket, "close");
  expect(socket.closed).toBe(true);
});
