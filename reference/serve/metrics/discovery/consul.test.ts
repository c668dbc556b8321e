import { expect, test } from "vitest";
import { ConsulDiscovery } from "./consul.ts";
import { Catalog, INSTANCES } from "./consul-testing.ts";
import { apiServer, configOf, run, targetsOf, type Running } from "./testing.ts";

/** Targets from a catalog: Prometheus docs, configuration/configuration.md, `<consul_sd_config>`. */

const start = (host: string, more = ""): Running =>
  run((report) => new ConsulDiscovery(configOf("consul_sd_configs", `{server: "${host}", refresh_interval: 100ms${more}}`), report));
const ids = ({ provider }: Running): (string | undefined)[] =>
  targetsOf(provider.groups)
    .map((labels) => labels["__meta_consul_service_id"])
    .sort();
const catalogWith = (instances = INSTANCES): Catalog => {
  const catalog = new Catalog();
  catalog.change(instances);
  return catalog;
};

test("all services, with the labels of node, service and checks", async () => {
  await using server = await catalogWith().serve();
  await using running = start(server.host);
  await expect.poll(() => ids(running)).toEqual(["db-1", "db-2", "web-1", "web-2"]);
  const all = targetsOf(running.provider.groups);
  expect(all.find((one) => one["__meta_consul_service_id"] === "web-1")).toEqual({
    __address__: "192.0.2.1:8080",
    __meta_consul_address: "192.0.2.1",
    __meta_consul_dc: "dc1",
    __meta_consul_health: "passing",
    __meta_consul_metadata_a_b: "",
    __meta_consul_metadata_rack: "r 1",
    __meta_consul_namespace: "",
    __meta_consul_node: "n1",
    __meta_consul_partition: "",
    __meta_consul_service: "web",
    __meta_consul_service_address: "",
    __meta_consul_service_id: "web-1",
    __meta_consul_service_metadata_team_name: "a",
    __meta_consul_service_metadata_zone: "é",
    __meta_consul_service_port: "8080",
    __meta_consul_tagged_address_lan: "192.0.2.1",
    __meta_consul_tagged_address_wan_v4: "198.51.100.1",
    __meta_consul_tags: ",v1,prod,",
  });
  expect(all.map((one) => `${one["__address__"]} ${one["__meta_consul_health"]}`)).toEqual([
    "192.0.2.1:0 critical",
    "192.0.2.1:8080 passing",
    "203.0.113.9:8081 warning",
    "[2001:db8::2]:5432 maintenance",
  ]);
});

test("queries block: a change is seen at once, and without one nothing is asked again", async () => {
  const catalog = catalogWith();
  await using server = await catalog.serve();
  await using running = start(server.host);
  await expect.poll(() => ids(running)).toHaveLength(4);
  const blocked = (): (string | undefined)[] =>
    server.requests.map(({ url }) => url).filter((url) => url?.includes("&index=11&wait=120000ms"));
  // The list of services and both services wait.
  await expect.poll(blocked).toHaveLength(3);
  catalog.change(INSTANCES.slice(1));
  await expect.poll(() => ids(running)).toEqual(["db-1", "db-2", "web-2"]);
  catalog.change(INSTANCES.slice(0, 2));
  await expect.poll(() => ids(running)).toEqual(["web-1", "web-2"]);
  expect(blocked()).toHaveLength(3);
});

test("an index that goes backwards is forgotten", async () => {
  const catalog = catalogWith();
  await using server = await catalog.serve();
  await using running = start(server.host, ", services: [web]");
  await expect.poll(() => ids(running)).toEqual(["web-1", "web-2"]);
  await expect.poll(() => server.requests.at(-1)?.url).toContain("index=11");
  catalog.change(INSTANCES.slice(0, 1), 5);
  await expect.poll(() => ids(running)).toEqual(["web-1"]);
  // The next query does not block on an index that this server has not reached.
  await expect.poll(() => server.requests.at(-1)?.url).toContain("index=5");
  expect(server.requests.map(({ url }) => /index=\d+/.exec(url ?? "")?.[0])).toEqual([
    undefined,
    undefined,
    "index=11",
    undefined,
    "index=5",
  ]);
});

test("services, tags, filters, metadata of nodes, datacenter, token and prefix are in the queries", async () => {
  await using server = await catalogWith().serve();
  await using running = start(
    server.host,
    `, path_prefix: consul, services: [web, x], tags: [prod, v1], node_meta: {rack: "1"}, datacenter: dc2, namespace: ns1, partition: p1,
       filter: "a == b", health_filter: "c == d", token: t0, allow_stale: false`,
  );
  await expect.poll(() => ids(running)).toEqual(["web-1"]);
  expect(targetsOf(running.provider.groups)[0]).toMatchObject({ __meta_consul_dc: "dc2" });
  expect(server.requests.slice(0, 2).map(({ url }) => url)).toEqual([
    "/consul/v1/catalog/services?dc=dc2&ns=ns1&partition=p1&filter=a+%3D%3D+b&node-meta=rack%3A1",
    "/consul/v1/health/service/web?dc=dc2&ns=ns1&partition=p1&filter=c+%3D%3D+d&tag=prod&tag=v1&node-meta=rack%3A1",
  ]);
  expect(server.requests[0]?.headers["x-consul-token"]).toBe("t0");
});

test("while the server fails the targets of before stay; a service that loses its tag is left", async () => {
  const catalog = catalogWith();
  await using server = await catalog.serve();
  await using running = start(server.host, ", tags: [v1]");
  await expect.poll(() => ids(running)).toEqual(["web-1"]);
  catalog.status = 500;
  catalog.wake();
  await expect
    .poll(() => running.notices.join())
    .toMatch(/^j: x_sd_configs\[0\]: (?:catalog|web): it answers with 500 Internal Server Error: No cluster leader: the targets/);
  expect(ids(running)).toEqual(["web-1"]);
  expect(running.provider.counters.of("prometheus_sd_consul_rpc_failures_total")[0]?.[1]).toBeGreaterThan(0);
  catalog.status = 200;
  // The server began again.
  catalog.change(INSTANCES.slice(1), 3);
  await expect.poll(() => ids(running)).toEqual([]);
  await expect.poll(() => running.provider.fault).toBe(undefined);
});

test.each<[string, string, string]>([
  ["a list instead of a map of services", "[]", "catalog: the answer is not a map of services"],
  ["an answer that is not JSON", "{", "catalog: "],
])("%s is a fault", async (_, body, why) => {
  await using server = await apiServer((_, response) => response.end(body));
  await using running = start(server.host, ", datacenter: x");
  await expect.poll(() => running.provider.fault).toContain(why);
});
