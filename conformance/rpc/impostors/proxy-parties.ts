import type { Party, Started } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { proxyCases } from "../cases/proxy/load.ts";
import { RpcProxyDriver } from "../driver/proxy.ts";
import type { RpcProxyCase } from "../proxy-vocabulary.ts";
import { PROXY_FLAWS } from "./proxy-flaws.ts";
import { startWrongProxy } from "./proxy.ts";

export const HINTS = new URL("proxy-hints.json", import.meta.url);
/** Impostors that must pass nothing fail every case: a case that only they fail counts as uncaught. */
export const MUTE = ["silent", "slams"] as const;
/** How long to wait for silence: short, because everything is on loopback. */
const SILENCE_MS = 300;

export const wrongProxy = async (name: string, timeout = SILENCE_MS): Promise<Started<RpcProxyCase>> => {
  const driver = new RpcProxyDriver({ proxy: (origin) => startWrongProxy(name, origin), timeout, dialect: "grpc" });
  return { driver, stop: () => driver.close() };
};

/** An impostor does not wait for long, since it is on loopback. */
const hastened = (steps: RpcProxyCase["steps"]): RpcProxyCase["steps"] =>
  steps.map((step) => (step.do === "wait" ? { ...step, ms: Math.min(step.ms, SILENCE_MS) } : step));

/** The cases for proxies, with the impostors that must fail them: one case at a time on each. */
export const rpcProxies = (): Party<RpcProxyCase> => ({
  cases: proxyCases().map((c) => ({ ...c, steps: hastened(c.steps), control: hastened(c.control) })),
  names: Object.keys(PROXY_FLAWS).filter((name) => !MUTE.some((mute) => mute === name)),
  start: (name) => wrongProxy(name),
  concurrency: 1,
  abreast: 8,
});

if (import.meta.main) await writeHints(HINTS, [rpcProxies()]);
