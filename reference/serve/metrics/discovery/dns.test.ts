import { expect, test } from "vitest";
import { discoverDns } from "./dns.ts";
import { dnsServer, RECORDS, type Zone } from "./dns-testing.ts";
import { configOf, run, targetsOf } from "./testing.ts";

/** Targets from DNS: Prometheus docs, configuration/configuration.md, `<dns_sd_config>`. */

const start = (address: string, more: string) => run((report) => discoverDns(config(more), report, { servers: [address], resolvConf: "" }));
const config = (more: string) => configOf("dns_sd_configs", `{refresh_interval: 100ms, ${more}}`);
const name = "web.example";

test.each<[string, Record<string, string>[]]>([
  [
    "SRV",
    [
      { __address__: "a.example:9100", __meta_dns_srv_record_target: "a.example.", __meta_dns_srv_record_port: "9100" },
      { __address__: "b.example:9200", __meta_dns_srv_record_target: "b.example.", __meta_dns_srv_record_port: "9200" },
    ],
  ],
  ["A", [{ __address__: "192.0.2.1:80" }]],
  ["aaaa", [{ __address__: "[2001:db8::1]:80" }]],
  ["MX", [{ __address__: "mail.example:80", __meta_dns_mx_record_target: "mail.example." }]],
  ["NS", [{ __address__: "ns.example:80", __meta_dns_ns_record_target: "ns.example." }]],
])("records of type %s", async (type, expected) => {
  await using server = await dnsServer({ ...RECORDS });
  await using running = start(server.address, `names: [${name}], type: ${type}, port: 80`);
  await expect.poll(() => targetsOf(running.provider.groups)).toEqual(expected.map((labels) => ({ ...labels, __meta_dns_name: name })));
});

test("an answer too long for UDP comes over TCP", async () => {
  const many = Array.from({ length: 300 }, (_, at) => ({ type: "SRV", host: `h${at}.example`, port: 1 }) as const);
  await using server = await dnsServer({ [name]: many });
  await using running = start(server.address, `names: [${name}]`);
  await expect.poll(() => targetsOf(running.provider.groups)).toHaveLength(300);
});

test("a name that fails keeps its targets, others change; one that is gone loses them", async () => {
  const zone: Record<string, Zone[string]> = {
    "a.x": [{ type: "A", address: [192, 0, 2, 1] }],
    "b.x": [{ type: "A", address: [192, 0, 2, 2] }],
  };
  await using server = await dnsServer(zone);
  await using running = start(server.address, "names: [a.x, b.x], type: A, port: 1");
  const { provider, notices } = running;
  const addresses = () => targetsOf(provider.groups).map(({ __address__ }) => __address__);
  await expect.poll(addresses).toEqual(["192.0.2.1:1", "192.0.2.2:1"]);
  zone["a.x"] = "SERVFAIL";
  zone["b.x"] = [{ type: "A", address: [192, 0, 2, 3] }];
  await expect.poll(addresses).toEqual(["192.0.2.1:1", "192.0.2.3:1"]);
  await expect.poll(() => notices).toHaveLength(1);
  expect(notices[0]).toMatch(/^j: x_sd_configs\[0\]: a\.x: .*ESERVFAIL.*: the targets of before stay$/);
  expect(provider.counters.of("prometheus_sd_dns_lookup_failures_total")[0]?.[1]).toBeGreaterThan(0);
  expect(provider.counters.of("prometheus_sd_refresh_failures_total")).toEqual([]);
  delete zone["a.x"];
  await expect.poll(addresses).toEqual(["192.0.2.3:1"]);
  expect(provider.fault).toBe(undefined);
});
