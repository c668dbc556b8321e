import type { Case } from "../vocabulary.ts";
import { loadCases } from "../cases/load.ts";
import { ProxyDriver } from "../driver/index.ts";
import type { Party, Started } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { HTTP1_PROXY_FLAWS } from "./proxy-flaws.ts";
import { startWrongProxy } from "./proxy.ts";

export const HINTS = new URL("proxy-hints.json", import.meta.url);

/** The impostors for the cases for proxies, and how they start. */

/** How long to wait for silence: short, because everything is on loopback. */
const SILENCE_MS = 300;
/** Impostors that must pass nothing fail every case. They are judged separately, and a case that only they fail counts as uncaught. */
const MUTE = ["silent", "slams"];

export const wrongProxy = async (name: string, timeout = SILENCE_MS): Promise<Started<Case>> => {
  const driver = new ProxyDriver({ proxy: (origin) => startWrongProxy(name, origin), timeout });
  return { driver, stop: () => driver.close() };
};

/** One case at a time on each proxy: everything that reaches its origin belongs to that case. */
export const http1Proxies = async (): Promise<Party<Case>> => ({
  cases: (await loadCases()).filter(({ role }) => role === "proxy"),
  names: Object.keys(HTTP1_PROXY_FLAWS).filter((name) => !MUTE.includes(name)),
  start: (name) => wrongProxy(name),
  concurrency: 1,
  abreast: 8,
});

if (import.meta.main) await writeHints(HINTS, [await http1Proxies()]);
