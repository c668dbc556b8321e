import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";

/** Connections through a proxy of SOCKS 5 (RFC 1928), with a name and a password if its URL has them (RFC 1929). */

const VERSION = 5;
const [NO_NAME, WITH_NAME] = [0, 2];
const CONNECT = 1;
const [IPV4, DOMAIN, IPV6] = [1, 3, 4];
const DEFAULT_PORT = 1080;

/** Why a proxy does not connect (RFC 1928, section 6). */
const REPLIES: readonly string[] = [
  "",
  "it has failed",
  "its rules forbid it",
  "the network is unreachable",
  "the host is unreachable",
  "the connection is refused",
  "the time to live is over",
  "it does not know the command",
  "it does not know the type of the address",
];

/** A connection to `authority`, a host with its port, unless `signal` ends the attempt. The proxy looks the name up. */
export async function socksTunnel(proxy: string, authority: string, signal: AbortSignal): Promise<Socket> {
  const { hostname, port, username, password } = new URL(proxy);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || DEFAULT_PORT),
    allowHalfOpen: true,
    noDelay: true,
  });
  try {
    await once(socket, "connect", { signal });
    const reader = new Reader(socket, signal);
    const hasName = username !== "" || password !== "";
    socket.write(Uint8Array.of(VERSION, hasName ? 2 : 1, NO_NAME, ...(hasName ? [WITH_NAME] : [])));
    const [version, method] = await reader.take(2);
    if (version !== VERSION) throw new Error("it does not speak SOCKS 5");
    if (method === WITH_NAME && hasName) {
      socket.write(Buffer.concat([Uint8Array.of(1), lengthened(decodeURIComponent(username)), lengthened(decodeURIComponent(password))]));
      const [, status] = await reader.take(2);
      if (status !== 0) throw new Error("it refuses the name and the password");
    } else if (method !== NO_NAME) throw new Error("it accepts none of our ways to log in");
    socket.write(request(authority));
    const [, reply = 1, , kind = IPV4] = await reader.take(4);
    if (reply !== 0) throw new Error(`it refuses a connection to ${authority}: ${REPLIES[reply] ?? `reply ${reply}`}`);
    const length = kind === IPV4 ? 4 : kind === IPV6 ? 16 : ((await reader.take(1))[0] ?? 0);
    await reader.take(length + 2);
    reader.end();
    return socket;
  } catch (error) {
    socket.destroy();
    const why = signal.aborted ? "it did not answer before the attempt was over" : (error as Error).message;
    throw new Error(`the proxy ${hostname}:${port || DEFAULT_PORT}: ${why}`, { cause: error });
  }
}

function request(authority: string): Uint8Array {
  const { hostname, port } = new URL(`http://${authority}`);
  const host = hostname.replace(/^\[|\]$/g, "");
  const number = Number(port || 80);
  const address =
    isIP(host) === 4
      ? Uint8Array.of(IPV4, ...host.split(".").map(Number))
      : isIP(host) === 6
        ? Uint8Array.of(IPV6, ...octetsOf(host))
        : Buffer.concat([Uint8Array.of(DOMAIN), lengthened(host)]);
  return Buffer.concat([Uint8Array.of(VERSION, CONNECT, 0), address, Uint8Array.of(number >>> 8, number & 255)]);
}

/** The octets of an IPv6 address in the form of a URL, which has no dots. */
function octetsOf(address: string): number[] {
  const [front = "", back] = address.split("::");
  const words = (part: string): number[] => (part === "" ? [] : part.split(":").map((word) => Number.parseInt(word, 16)));
  const [first, last] = [words(front), words(back ?? "")];
  const all = back === undefined ? first : [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
  return all.flatMap((word) => [word >>> 8, word & 255]);
}

function lengthened(text: string): Uint8Array {
  const octets = Buffer.from(text);
  if (octets.length > 255) throw new Error("a name has more than 255 octets");
  return Buffer.concat([Uint8Array.of(octets.length), octets]);
}

/** Takes octets from a socket as they come. */
class Reader {
  readonly #socket: Socket;
  readonly #stop: AbortSignal;
  #held = Buffer.alloc(0);
  readonly #take = (data: Buffer): void => {
    this.#held = Buffer.concat([this.#held, data]);
  };

  constructor(socket: Socket, stop: AbortSignal) {
    this.#socket = socket;
    this.#stop = stop;
    socket.on("data", this.#take);
  }

  async take(length: number): Promise<Uint8Array> {
    while (this.#held.length < length) {
      if (this.#socket.readableEnded) throw new Error("it ends the connection");
      const either = new AbortController();
      const signal = AbortSignal.any([either.signal, this.#stop]);
      await Promise.race(["data", "end"].map((event) => once(this.#socket, event, { signal })));
      either.abort();
    }
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  /** Leaves the rest to the next reader. */
  end(): void {
    this.#socket.off("data", this.#take).pause();
    if (this.#held.length > 0) this.#socket.unshift(this.#held);
  }
}
