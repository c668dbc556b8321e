import { createSocket, type Socket } from "node:dgram";
import { isIP } from "node:net";
import { listenFailed, type Place } from "./tcp.ts";

/** Opens a UDP socket at an address; port 0 is any free one. An error says what to do. */
export function bindUdp({ host, port }: Place): Promise<Socket> {
  const socket = createSocket(isIP(host) === 6 ? "udp6" : "udp4");
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
