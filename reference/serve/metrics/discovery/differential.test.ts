import { describe, expect, test } from "vitest";
import { Catalog, INSTANCES } from "./consul-testing.ts";
import { Cloud, type Instance, IPV6, KEYS } from "./ec2-testing.ts";
import { CLUSTER } from "./kube-objects.ts";
import { KubeApi } from "./kube-testing.ts";
import { discoverDns } from "./dns.ts";
import { dnsServer, RECORDS } from "./dns-testing.ts";
import { canResolve, oursWith, peerWith, presentPeers } from "./peers.ts";
import { apiServer, configOf, run, targetsOf } from "./testing.ts";

/** Other servers and ours, pointed at the same API server, find the same targets with the same labels. */

const PEERS = presentPeers();
const CAN_RESOLVE = canResolve();
if (!CAN_RESOLVE)
  console.log("Discovery by DNS is not compared: a process cannot have a resolv.conf of its own here (run as root, with unshare).");
/** The peers begin to use what they have found five seconds after their start, and look every 500 ms. */
const SLOW = { timeout: 30_000, interval: 200 };

/** An API server with the sections that point to it, one for each job, and how many targets it has. `isModern`: the older peer is built without. */
type Api = AsyncDisposable & { readonly sections: readonly string[]; readonly count: number; readonly isModern?: true };

async function httpApi(): Promise<Api> {
  const list = [
    { targets: ["127.0.0.1:1", "127.0.0.1:2"], labels: { __meta_datacenter: "london", zone: "x", empty: "" } },
    { targets: ["127.0.0.1:3"] },
    { targets: [], labels: { a: "b" } },
  ];
  const api = await apiServer((_, response) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(list)));
  const sections = [`{url: "${api.url}/t?a=b"}`, `{url: "http://sd.invalid/t", proxy_url: "${api.url}"}`];
  return {
    sections: sections.map((one) => `http_sd_configs: [${one}]`),
    count: 6,
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

/** A list that wants a token, and the server that gives it. */
async function oauthApi(): Promise<Api> {
  const basic = `Basic ${Buffer.from("a+b:s%3A%2F").toString("base64")}`;
  const api = await apiServer(({ url, headers }, response) => {
    const isRight = headers.authorization === (url === "/token" ? basic : "Bearer t1");
    const body = url === "/token" ? { access_token: "t1", token_type: "bearer", expires_in: 3600 } : [{ targets: ["127.0.0.1:4"] }];
    response.writeHead(isRight ? 200 : 401, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const oauth2 = `{client_id: "a b", client_secret: "s:/", token_url: "${api.url}/token", scopes: [r]}`;
  const sections = [`http_sd_configs: [{url: "${api.url}/t", oauth2: ${oauth2}}]`];
  return { sections, count: 1, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

async function consulApi(): Promise<Api> {
  const catalog = new Catalog();
  catalog.change(INSTANCES);
  const api = await catalog.serve();
  const sections = [`consul_sd_configs: [{server: "${api.host}", tag_separator: "|"}]`];
  return { sections, count: INSTANCES.length, isModern: true, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

async function kubernetesApi(): Promise<Api> {
  const api = new KubeApi();
  api.put(...CLUSTER);
  const server = await api.serve();
  const attach = "{node: true, namespace: true, deployment: true, job: true, cronjob: true}";
  const entry = (role: string, more = ""): string => `{role: ${role}, api_server: "${server.url}"${more}}`;
  const sections = [
    ...["pod", "service", "endpoints", "endpointslice", "node", "ingress"].map((role) => entry(role)),
    entry("pod", `, attach_metadata: ${attach}`),
    entry("endpoints", `, attach_metadata: ${attach}, namespaces: {names: [shop]}`),
    entry("endpointslice", `, attach_metadata: ${attach}, selectors: [{role: endpointslice, field: metadata.name=web-abc}]`),
    entry("service", ", selectors: [{role: service, label: app=web}]"),
  ];
  return {
    sections: sections.map((one) => `kubernetes_sd_configs: [${one}]`),
    count: 45,
    isModern: true,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The cloud checks the signature of the peer, as it does ours. */
async function ec2Api(instances?: readonly Instance[]): Promise<Api> {
  const cloud = new Cloud();
  if (instances !== undefined) cloud.instances = instances;
  const api = await cloud.serve();
  const entry = `{endpoint: "${api.url}", region: eu-x-1, access_key: ${KEYS.accessKey}, secret_key: ${KEYS.secretKey}, port: 9100}`;
  return {
    sections: [`ec2_sd_configs: [${entry}]`],
    count: instances?.length ?? 2,
    ...(instances !== undefined && { isModern: true }),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

/** The older peer does not know the type NS. */
const dnsEntries = (isModern: boolean): string[] =>
  ["SRV", "A", "AAAA", "MX", ...(isModern ? ["NS"] : [])].map((type) => `{names: [web.example], type: ${type}, port: 80}`);

/** What we find by DNS, asking this server. */
async function dnsTargets(entries: readonly string[], server: string): Promise<readonly Record<string, string>[]> {
  const all: Record<string, string>[] = [];
  for (const one of entries) {
    await using running = run((report) => discoverDns(configOf("dns_sd_configs", one), report, { servers: [server], resolvConf: "" }));
    await expect.poll(() => running.provider.groups).not.toEqual([]);
    all.push(...targetsOf(running.provider.groups));
  }
  return all;
}
describe.each(PEERS)("$name", ({ program, isModern }) => {
  test("the same targets with the same labels", async () => {
    await using apis = new AsyncDisposableStack();
    const all: Api[] = [];
    for (const start of [httpApi, oauthApi, consulApi, kubernetesApi, () => ec2Api(), () => ec2Api(IPV6)])
      all.push(apis.use(await start()));
    const used = all.filter((api) => isModern || api.isModern !== true);
    // Targets that differ in nothing but meta labels are kept apart.
    const rules = 'relabel_configs: [{action: labelmap, regex: "__meta_(.+)"}]';
    const jobs = used.flatMap(({ sections }) => sections).map((section, at) => `  - {job_name: j${at}, ${section}, ${rules}}\n`);
    const config = `global: {scrape_interval: 1h}\nscrape_configs:\n${jobs.join("")}`;
    const count = used.reduce((sum, api) => sum + api.count, 0);
    await using ours = await oursWith(config);
    const entries = dnsEntries(isModern);
    const dns = CAN_RESOLVE ? apis.use(await dnsServer(RECORDS, { host: "127.0.0.153", port: 53 })) : undefined;
    const found = dns === undefined ? [] : await dnsTargets(entries, dns.address);
    const names = dns === undefined ? "" : `  - {job_name: dns, dns_sd_configs: [${entries.join(", ")}], ${rules}}\n`;
    await using peer = await peerWith(program, `${config}${names}`, dns?.address.replace(":53", ""));
    await expect.poll(() => ours.targets(), SLOW).toHaveLength(count);
    await expect.poll(() => peer.targets(), SLOW).toHaveLength(count + found.length);
    const theirs = await peer.targets();
    expect(await ours.targets()).toEqual(theirs.filter(({ job }) => job !== "dns"));
    const byDns = theirs.filter(({ job }) => job === "dns");
    expect(byDns).toHaveLength(found.length);
    for (const labels of found) expect(byDns).toContainEqual({ ...labels, job: "dns" });
  });
});
