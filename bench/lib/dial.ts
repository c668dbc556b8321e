import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { BenchSubject, BenchTls } from "./subject.ts";

/** TLS options for Node's clients. */
export const tlsOptions = ({ ca, cert, key }: BenchTls = {}) => ({
  rejectUnauthorized: ca !== undefined,
  ...(ca !== undefined && { ca }),
  ...(cert !== undefined && key !== undefined && { cert, key }),
});

/** Connects to the subject, in clear text or over TLS. */
export function dial({ origin, tls }: Pick<BenchSubject, "origin" | "tls">, connected: () => void): Socket {
  const { protocol, hostname, port } = new URL(origin);
  const isTls = protocol === "https:";
  const place = { host: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port || (isTls ? 443 : 80)), noDelay: true };
  return isTls ? connectTls({ ...place, ...tlsOptions(tls), ALPNProtocols: ["http/1.1"] }, connected) : connect(place, connected);
}

/** How long a server may take to accept a connection. */
const ACCEPT_MS = 5_000;

/** Why nothing can be connected to, with what to do; undefined if a connection is accepted. */
export function unreachable({ origin, tls }: Pick<BenchSubject, "origin" | "tls">): Promise<string | undefined> {
  const { host, protocol } = new URL(origin);
  return new Promise((resolve) => {
    const done = (why?: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(why);
    };
    const plain = origin.replace(/^ws/, "http");
    const socket = dial({ origin: plain, tls }, () => done());
    const timer = setTimeout(
      () => done(`${host} accepted no connection within ${ACCEPT_MS / 1_000} s: is it the right address?`),
      ACCEPT_MS,
    );
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") done(`Nothing listens on ${host}: start the server, or check the address.`);
      else if (protocol === "https:" || protocol === "wss:") done(`The TLS handshake with ${host} failed: ${error.message}.`);
      else done(`The connection to ${host} failed: ${error.message}.`);
    });
  });
}
