import { connect as netConnect, createServer, isIP, type AddressInfo, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Where a server listens, or how to reach it. */
export type Place = {
  readonly host: string;
  readonly port: number;
  /** The path of a Unix socket to connect to, in place of host and port. */
  readonly unix?: string;
  /** A connection that leads there already, such as a tunnel. */
  readonly through?: Duplex;
  /** The name that a certificate must have, if `host` is only an address of it. */
  readonly name?: string;
};

/** Octets that a socket buffers before `write` asks to wait. */
const HIGH_WATER = 65_536;
/** Each end closes its own half; small frames do not wait for more. */
export const TRANSPORT = { allowHalfOpen: true, noDelay: true, highWaterMark: HIGH_WATER } as const;

/** A server in clear text. */
export const clearServer = (accept: (socket: Socket) => void): Server => createServer(TRANSPORT, accept);

/** Begins to listen. An error says what to do. */
export function listen(server: Server, { host, port }: Place): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenFailed(error, { host, port })));
    server.listen(port, host, () => {
      server.removeAllListeners("error");
      resolve(server.address() as AddressInfo);
    });
  });
}

/** A port of this address that is free now. Another program may take it before the caller does. */
export async function freePort(host: string): Promise<number> {
  const server = createServer();
  const { port } = await listen(server, { host, port: 0 });
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export const listenFailed = (error: NodeJS.ErrnoException, place: Place): Error => new Error(whyNot(error, place), { cause: error });

function whyNot({ code, message }: NodeJS.ErrnoException, { host, port }: Place): string {
  switch (code) {
    case "EADDRINUSE":
      return `port ${port} of ${host} is in use: choose another, or 0 for any free one`;
    case "EACCES":
      return `port ${port} of ${host} is not permitted for this user: choose one from 1024 upward, or 0 for any free one`;
    case "EADDRNOTAVAIL":
      return `${host} is not an address of this machine: use 127.0.0.1`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${host} does not resolve: give an address, or a name that does`;
    default:
      return `cannot listen on port ${port} of ${host}: ${message}`;
  }
}

/** Connects in clear text. The socket is returned at once and emits `connect`. */
export const dialClear = ({ host, port, unix }: Place): Socket => {
  const socket = netConnect(unix === undefined ? { ...TRANSPORT, host, port } : { ...TRANSPORT, path: unix });
  socket.setNoDelay(true);
  return socket;
};

/** An address in the form for a URL. */
export const inUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);
/** The host of a URL in the form for a socket: an IPv6 address without brackets. */
export const fromUrl = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1");
