import { once } from "node:events";
import type { Server } from "node:http";

/** A connection within its TLS handshake is in no list of the server until the handshake is over: the list is looked at again after this time. */
const AGAIN_MS = 50;

/** Ends a server of the harness and its connections. */
export async function closed(server: Server): Promise<void> {
  if (!server.listening) return;
  const ended = once(server, "close");
  server.close();
  server.closeAllConnections();
  const again = setInterval(() => server.closeAllConnections(), AGAIN_MS);
  try {
    await ended;
  } finally {
    clearInterval(again);
  }
}
