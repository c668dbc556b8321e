import type { Case } from "../vocabulary.ts";
import { loadCases } from "../cases/load.ts";
import { ServerDriver } from "../driver/index.ts";
import type { Party, Started } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { HTTP1_SERVER_FLAWS } from "./server-flaws.ts";
import { startHttp1Server } from "./server.ts";

export const HINTS = new URL("server-hints.json", import.meta.url);

/** The impostors for the cases for servers of HTTP/1.1, and how they start. */

/** How long to wait for silence: short, because everything is on loopback. */
const SILENCE_MS = 300;
/** How long to wait for silence after a flood, which keeps an impostor in this process busy. */
const FLOOD_MS = 1_000;
/** Impostors that must pass nothing fail every case. They are judged separately, and a case that only they fail counts as uncaught. */
const MUTE = ["silent", "slams"];

export const http1Server =
  (timeout = SILENCE_MS) =>
  async (name: string): Promise<Started<Case>> => {
    const { url, stop } = await startHttp1Server(name);
    // An impostor has no deadlines: one that ignores a short wait ignores the long one too.
    return { driver: new ServerDriver({ url, timeout, longestWait: SILENCE_MS }), stop };
  };

/** The cases for servers, with the impostors that must fail them. */
export async function http1ServerParties(): Promise<{ servers: Party<Case>; floods: Party<Case> }> {
  const servers = (await loadCases()).filter(({ role }) => role === "server");
  const names = Object.keys(HTTP1_SERVER_FLAWS).filter((name) => !MUTE.includes(name));
  return {
    servers: { cases: servers.filter(({ group }) => group === undefined), names, start: http1Server(), concurrency: 16, abreast: 8 },
    floods: { cases: servers.filter(({ group }) => group !== undefined), names, start: http1Server(FLOOD_MS), concurrency: 4, abreast: 2 },
  };
}

if (import.meta.main) await writeHints(HINTS, Object.values(await http1ServerParties()));
