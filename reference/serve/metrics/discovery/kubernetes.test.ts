import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLUSTER, PODS } from "./kube-objects.ts";
import { KubeApi } from "./kube-testing.ts";
import { KubernetesDiscovery } from "./kubernetes.ts";
import { type ApiServer, configOf, run, type Running, targetsOf } from "./testing.ts";

/** Targets in Kubernetes: Prometheus docs, configuration/configuration.md, `<kubernetes_sd_config>`. Labels are compared with a peer's in `differential.test.ts`. */

const apiWith = (objects = CLUSTER): KubeApi => {
  const api = new KubeApi();
  api.put(...objects);
  return api;
};
const start = (server: ApiServer, role: string, more = ""): Running =>
  run(
    (report) => new KubernetesDiscovery(configOf("kubernetes_sd_configs", `{role: ${role}, api_server: "${server.url}/"${more}}`), report),
  );
const addresses = ({ provider }: Running): (string | undefined)[] => targetsOf(provider.groups).map(({ __address__ }) => __address__);
const [WEB, BATCH, STARTING] = PODS as readonly [(typeof PODS)[0], (typeof PODS)[0], (typeof PODS)[0]];
const POD_ADDRESSES = ["10.0.0.1", "10.0.0.1:7000", "10.0.0.1:8080", "10.0.0.1:9000"];

describe("roles", () => {
  test.each<[string, readonly string[]]>([
    ["pod", [...POD_ADDRESSES, "[2001:db8::5]:1"]],
    ["service", ["balanced.shop.svc:1", "far.shop.svc:443", "web.shop.svc:53", "web.shop.svc:80"]],
    ["node", ["192.0.2.1:10250", "node-2:0"]],
    ["endpoints", ["10.0.0.1:7000", "10.0.0.1:8080", "10.0.0.1:9000", "10.0.0.2:8080", "10.0.0.9:8080", "10.0.1.1:1"]],
    ["endpointslice", ["10.0.0.1", "10.0.0.1:7000", "10.0.0.1:8080", "10.0.0.1:9000", "10.0.0.7", "10.0.0.7:8080"]],
    ["ingress", ["a.b.shop.example", "a.shop.example", "a.shop.example", "plain.example"]],
  ])("%s", async (role, expected) => {
    await using server = await apiWith().serve();
    await using running = start(server, role);
    await expect.poll(() => addresses(running)).toEqual(expected);
  });

  test("a pod with everything that is attached", async () => {
    await using server = await apiWith().serve();
    await using running = start(
      server,
      "pod",
      ", attach_metadata: {node: true, namespace: true, deployment: true, job: true, cronjob: true}",
    );
    await expect.poll(() => addresses(running)).toHaveLength(5);
    const all = targetsOf(running.provider.groups);
    expect(all.find((one) => one["__meta_kubernetes_pod_container_port_name"] === "admin")).toMatchObject({
      __meta_kubernetes_namespace: "shop",
      __meta_kubernetes_namespace_label_app: "web",
      __meta_kubernetes_node_labelpresent_app_kubernetes_io_name: "true",
      __meta_kubernetes_pod_annotation_example_com_a_b: "c",
      __meta_kubernetes_pod_container_id: "containerd://abc",
      __meta_kubernetes_pod_controller_kind: "ReplicaSet",
      __meta_kubernetes_pod_deployment_name: "web",
      __meta_kubernetes_pod_ready: "true",
    });
    expect(all.at(-1)).toMatchObject({ __meta_kubernetes_pod_job_name: "report", __meta_kubernetes_pod_cronjob_name: "nightly" });
  });
});

describe("watching", () => {
  test("changes of objects, and of those that become their labels, are seen; nothing is listed again", async () => {
    const api = apiWith();
    await using server = await api.serve();
    await using running = start(server, "endpoints", ", namespaces: {names: [shop]}");
    await expect.poll(() => addresses(running)).toHaveLength(5);
    await expect.poll(() => api.watches).toBe(3);
    api.put({ ...WEB, status: { ...(WEB["status"] as object), phase: "Failed" } });
    const phases = (): unknown => new Set(targetsOf(running.provider.groups).map((one) => one["__meta_kubernetes_pod_phase"] ?? "none"));
    await expect.poll(phases).toEqual(new Set(["Failed", "none"]));
    api.remove(CLUSTER.find(({ kind }) => kind === "endpoints")!);
    await expect.poll(() => addresses(running)).toEqual([]);
    expect(server.requests.filter(({ url }) => !url?.includes("watch=1"))).toHaveLength(3);
    expect(running.provider.counters.of("prometheus_sd_kubernetes_events_total")).toContainEqual([{ role: "pod", event: "update" }, 1]);
  });

  test("a list comes in pages, with the selectors and the credentials", async () => {
    const api = apiWith([WEB, STARTING, { ...WEB, metadata: { ...WEB.metadata, name: "web-3" } }, BATCH]);
    api.page = 1;
    await using server = await api.serve();
    const more =
      ', namespaces: {names: [shop]}, selectors: [{role: pod, label: "app=web", field: "status.phase=Running"}], authorization: {credentials: t0}';
    await using running = start(server, "pod", more);
    await expect.poll(() => addresses(running)).toHaveLength(8);
    await expect.poll(() => api.watches).toBe(1);
    const [first, second, watch] = server.requests;
    expect(first?.url).toBe("/api/v1/namespaces/shop/pods?labelSelector=app%3Dweb&fieldSelector=status.phase%3DRunning&limit=500");
    expect(second?.url).toBe(`${first?.url}&continue=1`);
    expect(watch?.url).toContain("&watch=1&allowWatchBookmarks=true&resourceVersion=104&timeoutSeconds=");
    expect(watch?.headers).toMatchObject({ authorization: "Bearer t0", accept: "application/json" });
  });

  test("a watch goes on where it ended, after a bookmark from there", async () => {
    const api = apiWith([WEB]);
    await using server = await api.serve();
    await using running = start(server, "pod");
    await expect.poll(() => api.watches).toBe(1);
    api.bookmark();
    api.compact();
    api.put(BATCH);
    await expect.poll(() => addresses(running)).toHaveLength(5);
    api.end();
    await expect.poll(() => server.requests.at(-1)?.url).toContain("resourceVersion=103");
    expect(server.requests.filter(({ url }) => !url?.includes("watch=1"))).toHaveLength(1);
    expect(running.notices).toEqual([]);
  });

  test.each<[string, (api: KubeApi) => void]>([
    ["an event of the watch", (api) => api.end(410)],
    ["the status of the next watch", (api) => api.end()],
  ])("410 Gone as %s: everything is listed again, and the targets stay meanwhile", async (_, end) => {
    const api = apiWith([WEB]);
    await using server = await api.serve();
    await using running = start(server, "pod");
    await expect.poll(() => api.watches).toBe(1);
    api.bookmark();
    await expect.poll(() => addresses(running)).toEqual(POD_ADDRESSES);
    end(api);
    // What happens while nobody watches is forgotten by the server.
    api.remove(WEB);
    api.put(BATCH);
    api.compact();
    await expect.poll(() => addresses(running)).toEqual(["[2001:db8::5]:1"]);
    expect(server.requests.filter(({ url }) => !url?.includes("watch=1"))).toHaveLength(2);
    expect(running.notices).toEqual([]);
  });

  test("while the server fails the targets stay, and the fault names the objects", async () => {
    const api = apiWith([WEB]);
    await using server = await api.serve();
    await using running = start(server, "pod");
    await expect.poll(() => addresses(running)).toEqual(POD_ADDRESSES);
    await expect.poll(() => api.watches).toBe(1);
    api.status = 503;
    api.end(500);
    await expect.poll(() => running.provider.fault).toBe("pods: the watch ends: test 500");
    await expect.poll(() => running.provider.fault).toContain("pods: it answers with 503 Service Unavailable");
    expect(addresses(running)).toEqual(POD_ADDRESSES);
    expect(running.provider.counters.of("prometheus_sd_kubernetes_failures_total")[0]?.[1]).toBeGreaterThan(1);
    api.status = 200;
    api.put(BATCH);
    await expect.poll(() => addresses(running)).toHaveLength(5);
    expect(running.provider.fault).toBe(undefined);
  });
});

describe("access", () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "touchstone-kube-"))));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("by a kubeconfig file", async () => {
    await using server = await apiWith([WEB]).serve();
    const file = join(folder, "config");
    writeFileSync(join(folder, "token"), "t1\n");
    const kubeconfig = (user: string): string => `current-context: here
clusters: [{name: c, cluster: {server: "${server.url}"}}]
users: [{name: u, user: ${user}}]
contexts: [{name: here, context: {cluster: c, user: u}}]
`;
    const begin = () =>
      run((report) => new KubernetesDiscovery(configOf("kubernetes_sd_configs", `{role: pod, kubeconfig_file: ${file}}`), report));
    writeFileSync(file, kubeconfig("{tokenFile: token}"));
    await using running = begin();
    await expect.poll(() => addresses(running)).toEqual(POD_ADDRESSES);
    expect(server.requests[0]?.headers.authorization).toBe("Bearer t1");
    writeFileSync(file, kubeconfig("{exec: {command: x}}"));
    await using refused = begin();
    expect(refused.provider.fault).toBe(`access: ${file}: users.exec: it is not supported: give a token, a file or a certificate`);
  });

  test("in a pod: its own namespace, and what is missing outside of one", async () => {
    const config = configOf("kubernetes_sd_configs", "{role: pod, namespaces: {own_namespace: true}}");
    writeFileSync(join(folder, "namespace"), "shop\n");
    const system = { env: {}, account: folder };
    await using running = run((report) => new KubernetesDiscovery(config, report, system));
    expect(running.provider.fault).toContain("KUBERNETES_SERVICE_HOST is not set");
    await using nowhere = run((report) => new KubernetesDiscovery(config, report, { ...system, account: "/nowhere" }));
    expect(nowhere.provider.fault).toContain("/nowhere/namespace");
  });
});
