import type { Peer } from "./peer.ts";
import type { ServerFlaw } from "./flaw.ts";

/** Servers that end connections too early. */

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
  "two-pings-a-connection": {
    about: "ends the connection at the third PING",
    meets: ({ type }, peer) => (type === "PING" && (peer.came.get(type) ?? 0) > 2 ? { goaway: "PROTOCOL_ERROR" } : undefined),
  },
};
