import { WrongUse } from "../../harness/driver.ts";
import type { Reach } from "../../harness/subject/reach.ts";
import { HTTP1, type Spoken, type Target, targetOf, type Verify } from "../../harness/subject/transport.ts";

/** WebSocket begins with HTTP/1.1. */
export const WEBSOCKET: Spoken = { ...HTTP1, name: "WebSocket", clear: "WebSocket in clear text" };

/** Reads `ws:` and `wss:` addresses, and `http:` and `https:` as the same. */
export function websocketTarget(url: string, verify: Verify, reach?: Reach): Target {
  const plain = url.replace(/^ws(s?):/i, "http$1:");
  if (!/^https?:/i.test(plain))
    throw new WrongUse(`"${url}" is not an address of a WebSocket server: write ws://host:port/ (in clear text) or wss://host:port/.`);
  return targetOf(plain, verify, WEBSOCKET, reach);
}
