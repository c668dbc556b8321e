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
