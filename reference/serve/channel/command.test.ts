import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { TestClient } from "./testing.ts";

const BIN = fileURLToPath(new URL("../../../bin.js", import.meta.url));
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) if (child.exitCode === null) child.kill("SIGKILL");
});
function run(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [BIN, "serve", "channel", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  running.push(child);
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const first = once(createInterface(child.stdout), "line") as Promise<[string]>;
  const ended = once(child, "close") as Promise<[number | null, string | null]>;
  return { child, first, ended, errors: () => errors };
}

type Place = { url: string; port: number; pid: number; session: string; page: string; clientToken: string; agentToken: string };

test("serve channel: prints the URLs and tokens of a hub with a shell, and SIGTERM ends both", async () => {
  const { child, first, ended, errors } = run(["--port", "0", "--json", "--shell", "/bin/sh"]);
  const place = JSON.parse((await first)[0]) as Place;
  expect(place).toMatchObject({ url: `http://127.0.0.1:${place.port}/`, session: "main", pid: child.pid });
  expect(place.page).toBe(`${place.url}#session=main&token=${place.clientToken}`);
  const client = new TestClient(`${place.url}api/ws/sessions/main`.replace("http", "ws"), place.clientToken);
  await client.connect();
  client.type("echo pid=$$ | tr a-z A-Z\r");
  await client.until(() => /PID=\d+\r\n/.test(client.screen), "the pid of the shell");
  const shell = Number(/PID=(\d+)\r\n/.exec(client.screen)?.[1]);
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  await client.until(() => client.code !== undefined, "the end");
  expect(() => process.kill(shell, 0)).toThrow("ESRCH");
  expect(errors()).toContain("agent attached to main");
  expect(errors()).not.toContain(place.clientToken);
  expect(errors()).not.toContain(place.agentToken);
  expect(errors()).not.toContain("Warning");
});

test("--no-agent and --agent with the same TOUCHSTONE_AGENT_TOKEN: the agent offers its session on the hub", async () => {
  const token = "agents-of-this-test-0123456789";
  const hub = run(["--json", "--no-agent"], { TOUCHSTONE_AGENT_TOKEN: token });
  const place = JSON.parse((await hub.first)[0]) as Place;
  expect(place.agentToken).toBe(token);
  const session = `${place.url}api/ws/sessions/build-7`.replace("http", "ws");
  const agent = run(["--agent", session, "--shell", "/bin/sh"], { TOUCHSTONE_AGENT_TOKEN: token });
  await new Promise<void>((resolve) => {
    agent.child.stderr.on("data", () => agent.errors().includes("agent: offering") && resolve());
  });
  const client = new TestClient(session, place.clientToken);
  await client.connect();
  client.type("exit 5\r");
  await client.until(() => client.events.at(-1)?.is === "exit", "the exit");
  expect(client.events.at(-1)).toMatchObject({ code: 5, again: true });
  client.side.start();
  await client.until(() => client.code === 4002, "the next run");
  await client.connect();
  await client.until(() => client.agentState === "here", "the next shell");
  client.type("echo $((6*7))\r");
  await client.shows("42\r\n");
  agent.child.kill("SIGTERM");
  expect((await agent.ended)[0]).toBe(0);
});

test.each([
  [["--agent", "http://127.0.0.1/"], {}, "is not a ws: or wss: URL"],
  [["--agent", "ws://127.0.0.1/"], { TOUCHSTONE_AGENT_TOKEN: "" }, "--agent needs the hub's agent token"],
  [["--session", "a/b"], {}, "Give 1 to 64 letters"],
  [["--no-agent"], { TOUCHSTONE_CLIENT_TOKEN: "short" }, "TOUCHSTONE_CLIENT_TOKEN: a token needs at least 22 characters"],
] as [string[], Record<string, string>, string][])("%j with %j: exits with status 2 and says %j", async (args, env, why) => {
  const { ended, errors } = run(args, env);
  expect((await ended)[0]).toBe(2);
  expect(errors()).toContain(why);
});
