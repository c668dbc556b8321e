import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Case, ClientDriver, loadCases } from "../http1/index.ts";
import { type Party, type Started, uncaught } from "./catch.ts";
import type { Hints } from "./hints.ts";
import { HTTP1_CLIENT_FLAWS } from "./http1-client-flaws.ts";
import { runHttp1Client } from "./http1-client.ts";

/**
 * Which impostors are asked the cases for clients of HTTP/1.1, and how they are started. The hints are written anew by
 * `node conformance/impostors/http1-client-parties.ts && npx oxfmt conformance/impostors/http1-client-hints.json`.
 */

/** A client that is silent is silent for so long; all of it is on loopback. */
const SILENCE_MS = 300;
/** Those that must pass nothing catch everything: they are asked apart. */
export const MUTE_CLIENTS = ["silent", "slams", "leaves-at-once", "fails-at-once"] as const;
const FILE = join(import.meta.dirname, "http1-client-hints.json");

export const wrongClient = async (name: string): Promise<Started<Case>> => {
  const driver = new ClientDriver({ client: (_, signal, asked) => runHttp1Client(name, asked, signal), timeout: SILENCE_MS });
  return { driver, stop: () => driver.close() };
};

export const http1Clients = async (): Promise<Party<Case>> => ({
  cases: (await loadCases()).filter(({ role }) => role === "client"),
  names: Object.keys(HTTP1_CLIENT_FLAWS).filter((name) => !MUTE_CLIENTS.some((mute) => mute === name)),
  start: wrongClient,
  concurrency: 16,
});

export const readClientHints = (): Hints => JSON.parse(readFileSync(FILE, "utf8")) as Hints;

async function search(): Promise<void> {
  const hints: Record<string, string[]> = {};
  const left = await uncaught(await http1Clients(), {}, (id, name) => void (hints[name] ??= []).push(id));
  for (const id of left) console.error(`no impostor fails ${id}`);
  // The first catches most, and is asked everything anyway.
  delete hints["lenient"];
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(Object.entries(hints).sort(([a], [b]) => a.localeCompare(b))), null, 2)}\n`);
}

if (import.meta.main) {
  await search();
  process.exit();
}
