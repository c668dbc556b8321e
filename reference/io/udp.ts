import { createSocket, type Socket } from "node:dgram";
import { readdirSync, readFileSync } from "node:fs";
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

/** IPv4 and IPv6 with UDP, before the payload. */
const HEADERS = { 4: 28, 6: 48 } as const;
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;
/** The least payload that every path of QUIC carries (rfc9000#14). */
const LEAST = 1_200;
const ETHERNET = 1_500;
/** The longest packet of IPv4. */
const LONGEST = 65_535;

/**
 * The largest datagrams, in octets, that leave for addresses in one piece, by the interfaces of now. Node cannot forbid the fragments that QUIC must not have (rfc9000#14),
 * and Linux makes none up to the size of the interface: the least of all interfaces counts, and Ethernet's at most. Elsewhere datagrams do not grow.
 */
export function largestDatagrams(): (host: string) => number {
  const loopback = mtuOf((name) => name === "lo");
  const others = Math.min(
    ETHERNET,
    mtuOf((name) => name !== "lo"),
  );
  return (host) => {
    const mtu = LOOPBACK.test(host) ? loopback : others;
    return Math.max(LEAST, Math.min(mtu, LONGEST) - HEADERS[isIP(host) === 6 ? 6 : 4]);
  };
}
/** The least size of packets among interfaces of Linux; 0 where that is not known. */
function mtuOf(isMeant: (name: string) => boolean): number {
  try {
    const names = readdirSync(INTERFACES).filter(isMeant);
    const sizes = names.map((name) => Number(readFileSync(`${INTERFACES}/${name}/mtu`, "utf8")));
    return sizes.length === 0 ? 0 : Math.min(...sizes);
  } catch {
    // Another system, or a sandbox.
    return 0;
  }
}
const INTERFACES = "/sys/class/net";

/** Opens a UDP socket for a peer; returns the address that its datagrams have. */
export async function dialUdp({ host, port }: Pick<Place, "host" | "port">): Promise<{ readonly socket: Socket; readonly to: Place }> {
  const { address, family } = await lookup(host);
  const socket = await bindUdp({ host: family === 6 ? "::" : "0.0.0.0", port: 0 });
  return { socket, to: { host: address, port } };
}
