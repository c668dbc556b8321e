import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** How we end a connection: our half, all of it, or all of it by a reset. */
export type Ending = "half-close" | "close" | "reset";

/** An ending in words, for the transcript. */
export const ENDING_IN_WORDS: Readonly<Record<Ending, string>> = {
  "half-close": "we end our half of the connection",
  close: "we close the connection",
  reset: "we reset the connection",
};

/** A stream that carries a connection; over TLS, `transport` is the TCP connection under it, where it is known. */
type Carrying = Duplex & { readonly transport?: Socket };

/**
 * Ends a connection. A TLS connection without a known transport, or one over a Unix socket, cannot be reset from here: it is dropped, without
 * close_notify.
 */
export function endSocket(socket: Carrying, how: Ending): void {
  if (how === "half-close") return void socket.end();
  const carrier: Duplex & Partial<Pick<Socket, "resetAndDestroy" | "remoteAddress">> = socket.transport ?? socket;
  if (how === "close" || "encrypted" in carrier || carrier.resetAndDestroy === undefined || carrier.remoteAddress === undefined)
    socket.destroy();
  else carrier.resetAndDestroy();
}

/**
 * Makes failed writes harmless. When a peer sends GOAWAY and closes at once, our next write fails, and the socket would destroy itself
 * before it has delivered what arrived. The last octets of a peer are evidence: only the reading side reports the end.
 */
export function survivingWrites<S extends Duplex>(socket: S): S {
  const write = socket._write.bind(socket);
  const writev = socket._writev?.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, () => done());
  if (writev !== undefined) socket._writev = (chunks, done) => writev(chunks, () => done());
  return socket;
}
