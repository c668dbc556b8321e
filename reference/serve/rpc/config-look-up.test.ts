import { expect, test } from "vitest";
import { type ServerCall, Status } from "../../rpc/index.ts";
import { dnsServer } from "../metrics/discovery/dns-testing.ts";
import { openChannel } from "./client.ts";
import { lookUpServiceConfig } from "./config-look-up.ts";
import { implement, serveRpc } from "./server.ts";
import { ECHO, ECHOES, failure } from "./testing.ts";

/** A record in strings of at most 255 octets. */
const txt = (text: string) => ({ type: "TXT", texts: text.match(/[^]{1,255}/g) ?? [""] }) as const;
const CONFIG = { methodConfig: [{ name: [{}], timeout: "9s", fromTheFuture: 1 }], loadBalancingConfig: [{ round_robin: {} }] };
const published = (attribute: string, choice: object = { serviceConfig: CONFIG }) => [txt(`${attribute}=${JSON.stringify([choice])}`)];

test("a service config in TXT records: each dialect has its own name and attribute", async () => {
  await using names = await dnsServer({
    "_rpc_config.a.example": published("rpc_config"),
    "_grpc_config.a.example": published("grpc_config"),
  });
  const servers = [names.address];
  expect(await lookUpServiceConfig("a.example", { servers })).toEqual(CONFIG);
  expect(await lookUpServiceConfig("a.example", { servers, dialect: "grpc" })).toEqual(CONFIG);
  expect(names.asked).toEqual(["_rpc_config.a.example TXT", "_grpc_config.a.example TXT"]);
});

test("strings of a record are joined, and an answer too long for UDP is read over TCP", async () => {
  const long = { ...CONFIG, padding: "x".repeat(2_000) };
  await using names = await dnsServer({
    "_rpc_config.a.example": [txt("v=spf1 -all"), ...published("rpc_config", { serviceConfig: long })],
  });
  expect(await lookUpServiceConfig("a.example", { servers: [names.address] })).toEqual(long);
});

test("hostname and percentile choose", async () => {
  const choice = { clientHostname: ["h1"], percentage: 50, clientLanguage: ["Node"], serviceConfig: CONFIG };
  await using names = await dnsServer({ "_rpc_config.a.example": published("rpc_config", choice) });
  const ask = (hostname: string, percentile: number) =>
    lookUpServiceConfig("a.example", { servers: [names.address], hostname, percentile });
  expect(await Promise.all([ask("h1", 49), ask("h1", 50), ask("h2", 49)])).toEqual([CONFIG, undefined, undefined]);
});

test("no records: no config; no answer, or a wrong one: an error that says so", async () => {
  await using names = await dnsServer({
    "_rpc_config.other.example": [txt("v=spf1 -all")],
    "_rpc_config.broken.example": "SERVFAIL",
    "_rpc_config.wrong.example": published("rpc_config", { serviceConfig: { methodConfig: 7 } }),
  });
  const ask = (name: string) => lookUpServiceConfig(name, { servers: [names.address] });
  expect([await ask("nothing.example"), await ask("other.example")]).toEqual([undefined, undefined]);
  await expect(ask("broken.example")).rejects.toThrow("the TXT records of _rpc_config.broken.example could not be read (ESERVFAIL)");
  await expect(ask("wrong.example")).rejects.toThrow("service config: methodConfig must be a list");
});

test("a channel takes a published config, with fields that it does not know", async () => {
  await using server = await serveRpc([implement(ECHO, ECHOES)], { graceMs: 100 });
  await using channel = openChannel(server.url, { graceMs: 100, serviceConfig: CONFIG, unknownConfigFields: "ignore" });
  expect(await channel.client(ECHO).one("x")).toBe("X");
  expect(() => openChannel(server.url, { serviceConfig: CONFIG })).toThrow('has no field "fromTheFuture"');
});

/** A server at an address of its own, by the name `a.example`, and a channel to it. */
async function publishing(records: Parameters<typeof dnsServer>[0], of: Parameters<typeof openChannel>[1] = {}) {
  const heard: (number | undefined)[] = [];
  const one = (text: string, { deadline }: ServerCall): string => {
    heard.push(deadline);
    return text.toUpperCase();
  };
  const server = await serveRpc([implement(ECHO, { ...ECHOES, one })], { graceMs: 100 });
  const names = await dnsServer({ "a.example": [{ type: "A", address: [127, 0, 0, 1] }], ...records });
  const channel = openChannel(`dns://${names.address}/a.example:${server.port}`, { graceMs: 100, dns: { serviceConfig: true }, ...of });
  return {
    names,
    channel,
    heard,
    echo: channel.client(ECHO),
    [Symbol.asyncDispose]: async () => {
      await channel.close();
      await server.close();
      await names[Symbol.asyncDispose]();
    },
  };
}
const TIMED = { methodConfig: [{ name: [{}], timeout: "9s" }] };

test("a channel looks the config of its name up: the first calls wait for it", async () => {
  await using at = await publishing({ "_rpc_config.a.example": published("rpc_config", { serviceConfig: TIMED }) });
  expect(await Promise.all([at.echo.one("x"), at.echo.one("y")])).toEqual(["X", "Y"]);
  expect(at.heard.map((deadline) => typeof deadline)).toEqual(["number", "number"]);
  expect(at.names.asked.filter((one) => one.endsWith("TXT"))).toEqual(["_rpc_config.a.example TXT"]);
});

test("without a published config the given one counts; without the option nothing is looked up", async () => {
  await using none = await publishing({}, { serviceConfig: TIMED });
  expect(await none.echo.one("x")).toBe("X");
  expect(typeof none.heard[0]).toBe("number");
  const records = { "_rpc_config.a.example": published("rpc_config", { serviceConfig: TIMED }) };
  await using off = await publishing(records, { dns: {} });
  expect([await off.echo.one("x"), off.heard, off.names.asked.some((one) => one.endsWith("TXT"))]).toEqual(["X", [undefined], false]);
  await using broken = await publishing({ "_rpc_config.a.example": "SERVFAIL" }, { serviceConfig: TIMED });
  expect([await broken.echo.one("x"), typeof broken.heard[0]]).toEqual(["X", "number"]);
});

test("an invalid config fails the calls of a channel that has no other, unless they wait for one", async () => {
  await using at = await publishing({ "_rpc_config.a.example": published("rpc_config", { serviceConfig: { methodConfig: 7 } }) });
  const failed = await failure(at.echo.one("x"));
  expect([failed.status, failed.message]).toEqual([
    Status.UNAVAILABLE,
    "No connection to the server: the published service config: methodConfig must be a list",
  ]);
  expect((await failure(at.echo.one("x", { waitForReady: true, timeoutMs: 200 }))).status).toBe(Status.DEADLINE_EXCEEDED);
  expect(at.heard).toEqual([]);
});

test("a published policy counts, and an address list with a config needs a name", async () => {
  await using at = await publishing({
    "_rpc_config.a.example": published("rpc_config", { serviceConfig: { loadBalancingConfig: [{ round_robin: {} }] } }),
    "a.example": [
      { type: "A", address: [127, 0, 0, 1] },
      { type: "A", address: [127, 0, 0, 9] },
    ],
  });
  expect(await at.echo.one("x", { waitForReady: true })).toBe("X");
  expect(() => openChannel("http://127.0.0.1:1/", { dns: { serviceConfig: true } })).toThrow("is published for a name");
});
