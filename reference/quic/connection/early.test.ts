import { describe, expect, test } from "vitest";
import { DEFAULT_PARAMETERS } from "../params.ts";
import { pattern } from "../testing.ts";
import { count, ending, endings, Rig } from "./testing.ts";

describe("0-RTT", () => {
  const remembered = {
    ...DEFAULT_PARAMETERS,
    initial_max_data: 10_000,
    initial_max_stream_data_bidi_remote: 5_000,
    initial_max_streams_bidi: 1,
  };
  test.each(["accepted", "rejected"] as const)("%s: what was sent early arrives once", (early) => {
    const rig = new Rig({ early, remembered, weather: { loss: 0.1 }, seed: 4 });
    const got = count(rig);
    const stream = rig.connection.open("bidirectional")!;
    expect(rig.connection.open("bidirectional")).toBeUndefined();
    rig.connection.send(stream, pattern(0, 4_000), true);
    let arrived = 0;
    rig.run(5_000, () => {
      if (got.server() > 0 && arrived === 0) arrived = rig.serverEvents.some(({ is }) => is === "established") ? 2 : 1;
      return false;
    });
    expect([got.server(), endings(rig), arrived]).toEqual([4_000, "open / open", early === "accepted" ? 1 : 2]);
  });

  test("rejected: lower limits than before hold, unless more is used already", () => {
    const limits = { connectionWindow: 3_000, streamWindow: 2_000, bidirectionalStreams: 1 };
    const after0Rtt = (streams: number, size: number): readonly [Rig, number] => {
      const rig = new Rig({ early: "rejected", remembered: { ...remembered, initial_max_streams_bidi: 2 }, server: { limits } });
      const got = count(rig);
      for (let nth = 0; nth < streams; nth++) rig.connection.send(rig.connection.open("bidirectional")!, pattern(0, size), false);
      rig.run(2_000);
      return [rig, got.server()];
    };
    const [within, arrived] = after0Rtt(1, 1_500);
    expect([endings(within), arrived, within.connection.open("bidirectional")]).toEqual(["open / open", 1_500, undefined]);
    const [tooMany] = after0Rtt(2, 100);
    const [tooMuch] = after0Rtt(1, 2_500);
    for (const rig of [tooMany, tooMuch]) expect(ending(rig.clientEvents)).toBe("us transport 0 0-RTT was rejected");
  });
  test("what was remembered counts only if 0-RTT is tried", () => {
    const rig = new Rig({ early: "none", remembered: { ...remembered, initial_max_data: 1e9 } });
    expect([rig.connection.isEarly, rig.connection.open("bidirectional")]).toEqual([false, undefined]);
    expect(endings(rig.establish())).toBe("open / open");
  });
  test("a client knows whether what it sends is early, and whether that is taken", () => {
    const rig = new Rig({ early: "accepted", remembered });
    expect(rig.connection.isEarly).toBe(true);
    rig.establish();
    expect([rig.connection.isEarly, rig.clientEvents.find(({ is }) => is === "earlyData")]).toEqual([
      false,
      { is: "earlyData", accepted: true },
    ]);
  });
  test("a server that takes back what it has promised breaks a rule", () => {
    const rig = new Rig({ early: "accepted", remembered: { ...remembered, initial_max_data: 1e9 } });
    rig.run(2_000);
    expect(ending(rig.clientEvents)).toBe("us transport 10 parametersReduced");
  });
});
