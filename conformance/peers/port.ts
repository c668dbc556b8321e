import { createServer, type Server } from "node:net";

/** The port of a server that listens on TCP. */
export function portOf(server: Pick<Server, "address">): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen on a TCP port");
  return address.port;
}

/** A port that was free a moment ago, and most likely still is when the server starts. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
