import { expect, test } from "vitest";
import { DISCOVERY_LIMITS, type Group } from "../../../metrics/discovery/index.ts";
import { KubernetesDiscovery } from "./kubernetes.ts";
import type { Report } from "./report.ts";
import { apiServer, configOf, run, targetsOf } from "./testing.ts";

/** What a server of discovery cannot make us keep. */

test("too many groups, or targets, are a fault that stays until there are fewer; the targets of before stay", async () => {
  let report: Report | undefined;
  await using running = run((one) => {
    report = one;
    return { close: () => Promise.resolve() };
  });
  const { provider, notices } = running;
  const group: Group = { source: "s", targets: [{ __address__: "a:1" }], labels: {} };
  const bring = (groups: readonly Group[]): void => {
    report?.groups(groups);
    report?.recovered();
  };
  bring([group]);
  const empty = { ...group, targets: [] };
  bring(Array.from({ length: DISCOVERY_LIMITS.groups + 1 }, () => empty));
  expect(provider.fault).toBe(`it lists ${DISCOVERY_LIMITS.groups + 1} groups; the limit is ${DISCOVERY_LIMITS.groups}`);
  bring([{ ...group, targets: Array.from({ length: DISCOVERY_LIMITS.targets + 1 }, () => group.targets[0]!) }]);
  expect(provider.fault).toBe(`it lists ${DISCOVERY_LIMITS.targets + 1} targets; the limit is ${DISCOVERY_LIMITS.targets}`);
  expect(provider.groups).toEqual([group]);
  expect(notices).toHaveLength(2);
  bring([group, group]);
  expect([provider.fault, provider.groups.length]).toEqual([undefined, 2]);
});

test("a watch whose line never ends is a fault, and the targets of before stay", async () => {
  const pod = { metadata: { name: "p", namespace: "n" }, spec: { containers: [{ name: "c" }] }, status: { podIP: "10.0.0.1" } };
  await using server = await apiServer(({ url }, response) => {
    if (url?.includes("watch=1")) response.end("x".repeat(17 * 2 ** 20));
    else response.end(JSON.stringify({ metadata: { resourceVersion: "1" }, items: [pod] }));
  });
  const config = configOf("kubernetes_sd_configs", `{role: pod, api_server: "${server.url}"}`);
  await using running = run((report) => new KubernetesDiscovery(config, report));
  await expect.poll(() => running.provider.fault).toMatch(/^pods: a line of the watch is longer than/);
  await expect.poll(() => targetsOf(running.provider.groups)).toHaveLength(1);
});
