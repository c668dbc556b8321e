import fc from "fast-check";
import { isIP } from "node:net";
import { expect, test } from "vitest";
import { ipOctets, pageOf, Registry } from "./index.ts";

const registry = (): Registry => {
  let now = 0;
  return new Registry(() => ++now);
};
const ids = (entities: ReadonlyMap<number, unknown>): number[] => [...entities.keys()];

test("numbers begin with 1, and are used once for entities of any kind", () => {
  const all = registry();
  const channel = all.addChannel("x", () => "IDLE");
  const subchannel = all.addSubchannel(channel, "a");
  const server = all.addServer("s");
  const socket = all.addSocket(subchannel.sockets, { name: "a", isClient: true, info: () => ({}) });
  expect([channel.id, subchannel.id, server.id, socket.id]).toEqual([1, 2, 3, 4]);
  all.removeChannel(channel);
  expect([ids(all.channels), ids(all.subchannels), ids(all.sockets), ids(all.servers)]).toEqual([[], [], [], [3]]);
  expect(all.addChannel("y", () => "IDLE").id).toBe(5);
  all.addSocket(server.sockets, { name: "b", isClient: false, info: () => ({}) });
  all.addSocket(server.listening, { name: "c", isClient: false, info: () => ({}) });
  all.removeServer(server);
  expect([ids(all.servers), ids(all.sockets)]).toEqual([[], []]);
});

test("pages go on from any number, have a hundred at most, and say which is the last", () => {
  const all = registry();
  for (let count = 0; count < 250; count++) all.addServer("");
  all.removeServer(all.servers.get(2)!);
  const page = (start: bigint, most: bigint) => {
    const { page: got, end } = pageOf(all.servers, start, most);
    return [got[0]?.id, got.at(-1)?.id, got.length, end];
  };
  expect(page(0n, 0n)).toEqual([1, 101, 100, false]);
  expect(page(-5n, 2n)).toEqual([1, 3, 2, false]);
  expect(page(2n, 1n)).toEqual([3, 3, 1, false]);
  expect(page(102n, 1_000_000n)).toEqual([102, 201, 100, false]);
  expect(page(202n, 0n)).toEqual([202, 250, 49, true]);
  expect(page(151n, 100n)).toEqual([151, 250, 100, true]);
  expect(page(1n << 62n, 0n)).toEqual([undefined, undefined, 0, true]);
});

test("a trace keeps the last thirty events, and counts all; texts of peers are cut", () => {
  const all = registry();
  const channel = all.addChannel("n".repeat(300), () => "IDLE");
  for (let count = 0; count < 40; count++) channel.note("info", `event ${count}`);
  channel.note("error", "x".repeat(10_000));
  const { events, logged } = channel.trace;
  expect([channel.name.length, events.length, logged, events[0]!.description, events.at(-1)!.description.length]).toEqual([
    256,
    30,
    41,
    "event 11",
    256,
  ]);
});

test("a subchannel notes when its state changes, and why", () => {
  const all = registry();
  const subchannel = all.addSubchannel(
    all.addChannel("x", () => "IDLE"),
    "a",
  );
  subchannel.becomes("CONNECTING");
  subchannel.becomes("CONNECTING");
  subchannel.becomes("TRANSIENT_FAILURE", "refused");
  expect(subchannel.trace.events.map(({ description, severity }) => `${severity} ${description}`)).toEqual([
    "info CONNECTING",
    "warning TRANSIENT_FAILURE: refused",
  ]);
});

test.each([
  ["127.0.0.1", "7f000001"],
  ["::", "00000000000000000000000000000000"],
  ["::1", "00000000000000000000000000000001"],
  ["fe80::1%eth0", "fe800000000000000000000000000001"],
  ["::ffff:10.0.0.1", "00000000000000000000ffff0a000001"],
  ["2001:db8:1:2:3:4:5:6", "20010db8000100020003000400050006"],
])("the octets of %s", (text, hex) => {
  expect(Buffer.from(ipOctets(text)!).toString("hex")).toBe(hex);
});
test.each(["", "localhost", "1.2.3", "1.2.3.256", "1:2", "1::2::3", "1:2:3:4:5:6:7:8:9", "12345::", "::g", "/run/socket"])(
  "%j is no address of IP",
  (text) => {
    expect(ipOctets(text)).toBeUndefined();
  },
);
test("any address of IP has its octets", () => {
  const texts = fc.oneof(fc.ipV4(), fc.ipV6()).filter((text) => isIP(text) !== 0);
  fc.assert(
    fc.property(texts, (text) => {
      expect(ipOctets(text)).toHaveLength(isIP(text) === 4 ? 4 : 16);
    }),
  );
});
