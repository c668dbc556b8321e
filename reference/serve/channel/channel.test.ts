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

/** One upgrade, and what is answered. */
const ask = (path: string, fields: Record<string, string> = {}) => askOn(server.port, path, { ...UPGRADE, ...fields });
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const MAIN = "/api/ws/sessions/main?client=c";

describe("the channel: before the upgrade", () => {
  test.each([
    ["no token", MAIN, {}, 401, "a token is needed"],
    ["a token nobody has", MAIN, bearer(drawToken()), 401, "this token opens nothing"],
    ["a token in the query", `${MAIN}&token=${tokens.client}`, {}, 401, "a token is needed"],
    ["no token for a session that is not there", "/api/ws/sessions/other?client=c", {}, 401, "a token is needed"],
    ["a session that is not there", "/api/ws/sessions/other?client=c", bearer(tokens.client), 404, "there is no such session"],
    ["a name that cannot be", "/api/ws/sessions/..%2fmain?client=c", bearer(tokens.client), 404, "this is not a valid session name"],
    ["another page's origin", MAIN, { ...bearer(tokens.client), origin: "https://evil.example" }, 403, "origin https://evil.example"],
    ["an origin of null", MAIN, { ...bearer(tokens.client), origin: "null" }, 403, "origin null"],
    ["another agent", "/api/ws/sessions/main?run=other", bearer(tokens.agent), 409, "another agent offers this session"],
    ["too many sessions", "/api/ws/sessions/more?run=other", bearer(tokens.agent), 503, "there are too many sessions"],
    ["no name of a client", "/api/ws/sessions/main", bearer(tokens.client), 400, "a client gives its name"],
    ["another version", MAIN, { ...bearer(tokens.client), "sec-websocket-version": "8" }, 426, "version 8 is not supported"],
  ])("%s is refused, and logged in one line", async (_, path, fields, status, why) => {
    lines.length = 0;
    const response = await ask(path, fields);
    expect(response.statusCode).toBe(status);
    expect(response.text).toContain(why);
    expect(lines.length).toBe(1);
    expect(lines[0]).toMatch(new RegExp(`^refused ${status} /api/ws/sessions/[^?]*: .*${why.slice(0, 20)}`));
    expect(lines[0]).not.toContain(tokens.client);
  });

  test("what lies in a path cannot break out of its line", async () => {
    lines.length = 0;
    const response = await ask(`/api/ws/sessions/${"a".repeat(500)}%0arefused`, {});
    expect(response.statusCode).toBe(401);
    expect(lines.length).toBe(1);
    expect(lines[0]!.length).toBeLessThan(200);
  });

  test.each([
    ["no browser", {}],
    ["a page of this server", { origin: "own" }],
    ["a page on the list", { origin: "https://desk.example" }],
  ])("%s with the token is let in, and the token is not said back", async (_, fields: { origin?: string }) => {
    const own = fields.origin === "own" ? { origin: server.url.replace(/\/$/, "") } : fields;
    const response = await ask(MAIN, { ...own, "sec-websocket-protocol": `touchstone.channel, token.${tokens.client}` });
    expect(response.statusCode).toBe(101);
    expect(response.headers["sec-websocket-protocol"]).toBe("touchstone.channel");
    expect(JSON.stringify(response.rawHeaders)).not.toContain(tokens.client);
  });

  test("over HTTP/2 it is the same: a session is attached to by extended CONNECT, and a stranger is refused", async () => {
    const client = await connect(server.url, { alpn: ["h2"] });
    const wishes = { over: client, subprotocols: ["touchstone.channel"] };
    const url = `${server.sessionUrl("main")}?client=two`;
    await expect(connectWebSocket(url, wishes)).rejects.toThrow("401: a token is needed");
    await expect(
      connectWebSocket(url, { ...wishes, fields: Object.entries(bearer(tokens.client)), origin: "https://evil.example" }),
    ).rejects.toThrow("403");
    const socket = await connectWebSocket(url, { ...wishes, fields: Object.entries(bearer(tokens.client)) });
    const first = await socket[Symbol.asyncIterator]().next();
    expect(JSON.parse(first.value as string)).toMatchObject({ type: "state", session: "main", agent: "here" });
    socket.close();
    await socket.closed;
    await client.close();
  });

  test("one client too many is refused, and let in when there is room", async () => {
    const first = new TestClient(server.sessionUrl("main"), tokens.client, "first");
    await first.connect();
    await first.until(() => first.agentState === "here", "a state");
    expect((await ask(MAIN, bearer(tokens.client))).statusCode).toBe(503);
    first.socket?.close();
    await first.until(() => first.code !== undefined, "the end");
    expect((await ask(MAIN, bearer(tokens.client))).statusCode).toBe(101);
  });

  test("agents and clients with one token, or a weak one, are a mistake of the owner", () => {
    const same = drawToken();
    expect(() => channel({ tokens: { agent: same, client: same } })).toThrow("different tokens");
    expect(() => channel({ tokens: { agent: "secret", client: same } })).toThrow("at least 22 characters");
  });
});

describe("the page", () => {
  test.each(["/", "/channel.js", "/channel.css", "/client-side.js", "/protocol.ts", "/xterm.js", "/xterm.css", "/schema.json"])(
    "%s is served from here, with its policy",
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
  test("other paths and methods are refused", async () => {
    expect((await fetch(new URL("/etc/passwd", server.url))).status).toBe(404);
    expect((await fetch(new URL("/constructor", server.url))).status).toBe(404);
    expect((await fetch(server.url, { method: "POST", body: "x" })).status).toBe(405);
  });
});
