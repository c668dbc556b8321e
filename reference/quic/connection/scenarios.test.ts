import { describe, expect, test } from "vitest";
import { Misuse } from "../../core/index.ts";
import type { Event } from "../contract.ts";
import { readHeader } from "../packet/header.ts";
import { streamId } from "../stream-id.ts";
import { octets, pattern } from "../testing.ts";
import { V2 } from "../version.ts";
import { CLIENT, count, ending, endings, Rig, type Options } from "./testing.ts";

const kinds = (events: readonly Event[]): string => events.map(({ is }) => is).join(" ");
describe("a handshake", () => {
  test("that is larger than three datagrams waits for the client's address to be validated", () => {
    const rig = new Rig({ padding: 6_000 });
    let received = 0;
    let worst = 0;
    rig.meddle = (side, bytes) => {
      if (side === "client") received += bytes.length;
      else if (rig.accepted?.isPathValidated === false) worst = Math.max(worst, rig.sent.server.octets / received);
      return bytes;
    };
    rig.establish();
    expect([worst <= 3, worst > 0.5, kinds(rig.clientEvents)]).toEqual([true, true, "parameters established token confirmed"]);
  });

  test("with a client that vanishes gets three times its octets and no more", () => {
    const rig = new Rig({ padding: 6_000, server: { limits: { handshakeMs: 200_000 } } });
    let received = 0;
    rig.meddle = (side, bytes) => {
      if (side === "server" || rig.now > 1_000) return undefined;
      received += bytes.length;
      return bytes;
    };
    rig.run(100_000);
    expect(received).toBe(7_200);
    expect(rig.sent.server.octets).toBeLessThanOrEqual(3 * received);
    expect(rig.sent.server.octets).toBeGreaterThan(3 * received - 1_200);
  });

  test("of version 2 is as good as one of version 1", () => {
    const rig = new Rig();
    const second = rig.connect({ version: V2 });
    rig.run(3_000);
    expect(second.isEstablished).toBe(true);
    expect(kinds(rig.clientEvents).split("established")).toHaveLength(3);
  });

  test("with Retry proves the address first", () => {
    const rig = new Rig({ server: { retry: "always" } });
    const seen: string[] = [];
    rig.meddle = (side, bytes) => {
      seen.push(`${side} ${readHeader(bytes, 0, 8).is}`);
      return bytes;
    };
    rig.establish();
    expect(seen.slice(0, 3)).toEqual(["client long", "server retry", "client long"]);
    expect([kinds(rig.clientEvents), rig.accepted?.isPathValidated]).toEqual(["parameters established token confirmed", true]);
  });

  test("with a token of an earlier connection needs no Retry", () => {
    const first = new Rig().establish();
    const { token } = first.clientEvents.find((event) => event.is === "token")!;
    const tokenKey = octets(16, 9);
    const rig = new Rig({ server: { retry: "always", tokenKey } }).establish();
    const given = rig.clientEvents.find((event) => event.is === "token")!;
    const seen: string[] = [];
    rig.meddle = (_, bytes) => {
      seen.push(readHeader(bytes, 0, 8).is);
      return bytes;
    };
    rig.connect({ token: given.token });
    rig.run(1_000);
    expect(seen).not.toContain("retry");
    seen.length = 0;
    // A token of another server is none.
    rig.connect({ token });
    rig.run(1_000);
    expect(seen).toContain("retry");
  });

  test("a Retry token that is old or of another address is refused", () => {
    const rig = new Rig({ server: { retry: "always", limits: { retryTokenMs: 1 } } });
    rig.run(5_000);
    expect(endings(rig)).toBe("peer transport 11 / open");
  });

  test("a Retry packet that was changed, or is the second one, is ignored", () => {
    const rig = new Rig({ server: { retry: "always" } });
    let retries = 0;
    rig.meddle = (side, bytes) => {
      if (side !== "server" || readHeader(bytes, 0, 8).is !== "retry" || retries++ > 0) return bytes;
      const changed = bytes.slice();
      changed[changed.length - 1]! ^= 1;
      return changed;
    };
    rig.establish();
    expect([retries > 1, kinds(rig.clientEvents)]).toEqual([true, "parameters established token confirmed"]);
  });

  test("a version that the server does not know ends the client, unless the list has its version", () => {
    const unknown = { ...V2, number: 0x1a2a_3a4a };
    const rig = new Rig();
    rig.establish();
    rig.connect({ version: unknown });
    rig.run(2_000);
    expect(ending(rig.clientEvents)).toBe("version transport 0");
    const other = new Rig();
    other.meddle = (side, bytes) => {
      if (side === "server") return bytes;
      const header = readHeader(bytes, 0, 8);
      if (header.is !== "long" || header.type !== "initial") return bytes;
      const { source, destination } = header;
      other.inject("client", Uint8Array.from([0x80, 0, 0, 0, 0, 8, ...source, 8, ...destination, 0, 0, 0, 1]));
      return bytes;
    };
    other.establish();
    expect(endings(other)).toBe("open / open");
  });

  test("too many connections are refused, and small or foreign datagrams get no answer", () => {
    const rig = new Rig({ server: { limits: { connections: 1 } } }).establish();
    rig.clientEvents.length = 0;
    rig.connect();
    rig.run(2_000);
    expect(ending(rig.clientEvents)).toBe("peer transport 2");
    const before = rig.sent.server.datagrams;
    for (const bytes of [octets(0), octets(20, 0xff), octets(1_199, 0xc0), octets(1_200, 0)]) rig.inject("server", bytes);
    rig.run(10);
    expect(rig.sent.server.datagrams).toBe(before);
  });
});

describe("an ending", () => {
  test("by the application reaches the peer, even if the first close is lost", () => {
    const rig = new Rig().establish();
    let dropped = 0;
    rig.meddle = (side, bytes) => (side === "client" && dropped++ === 0 ? undefined : bytes);
    rig.connection.close(77, "enough");
    rig.run(10);
    const stream = rig.accepted!.open("unidirectional")!;
    rig.accepted!.send(stream, octets(10), true);
    rig.run(5_000);
    expect(endings(rig)).toBe("us application 77 enough / peer application 77 enough");
    expect([rig.client.connections.size, rig.server.connections.size]).toEqual([0, 0]);
  });

  test("by the application during the handshake shows nothing of the application", () => {
    const rig = new Rig();
    rig.run(15);
    rig.connection.close(77, "enough");
    rig.run(1_000);
    expect(endings(rig)).toBe("us application 77 enough / peer transport 12");
  });

  test("after the handshake failed carries its alert", () => {
    const rig = new Rig({
      server: {
        accept: () => ({
          receive: () => [{ is: "closed", fault: { name: "certificateUntrusted", error: 0x12a } }],
          events: () => [],
          take: () => [],
        }),
      },
    });
    rig.run(1_000);
    expect(endings(rig)).toBe("peer transport 298 certificateUntrusted / us transport 298 certificateUntrusted");
  });

  test("a server that has forgotten everything resets", () => {
    const rig = new Rig().establish();
    rig.server = rig.newServer();
    rig.connection.send(rig.connection.open("bidirectional")!, octets(100), true);
    rig.run(5_000);
    expect(ending(rig.clientEvents)).toBe("reset transport 0");
    expect(rig.sent.server.datagrams).toBeLessThan(30);
  });

  test("a server with another key for resets is not believed", () => {
    const rig = new Rig().establish();
    rig.server = rig.newServer({ resetKey: octets(32, 6) });
    rig.connection.send(rig.connection.open("bidirectional")!, octets(100), true);
    rig.run(5_000);
    expect(ending(rig.clientEvents)).toBe("open");
  });

  test("answers packets that come after it ever more rarely", () => {
    const rig = new Rig().establish();
    const client = rig.connection;
    for (let at = 0; at < 50; at++) client.send(client.open("unidirectional")!, octets(1_000), true);
    rig.accepted!.close(1, "");
    let closes = 0;
    rig.meddle = (side, bytes) => {
      if (side === "server") closes++;
      return side === "server" ? undefined : bytes;
    };
    rig.run(300);
    expect(closes).toBeGreaterThan(1);
    expect(closes).toBeLessThan(8);
  });
});

describe("streams on a connection", () => {
  test("a reader that reads nothing holds the sender up at its window", () => {
    const limits = { connectionWindow: 50_000, streamWindow: 20_000 };
    const rig = new Rig({ server: { limits } }).establish();
    let got = 0;
    rig.handle = (_, __, event) => {
      if (event.is === "data") got += event.octets.length;
    };
    const [a, b, c] = [1, 2, 3].map(() => rig.connection.open("unidirectional")!);
    for (const id of [a!, b!, c!]) rig.connection.send(id, octets(100_000), true);
    rig.run(5_000);
    expect(got).toBe(50_000);
    for (const id of [a!, b!, c!]) rig.accepted!.consumed(id, 20_000);
    rig.run(5_000);
    expect(got).toBe(90_000);
  });

  test("send says when to wait, and writable when to go on", () => {
    const rig = new Rig({ client: { limits: { highWater: 10_000 } } }).establish();
    count(rig);
    const id = rig.connection.open("unidirectional")!;
    expect([rig.connection.send(id, octets(10_000), false), rig.connection.send(id, octets(1), false)]).toEqual([true, false]);
    rig.run(1_000);
    expect(rig.clientEvents).toContainEqual({ is: "writable", stream: id });
  });

  test("a reset, and a wish to stop, reach the other side", () => {
    const rig = new Rig({ weather: { loss: 0.2 }, seed: 3 }).establish();
    const [a, b] = [rig.connection.open("bidirectional")!, rig.connection.open("bidirectional")!];
    for (const id of [a, b]) rig.connection.send(id, octets(500_000), false);
    rig.run(100);
    rig.connection.reset(a, 5);
    rig.accepted!.stop(b, 6);
    rig.run(10_000);
    expect(rig.serverEvents).toContainEqual({ is: "reset", stream: a, code: 5 });
    expect(rig.clientEvents).toContainEqual({ is: "stopped", stream: b, code: 6 });
    rig.accepted!.reset(a, 0);
    rig.accepted!.reset(b, 0);
    rig.run(10_000);
    expect(rig.clientEvents.filter(({ is }) => is === "done")).toHaveLength(2);
    expect(rig.serverEvents.filter(({ is }) => is === "done")).toHaveLength(2);
  });

  test("more than the peer allows have to wait for it", () => {
    const rig = new Rig({ server: { limits: { unidirectionalStreams: 2 } } }).establish();
    count(rig);
    const ids = [1, 2, 3].map(() => rig.connection.open("unidirectional"));
    expect(ids).toEqual([2, 6, undefined]);
    rig.connection.send(streamId(2), octets(1), true);
    rig.run(1_000);
    expect(rig.clientEvents).toContainEqual({ is: "streams", direction: "unidirectional" });
    expect(rig.connection.open("unidirectional")).toBe(10);
  });

  test("the caller's mistakes are its own", () => {
    const rig = new Rig().establish();
    const id = rig.accepted!.open("unidirectional")!;
    rig.accepted!.send(id, octets(1), false);
    rig.run(100);
    expect(() => rig.connection.send(id, octets(1), false)).toThrow(Misuse);
    rig.accepted!.send(id, octets(0), true);
    expect(() => rig.accepted!.send(id, octets(1), false)).toThrow(Misuse);
    expect([rig.connection.send(streamId(400), octets(1), true), rig.connection.open("bidirectional")]).toEqual([true, 0]);
  });
});

describe("datagrams of the application", () => {
  test("arrive if the peer takes them, and may be lost", () => {
    const options: Options = { server: { limits: { datagramOctets: 1_000 } } };
    const rig = new Rig(options).establish();
    expect([rig.connection.datagram(octets(900)), rig.connection.datagram(octets(1_000)), rig.accepted!.datagram(octets(1))]).toEqual([
      true,
      false,
      false,
    ]);
    rig.weather = { ...rig.weather, loss: 1 };
    rig.run(5);
    rig.weather = { ...rig.weather, loss: 0 };
    rig.connection.datagram(octets(3, 7));
    rig.run(5_000);
    expect(rig.serverEvents.filter(({ is }) => is === "datagram")).toEqual([{ is: "datagram", octets: octets(3, 7) }]);
    for (let at = 0; at < 100; at++) rig.connection.datagram(octets(1));
    expect(rig.connection.datagram(octets(1))).toBe(false);
  });
});

describe("a key update", () => {
  test.each([0, 0.1])("under load, with loss of %d, loses nothing", (loss) => {
    const rig = new Rig({ weather: { loss, jitterMs: 5 }, seed: 2 }).establish();
    const got = count(rig);
    rig.connection.send(rig.connection.open("unidirectional")!, pattern(0, 400_000), true);
    rig.accepted!.send(rig.accepted!.open("unidirectional")!, pattern(0, 400_000), true);
    let updates = 0;
    const start = rig.now;
    rig.run(60_000, () => {
      if (rig.now - start > (updates + 1) * 150 && (updates % 2 === 0 ? rig.connection : rig.accepted!).updateKeys()) updates++;
      return got.client() === 400_000 && got.server() === 400_000;
    });
    expect([got.client(), got.server(), endings(rig)]).toEqual([400_000, 400_000, "open / open"]);
    expect(updates).toBeGreaterThan(2);
  });

  test("needs a confirmed handshake, and an acknowledgment since the last one", () => {
    const rig = new Rig();
    expect(rig.connection.updateKeys()).toBe(false);
    rig.establish();
    rig.connection.ping();
    rig.run(200);
    expect([rig.connection.updateKeys(), rig.connection.updateKeys()]).toEqual([true, false]);
  });
});

describe("a client with another address", () => {
  test.each([
    ["port", { ...CLIENT, port: 5_001 }],
    ["host", { host: "203.0.113.9", port: 5_000 }],
  ])("another %s: goes on after the path is validated", (_, address) => {
    const rig = new Rig().establish();
    const got = count(rig);
    rig.connection.send(rig.connection.open("unidirectional")!, pattern(0, 200_000), true);
    rig.accepted!.send(rig.accepted!.open("unidirectional")!, pattern(0, 200_000), true);
    rig.run(50);
    rig.clientAddress = address;
    rig.run(20_000);
    expect([got.client(), got.server(), endings(rig)]).toEqual([200_000, 200_000, "open / open"]);
    expect(rig.serverEvents).toContainEqual({ is: "migrated", remote: address });
    expect(rig.accepted!.remote).toEqual(address);
  });

  test("a packet that somebody else sent on does not take the connection away", () => {
    const rig = new Rig().establish();
    const got = count(rig);
    // The attacker sends a copy of each packet from its own address, first.
    rig.meddle = (side, bytes) => {
      if (side === "client") rig.server.receive(bytes, { host: "203.0.113.66", port: 1 }, rig.now);
      return bytes;
    };
    rig.connection.ping();
    rig.run(20);
    rig.meddle = (_, bytes) => bytes;
    rig.run(10_000);
    rig.accepted!.send(rig.accepted!.open("unidirectional")!, pattern(0, 1_000), true);
    rig.run(5_000);
    expect([got.client(), rig.accepted!.remote, endings(rig)]).toEqual([1_000, CLIENT, "open / open"]);
  });
});
