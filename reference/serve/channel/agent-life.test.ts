import { EventEmitter, once } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Server } from "../server/options.ts";
import { serveWebSocket, type OpenWebSocket } from "../websocket/index.ts";
import { startAgent, type Agent, type AgentOptions } from "./agent.ts";
import { serveChannel } from "./server.ts";
import { drawToken, SUBPROTOCOL } from "./tokens.ts";

/** An agent whose hub is silent, or whose owner closes it. The test is the hub. */

const STATE = { type: "state", session: "main", agent: "here", from: 0, screen: 0, end: 0, input: 0, known: true, window: 65_536 };
const REST = { cols: 80, rows: 24, clients: 0, owner: false };

class TestHub {
  readonly #events = new EventEmitter({ captureRejections: true });
  readonly agents: OpenWebSocket[] = [];
  readonly messages: Record<string, unknown>[] = [];
  server!: Server;

  async listen(): Promise<void> {
    this.server = await serveWebSocket((socket) => this.#open(socket), { port: 0, subprotocols: [SUBPROTOCOL] });
  }
  #open(socket: OpenWebSocket): void {
    this.agents.push(socket);
    socket.onMessage = (data) => {
      if (typeof data === "string") this.messages.push(JSON.parse(data) as Record<string, unknown>);
      this.#events.emit("seen");
    };
    socket.onClose = () => this.#events.emit("seen");
    this.#events.emit("seen");
  }
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await once(this.#events, "seen");
  }
  count(type: string): number {
    return this.messages.filter((one) => one["type"] === type).length;
  }
  say(message: object): void {
    void this.agents.at(-1)?.send(JSON.stringify(message));
  }
  /** Answers the offer of the agent. */
  async accept(agent: Agent): Promise<void> {
    await this.until(() => this.count("offer") === this.agents.length && this.agents.length > 0);
    this.say({ ...STATE, ...REST, run: agent.run });
    this.say({ type: "ack", offset: 0 });
  }
}

let hub: TestHub;
let agent: Agent | undefined;
const lines: string[] = [];
beforeEach(async () => {
  lines.length = 0;
  hub = new TestHub();
  await hub.listen();
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  agent?.close();
  await hub.server.close();
});

const start = (more: Partial<AgentOptions> = {}): Agent => {
  const url = new URL("/api/ws/sessions/main", hub.server.url);
  agent = startAgent({ url: url.href, token: "t", command: "/bin/cat", retryMs: 1, log: (line) => lines.push(line), ...more });
  return agent;
};
/** The heartbeat of an agent that starts now, on a clock that only the test moves. The timers of everything else stay what they are. */
function withHeartbeat(): { readonly running: Agent; pass(ms: number): void } {
  vi.useFakeTimers({ toFake: ["performance"] });
  const intervals = vi.spyOn(globalThis, "setInterval");
  const running = start();
  const beat = intervals.mock.calls.find(([, ms]) => ms === 1_000)?.[0] as () => void;
  const pass = (ms: number): void => {
    for (let left = ms; left > 0; left -= 1_000) {
      vi.advanceTimersByTime(1_000);
      beat();
    }
  };
  return { running, pass };
}
/** A round trip: everything that was sent before it has arrived. */
async function fence(id: number): Promise<void> {
  hub.say({ type: "ping", id });
  await hub.until(() => hub.messages.some((one) => one["type"] === "pong" && one["id"] === id));
}

test("a hub that does not answer: the agent asks after five seconds, and connects again ten seconds later", async () => {
  const { running, pass } = withHeartbeat();
  await hub.accept(running);
  await fence(1);
  pass(5_000);
  await hub.until(() => hub.count("ping") === 1);
  expect(hub.messages.at(-1)).toEqual({ type: "ping", id: expect.any(Number) as number });
  pass(9_000);
  expect(lines).toEqual([]);
  pass(1_000);
  await hub.until(() => hub.agents.length === 2);
  expect(lines[0]).toBe("agent: the hub does not answer");
  // The heartbeat begins anew with the connection.
  await hub.until(() => hub.count("offer") === 2);
  pass(4_000);
  expect(lines.filter((line) => line.includes("does not answer")).length).toBe(1);
});

test.each([
  ["texts", { type: "pong", id: 0 }],
  ["octets", undefined],
])("a hub that sends %s: the agent keeps its connection", async (_, message) => {
  const { running, pass } = withHeartbeat();
  await hub.accept(running);
  for (let input = 1; input <= 5; input++) {
    if (message === undefined) {
      void hub.agents[0]?.send(Buffer.from("x"));
      await hub.until(() => hub.messages.some((one) => one["type"] === "ack" && one["offset"] === input));
    } else {
      hub.say(message);
      await fence(input);
    }
    pass(4_000);
  }
  await fence(9);
  expect(hub.count("ping")).toBe(0);
  expect(hub.agents.length).toBe(1);
});

test("close(): ends the shell, is done, and connects no more", async () => {
  const { pid, done } = start();
  await hub.accept(agent!);
  await agent!.offered;
  agent!.close();
  await done;
  await hub.agents[0]?.closed;
  // The shell ends by a signal of its own, so its process is looked for until it is gone.
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), { timeout: 120_000 });
  expect(lines).toEqual([]);
  expect(hub.agents.length).toBe(1);
});

test("close() while it waits to reconnect: connects no more", async () => {
  const [waits, intervals] = [vi.spyOn(globalThis, "setTimeout"), vi.spyOn(globalThis, "setInterval")];
  const [cleared, stopped] = [vi.spyOn(globalThis, "clearTimeout"), vi.spyOn(globalThis, "clearInterval")];
  const { promise, resolve } = Promise.withResolvers<string>();
  const running = start({ url: "ws://127.0.0.1:1/api/ws/sessions/main", retryMs: 600_000, mostRetryMs: 600_000, log: resolve });
  await promise;
  const timerOf = (spy: typeof waits | typeof intervals, isIt: (ms: number) => boolean): unknown =>
    spy.mock.results[spy.mock.calls.findIndex(([, ms]) => isIt(ms ?? 0))]?.value;
  running.close();
  await running.done;
  expect(cleared).toHaveBeenCalledWith(timerOf(waits, (ms) => ms >= 300_000));
  expect(stopped).toHaveBeenCalledWith(timerOf(intervals, (ms) => ms === 1_000));
});

test("close() while it connects: ends the attempt and offers nothing", async () => {
  const ended = start();
  ended.close();
  await ended.done;
  // The hub has accepted everything that came before the next one.
  await hub.accept(start());
  expect(hub.agents.length).toBe(1);
  expect(hub.count("offer")).toBe(1);
  expect(lines).toEqual([]);
});

test("a start that arrives after close(): begins no other shell", async () => {
  const running = start({ again: true, command: "/bin/sh", args: ["-c", "exit 3"] });
  await hub.accept(running);
  await hub.until(() => hub.count("exit") === 1);
  const { run } = running;
  hub.say({ type: "start" });
  running.close();
  await hub.agents[0]?.closed;
  expect(running.run).toBe(run);
  expect(hub.agents.length).toBe(1);
});

// Whoever looks at one of the promises has no trouble with the other: a rejection that nobody expects fails the run.
test.each(["offered", "done"] as const)("a URL that opens no WebSocket: the agent gives up, as `%s` says", async (promise) => {
  const running = start({ url: "ftp://127.0.0.1/api/ws/sessions/main" });
  await expect(running[promise]).rejects.toThrow("does not open a WebSocket");
});

test("a hub with a certificate: the agent trusts the one that it was given, and no other", async () => {
  const tokens = { agent: drawToken(), client: drawToken() };
  await using server = await serveChannel({ tokens, tls: true });
  expect(server.address).toBe("127.0.0.1");
  const url = server.sessionUrl("main");
  const trusting = start({ url, token: tokens.agent, ca: server.certificate ?? "" });
  await trusting.offered;
  trusting.close();
  const { promise, resolve } = Promise.withResolvers<string>();
  const other = start({ url, token: tokens.agent, retryMs: 60_000, log: resolve });
  expect(await promise).toContain("certificate");
  other.close();
  await server.close();
  await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow("fetch failed");
});
