import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../client/connect.ts";
import { serve } from "../server/serve.ts";
import { startAgent, type Agent } from "./agent.ts";
import { serveChannel, type ChannelServer } from "./server.ts";
import { ask as askOn, TestClient, UPGRADE } from "./testing.ts";
import { drawToken } from "./tokens.ts";

/** The host check, watchers and compression, over real connections. */

const tokens = { agent: drawToken(), client: drawToken(), watcher: drawToken() };
const lines: string[] = [];
let server: ChannelServer;
let agent: Agent;
beforeAll(async () => {
  server = await serveChannel({ tokens, log: (line) => lines.push(line), hosts: ["desk.example"] });
  agent = startAgent({ url: server.sessionUrl("main"), token: tokens.agent, command: "/bin/cat" });
  await agent.offered;
});
afterAll(async () => {
  agent.close();
  await server.close();
});

const MAIN = "/api/ws/sessions/main?client=c";
/** Sends a request to the server; `headers` may set any Host. */
const ask = (path: string, headers: Record<string, string>) => askOn(server.port, path, headers);
const attach = (host: string, more: Record<string, string> = {}) =>
  ask(MAIN, { ...UPGRADE, host, authorization: `Bearer ${tokens.client}`, ...more });

test("a page whose host name was rebound to this server: refused with 421 before the upgrade, and logged with the reason", async () => {
  lines.length = 0;
  const host = `evil.example:${server.port}`;
  const response = await attach(host, { origin: `http://${host}` });
  expect(response.statusCode).toBe(421);
  expect(response.text).toContain("does not serve evil.example");
  expect(lines).toEqual([expect.stringMatching(/^refused 421 \/api\/ws\/sessions\/main: this server does not serve evil\.example/)]);
  // Such a page cannot load other files either, nor learn whether a token is valid.
  expect((await ask("/", { host })).statusCode).toBe(421);
  expect((await ask(MAIN, { ...UPGRADE, host })).statusCode).toBe(421);
  expect(server.channel.hub.session("main")?.clients.size).toBe(0);
});

test.each(["127.0.0.1", "localhost", "LOCALHOST", "[::1]", "desk.example", "Desk.Example."])("Host %s: accepted", async (name) => {
  const host = `${name}:${server.port}`;
  expect((await attach(host, { origin: `http://${host}` })).statusCode).toBe(101);
  expect((await ask("/", { host })).statusCode).toBe(200);
});

test("another :authority over HTTP/2: refused with 421", async () => {
  const client = await connect(server.url, { alpn: ["h2"] });
  const { status } = await client.request({ path: "/", authority: "evil.example" });
  expect(status).toBe(421);
  await client.close();
});

test("permessage-deflate: accepted if the client offers it, otherwise absent", async () => {
  const offered = await attach("localhost", { "sec-websocket-extensions": "permessage-deflate; client_max_window_bits" });
  expect(offered.headers["sec-websocket-extensions"]).toMatch(/^permessage-deflate/);
  expect((await attach("localhost")).headers["sec-websocket-extensions"]).toBeUndefined();
});

test("a watcher: sees what others type, and its own input closes the connection", async () => {
  const typing = new TestClient(server.sessionUrl("main"), tokens.client, "types");
  const watching = new TestClient(server.sessionUrl("main"), tokens.watcher, "watches");
  await typing.connect();
  await watching.connect();
  await watching.until(() => watching.agentState === "here", "a state");
  expect(watching.side.watches).toBe(true);
  typing.type("seen by both\r");
  await watching.shows("seen by both");
  // The page never sends this.
  watching.socket?.send(Buffer.from("typed by the watcher\r"));
  await watching.until(() => watching.code !== undefined, "the end");
  expect(watching.code).toBe(1008);
  typing.type("still here\r");
  await typing.shows("still here");
  expect(typing.screen).not.toContain("typed by the watcher");
  typing.socket?.close();
  await typing.until(() => typing.code !== undefined, "the end");
});

test("an agent that is refused with 421: gives up", async () => {
  await using other = await serve(() => ({ status: 421, body: "this server does not serve that\n" }));
  const url = `${other.url.replace("http", "ws")}api/ws/sessions/main`;
  const lost = startAgent({ url, token: tokens.agent, command: "/bin/cat", retryMs: 10 });
  lost.offered.catch(() => {});
  await expect(lost.done).rejects.toThrow("421: this server does not serve that");
});
