import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** A stream of octets; `transport` is the TCP connection under one of TLS that we dialled. */
type Resettable = Transport & { readonly transport?: Transport };
type Transport = Duplex & Partial<Pick<Socket, "resetAndDestroy">>;

/** Drops a transport with a RST, so that the peer cannot take it for an end in good order. Otherwise it is closed. */
export function reset(socket: Resettable): void {
  const carrier: Resettable = socket.transport ?? socket;
  // Node resets only a TCP connection; and after our FIN it cannot send a RST and keeps the socket.
  if (carrier.resetAndDestroy !== undefined && !("encrypted" in carrier) && !socket.writableEnded) carrier.resetAndDestroy();
  else socket.destroy();
}
