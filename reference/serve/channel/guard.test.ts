import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../client/connect.ts";
import { serve } from "../server/serve.ts";
import { startAgent, type Agent } from "./agent.ts";
import { serveChannel, type ChannelServer } from "./server.ts";
import { ask as askOn, TestClient, UPGRADE } from "./testing.ts";
import { drawToken } from "./tokens.ts";

/** Who is asked for, who may only watch, and compression, over real connections. */

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
/** Whatever Host says. */
const ask = (path: string, headers: Record<string, string>) => askOn(server.port, path, headers);
const attach = (host: string, more: Record<string, string> = {}) =>
  ask(MAIN, { ...UPGRADE, host, authorization: `Bearer ${tokens.client}`, ...more });

test("a page of a name that was made to lead here is not of this server's origin: 421 before the upgrade, and a line that says why", async () => {
  lines.length = 0;
  const host = `evil.example:${server.port}`;
  const response = await attach(host, { origin: `http://${host}` });
  expect(response.statusCode).toBe(421);
  expect(response.text).toContain("not known as evil.example");
  expect(lines).toEqual([expect.stringMatching(/^refused 421 \/api\/ws\/sessions\/main: this server is not known as evil\.example/)]);
  // Nothing else of the server is there for such a page either, and it does not hear whether its token is good.
  expect((await ask("/", { host })).statusCode).toBe(421);
  expect((await ask(MAIN, { ...UPGRADE, host })).statusCode).toBe(421);
  expect(server.channel.hub.session("main")?.clients.size).toBe(0);
});

test.each(["127.0.0.1", "localhost", "LOCALHOST", "[::1]", "desk.example", "Desk.Example."])(
  "asked for as %s it is itself",
  async (name) => {
    const host = `${name}:${server.port}`;
    expect((await attach(host, { origin: `http://${host}` })).statusCode).toBe(101);
    expect((await ask("/", { host })).statusCode).toBe(200);
  },
);

test("over HTTP/2 the authority is looked at in the same way", async () => {
  const client = await connect(server.url, { alpn: ["h2"] });
  const { status } = await client.request({ path: "/", authority: "evil.example" });
  expect(status).toBe(421);
  await client.close();
});

test("compression is agreed to where the client offers it, and not where it does not", async () => {
  const offered = await attach("localhost", { "sec-websocket-extensions": "permessage-deflate; client_max_window_bits" });
  expect(offered.headers["sec-websocket-extensions"]).toMatch(/^permessage-deflate/);
  expect((await attach("localhost")).headers["sec-websocket-extensions"]).toBeUndefined();
});

test("a token for watching shows what is typed elsewhere, and types nothing", async () => {
  const typing = new TestClient(server.sessionUrl("main"), tokens.client, "types");
  const watching = new TestClient(server.sessionUrl("main"), tokens.watcher, "watches");
  await typing.connect();
  await watching.connect();
  await watching.until(() => watching.agentState === "here", "a state");
  expect(watching.side.watches).toBe(true);
  typing.type("seen by both\r");
  await watching.shows("seen by both");
  // What the page would never send.
  watching.socket?.send(Buffer.from("typed by the watcher\r"));
  await watching.until(() => watching.code !== undefined, "the end");
  expect(watching.code).toBe(1008);
  typing.type("still here\r");
  await typing.shows("still here");
  expect(typing.screen).not.toContain("typed by the watcher");
  typing.socket?.close();
  await typing.until(() => typing.code !== undefined, "the end");
});

test("an agent that is told that it has asked for another server gives up", async () => {
  await using other = await serve(() => ({ status: 421, body: "this server is not known as that\n" }));
  const url = `${other.url.replace("http", "ws")}api/ws/sessions/main`;
  const lost = startAgent({ url, token: tokens.agent, command: "/bin/cat", retryMs: 10 });
  lost.offered.catch(() => {});
  await expect(lost.done).rejects.toThrow("421: this server is not known as that");
});
