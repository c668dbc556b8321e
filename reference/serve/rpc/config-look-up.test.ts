import { expect, test } from "vitest";
import { dnsServer } from "../metrics/discovery/dns-testing.ts";
import { openChannel } from "./client.ts";
import { lookUpServiceConfig } from "./config-look-up.ts";
import { implement, serveRpc } from "./server.ts";
import { ECHO, ECHOES } from "./testing.ts";

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
