import type { Case } from "../vocabulary.ts";
import { ClientDriver } from "../driver/index.ts";
import type { Party, Started } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { CLIENT_FLAWS } from "./client-flaws.ts";
import { runClient } from "./client.ts";
import { casesFor, culprits, needsTls, SILENCE_MS } from "./parties.ts";

export const HINTS = new URL("client-hints.json", import.meta.url);

const client = async (name: string, tls = false): Promise<Started<Case>> => ({
  driver: new ClientDriver({ client: (url, signal) => runClient(name, url, signal), timeout: SILENCE_MS, tls }),
  stop: async () => {},
});

/** The cases for clients, with the impostors that must fail them. */
export async function clientParties(): Promise<{ clients: Party<Case>; tlsClients: Party<Case> }> {
  const all = await casesFor("client");
  const names = culprits(CLIENT_FLAWS);
  return {
    clients: { cases: all.filter((c) => !needsTls(c)), names, start: client, concurrency: 16, abreast: 8 },
    tlsClients: { cases: all.filter(needsTls), names, start: (name) => client(name, true), concurrency: 16 },
  };
}

if (import.meta.main) {
  const { clients, tlsClients } = await clientParties();
  await writeHints(HINTS, [clients, tlsClients]);
}
