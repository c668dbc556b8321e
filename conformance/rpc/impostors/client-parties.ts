import type { Party, Started } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { clientCases } from "../cases/client/load.ts";
import type { RpcClientCase } from "../client-vocabulary.ts";
import { RpcClientDriver } from "../driver/client.ts";
import { wrongClient } from "./client.ts";
import { RPC_CLIENT_FLAWS } from "./client-flaws.ts";

export const HINTS = new URL("client-hints.json", import.meta.url);
/** Impostors that must pass nothing fail every case: a case that only they fail counts as uncaught. */
export const MUTE = ["silent", "slams"] as const;
/** How long to wait for silence. Few impostors are silent: a longer one, so that none fails a case because the machine is busy. */
const SILENCE_MS = { usual: 2_000, mute: 300 };

async function start(name: string): Promise<Started<RpcClientCase>> {
  const timeout = MUTE.some((mute) => mute === name) ? SILENCE_MS.mute : SILENCE_MS.usual;
  const driver = new RpcClientDriver({ client: wrongClient(name), timeout, dialect: "grpc" });
  return { driver, stop: () => driver.close() };
}

/** The cases for clients, with the impostors that must fail them. */
export const clients = (): Party<RpcClientCase> => ({
  cases: clientCases(),
  names: Object.keys(RPC_CLIENT_FLAWS).filter((name) => !MUTE.some((mute) => mute === name)),
  start,
  concurrency: 16,
  abreast: 2,
});

if (import.meta.main) await writeHints(HINTS, [clients()]);
