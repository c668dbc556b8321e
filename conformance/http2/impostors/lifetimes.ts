import type { Peer } from "./peer.ts";
import type { ServerFlaw } from "./flaw.ts";

/** Servers that end connections too early. */

const MANAGING = new Set(["SETTINGS", "PRIORITY", "PRIORITY_UPDATE", "WINDOW_UPDATE"]);
const MOST = 9;

const PATIENCE_MS = 200;
const heard = new WeakMap<Peer, number>();

export const LIFETIMES: Readonly<Record<string, ServerFlaw>> = {
  impatient: {
    about: "ends a connection on which nothing came for a fifth of a second, whatever is open",
    meets: (_, peer) => {
      const now = performance.now();
      const last = heard.get(peer) ?? now;
      heard.set(peer, now);
      return now - last > PATIENCE_MS ? "close" : undefined;
    },
  },
  "nine-of-a-kind": {
    about: "ends the connection at the tenth SETTINGS, PRIORITY, PRIORITY_UPDATE or WINDOW_UPDATE",
    meets: ({ type }, peer) => (MANAGING.has(type) && (peer.came.get(type) ?? 0) > MOST ? { goaway: "PROTOCOL_ERROR" } : undefined),
  },
  "two-pings-a-connection": {
    about: "ends the connection at the third PING",
    meets: ({ type }, peer) => (type === "PING" && (peer.came.get(type) ?? 0) > 2 ? { goaway: "PROTOCOL_ERROR" } : undefined),
  },
};
