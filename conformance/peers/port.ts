import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";

/** The port of a server that listens on TCP. */
export function portOf(server: Pick<Server, "address">): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen on a TCP port");
  return address.port;
}

/** Systems give no port of this range to a client or to a server that asks for any: nobody else takes it before the peer starts. */
const FIRST = 20_000;
const LAST = 32_000;
const ATTEMPTS = 100;

/** A port of the loopback address that is free, and most likely still is when a peer starts. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${FIRST} to ${LAST} is free on 127.0.0.1`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server
      .once("error", (error: NodeJS.ErrnoException) =>
        error.code === "EADDRINUSE" || error.code === "EACCES" ? resolve(false) : reject(error),
      )
      .listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
