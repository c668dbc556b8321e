import { addressForLoad, isThisMachine } from "../../consent.ts";
import { listenerOf } from "./cpu.ts";

/** What a load needs of TLS, in PEM. */
export type BenchTls = {
  /** The authorities of the server's certificate; without them any certificate is accepted. */
  readonly ca?: string;
  /** Our certificate and its key. */
  readonly cert?: string;
  readonly key?: string;
};

/** A server under load: its origin, and the process whose CPU time counts (undefined if unknown). */
export type BenchSubject = {
  readonly name: string;
  readonly version: string;
  /** The origin, without a trailing slash. */
  readonly origin: string;
  readonly pid: number | undefined;
  /** How to reach it over TLS. */
  readonly tls?: BenchTls | undefined;
  /** Paths for a small answer, for a 10 MiB answer, and for uploads. */
  readonly paths: { readonly small: string; readonly large?: string; readonly upload?: string };
};

/** A server that the user has started. On this machine its process is found by its port, if the system allows. */
export function foreignSubject(
  url: string,
  { tls, consents = false }: { readonly tls?: BenchTls; readonly consents?: boolean } = {},
): BenchSubject {
  const { origin, port, protocol, host, hostname, pathname } = addressForLoad(url, "bench sends load", consents);
  return {
    name: host,
    version: "",
    origin,
    tls,
    pid: isThisMachine(hostname) ? listenerOf(Number(port || (protocol === "https:" ? 443 : 80))) : undefined,
    paths: { small: pathname },
  };
}
