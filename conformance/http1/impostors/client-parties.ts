import type { Case } from "../vocabulary.ts";
import { ClientDriver } from "../driver/index.ts";
import { loadCases } from "../cases/load.ts";
import type { Party, Started } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { HTTP1_CLIENT_FLAWS } from "./client-flaws.ts";
import { runHttp1Client } from "./client.ts";

export const HINTS = new URL("client-hints.json", import.meta.url);

/** The impostors for the cases for clients of HTTP/1.1, and how they start. */

/** How long to wait for silence: short, because everything is on loopback. */
const SILENCE_MS = 300;
/** Impostors that must pass nothing fail every case. They are judged separately, and a case that only they fail counts as uncaught. */
export const MUTE_CLIENTS = ["silent", "slams", "leaves-at-once", "fails-at-once"] as const;

const wrongClient = async (name: string): Promise<Started<Case>> => {
  const driver = new ClientDriver({ client: (_, signal, asked) => runHttp1Client(name, asked, signal), timeout: SILENCE_MS });
  return { driver, stop: () => driver.close() };
};

export const http1Clients = async (): Promise<Party<Case>> => ({
  cases: (await loadCases()).filter(({ role }) => role === "client"),
  names: Object.keys(HTTP1_CLIENT_FLAWS).filter((name) => !MUTE_CLIENTS.some((mute) => mute === name)),
  start: wrongClient,
  concurrency: 16,
  abreast: 8,
});

if (import.meta.main) await writeHints(HINTS, [await http1Clients()]);
