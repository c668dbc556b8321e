import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { afterEach, expect, test } from "vitest";
import { connect } from "../http2/index.ts";
import { connectWebSocket } from "./index.ts";

const BIN = fileURLToPath(new URL("../../../bin.js", import.meta.url));
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) if (child.exitCode === null) child.kill("SIGKILL");
});

function run(...args: string[]) {
  const child = spawn(process.execPath, [BIN, "serve", "websocket", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  running.push(child);
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const first = once(createInterface(child.stdout), "line").then(([line]) => String(line));
  const ended = once(child, "close").then(([status]) => ({ status: status as number | null, errors }));
  return { child, first, ended };
}
type Said = { readonly url: string; readonly host: string; readonly port: number; readonly pid: number };

test("serve websocket: prints its address as JSON, echoes over HTTP/1.1 and HTTP/2 at one port, and closes with 1001 when stopped", async () => {
  const { child, first, ended } = run(
    "--json",
    "--deflate",
    "--subprotocol",
    "chat",
    "--allow-origin",
    "https://a.example",
    "--max-message",
    "100",
  );
  const said = JSON.parse(await first) as Said;
  expect(said).toEqual({ url: `ws://127.0.0.1:${said.port}/`, host: "127.0.0.1", port: said.port, pid: child.pid });
  const wishes = { deflate: true, subprotocols: ["chat"], origin: "https://a.example" };
  const one = await connectWebSocket(said.url, wishes);
  const client = await connect(said.url.replace("ws", "http"), { graceMs: 0 });
  const other = await connectWebSocket(`${said.url}echo?x`, { ...wishes, over: client });
  for (const socket of [one, other]) {
    socket.send("hello");
    const { value } = await socket[Symbol.asyncIterator]().next();
    expect([value, socket.subprotocol]).toEqual(["hello", "chat"]);
  }
  await expect(connectWebSocket(said.url, { origin: "https://b.example" })).rejects.toThrow("403");
  await expect(connectWebSocket(`${said.url}nowhere`)).rejects.toThrow("404");
  const large = await connectWebSocket(said.url);
  large.send("x".repeat(101));
  expect((await large.closed).code).toBe(1009);
  child.kill("SIGTERM");
  expect([(await one.closed).code, (await other.closed).code]).toEqual([1001, 1001]);
  expect(await ended).toEqual({ status: 0, errors: "" });
});

test("serve websocket --tls: uses a self-signed certificate", async () => {
  const { first } = run("--tls");
  const url = /^Listening at (wss:\S+)$/.exec(await first)?.[1];
  const socket = await connectWebSocket(url!, { tls: { verify: false } });
  expect(socket.state).toBe("open");
  socket.abort();
});

test("serve websocket --fault: misbehaves, and --list-faults lists how", async () => {
  const { url } = JSON.parse(await run("--json", "--fault", "bad-mask").first) as Said;
  const socket = await connectWebSocket(url);
  socket.send("hello");
  expect((await socket.closed).fault?.spec).toBe("rfc6455#5.1");
  expect(await run("--list-faults").first).toMatch(/^drop /);
});

test.each([
  [["--fault", "reset"], 'WebSocket cannot do "reset", which HTTP/2 and HTTP/3 can'],
  [["--key", "/nowhere"], "--cert and --key go together"],
  [["--cert", "/nowhere", "--key", "/nowhere"], "/nowhere cannot be read (ENOENT)"],
  [["--port", "70000"], "from 0 to 65535"],
])("serve websocket %j: exits with status 2 and explains why", async (args, words) => {
  const { status, errors } = await run(...args).ended;
  expect(errors).toContain(words);
  expect(status).toBe(2);
});
