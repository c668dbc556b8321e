import type { Server, Socket } from "node:net";
import { portOf } from "../../peers/index.ts";

/** An impostor that listens. */
export type RunningImpostor = AsyncDisposable & { readonly url: string; stop(): Promise<void> };

/** Starts a server on a free loopback port. Stopping it ends its connections. */
export async function listening(server: Server, scheme: string): Promise<RunningImpostor> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.setNoDelay(true));
    // Many cases reset the connection; "close" follows.
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  return { url: `${scheme}://127.0.0.1:${portOf(server)}/`, stop, [Symbol.asyncDispose]: stop };
}
