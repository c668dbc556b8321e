import { expect, test } from "vitest";
import { discoverHttp } from "./http.ts";
import { apiServer, configOf, run, targetsOf } from "./testing.ts";

/** Targets from a URL: Prometheus docs, http_sd.md. */

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
const http = (url: string, more = "") => configOf("http_sd_configs", `{url: "${url}", refresh_interval: 200ms${more}}`);

test("a list of groups becomes targets with __meta_url; the request names the interval and has the credentials", async () => {
  await using server = await apiServer((_, response) =>
    response.writeHead(200, JSON_TYPE).end('[{"targets": ["a:1", "b:2"], "labels": {"zone": "x"}}, {"targets": ["c:3"]}]'),
  );
  const url = `${server.url}/targets?a=b`;
  await using running = run((report) => discoverHttp(http(url, ", basic_auth: {username: u, password: p}"), report));
  await expect
    .poll(() => targetsOf(running.provider.groups))
    .toEqual([
      { __address__: "a:1", zone: "x", __meta_url: url },
      { __address__: "b:2", zone: "x", __meta_url: url },
      { __address__: "c:3", __meta_url: url },
    ]);
  expect(server.requests[0]).toMatchObject({
    method: "GET",
    url: "/targets?a=b",
    headers: {
      accept: "application/json",
      authorization: `Basic ${Buffer.from("u:p").toString("base64")}`,
      "x-prometheus-refresh-interval-seconds": "0.2",
    },
  });
});

test("while it fails the targets of before stay, each fault is noted once, and then targets change again", async () => {
  let answer: [status: number, headers: Record<string, string>, body: string] = [200, JSON_TYPE, '[{"targets": ["a:1"]}]'];
  await using server = await apiServer((_, response) => response.writeHead(answer[0], answer[1]).end(answer[2]));
  await using running = run((report) => discoverHttp(http(server.url), report));
  const { provider, notices } = running;
  const addresses = (): unknown[] => provider.groups.flatMap(({ targets }) => targets.map(({ __address__ }) => __address__));
  await expect.poll(addresses).toEqual(["a:1"]);
  const faults: [typeof answer, string][] = [
    [[500, {}, "no database\n"], "it answers with 500 Internal Server Error: no database"],
    [[200, { "content-type": "text/plain" }, "[]"], 'the Content-Type is "text/plain" instead of application/json'],
    [[200, JSON_TYPE, "[{"], "the answer is not JSON"],
    [[200, JSON_TYPE, "{}"], "the answer is not a list of groups"],
    [[200, JSON_TYPE, "[null]"], "[0]: it is not a group"],
    [[200, JSON_TYPE, '[{"targets": []}, {"targets": [1]}]'], "[1].targets[0]: it is not text"],
    [[200, JSON_TYPE, '[{"targets": [], "port": 1}]'], "[0].port: unknown field"],
    [[200, JSON_TYPE, '[{"labels": {"a": 1}}]'], "[0].labels.a: it is not text"],
  ];
  for (const [next, why] of faults) {
    answer = next;
    await expect.poll(() => provider.fault).toContain(why);
    expect(addresses()).toEqual(["a:1"]);
  }
  expect(notices).toHaveLength(faults.length);
  expect(notices[0]).toBe("j: x_sd_configs[0]: it answers with 500 Internal Server Error: no database: the targets of before stay");
  answer = [200, JSON_TYPE, "[]"];
  await expect.poll(addresses).toEqual([]);
  expect(provider.fault).toBe(undefined);
  const failures = provider.counters.of("prometheus_sd_http_failures_total")[0]?.[1];
  expect(failures).toBeGreaterThanOrEqual(faults.length);
  expect(provider.counters.of("prometheus_sd_refresh_failures_total")).toEqual([[{}, failures]]);
});

test("a server that never ends its answer: the attempt ends with the interval", async () => {
  await using server = await apiServer((_, response) => void response.writeHead(200, JSON_TYPE).write("["));
  await using running = run((report) => discoverHttp(http(server.url), report));
  await expect.poll(() => running.provider.fault).toBe("it does not answer completely within 200 ms");
});
