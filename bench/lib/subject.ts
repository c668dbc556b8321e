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

/** Parses a URL, and throws unless its host is a loopback address. */
function requireLoopback(url: string): URL {
  const parsed = new URL(url);
  if (!/^(?:127(?:\.\d+){3}|localhost|\[::1\])$/.test(parsed.hostname)) {
    throw new Error(`${parsed.hostname} is not a loopback address: benches run only against servers on this machine.`);
  }
  return parsed;
}

/** A server that the user has started. Its process is found by its port, if the system allows. */
export function foreignSubject(url: string, tls?: BenchTls): BenchSubject {
  const { origin, port, protocol, host, pathname } = requireLoopback(url);
  return {
    name: host,
    version: "",
    origin,
    tls,
    pid: listenerOf(Number(port || (protocol === "https:" ? 443 : 80))),
    paths: { small: pathname },
  };
}
