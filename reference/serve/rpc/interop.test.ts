import { afterAll, beforeAll, expect, test } from "vitest";
import { Status } from "../../rpc/index.ts";
import type { Server } from "../server/options.ts";
import { type Channel, openChannel } from "./client.ts";
import { echo, ECHO } from "./echo.ts";
import { INTEROP_CASES, runInteropCase } from "./interop-cases.ts";
import { interop, INTEROP } from "./interop.ts";
import { LoadReports } from "./load-reports.ts";
import { serveRpc } from "./server.ts";

let server: Server;
let channel: Channel;
beforeAll(async () => {
  const loads = new LoadReports({ leastIntervalMs: 20 });
  server = await serveRpc([echo(), interop(loads), loads.service()], { dialect: "grpc", graceMs: 100 });
  channel = openChannel(server.url, { dialect: "grpc", graceMs: 100 });
});
afterAll(async () => {
  await channel.close();
  await server.close();
});

test.each(INTEROP_CASES)("the interop case %s passes between our client and our server", async (name) => {
  await expect(runInteropCase(name, () => openChannel(server.url, { dialect: "grpc", graceMs: 100 }))).resolves.toBeUndefined();
});

test("the interop service names its server, and refuses payloads that it does not have", async () => {
  const stubs = channel.client(INTEROP) as Record<string, (request: object) => Promise<Record<string, unknown>>>;
  const one = await stubs["unaryCall"]!({ fillServerId: true });
  expect(one["serverId"]).toMatch(/^[0-9a-f-]{36}$/);
  expect((await stubs["unaryCall"]!({ fillServerId: true }))["serverId"]).toBe(one["serverId"]);
  for (const request of [{ responseType: 1 }, { responseSize: -1 }, { responseSize: 16_777_217 }])
    await expect(stubs["unaryCall"]!(request)).rejects.toMatchObject({ status: Status.INVALID_ARGUMENT });
});

test("the echo service returns what it gets", async () => {
  const stubs = channel.client(ECHO) as unknown as {
    unary(message: object): Promise<object>;
    collect(messages: AsyncIterable<object>): Promise<object>;
    repeat(message: object): AsyncIterable<object>;
    chat(messages: AsyncIterable<object>): AsyncIterable<object>;
  };
  const all = async function* all() {
    yield { text: "a", octets: Uint8Array.of(1) };
    await Promise.resolve();
    yield { text: "b", octets: Uint8Array.of(2) };
  };
  expect(await stubs.unary({ text: "☃" })).toMatchObject({ text: "☃" });
  expect(await stubs.collect(all())).toMatchObject({ text: "ab", number: 2 });
  expect(await Array.fromAsync(stubs.repeat({ text: "x", number: 2 }))).toMatchObject([{ number: 1 }, { text: "x", number: 2 }]);
  expect(await Array.fromAsync(stubs.chat(all()))).toMatchObject([{ text: "a" }, { text: "b" }]);
  await expect(stubs.unary({ number: "many" })).rejects.toThrow('touchstone.echo.v1.Message: the field "number" has to be an integer');
});
