import type { Case } from "../vocabulary.ts";
import { ServerDriver } from "../driver/index.ts";
import type { Party, Started } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { casesFor, culprits, needsTls, SILENCE_MS } from "./parties.ts";
import { SERVER_FLAWS } from "./server-flaws.ts";
import { startServer } from "./server.ts";

export const HINTS = new URL("server-hints.json", import.meta.url);

/** How long to wait for silence after a flood, which keeps an impostor in this process busy. */
const FLOOD_MS = 1_000;

export const server =
  (tls: boolean, timeout = SILENCE_MS) =>
  async (name: string): Promise<Started<Case>> => {
    const { url, stop } = await startServer(name, { tls });
    return { driver: new ServerDriver({ url, timeout }), stop };
  };

/** The cases for servers, with the impostors that must fail them. */
export async function serverParties(): Promise<{ servers: Party<Case>; floods: Party<Case>; tls: Party<Case> }> {
  const all = await casesFor("server");
  const clear = all.filter((c) => !needsTls(c));
  const names = culprits(SERVER_FLAWS);
  return {
    servers: { cases: clear.filter((c) => c.group === undefined), names, start: server(false), concurrency: 16, abreast: 8 },
    floods: { cases: clear.filter((c) => c.group !== undefined), names: ["lenient"], start: server(false, FLOOD_MS), concurrency: 9 },
    tls: { cases: all.filter(needsTls), names, start: server(true), concurrency: 16, abreast: 8 },
  };
}

if (import.meta.main) {
  const { servers, tls } = await serverParties();
  await writeHints(HINTS, [servers, tls]);
}
