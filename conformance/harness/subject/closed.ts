import { once } from "node:events";
import type { Server } from "node:http";

/** Ends a server of the harness and its connections. */
export async function closed(server: Server): Promise<void> {
  if (!server.listening) return;
  const ended = once(server, "close");
  server.closeAllConnections();
  server.close();
  await ended;
}
