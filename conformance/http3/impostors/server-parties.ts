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

/** How long a flood may take until the answer to what follows it. */
const FLOOD_MS = 5_000;

/** The cases for servers, with the impostors that must fail them. */
export async function serverParty(): Promise<Party<Case>> {
  const cases = (await casesFor("server")).filter(({ group }) => group === undefined);
  return { cases, names: culprits(SERVER_FLAWS), start: server, concurrency: 8, abreast: 2 };
}
/** The cases of abuse, with impostors that have no limits. The second knows PRIORITY_UPDATE. */
export async function floodParty(): Promise<Party<Case>> {
  const cases = (await casesFor("server")).filter(({ group }) => group === "abuse");
  const start = async (name: string): Promise<Started<Case>> => {
    const { url, stop } = await startServer(name);
    return { driver: new ServerDriver({ url, timeout: FLOOD_MS }), stop };
  };
  return { cases, names: ["lenient", "misjudges-priorities"], start, concurrency: 4 };
}

if (import.meta.main) await writeHints(HINTS, [await serverParty()]);
