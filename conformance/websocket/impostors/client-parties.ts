import type { Case } from "../vocabulary.ts";
import type { CarrierName } from "../driver/carrier.ts";
import { ClientDriver } from "../driver/index.ts";
import { loadCases } from "../cases/load.ts";
import type { Party, Started } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { WEBSOCKET_CLIENT_FLAWS } from "./client-flaws.ts";
import { runWebSocketClient } from "./client.ts";

export const HINTS = new URL("client-hints.json", import.meta.url);

/** The impostors for the cases for WebSocket clients, and how they start. */

/** How long to wait for silence: short, because everything is on loopback. */
const SILENCE_MS = 250;
/** How long to wait for silence after a flood, which keeps an impostor in this process busy. */
const FLOOD_MS = 2_000;
/** The impostors for floods: all others would echo everything. */
const CRUSHED = ["gives-back-short", "chokes-on-floods"];
/** Impostors that must pass nothing fail every case. They are judged separately, and a case that only they fail counts as uncaught. */
export const MUTE_CLIENTS: readonly string[] = ["silent", "leaves", "slams"];

export const wrongWebSocketClient =
  (timeout = SILENCE_MS, over: CarrierName = "http1") =>
  async (name: string): Promise<Started<Case>> => {
    const driver = new ClientDriver({ client: (url, signal) => runWebSocketClient(name, url, signal, over), timeout });
    return { driver, stop: () => driver.close() };
  };

type Parties = {
  readonly clients: Party<Case>;
  readonly streams: Party<Case>;
  readonly floods: Party<Case>;
  readonly floodedStreams: Party<Case>;
};

/** The cases for clients over HTTP/1.1 and over HTTP/2, with the impostors that must fail them. */
export async function websocketClients(): Promise<Parties> {
  const all = (await loadCases()).filter(({ role }) => role === "client");
  const names = Object.keys(WEBSOCKET_CLIENT_FLAWS).filter((name) => !MUTE_CLIENTS.includes(name));
  const party = (carrier: CarrierName): Party<Case> => ({
    cases: all.filter(({ group, over = "http1" }) => group === undefined && over === carrier),
    names,
    start: wrongWebSocketClient(SILENCE_MS, carrier),
    concurrency: 16,
    abreast: 8,
  });
  const flooded = (carrier: CarrierName): Party<Case> => ({
    cases: all.filter(({ group, over = "http1" }) => group !== undefined && over === carrier),
    names: CRUSHED,
    start: wrongWebSocketClient(FLOOD_MS, carrier),
    concurrency: 2,
    abreast: 2,
  });
  return { clients: party("http1"), streams: party("http2"), floods: flooded("http1"), floodedStreams: flooded("http2") };
}

if (import.meta.main) await writeHints(HINTS, Object.values(await websocketClients()));
