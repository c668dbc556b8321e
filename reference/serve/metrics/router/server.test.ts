import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { freePort } from "../testing.ts";
import { type RouterServeOptions, type RouterServer, serveRouter } from "./server.ts";
import { Folder, kill, post, ready, Sink, start } from "./testing.ts";

const BIN = fileURLToPath(new URL("../../../../bin.js", import.meta.url));
const folder = new Folder();
afterAll(() => folder[Symbol.dispose]());

const config = (url: string, more = ""): string =>
  `route: {receiver: a, group_by: [alertname], group_wait: 10ms, group_interval: 60ms${more}}\nreceivers: [{name: a, webhook_configs: [{url: "${url}"}]}]\n`;
let count = 0;
async function listening(
  text: string,
  more: Partial<RouterServeOptions> = {},
): Promise<{ server: RouterServer; url: string; file: string; notices: string[] }> {
  const name = `n${++count}`;
  const file = folder.write(`${name}.yml`, text);
  const notices: string[] = [];
  const server = await serveRouter({
    file,
    directory: folder.at(name),
    onNotice: (message) => void notices.push(message),
    graceMs: 0,
    ...more,
  });
  return { server, url: server.url.replace(/\/$/, ""), file, notices };
}
const A = { labels: { alertname: "A", i: "1" }, annotations: { text: "t" }, generatorURL: "http://p/" };
const silenceOf = (value: string) => ({
  matchers: [{ name: "i", value, isRegex: false }],
  startsAt: new Date().toISOString(),
  endsAt: new Date(Date.now() + 3_600_000).toISOString(),
  createdBy: "me",
  comment: "why",
});
async function send(url: string, body: unknown): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}
const got = async (url: string): Promise<unknown> => (await fetch(url)).json();

describe("an alert router", () => {
  test("posts firing and resolved alerts, and shows them", async () => {
    const sink = await Sink.listen();
    const { server, url } = await listening(config(sink.url));
    expect(await post(url, [A])).toBe(200);
    await sink.until((all) => all.length === 1);
    expect(await got(`${url}/api/v2/alerts`)).toMatchObject([{ ...A, status: { state: "active" }, receivers: [{ name: "a" }] }]);
    await post(url, [{ ...A, endsAt: new Date().toISOString() }]);
    const [first, second] = await sink.until((all) => all.length === 2);
    expect(first).toMatchObject({
      status: "firing",
      version: "4",
      externalURL: url,
      commonLabels: A.labels,
      groupKey: '{}:{alertname="A"}',
    });
    expect(second).toMatchObject({ status: "resolved", alerts: [{ status: "resolved", labels: A.labels }] });
    expect(await got(`${url}/api/v2/alerts`)).toEqual([]);
    const page = await (await fetch(`${url}/metrics`)).text();
    expect(page).toContain('alertmanager_notifications_total{integration="webhook"} 2');
    await server.close();
    await sink.close();
  });

  test("a receiver that fails is tried again, and an operator hears of it once", async () => {
    const sink = await Sink.listen();
    sink.answer = () => (sink.all.length < 3 ? 500 : 200);
    const { server, url, notices } = await listening(config(sink.url).replace("60ms", "1m"));
    await post(url, [A]);
    await sink.until((all) => all.length === 3);
    await server.close();
    await sink.close();
    expect(notices).toEqual(['receiver "a", webhook 0: it answers with 500']);
  });

  test("a receiver that never answers is given up after its timeout, and one that redirects is named", async () => {
    const sink = await Sink.listen();
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => void silent.listen(0, "127.0.0.1", resolve));
    const slow = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    sink.answer = () => 302;
    const { server, url, notices } = await listening(
      config(sink.url).replace("}]}]", `}, {url: "${slow}", timeout: 20ms}]}]`).replace("60ms", "1m"),
    );
    await post(url, [A]);
    while (notices.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await server.close();
    await sink.close();
    silent.closeAllConnections();
    silent.close();
    expect(notices.toSorted()).toEqual([
      'receiver "a", webhook 0: it redirects to "": give that URL, redirects are not followed',
      expect.stringContaining('receiver "a", webhook 1: '),
    ]);
  });

  test("reload: a good configuration takes effect, a bad one changes nothing and is named with its place", async () => {
    const sink = await Sink.listen();
    const { server, url, file } = await listening(config(`${sink.url}/one`));
    await post(url, [A]);
    await sink.until((all) => all.length === 1);
    folder.write(file.split("/").at(-1) ?? "", `${config(sink.url)}extra: 1\n`);
    const refused = await fetch(`${url}/-/reload`, { method: "POST" });
    expect([refused.status, await refused.text()]).toEqual([500, `failed to reload config: ${file}:3: extra: unknown field\n`]);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain("alertmanager_config_last_reload_successful 0");
    folder.write(file.split("/").at(-1) ?? "", config(`${sink.url}/two`));
    expect((await fetch(`${url}/-/reload`, { method: "POST" })).status).toBe(200);
    await post(url, [{ ...A, labels: { alertname: "B" } }]);
    await sink.until((all) => all.length === 2);
    expect(sink.all.map(({ path, alerts }) => `${path} ${alerts[0]?.labels["alertname"]}`)).toEqual(["/one A", "/two B"]);
    await server.close();
    await sink.close();
  });

  test("silences: made, filtered, changed, ended", async () => {
    const { server, url } = await listening(config("http://127.0.0.1:1/"));
    const made = await send(`${url}/api/v2/silences`, silenceOf("1"));
    const { silenceID: id } = made.body as { silenceID: string };
    await post(url, [A]);
    expect(await got(`${url}/api/v2/alerts`)).toMatchObject([{ status: { state: "suppressed", silencedBy: [id] } }]);
    expect(await got(`${url}/api/v2/alerts?silenced=false`)).toEqual([]);
    expect(await got(`${url}/api/v2/alerts/groups?active=false`)).toMatchObject([{ labels: { alertname: "A" }, alerts: [{}] }]);
    expect(await got(`${url}/api/v2/silences?filter=i%3D1`)).toMatchObject([
      { id, matchers: [{ name: "i", value: "1", isRegex: false, isEqual: true }] },
    ]);
    expect(await got(`${url}/api/v2/silences?filter=i%3D2`)).toEqual([]);
    expect(await send(`${url}/api/v2/silences`, { ...silenceOf("2"), id })).toMatchObject({ status: 200 });
    expect(await got(`${url}/api/v2/silence/${id}`)).toMatchObject({ status: { state: "expired" } });
    expect((await fetch(`${url}/api/v2/silence/none`, { method: "DELETE" })).status).toBe(404);
    await server.close();
  });

  test.each([
    ["/alerts", {}, 400],
    ["/alerts", [{ labels: {} }], 400],
    ["/alerts", [{ labels: { a: 1 } }], 400],
    ["/alerts", [{ labels: { a: "\ud800" } }], 400],
    ["/alerts", [{ ...A, startsAt: "yesterday" }], 400],
    ["/silences", { ...silenceOf("1"), matchers: [] }, 400],
    ["/silences", { ...silenceOf("1"), matchers: [{ name: "a", value: "(", isRegex: true }] }, 400],
    ["/silences", { ...silenceOf("1"), comment: undefined }, 400],
    ["/silences", { ...silenceOf("1"), id: "none" }, 404],
    ["/nothing", {}, 404],
    ["/status", {}, 405],
  ])("POST %s %j: %i", async (path, body, status) => {
    const { server, url } = await listening(config("http://127.0.0.1:1/"));
    expect((await send(`${url}/api/v2${path}`, body)).status).toBe(status);
    await server.close();
  });

  test("content that is too long, or not JSON, is refused", async () => {
    const { server, url } = await listening(config("http://127.0.0.1:1/"));
    const long = await fetch(`${url}/api/v2/alerts`, {
      method: "POST",
      body: new Uint8Array(34 << 20),
      headers: { "content-type": "application/json" },
    }).catch(() => undefined);
    // The connection may end before all of it is sent.
    expect([413, undefined]).toContain(long?.status);
    const other = await fetch(`${url}/api/v2/alerts`, { method: "POST", body: "[]", headers: { "content-type": "text/plain" } });
    expect(other.status).toBe(415);
    await server.close();
  });

  test("behind a path: everything is below it, and links begin with it", async () => {
    const sink = await Sink.listen();
    const { server, url } = await listening(config(sink.url), { externalUrl: "https://example.org/alerts/" });
    expect((await fetch(`${url}/-/ready`)).status).toBe(404);
    expect((await fetch(`${url}/alerts/-/ready`)).status).toBe(200);
    await post(`${url}/alerts`, [A]);
    expect(await sink.until((all) => all.length === 1)).toMatchObject([{ externalURL: "https://example.org/alerts" }]);
    await server.close();
    await sink.close();
  });

  test("two on one directory: the second is refused", async () => {
    const { server, file } = await listening(config("http://127.0.0.1:1/"));
    await expect(serveRouter({ file, directory: folder.at(`n${count}`) })).rejects.toThrow("uses this data directory");
    await server.close();
  });
});

/** Resolves once the router says so of itself. */
async function counted(url: string, line: string): Promise<void> {
  while (!(await (await fetch(`${url}/metrics`)).text()).includes(line)) await new Promise((resolve) => setImmediate(resolve));
}

test("kill -9: silences are there again, nothing is sent twice, and the end of what was sent is", async () => {
  const sink = await Sink.listen();
  const file = folder.write("killed.yml", config(sink.url));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const run = () =>
    start(process.execPath, [
      BIN,
      "serve",
      "alert-router",
      "--config.file",
      file,
      "--storage.path",
      folder.at("killed"),
      "--port",
      String(port),
    ]);
  const first = run();
  await ready(`${url}/-/ready`, first);
  const { body } = await send(`${url}/api/v2/silences`, silenceOf("2"));
  await post(url, [A, { ...A, labels: { alertname: "B", i: "1" } }]);
  await sink.until((all) => all.length === 2);
  await counted(url, 'alertmanager_notifications_total{integration="webhook"} 2');
  await kill(first.child);
  const second = run();
  await ready(`${url}/-/ready`, second);
  expect(await got(`${url}/api/v2/silences`)).toMatchObject([
    { id: (body as { silenceID: string }).silenceID, status: { state: "active" } },
  ]);
  await post(url, [
    A,
    { ...A, labels: { alertname: "B", i: "1" }, endsAt: new Date().toISOString() },
    { ...A, labels: { alertname: "C", i: "2" } },
  ]);
  await sink.until((all) => all.some(({ status }) => status === "resolved"));
  await post(url, [{ ...A, labels: { alertname: "D", i: "1" } }]);
  await sink.until((all) => all.some(({ alerts }) => alerts[0]?.labels["alertname"] === "D"));
  await kill(second.child);
  await sink.close();
  const seen = sink.all.map(({ status, alerts }) => `${status} ${alerts[0]?.labels["alertname"]}`);
  expect(seen.sort()).toEqual(["firing A", "firing B", "firing D", "resolved B"]);
});

test.each([
  [["--config.file", "/nowhere.yml"], "/nowhere.yml:1: /nowhere.yml cannot be read: no such file or directory"],
  [["--cluster.listen-address", "0.0.0.0:9094"], "this router has no cluster"],
  [["--web.listen-address", "9093"], "is not a host with a port: write 127.0.0.1:9090 or :9090"],
  [["--data.retention", "soon"], "is not a duration"],
])("serve alert-router %j: exits with status 2 and says why", async (args, why) => {
  const { child, output } = start(process.execPath, [BIN, "serve", "alert-router", ...args]);
  const status = await new Promise((resolve) => child.once("close", resolve));
  expect(output()).toContain(why);
  expect(status).toBe(2);
});
