import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Case, ClientDriver, loadCases } from "../websocket/index.ts";
import { type Party, type Started, uncaught } from "./catch.ts";
import type { Hints } from "./hints.ts";
import { WEBSOCKET_CLIENT_FLAWS } from "./websocket-client-flaws.ts";
import { runWebSocketClient } from "./websocket-client.ts";

/**
 * Which impostors are asked the cases for WebSocket clients, and how they are started. The hints are written anew by
 * `node conformance/impostors/websocket-client-parties.ts && npx oxfmt conformance/impostors/websocket-client-hints.json`.
 */

/** A client that is silent is silent for so long; all of it is on loopback. */
const SILENCE_MS = 250;
/** Those that must pass nothing catch everything: they are asked apart. */
export const MUTE_CLIENTS: readonly string[] = ["silent", "leaves", "slams"];
const FILE = join(import.meta.dirname, "websocket-client-hints.json");

export const wrongWebSocketClient = async (name: string): Promise<Started<Case>> => {
  const driver = new ClientDriver({ client: (url, signal) => runWebSocketClient(name, url, signal), timeout: SILENCE_MS });
  return { driver, stop: () => driver.close() };
};

export const websocketClients = async (): Promise<Party<Case>> => ({
  cases: (await loadCases()).filter(({ role }) => role === "client"),
  names: Object.keys(WEBSOCKET_CLIENT_FLAWS).filter((name) => !MUTE_CLIENTS.includes(name)),
  start: wrongWebSocketClient,
  concurrency: 16,
});

export const readWebSocketClientHints = (): Hints => JSON.parse(readFileSync(FILE, "utf8")) as Hints;

async function search(): Promise<void> {
  const hints: Record<string, string[]> = {};
  const left = await uncaught(await websocketClients(), {}, (id, name) => void (hints[name] ??= []).push(id));
  for (const id of left) console.error(`no impostor fails ${id}`);
  // The first catches most, and is asked everything anyway.
  delete hints["lenient"];
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(Object.entries(hints).sort(([a], [b]) => a.localeCompare(b))), null, 2)}\n`);
}

if (import.meta.main) {
  await search();
  process.exit();
}
