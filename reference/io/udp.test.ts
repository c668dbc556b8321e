import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bindUdp, dialUdp, largestDatagrams } from "./udp.ts";

const MTU_FILE = "/sys/class/net/lo/mtu";
/** Where nobody knows the interfaces, nothing grows beyond 1,200 octets. */
const mtu = existsSync(MTU_FILE) ? Math.min(Number(readFileSync(MTU_FILE, "utf8")), 65_535) : 0;

test("the largest datagram of an address is that of its interface, and it passes", async () => {
  const largest = largestDatagrams();
  const [here, there] = [largest("127.0.0.1"), largest("192.0.2.1")];
  expect([here, largest("127.8.9.1"), largest("::1")]).toEqual([Math.max(1_200, mtu - 28), here, Math.max(1_200, mtu - 48)]);
  expect([there >= 1_200, there <= 1_472, largest("2001:db8::1") <= 1_452]).toEqual([true, true, true]);
  const server = await bindUdp({ host: "127.0.0.1", port: 0 });
  const { socket, to } = await dialUdp({ host: "127.0.0.1", port: server.address().port });
  const arrived = new Promise<number>((resolve) => void server.on("message", ({ length }) => resolve(length)));
  socket.send(Buffer.alloc(here), to.port, to.host);
  expect(await arrived).toBe(here);
  for (const one of [server, socket]) one.close();
});
