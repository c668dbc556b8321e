import { describe, expect, test } from "vitest";
import { pattern } from "../testing.ts";
import { ending, Rig } from "./testing.ts";

describe("a connection", () => {
  test("is established, confirmed, and idle until its time is up", () => {
    const rig = new Rig();
    rig.establish();
    expect(rig.clientEvents.map(({ is }) => is)).toEqual(["parameters", "established", "token", "confirmed"]);
    expect(rig.serverEvents.map(({ is }) => is)).toEqual(["parameters", "established", "confirmed"]);
    const { now } = rig;
    rig.run(100_000);
    expect([ending(rig.clientEvents), ending(rig.serverEvents)]).toEqual(["idle transport 0", "idle transport 0"]);
    expect(rig.now - now).toBeLessThan(40_000);
    expect([rig.client.connections.size, rig.server.connections.size]).toEqual([0, 0]);
  });

  test("echoes a megabyte", () => {
    const rig = new Rig().establish();
    const sent = pattern(0, 1_000_000);
    const got: Uint8Array[] = [];
    let isEnded = false;
    rig.handle = (side, connection, event) => {
      if (event.is !== "data") return;
      connection.consumed(event.stream, event.octets.length);
      if (side === "server") connection.send(event.stream, event.octets, event.end);
      else {
        got.push(event.octets);
        isEnded = event.end;
      }
    };
    const stream = rig.connection.open("bidirectional")!;
    rig.connection.send(stream, sent, true);
    rig.run(60_000, () => isEnded);
    expect(Buffer.concat(got).equals(sent)).toBe(true);
    rig.run(5_000);
    expect(rig.clientEvents.at(-1)).toEqual({ is: "done", stream });
  });
});
