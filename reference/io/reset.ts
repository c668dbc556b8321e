import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Drops a transport with a RST, so that the peer cannot take it for an end in good order. Otherwise it is closed. */
export function reset(socket: Duplex & Partial<Pick<Socket, "resetAndDestroy">>): void {
  // Over TLS a RST is impossible, and after our FIN Node cannot send one and keeps the socket.
  if (socket.resetAndDestroy !== undefined && !("encrypted" in socket) && !socket.writableEnded) socket.resetAndDestroy();
  else socket.destroy();
}
