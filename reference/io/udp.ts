import { createSocket, type Socket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { listenFailed, type Place } from "./tcp.ts";

/** Octets that the kernel keeps while this process is busy: a burst of datagrams would otherwise be lost. */
const KERNEL_OCTETS = 2_097_152;

/** Opens a UDP socket at an address; port 0 is any free one. An error says what to do. */
export function bindUdp({ host, port }: Pick<Place, "host" | "port">): Promise<Socket> {
  const socket = createSocket({ type: isIP(host) === 6 ? "udp6" : "udp4", recvBufferSize: KERNEL_OCTETS, sendBufferSize: KERNEL_OCTETS });
  return new Promise((resolve, reject) => {
    socket.once("error", (error: NodeJS.ErrnoException) => {
      socket.close();
      reject(listenFailed(error, { host, port }));
    });
    socket.bind(port, host, () => {
      socket.removeAllListeners("error");
      resolve(socket);
    });
  });
}

/** Opens a UDP socket for a peer; returns the address that its datagrams have. */
export async function dialUdp({ host, port }: Pick<Place, "host" | "port">): Promise<{ readonly socket: Socket; readonly to: Place }> {
  const { address, family } = await lookup(host);
  const socket = await bindUdp({ host: family === 6 ? "::" : "0.0.0.0", port: 0 });
  return { socket, to: { host: address, port } };
}
