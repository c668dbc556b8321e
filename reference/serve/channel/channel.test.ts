import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "../client/connect.ts";
import { connectWebSocket } from "../websocket/index.ts";
import { startAgent, type Agent } from "./agent.ts";
import { channel } from "./channel.ts";
import { serveChannel, type ChannelServer } from "./server.ts";
import { ask as askOn, TestClient, UPGRADE } from "./testing.ts";
import { drawToken } from "./tokens.ts";

const tokens = { agent: drawToken(), client: drawToken() };
const lines: string[] = [];
let server: ChannelServer;
let agent: Agent;
beforeAll(async () => {
  server = await serveChannel({
    tokens,
    log: (line) => lines.push(line),
    origins: ["https://desk.example"],
    limits: { sessions: 1, clients: 1 },
  });
  agent = startAgent({ url: server.sessionUrl("main"), token: tokens.agent, command: "/bin/cat" });
  await agent.offered;
});
afterAll(async () => {
  agent.close();
  await server.close();
});

/** Sends an upgrade request. */
const ask = (path: string, fields: Record<string, string> = {}) => askOn(server.port, path, { ...UPGRADE, ...fields });
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const MAIN = "/api/ws/sessions/main?client=c";

describe("the channel: before the upgrade", () => {
  test.each([
    ["an unknown session", "/api/ws/sessions/other?client=c", bearer(tokens.client), 404, "there is no such session"],
    ["an invalid session name", "/api/ws/sessions/..%2fmain?client=c", bearer(tokens.client), 404, "this is not a valid session name"],
    ["another origin", MAIN, { ...bearer(tokens.client), origin: "https://evil.example" }, 403, "origin https://evil.example"],
    ["the origin null", MAIN, { ...bearer(tokens.client), origin: "null" }, 403, "origin null"],
    ["a second agent", "/api/ws/sessions/main?run=other", bearer(tokens.agent), 409, "another agent offers this session"],
    ["too many sessions", "/api/ws/sessions/more?run=other", bearer(tokens.agent), 503, "there are too many sessions"],
    ["a client without a name", "/api/ws/sessions/main", bearer(tokens.client), 400, "a client gives its name"],
    [
      "an unsupported WebSocket version",
      MAIN,
      { ...bearer(tokens.client), "sec-websocket-version": "8" },
      426,
      "version 8 is not supported",
    ],
  ])("%s: refused and logged in one line", async (_, path, fields, status, why) => {
    lines.length = 0;
    const response = await ask(path, fields);
    expect(response.statusCode).toBe(status);
    expect(response.text).toContain(why);
    expect(lines.length).toBe(1);
    expect(lines[0]).toMatch(new RegExp(`^refused ${status} /api/ws/sessions/[^?]*: .*${why.slice(0, 20)}`));
    expect(lines[0]).not.toContain(tokens.client);
  });

  test.each([
    ["no token", MAIN, {}, 401, "a token is required"],
    ["an unknown token", MAIN, bearer(drawToken()), 401, "the token is invalid"],
    ["a token in the query", `${MAIN}&token=${tokens.client}`, {}, 401, "a token is required"],
    ["no token, for an unknown session", "/api/ws/sessions/other?client=c", {}, 401, "a token is required"],
  ])("%s: refused with 401", async (_, path, fields, status, why) => {
    const response = await ask(path, fields);
    expect(response.statusCode).toBe(status);
    expect(response.text).toContain(why);
    expect(lines.join("\n")).not.toContain(tokens.client);
  });

  test("a long path with an encoded line feed: logged in one short line", async () => {
    lines.length = 0;
    const response = await ask(`/api/ws/sessions/${"a".repeat(500)}%0arefused`, bearer(tokens.client));
    expect(response.statusCode).toBe(404);
    expect(lines).toEqual([expect.stringMatching(/^.{1,199}$/)]);
  });

  test.each([
    ["no origin", {}],
    ["the server's own origin", { origin: "own" }],
    ["an allowed origin", { origin: "https://desk.example" }],
  ])("%s, with the client token: accepted, and the response does not contain the token", async (_, fields: { origin?: string }) => {
    const own = fields.origin === "own" ? { origin: server.url.replace(/\/$/, "") } : fields;
    const response = await ask(MAIN, { ...own, "sec-websocket-protocol": `touchstone.channel, token.${tokens.client}` });
    expect(response.statusCode).toBe(101);
    expect(response.headers["sec-websocket-protocol"]).toBe("touchstone.channel");
    expect(JSON.stringify(response.rawHeaders)).not.toContain(tokens.client);
  });

  test("extended CONNECT over HTTP/2: accepted with the client token, refused without it or with another origin", async () => {
    const client = await connect(server.url, { alpn: ["h2"] });
    const options = { over: client, subprotocols: ["touchstone.channel"] };
    const url = `${server.sessionUrl("main")}?client=two`;
    await expect(connectWebSocket(url, options)).rejects.toThrow("401: a token is required");
    await expect(
      connectWebSocket(url, { ...options, fields: Object.entries(bearer(tokens.client)), origin: "https://evil.example" }),
    ).rejects.toThrow("403");
    const socket = await connectWebSocket(url, { ...options, fields: Object.entries(bearer(tokens.client)) });
    const first = await socket[Symbol.asyncIterator]().next();
    expect(JSON.parse(first.value as string)).toMatchObject({ type: "state", session: "main", agent: "here" });
    socket.close();
    await socket.closed;
    await client.close();
  });

  test("a client beyond the limit: refused until another one leaves", async () => {
    const first = new TestClient(server.sessionUrl("main"), tokens.client, "first");
    await first.connect();
    await first.until(() => first.agentState === "here", "a state");
    expect((await ask(MAIN, bearer(tokens.client))).statusCode).toBe(503);
    first.socket?.close();
    await first.until(() => first.code !== undefined, "the end");
    expect((await ask(MAIN, bearer(tokens.client))).statusCode).toBe(101);
  });

  test("channel(), two roles with the same token or a short token: throws", () => {
    const same = drawToken();
    expect(() => channel({ tokens: { agent: same, client: same } })).toThrow("different tokens");
    expect(() => channel({ tokens: { agent: "secret", client: same } })).toThrow("at least 22 characters");
  });
});

describe("the page", () => {
  test.each(["/", "/channel.js", "/channel.css", "/client-side.js", "/protocol.ts", "/xterm.js", "/xterm.css", "/schema.json"])(
    "%s: served with the security policy, and refers to no other server",
    async (path) => {
      const response = await fetch(new URL(path, server.url));
      expect(response.status).toBe(200);
      expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';/);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      const text = await response.text();
      expect(text.length).toBeGreaterThan(300);
      expect(text).not.toMatch(/(?:src|href)="https?:/);
    },
  );
  test("other paths: 404; other methods: 405", async () => {
    expect((await fetch(new URL("/etc/passwd", server.url))).status).toBe(404);
    expect((await fetch(new URL("/constructor", server.url))).status).toBe(404);
    expect((await fetch(server.url, { method: "POST", body: "x" })).status).toBe(405);
  });
});
