import type { Case } from "../vocabulary.ts";
import { ClientDriver } from "../driver/index.ts";
import type { Party, Started } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { CLIENT_FLAWS } from "./client-flaws.ts";
import { runClient } from "./client.ts";
import { casesFor, culprits, SILENCE_MS } from "./parties.ts";

export const HINTS = new URL("client-hints.json", import.meta.url);

const client = async (name: string): Promise<Started<Case>> => ({
  driver: new ClientDriver({ client: (url, signal) => runClient(name, url, signal), timeout: SILENCE_MS }),
  stop: async () => {},
});

/** The cases for clients, with the impostors that must fail them. */
export async function clientParty(): Promise<Party<Case>> {
  return { cases: await casesFor("client"), names: culprits(CLIENT_FLAWS), start: client, concurrency: 8, abreast: 2 };
}

if (import.meta.main) await writeHints(HINTS, [await clientParty()]);
