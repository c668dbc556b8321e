import { expect, test, vi } from "vitest";
import { CallFailed, type CallOptions, Status } from "../../rpc/index.ts";
import { openChannel } from "./client.ts";
import { LOAD_REPORTS, LoadReports, type ServerLoad } from "./load-reports.ts";
import { implement, serveRpc } from "./server.ts";
import { ECHO, ECHOES } from "./testing.ts";

type Stubs = { streamCoreMetrics(request: object, options?: CallOptions): AsyncIterable<ServerLoad> };

async function started(options?: ConstructorParameters<typeof LoadReports>[0]) {
  const loads = new LoadReports(options);
  const server = await serveRpc([loads.service()], { graceMs: 100 });
  const channel = openChannel(server.url, { graceMs: 100 });
  return {
    loads,
    stubs: channel.client(LOAD_REPORTS) as unknown as Stubs,
    [Symbol.asyncDispose]: async () => {
      await channel.close();
      await server.close();
    },
  };
}

test("reports come at once, and then as often as the client asks: each has the load as it is then", async () => {
  await using at = await started({ leastIntervalMs: 1 });
  at.loads.set({ cpuUtilization: 0.5, utilization: new Map([["disk", 0.25]]) });
  const seen: ServerLoad[] = [];
  const begun = performance.now();
  for await (const load of at.stubs.streamCoreMetrics({ reportInterval: { nanos: 50_000_000 } })) {
    seen.push(load);
    at.loads.set({ eps: seen.length });
    if (seen.length === 3) break;
  }
  expect(seen).toMatchObject([
    { cpuUtilization: 0.5, eps: 0, utilization: new Map([["disk", 0.25]]) },
    { cpuUtilization: 0, eps: 1, utilization: new Map() },
    { eps: 2 },
  ]);
  expect(performance.now() - begun).toBeGreaterThan(90);
});

test.each([
  ["no interval", {}],
  ["an interval of zero", { reportInterval: {} }],
  ["a negative interval", { reportInterval: { seconds: -1n } }],
  ["a shorter interval than the server has", { reportInterval: { seconds: 29n } }],
])("%s: the server's own counts, half a minute by default", async (_, request) => {
  await using at = await started();
  const seen: ServerLoad[] = [];
  const stop = new AbortController();
  const call = async (): Promise<void> => {
    for await (const load of at.stubs.streamCoreMetrics(request, { signal: stop.signal })) {
      seen.push(load);
      // Too early for a second one.
      setTimeout(() => stop.abort(), 100);
    }
  };
  await expect(call()).rejects.toMatchObject({ status: Status.CANCELLED });
  expect(seen).toHaveLength(1);
});

test("a server without reports is not asked again, one that fails is", async () => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  let asked = 0;
  await using absent = await serveRpc([implement(ECHO, ECHOES)], { graceMs: 100 });
  await using failing = await serveRpc(
    [
      implement(ECHO, ECHOES),
      implement(LOAD_REPORTS, {
        streamCoreMetrics: () => {
          asked += 1;
          throw new CallFailed(Status.UNAVAILABLE, "not now");
        },
      }),
    ],
    { graceMs: 100 },
  );
  await using channel = openChannel([absent.url, failing.url], {
    graceMs: 100,
    serviceConfig: { loadBalancingConfig: [{ weighted_round_robin: { enableOobLoadReport: true } }] },
  });
  expect(await channel.client(ECHO).one("x")).toBe("X");
  await expect.poll(() => asked, { timeout: 5_000 }).toBe(2);
  expect(errors.mock.calls.flat()).toEqual(["touchstone: a server has no reports of its load: its channel does not weigh it"]);
  errors.mockRestore();
});
