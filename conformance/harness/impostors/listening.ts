import type { AddressInfo, Server, Socket } from "node:net";

/** An impostor that listens. */
export type RunningImpostor = AsyncDisposable & { readonly url: string; stop(): Promise<void> };

/** Has a server listen on a free port of the loopback interface. Its connections are ended with it. */
export async function listening(server: Server, scheme: string): Promise<RunningImpostor> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.setNoDelay(true));
    // A reset by the harness is part of many a case, and "close" follows it.
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
  return { url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop, [Symbol.asyncDispose]: stop };
}
