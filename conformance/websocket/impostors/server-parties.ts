import { setTimeout } from "node:timers/promises";
import type { Case } from "../vocabulary.ts";
import { loadCases } from "../cases/load.ts";
import { ServerDriver } from "../driver/index.ts";
import { Unreachable } from "../../harness/driver.ts";
import type { Party, Started } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { WEBSOCKET_SERVER_FLAWS } from "./server-flaws.ts";
import { DEAD_MS, startWebSocketServer } from "./server.ts";

export const HINTS = new URL("server-hints.json", import.meta.url);

/** The impostors for the cases for WebSocket servers, and how they start. */

/** How long to wait for silence: short, because everything is on loopback. */
const SILENCE_MS = 250;
/** How long to wait for silence after a flood, which keeps an impostor in this process busy. */
const FLOOD_MS = 2_000;
/** Impostors that must pass nothing fail every case. They are judged separately, and a case that only they fail counts as uncaught. */
export const MUTE: readonly string[] = ["silent", "slams", "parrots", "parrots-frames"];
/** The impostors for floods: all others would echo everything. */
const CRUSHED = ["gives-back-short", "chokes-on-floods", "limits-frames-only"];

export const websocketServer =
  (timeout = SILENCE_MS) =>
  async (name: string): Promise<Started<Case>> => {
    const { url, stop } = await startWebSocketServer(name);
    return { driver: new PatientDriver({ url, timeout, longestWait: SILENCE_MS }), stop };
  };

/** The same for cases over HTTP/3, which all impostors speak: they are not probed. */
const http3Server = async (name: string): Promise<Started<Case>> => {
  const { url, stop } = await startWebSocketServer(name);
  return { driver: new UnprobedDriver({ url, timeout: SILENCE_MS, longestWait: SILENCE_MS }), stop };
};
class UnprobedDriver extends ServerDriver {
  override probe(): ReturnType<ServerDriver["probe"]> {
    return Promise.reject(new Unreachable("The impostor is not probed."));
  }
}

/** The probe cuts a connection inside a frame: an impostor that dies of that must be back before the cases begin. */
class PatientDriver extends ServerDriver {
  override async probe(): ReturnType<ServerDriver["probe"]> {
    const found = await super.probe();
    await setTimeout(DEAD_MS);
    return found;
  }
}

/** The cases for servers, with the impostors that must fail them. */
export async function websocketServers(): Promise<Record<"servers" | "overHttp3" | "floods", Party<Case>>> {
  const all = (await loadCases()).filter(({ role }) => role === "server");
  const plain = all.filter(({ group }) => group === undefined);
  const names = Object.keys(WEBSOCKET_SERVER_FLAWS).filter((name) => !MUTE.includes(name));
  return {
    servers: { cases: plain.filter(({ over }) => over !== "http3"), names, start: websocketServer(), concurrency: 8, abreast: 4 },
    overHttp3: {
      cases: plain.filter(({ over }) => over === "http3"),
      names,
      start: http3Server,
      concurrency: 8,
      abreast: 2,
    },
    floods: {
      cases: all.filter(({ group }) => group !== undefined),
      names: CRUSHED,
      start: websocketServer(FLOOD_MS),
      concurrency: 4,
      abreast: 2,
    },
  };
}

if (import.meta.main) await writeHints(HINTS, Object.values(await websocketServers()));
