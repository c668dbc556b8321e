import type { Party, Started } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { serverCases } from "../cases/server/load.ts";
import { RpcServerDriver } from "../driver/server.ts";
import type { RpcCase } from "../vocabulary.ts";
import { startImpostor } from "./server.ts";
import { SERVER_FLAWS } from "./server-flaws.ts";

export const HINTS = new URL("server-hints.json", import.meta.url);
/** Impostors that must pass nothing fail every case: a case that only they fail counts as uncaught. */
export const MUTE = ["silent", "slams"] as const;
/** How long to wait for silence: short, because everything is on loopback. */
const SILENCE_MS = 300;

async function start(name: string): Promise<Started<RpcCase>> {
  const { url, credentials, stop } = await startImpostor(name);
  const verify = credentials === undefined ? false : { verify: false, ...credentials };
  return { driver: new RpcServerDriver({ url, timeout: SILENCE_MS, verify, dialect: "grpc" }), stop };
}

/** An impostor does not wait for long, since it is on loopback. */
const hastened = (steps: RpcCase["steps"]): RpcCase["steps"] =>
  steps.map((step) => (step.do === "wait" ? { ...step, ms: Math.min(step.ms, SILENCE_MS) } : step));

/** The cases for servers, with the impostors that must fail them. */
export const servers = (): Party<RpcCase> => ({
  cases: serverCases("grpc").map((c) => ({ ...c, steps: hastened(c.steps), control: hastened(c.control) })),
  names: Object.keys(SERVER_FLAWS).filter((name) => !MUTE.some((mute) => mute === name)),
  start,
  concurrency: 16,
  abreast: 4,
});

if (import.meta.main) await writeHints(HINTS, [servers()]);
