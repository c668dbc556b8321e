import { afterEach, describe, expect, test } from "vitest";
import { startAgent, type Agent, type AgentOptions } from "./agent.ts";
import { serveChannel, type ChannelServer } from "./server.ts";
import { TestClient } from "./testing.ts";
import { drawToken } from "./tokens.ts";

const tokens = { agent: drawToken(), client: drawToken() };
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function hub(port = 0): Promise<ChannelServer> {
  const server = await serveChannel({ tokens, port });
  open.push(() => server.close());
  return server;
}
function offer(server: ChannelServer, more: Partial<AgentOptions> = {}): Agent {
  const env = { PATH: process.env["PATH"], PS1: "$ ", TOUCHSTONE_AGENT_TOKEN: tokens.agent };
  const agent = startAgent({ url: server.sessionUrl("main"), token: tokens.agent, command: "/bin/sh", env, retryMs: 20, ...more });
  open.push(() => agent.close());
  return agent;
}
async function attach(server: ChannelServer, id = "c"): Promise<TestClient> {
  const client = new TestClient(server.sessionUrl("main"), tokens.client, id);
  await client.connect();
  open.push(() => client.socket?.close());
  // Typing before the prompt appears would be echoed before it, and output would follow on the prompt's line.
  await client.shows("$ ");
  return client;
}

describe("a shell over the channel", () => {
  test("a client types and resizes: the shell runs the command in a terminal of that size", async () => {
    const server = await hub();
    await offer(server).offered;
    const client = await attach(server);
    expect(client.protocol).toBe("touchstone.channel");
    client.type("echo $((6*7))\r");
    await client.shows("\n42\r\n");
    client.side.resize(101, 33);
    client.type("stty size\r");
    await client.shows("33 101\r\n");
    await client.until(() => client.events.some((one) => one.is === "resize"), "the size");
    expect(client.side.untaken).toBe(0);
  });

  test("the environment of the shell: contains no tokens", async () => {
    const server = await hub();
    await offer(server).offered;
    const client = await attach(server);
    client.type('echo "<$TOUCHSTONE_AGENT_TOKEN>"; echo done | tr a-z A-Z\r');
    await client.shows("DONE\r\n");
    expect(client.screen).toContain("\n<>\r\n");
    expect(client.screen).not.toContain(tokens.agent);
  });

  test("two clients, one reconnects: both show the same output, each line once", async () => {
    const server = await hub();
    await offer(server).offered;
    const [a, b] = [await attach(server, "a"), await attach(server, "b")];
    a.type("echo one | tr a-z A-Z\r");
    await b.shows("ONE\r\n");
    b.socket?.close();
    await b.until(() => b.code !== undefined, "the end");
    b.type("echo three | tr a-z A-Z\r");
    a.type("echo two | tr a-z A-Z\r");
    await a.shows("TWO\r\n");
    await b.connect();
    await b.shows("THREE\r\n");
    await a.shows("THREE\r\n");
    expect(b.screen).toBe(a.screen);
    expect(b.screen.match(/THREE\r\n/g)?.length).toBe(1);
  });

  test("the agent loses its connection three times: it shows as gone and reconnects, and nothing is lost or repeated", async () => {
    const server = await hub();
    const agent = offer(server);
    await agent.offered;
    const client = await attach(server);
    client.type("for i in $(seq 1 400); do echo line $i; sleep 0.002; done; echo end | tr a-z A-Z\r");
    for (let i = 1; i <= 3; i++) {
      await client.shows(`line ${i * 40}\r\n`);
      agent.drop();
      await client.until(() => client.agentState === "gone", "the agent's disconnect");
      client.type(i === 1 ? "echo typed | tr a-z A-Z\r" : "");
      await client.until(() => client.agentState === "here", "the agent's reconnect");
    }
    await client.shows("END\r\n");
    await client.shows("TYPED\r\n");
    const numbers = [...client.screen.matchAll(/^line (\d+)\r$/gm)].map(([, n]) => Number(n));
    expect(numbers).toEqual(Array.from({ length: 400 }, (_, i) => i + 1));
    expect(client.screen.match(/TYPED\r\n/g)?.length).toBe(1);
  });

  test("a large output: the client receives all of it, in order", async () => {
    const server = await hub();
    await offer(server).offered;
    const client = await attach(server);
    client.type("seq 1 60000; echo end | tr a-z A-Z\r");
    await client.shows("END\r\n");
    const numbers = [...client.screen.matchAll(/^(\d+)\r$/gm)].map(([, n]) => Number(n));
    expect(numbers.findIndex((n, i) => n !== i + 1)).toBe(-1);
    expect(numbers.length).toBe(60_000);
  });

  test("the shell exits: clients receive its status, later ones too, and the agent is done", async () => {
    const server = await hub();
    const agent = offer(server);
    await agent.offered;
    const client = await attach(server);
    client.type("exit 7\r");
    await client.until(() => client.code !== undefined, "the end");
    expect(client.events.at(-1)).toEqual({ is: "exit", code: 7, signal: null, again: false });
    expect([client.code, client.agentState]).toEqual([1000, "exited"]);
    await agent.done;
    const late = await attach(server, "late");
    await late.until(() => late.code !== undefined, "the end");
    expect(late.events.at(-1)).toEqual({ is: "exit", code: 7, signal: null, again: false });
    expect(late.screen).toContain("exit 7");
  });

  test("a shell exits, and its agent may start another: a client asks for it, and types into the new one", async () => {
    const server = await hub();
    const agent = offer(server, { again: true });
    await agent.offered;
    const before = agent.run;
    const client = await attach(server);
    client.side.resize(90, 30);
    client.type("exit 7\r");
    await client.until(() => client.events.at(-1)?.is === "exit", "the exit");
    expect(client.events.at(-1)).toEqual({ is: "exit", code: 7, signal: null, again: true });
    // An agent that loses its connection meanwhile comes back.
    agent.drop();
    const states = () => client.events.filter(({ is }) => is === "state").length;
    const seen = states();
    await client.until(() => states() > seen, "the reconnect");
    client.side.start();
    client.side.start();
    await client.until(() => client.code !== undefined, "the end of the old run");
    expect(client.code).toBe(4002);
    expect(agent.run).not.toBe(before);
    const next = await attach(server);
    next.type("stty size\r");
    await next.shows("30 90\r\n");
  });

  test("the shell is killed: clients receive the signal", async () => {
    const server = await hub();
    await offer(server).offered;
    const client = await attach(server);
    client.type("kill -9 $$\r");
    await client.until(() => client.code !== undefined, "the end");
    expect(client.events.at(-1)).toEqual({ is: "exit", code: 0, signal: 9, again: false });
  });

  test("the hub restarts: the agent offers the session again, with its replay", async () => {
    const first = await hub();
    const { port } = first;
    const agent = offer(first);
    await agent.offered;
    const client = await attach(first);
    client.type("echo before | tr a-z A-Z\r");
    await client.shows("BEFORE\r\n");
    await first.close();
    const second = await hub(port);
    const again = new TestClient(second.sessionUrl("main"), tokens.client, "again");
    await again.until(() => second.channel.hub.session("main")?.agent === "here", "the agent's reconnect");
    await again.connect();
    open.push(() => again.socket?.close());
    await again.shows("BEFORE\r\n");
    again.type("echo after | tr a-z A-Z\r");
    await again.shows("AFTER\r\n");
    expect(agent.run).toBe(second.channel.hub.session("main")?.run);
  });

  test("an invalid token: the agent gives up", async () => {
    const server = await hub();
    const agent = offer(server, { token: drawToken() });
    await expect(agent.offered).rejects.toThrow("answers 401: the token is invalid");
    await expect(agent.done).rejects.toThrow("401");
  });

  test("the hub starts after the agent: the agent connects then", async () => {
    const first = await hub();
    const { port } = first;
    await first.close();
    const agent = offer(first);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const second = await hub(port);
    await agent.offered;
    expect(second.channel.hub.session("main")?.agent).toBe("here");
  });
});
