import { describe, expect, test } from "vitest";
import { pattern } from "../testing.ts";
import type { Observer } from "./observation.ts";
import { CLIENT, count, endings, Rig } from "./testing.ts";

/** A rig whose server may be cut off, with what the server has sent, and its windows. */
function observed() {
  const seen = { packets: [] as string[][], windows: [] as number[], lost: [] as number[] };
  const observer: Observer = (what) => {
    if (what.is === "sent" && what.type === "1-RTT") seen.packets.push(what.frames.map(({ is }) => is));
    if (what.is === "lost" && what.type === "application") seen.lost.push(what.number);
    if (what.is === "metrics") seen.windows.push(what.window);
  };
  const rig = new Rig({ server: { observe: () => observer } });
  const cut = (isCut: boolean): void => {
    rig.meddle = (side, bytes) => (isCut && side === "server" ? undefined : bytes);
  };
  return { rig, seen, cut };
}
const copies = (frames: readonly string[], name: string): number => frames.filter((is) => is === name).length;

describe("probes while nothing arrives", () => {
  test("repeat each frame once a probe timeout, and not again when the first packets are lost", () => {
    const { rig, seen, cut } = observed();
    rig.run(60_000, () => rig.serverEvents.some(({ is }) => is === "established"));
    cut(true);
    seen.packets.length = 0;
    rig.run(6_000);
    const probes = seen.packets.filter((frames) => frames.includes("HANDSHAKE_DONE"));
    expect(probes.length).toBeGreaterThan(4);
    expect([...new Set(probes.map((frames) => copies(frames, "HANDSHAKE_DONE")))]).toEqual([1]);
    expect([...new Set(probes.map((frames) => copies(frames, "NEW_CONNECTION_ID")))]).toEqual([3]);
    cut(false);
    rig.run(10_000, () => rig.clientEvents.some(({ is }) => is === "confirmed"));
    const { length } = seen.packets;
    rig.run(10_000);
    // The probes before are lost now, and what they carried has arrived.
    expect(seen.lost.length).toBeGreaterThan(4);
    expect(seen.packets.slice(length).flat()).not.toContain("HANDSHAKE_DONE");
    expect([
      copies(
        rig.clientEvents.map(({ is }) => is),
        "token",
      ),
      endings(rig),
    ]).toEqual([1, "open / open"]);
  });

  test("are not losses: a probe timeout reports none (rfc9002#6.2)", () => {
    const { rig, seen, cut } = observed();
    rig.establish().run(1_000);
    cut(true);
    rig.accepted!.ping();
    rig.run(5_000);
    expect([seen.packets.length > 8, seen.lost]).toEqual([true, []]);
  });
});

describe("a client with another host", () => {
  const ELSEWHERE = { ...CLIENT, host: "203.0.113.9" };

  test("gets data though a whole window is on its way to the one before (rfc9000#9.4)", () => {
    const { rig, seen, cut } = observed();
    const got = count(rig);
    rig.establish().run(1_000);
    cut(true);
    rig.accepted!.send(rig.accepted!.open("unidirectional")!, pattern(2, 20_000), true);
    rig.run(20_000);
    rig.clientAddress = ELSEWHERE;
    // A PING and the answer to the challenge arrive, the acknowledgment of the challenge does not.
    let sent = 0;
    rig.meddle = (side, bytes) => (side === "client" && ++sent === 3 ? undefined : bytes);
    rig.connection.ping();
    // The probes of the path before are many seconds apart by now.
    rig.run(3_000);
    expect([got.client(), rig.accepted!.remote, endings(rig)]).toEqual([20_000, ELSEWHERE, "open / open"]);
    expect(Math.min(...seen.windows)).toBe(12_000);
  });

  test("that was not real leaves no trace in the window of the path before (rfc9000#9.4)", () => {
    const { rig, seen } = observed();
    const got = count(rig);
    rig.establish().run(1_000);
    // An attacker sends a packet of the client on from its own address, and drops everything else until the validation has failed.
    rig.meddle = (side, bytes) => {
      if (side === "client" && rig.accepted!.remote.host === CLIENT.host) rig.server.receive(bytes, ELSEWHERE, rig.now);
      return undefined;
    };
    const stream = rig.connection.open("unidirectional")!;
    rig.connection.send(stream, pattern(stream, 1_000), false);
    rig.run(5);
    const during = rig.accepted!.remote;
    rig.accepted!.send(rig.accepted!.open("unidirectional")!, pattern(3, 20_000), true);
    rig.run(60_000, () => rig.accepted!.remote.host === CLIENT.host);
    rig.meddle = (_, bytes) => bytes;
    rig.run(10_000);
    expect([during, rig.accepted!.remote]).toEqual([ELSEWHERE, CLIENT]);
    expect([got.client(), endings(rig)]).toEqual([20_000, "open / open"]);
    expect(Math.min(...seen.windows)).toBe(12_000);
  });
});
