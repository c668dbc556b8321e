import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Case, loadCases, ServerDriver } from "../websocket/index.ts";
import { type Party, type Started, uncaught } from "./catch.ts";
import type { Hints } from "./hints.ts";
import { WEBSOCKET_SERVER_FLAWS } from "./websocket-server-flaws.ts";
import { startWebSocketServer } from "./websocket-server.ts";

/**
 * Which impostors are asked the cases for WebSocket servers, and how they are started. The hints are written anew by
 * `node conformance/impostors/websocket-server-parties.ts && npx oxfmt conformance/impostors/websocket-server-hints.json`.
 */

/** A peer that is silent is silent for so long; all of it is on loopback. */
const SILENCE_MS = 250;
/** A peer in this very process is busy with a flood for longer. */
const FLOOD_MS = 2_000;
/** Those that must pass nothing catch everything: they are asked apart, and catch no case for another's sake. */
export const MUTE: readonly string[] = ["silent", "slams"];
/** Those who are asked for floods: others would give all of it back. */
const CRUSHED = ["gives-back-short", "chokes-on-floods"];
const FILE = join(import.meta.dirname, "websocket-server-hints.json");

export const websocketServer =
  (timeout = SILENCE_MS) =>
  async (name: string): Promise<Started<Case>> => {
    const { url, stop } = await startWebSocketServer(name);
    return { driver: new ServerDriver({ url, timeout, longestWait: SILENCE_MS }), stop };
  };

/** The cases for servers, with the impostors that are to fail them. */
export async function websocketServers(): Promise<{ servers: Party<Case>; floods: Party<Case> }> {
  const all = (await loadCases()).filter(({ role }) => role === "server");
  const names = Object.keys(WEBSOCKET_SERVER_FLAWS).filter((name) => !MUTE.includes(name));
  return {
    servers: { cases: all.filter(({ group }) => group === undefined), names, start: websocketServer(), concurrency: 16 },
    floods: { cases: all.filter(({ group }) => group !== undefined), names: CRUSHED, start: websocketServer(FLOOD_MS), concurrency: 2 },
  };
}

export const readHints = (): Hints => JSON.parse(readFileSync(FILE, "utf8")) as Hints;

async function search(): Promise<void> {
  const { servers, floods } = await websocketServers();
  const hints: Record<string, string[]> = {};
  const note = (id: string, name: string): void => void (hints[name] ??= []).push(id);
  // Who serves nobody for a while has no time for all: it is asked again what nobody else has failed.
  const first = new Set(await uncaught(servers, {}, note));
  const again = await uncaught({ ...servers, cases: servers.cases.filter(({ id }) => first.has(id)) }, {}, note);
  const left = [...again, ...(await uncaught(floods, {}, note))];
  for (const id of left) console.error(`no impostor fails ${id}`);
  delete hints["lenient"];
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(Object.entries(hints).sort(([a], [b]) => a.localeCompare(b))), null, 2)}\n`);
}

if (import.meta.main) {
  await search();
  process.exit();
}
