import { expect, test } from "vitest";
import { type CallOptions, Status } from "../../rpc/index.ts";
import { openChannel } from "./client.ts";
import { Health, HEALTH, HealthOfServices } from "./health.ts";
import { serveRpc } from "./server.ts";

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
