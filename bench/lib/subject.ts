import { listenerOf } from "./cpu.ts";

/** A server under load: where it is, and whose processor time counts (undefined when it cannot be told). */
export type BenchSubject = {
  readonly name: string;
  readonly version: string;
  /** The origin, without a slash at its end. */
  readonly origin: string;
  readonly pid: number | undefined;
  /** What it serves, by what is asked: a small answer, 10 MiB, and somewhere to post. */
  readonly paths: { readonly small: string; readonly large?: string; readonly upload?: string };
};

/** Loads and floods go to this machine only. */
function requireLoopback(url: string): URL {
  const parsed = new URL(url);
  if (!/^(?:127(?:\.\d+){3}|localhost|\[::1\])$/.test(parsed.hostname)) {
    throw new Error(`${parsed.hostname} is not a loopback address: benchmarks and floods run only against servers on this machine.`);
  }
  return parsed;
}

/** A server that somebody else started. Its process is found by its port, where this system can tell. */
export function foreignSubject(url: string): BenchSubject {
  const { origin, port, protocol, host, pathname } = requireLoopback(url);
  return {
    name: host,
    version: "",
    origin,
    pid: listenerOf(Number(port || (protocol === "https:" ? 443 : 80))),
    paths: { small: pathname },
  };
}
