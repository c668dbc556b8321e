import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Unreachable, WrongUse } from "../driver.ts";
import type { RunningProxy, StartProxy } from "./subject.ts";
import { SubjectProcess, words } from "./subject-process.ts";
import { allPeers, freePort, peer, startPeer } from "../../peers/index.ts";

/** How long a proxy may take to accept connections, in milliseconds. */
const READY_MS = 10_000;

/** Reads `host:port`. */
export function addressOf(origin: string): [host: string, port: number] {
  const [, host, port] = /^(?:\[([\da-f:]+)\]|([^:\s]+)):(\d{1,5})$/i.exec(origin)?.filter((part) => part !== undefined) ?? [];
  if (host === undefined || Number(port) > 65_535)
    throw new WrongUse(`"${origin}" is not an address for the origin: write HOST:PORT, where the proxy forwards to.`);
  return [host, Number(port)];
}

/** Starts a proxy in front of an origin: a peer of the suite by its name, a command with `{origin}` and `{port}` in it, or a function. */
export async function startProxy(proxy: string | StartProxy, origin: string, suite: string): Promise<RunningProxy> {
  if (typeof proxy === "function") return proxy(origin);
  if (/^[\w-]+$/.test(proxy)) return ofPeer(proxy, origin, suite);
  return ofCommand(proxy, origin);
}

/** Whether the subject is a running proxy, by its address. */
export const isAddress = (proxy: string | StartProxy): proxy is string => typeof proxy === "string" && /^https?:\/\//.test(proxy);

async function ofPeer(name: string, origin: string, suite: string): Promise<RunningProxy> {
  const known = allPeers().filter(({ speaks }) => speaks[suite]?.proxy !== undefined);
  if (!known.some((one) => one.name === name))
    throw new WrongUse(
      `There is no proxy "${name}": give its address, a command with {origin} and {port} in it, or one of ${known.map((one) => one.name).join(", ")}.`,
    );
  try {
    return await startPeer(peer(name), { protocol: suite, origin });
  } catch (error) {
    throw new Unreachable(error instanceof Error ? error.message : String(error));
  }
}

async function ofCommand(command: string, origin: string): Promise<RunningProxy> {
  if (!command.includes("{origin}") && !command.includes("{originPort}"))
    throw new WrongUse(`"${command}" does not say where {origin} goes: the address that the proxy must forward everything to.`);
  const port = await freePort();
  const values: Readonly<Record<string, string>> = {
    origin,
    originPort: origin.split(":").at(-1) ?? "",
    port: String(port),
    http2Port: String(await freePort()),
  };
  const filled = words(command).map((word) => word.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole));
  const running = new SubjectProcess(filled, "ignore");
  for (let waited = 0; waited < READY_MS; waited += 25) {
    if (running.ending !== undefined) {
      const { problem, code } = running.ending;
      throw new Unreachable(`The proxy did not start: ${problem ?? (running.complaint || `it ended with status ${code}`)}.`);
    }
    if (await accepts(port)) {
      const http2 = command.includes("{http2Port}") ? { http2Url: `http://127.0.0.1:${values["http2Port"]}/` } : {};
      return { url: `http://127.0.0.1:${port}/`, ...http2, stop: () => running.kill() };
    }
    await pause(25);
  }
  await running.kill();
  throw new Unreachable(`The proxy did not listen on port ${port} within ${READY_MS / 1000} s: does its command use {port}?`);
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });
