import { readFileSync } from "node:fs";
import { platform } from "node:os";
import { expect, test } from "vitest";
import { bindUdp, dialUdp, largestDatagrams } from "./udp.ts";

test("the largest datagram of an address: that of its interface, and 1,200 octets where nobody knows", async () => {
  const largest = largestDatagrams();
  const [here, there] = [largest("127.0.0.1"), largest("192.0.2.1")];
  if (platform() !== "linux") return expect([here, there]).toEqual([1_200, 1_200]);
  const mtu = Number(readFileSync("/sys/class/net/lo/mtu", "utf8"));
  expect([here, largest("127.8.9.1"), largest("::1")]).toEqual([Math.min(mtu, 65_535) - 28, here, Math.min(mtu, 65_535) - 48]);
  expect([there >= 1_200, there <= 1_472, largest("2001:db8::1") <= 1_452]).toEqual([true, true, true]);
  // A datagram of that size passes.
  const server = await bindUdp({ host: "127.0.0.1", port: 0 });
  const { socket, to } = await dialUdp({ host: "127.0.0.1", port: server.address().port });
  const arrived = new Promise<number>((resolve) => void server.on("message", ({ length }) => resolve(length)));
  socket.send(Buffer.alloc(here), to.port, to.host);
  expect(await arrived).toBe(here);
  for (const one of [server, socket]) one.close();
});
