import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Case, loadCases, ProxyDriver } from "../http1/index.ts";
import { type Party, type Started, uncaught } from "./catch.ts";
import type { Hints } from "./hints.ts";
import { HTTP1_PROXY_FLAWS } from "./http1-proxy-flaws.ts";
import { startWrongProxy } from "./http1-proxy.ts";

/**
 * Which impostors are asked the cases for proxies, and how they are started. The hints are written anew by
 * `node conformance/impostors/http1-proxy-parties.ts && npx oxfmt conformance/impostors/http1-proxy-hints.json`.
 */

/** A proxy that is silent is silent for so long; all of it is on loopback. */
const SILENCE_MS = 300;
/** Those that must pass nothing catch everything: they are asked apart. */
const MUTE = ["silent", "slams"];
const FILE = join(import.meta.dirname, "http1-proxy-hints.json");

export const wrongProxy = async (name: string, timeout = SILENCE_MS): Promise<Started<Case>> => {
  const driver = new ProxyDriver({ proxy: (origin) => startWrongProxy(name, origin), timeout });
  return { driver, stop: () => driver.close() };
};

/** One performance at a time: what reaches the origin belongs to it. */
export const http1Proxies = async (): Promise<Party<Case>> => ({
  cases: (await loadCases()).filter(({ role }) => role === "proxy"),
  names: Object.keys(HTTP1_PROXY_FLAWS).filter((name) => !MUTE.includes(name)),
  start: (name) => wrongProxy(name),
  concurrency: 1,
});

export const readProxyHints = (): Hints => JSON.parse(readFileSync(FILE, "utf8")) as Hints;

async function search(): Promise<void> {
  const hints: Record<string, string[]> = {};
  const left = await uncaught(await http1Proxies(), {}, (id, name) => void (hints[name] ??= []).push(id));
  for (const id of left) console.error(`no impostor fails ${id}`);
  // The first catches most, and is asked everything anyway.
  delete hints["lenient"];
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(Object.entries(hints).sort(([a], [b]) => a.localeCompare(b))), null, 2)}\n`);
}

if (import.meta.main) {
  await search();
  process.exit();
}
