import type { Duplex } from "node:stream";
import { reset } from "../../io/index.ts";
import type { Switched } from "../handler.ts";

type Ends = { readonly idleMs: number; readonly ended: () => void };

/** Passes octets between two sides of a tunnel until both have ended, one breaks, or nothing passes for `idleMs`. Returns what cuts it. */
export function join(one: Switched, other: Switched, { idleMs, ended }: Ends): () => void {
  const sides = [one.socket, other.socket] as const;
  let isOver = false;
  const cut = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(idle);
    for (const socket of sides) drop(socket);
    ended();
  };
  const idle = setTimeout(cut, idleMs).unref();
  const pass = (from: Switched, to: Duplex): void => {
    if (from.rest.length > 0) to.write(from.rest);
    from.socket.on("data", () => idle.refresh());
    // The end of one direction is passed on; the other continues (rfc9110#9.3.6).
    from.socket.pipe(to);
  };
  for (const socket of sides) {
    socket.on("error", cut);
    socket.on("close", () => {
      if (!sides.every(({ readableEnded, writableFinished }) => readableEnded && writableFinished)) return cut();
      if (sides.every(({ destroyed }) => destroyed)) cut();
      return undefined;
    });
  }
  pass(one, other.socket);
  pass(other, one.socket);
  return cut;
}

/** A side that broke is passed on as a reset, so that it cannot seem complete (rfc8441#5.1). */
function drop(socket: Duplex): void {
  if (socket.destroyed) return;
  if (socket.readableEnded && socket.writableFinished) socket.destroy();
  else reset(socket);
}
