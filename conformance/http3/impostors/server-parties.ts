import type { Case } from "../vocabulary.ts";
import { ServerDriver } from "../driver/index.ts";
import type { Party, Started } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { casesFor, culprits, SILENCE_MS } from "./parties.ts";
import { SERVER_FLAWS } from "./server-flaws.ts";
import { startServer } from "./server.ts";

export const HINTS = new URL("server-hints.json", import.meta.url);

export async function server(name: string): Promise<Started<Case>> {
  const { url, stop } = await startServer(name);
  return { driver: new ServerDriver({ url, timeout: SILENCE_MS }), stop };
}

/** The cases for servers, with the impostors that must fail them. */
export async function serverParty(): Promise<Party<Case>> {
  return { cases: await casesFor("server"), names: culprits(SERVER_FLAWS), start: server, concurrency: 8, abreast: 2 };
}

if (import.meta.main) await writeHints(HINTS, [await serverParty()]);
