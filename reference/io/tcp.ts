import { connect as netConnect, createServer, isIP, type AddressInfo, type Server, type Socket } from "node:net";

/** Where a server listens, or is reached. */
export type Place = { readonly host: string; readonly port: number };

/** Octets that a socket takes before it asks to wait. */
export const HIGH_WATER = 65_536;
/** Both ends decide for themselves when they have said enough; small frames do not wait for more. */
export const TRANSPORT = { allowHalfOpen: true, noDelay: true, highWaterMark: HIGH_WATER } as const;

/** A server in clear text. */
export const clearServer = (accept: (socket: Socket) => void): Server => createServer(TRANSPORT, accept);

/** Begins to listen; tells what to do where that fails. */
export function listen(server: Server, { host, port }: Place): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(new Error(whyNot(error, { host, port }), { cause: error })));
    server.listen(port, host, () => {
      server.removeAllListeners("error");
      resolve(server.address() as AddressInfo);
    });
  });
}

function whyNot({ code, message }: NodeJS.ErrnoException, { host, port }: Place): string {
  switch (code) {
    case "EADDRINUSE":
      return `port ${port} of ${host} is taken: choose another, or 0 for any free one`;
    case "EACCES":
      return `port ${port} of ${host} may not be used by this user: choose one from 1024 on, or 0 for any free one`;
    case "EADDRNOTAVAIL":
      return `${host} is no address of this machine: 127.0.0.1 always is`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${host} is not known: give an address, or a name that resolves here`;
    default:
      return `cannot listen on port ${port} of ${host}: ${message}`;
  }
}

/** Connects in clear text. The socket is there at once, and connected when `connect` has come. */
export const dialClear = ({ host, port }: Place): Socket => {
  const socket = netConnect({ ...TRANSPORT, host, port });
  socket.setNoDelay(true);
  return socket;
};

/** An address as it stands in a URL. */
export const inUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);
/** The host of a URL as sockets want it: an IPv6 address without its brackets. */
export const fromUrl = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1");
export const isLoopback = (host: string): boolean => /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/.test(host);
