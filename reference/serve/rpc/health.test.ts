import { describe, expect, test, vi } from "vitest";
import { type CallOptions, Status } from "../../rpc/index.ts";
import { type Channel, openChannel } from "./client.ts";
import { Health, HEALTH, HealthOfServices } from "./health.ts";
import type { ServerInterceptor } from "./options.ts";
import { implement, serveRpc } from "./server.ts";
import { ECHO, ECHOES, failure } from "./testing.ts";

type Answer = { readonly status: number };
type Stubs = {
  check(request: object): Promise<Answer>;
  list(request: object): Promise<{ readonly statuses: ReadonlyMap<string, Answer> }>;
  watch(request: object, options?: CallOptions): AsyncIterable<Answer>;
};

async function started() {
  const health = new HealthOfServices();
  const server = await serveRpc([health.service()], { graceMs: 100 });
  const channel = openChannel(server.url, { graceMs: 100 });
  return {
    health,
    stubs: channel.client(HEALTH) as unknown as Stubs,
    [Symbol.asyncDispose]: async () => {
      await channel.close();
      await server.close();
    },
  };
}

test("check states the health of a service; an unknown one is NOT_FOUND", async () => {
  await using at = await started();
  at.health.set("a.B", "NOT_SERVING");
  expect((await at.stubs.check({})).status).toBe(Health.SERVING);
  expect((await at.stubs.check({ service: "a.B" })).status).toBe(Health.NOT_SERVING);
  await expect(at.stubs.check({ service: "x" })).rejects.toMatchObject({ status: Status.NOT_FOUND });
});

test("list states the health of all services, up to a hundred", async () => {
  await using at = await started();
  at.health.set("a.B", "NOT_SERVING");
  const { statuses } = await at.stubs.list({});
  expect(Array.from(statuses, ([name, { status }]) => [name, status])).toEqual([
    ["", Health.SERVING],
    ["a.B", Health.NOT_SERVING],
  ]);
  for (let count = 0; count < 100; count++) at.health.set(String(count), "SERVING");
  await expect(at.stubs.list({})).rejects.toMatchObject({ status: Status.RESOURCE_EXHAUSTED });
});

test("watch states the health at once and at each change, also of a service that comes later", async () => {
  await using at = await started();
  const seen: number[] = [];
  for await (const { status } of at.stubs.watch({ service: "a.B" })) {
    seen.push(status);
    if (seen.length === 1) {
      at.health.set("other", "SERVING");
      at.health.set("a.B", "SERVING");
    }
    if (seen.length === 2) at.health.shutdown();
    if (seen.length === 3) break;
  }
  expect(seen).toEqual([Health.SERVICE_UNKNOWN, Health.SERVING, Health.NOT_SERVING]);
  at.health.set("a.B", "SERVING");
  expect((await at.stubs.check({ service: "a.B" })).status).toBe(Health.NOT_SERVING);
});

describe("channels that check health (A17)", () => {
  const serviceConfig = { loadBalancingConfig: [{ round_robin: {} }], healthCheckConfig: { serviceName: "test.Echo" } };
  const ask = (channel: Channel, waitForReady = false): Promise<unknown> =>
    channel.call(HEALTH.methods["check"]!, { service: "" }, { waitForReady }) as Promise<unknown>;

  test("a server gets calls while it says that it is healthy", async () => {
    const health = new HealthOfServices();
    health.set("test.Echo", "NOT_SERVING");
    await using server = await serveRpc([health.service()], { graceMs: 50 });
    await using channel = openChannel(server.url, { serviceConfig, graceMs: 50 });
    expect(await failure(ask(channel))).toMatchObject({ status: Status.UNAVAILABLE });
    expect(channel.state).toBe("TRANSIENT_FAILURE");
    const waiting = ask(channel, true);
    health.set("test.Echo", "SERVING");
    await waiting;
    expect(channel.state).toBe("READY");
    health.set("test.Echo", "NOT_SERVING");
    expect(await channel.stateChanged("READY")).toBe("TRANSIENT_FAILURE");
  });

  test("neither a channel nor a server that closes waits for the question", async () => {
    const health = new HealthOfServices();
    health.set("test.Echo", "SERVING");
    const patient = { graceMs: 600_000 };
    const server = await serveRpc([health.service()], patient);
    const closing = openChannel(server.url, { serviceConfig, ...patient });
    await ask(closing);
    await closing.close();
    await using left = openChannel(server.url, { serviceConfig, ...patient });
    await ask(left);
    await server.close();
    expect(closing.state).toBe("SHUTDOWN");
  });

  test("a server without the health service is healthy, and standard error says so", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    await using server = await serveRpc([implement(ECHO, ECHOES)], { graceMs: 50 });
    await using channel = openChannel(server.url, { serviceConfig, graceMs: 50 });
    expect(await channel.client(ECHO).one("x")).toBe("X");
    expect(said.mock.calls).toEqual([["touchstone: a server has no health service: its channel treats it as healthy"]]);
    said.mockRestore();
  });

  test("of two servers, the healthy one gets all calls", async () => {
    const [good, bad] = [new HealthOfServices(), new HealthOfServices()];
    good.set("test.Echo", "SERVING");
    const seen: string[] = [];
    const named = (name: string) => {
      const seeing: ServerInterceptor = (request, { method }, next) => {
        if (method.path.endsWith("/Check")) seen.push(name);
        return next(request);
      };
      return { interceptors: [seeing], graceMs: 50 };
    };
    await using first = await serveRpc([good.service()], named("good"));
    await using second = await serveRpc([bad.service()], named("bad"));
    await using channel = openChannel([first.url, second.url], { serviceConfig, graceMs: 50 });
    for (let call = 0; call < 6; call++) await ask(channel, true);
    expect(new Set(seen)).toEqual(new Set(["good"]));
  });
});
