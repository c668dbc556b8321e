import { expect, test } from "vitest";
import { pattern } from "../testing.ts";
import { count, endings, Rig } from "./testing.ts";

test("after one loss on a long path CUBIC sends two megabytes sooner than NewReno", () => {
  const msOf = (congestion: "newreno" | "cubic"): number => {
    const rig = new Rig({ weather: { delayMs: 50 }, client: { congestion }, server: { congestion } }).establish();
    const began = rig.now;
    const got = count(rig).server;
    let sent = 0;
    rig.meddle = (side, bytes) => (side === "client" && ++sent === 150 ? undefined : bytes);
    rig.connection.send(rig.connection.open("bidirectional")!, pattern(0, 2_000_000), true);
    rig.run(60_000, () => got() === 2_000_000);
    expect(endings(rig)).toBe("open / open");
    return rig.now - began;
  };
  const [cubic, newreno] = [msOf("cubic"), msOf("newreno")];
  expect(cubic / newreno, `${cubic} and ${newreno} ms`).toBeLessThan(0.9);
});
