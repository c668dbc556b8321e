import { describe, expect, test } from "vitest";
import { instant } from "../core/index.ts";
import { Abuse, type FloodKind } from "./abuse.ts";
import { DEFAULT_LIMITS } from "./limits.ts";

const budget = { burst: 6, perSecond: 0 };
const limits = { ...DEFAULT_LIMITS, pings: { burst: 3, perSecond: 2 }, priorities: budget, windowUpdates: budget };
const spend = (abuse: Abuse, times: number, ms = 0): (string | undefined)[] =>
  Array.from({ length: times }, () => abuse.spend("pings", instant(ms))?.name);
/** Spends until a flood is found; returns how many were allowed. */
function exhaust(abuse: Abuse, kind: FloodKind): number {
  let spent = 0;
  while (abuse.spend(kind, instant(0)) === undefined) spent++;
  return spent;
}

describe("Abuse", () => {
  test("a burst is allowed, one more is a flood", () => {
    expect(spend(new Abuse(limits), 4)).toEqual([undefined, undefined, undefined, "floodOfPings"]);
  });
  test("a budget refills over time, up to the burst", () => {
    const abuse = new Abuse(limits);
    spend(abuse, 3);
    expect(spend(abuse, 2, 400)).toEqual(["floodOfPings", "floodOfPings"]);
    expect(spend(abuse, 3, 1_000)).toEqual([undefined, undefined, "floodOfPings"]);
    expect(spend(abuse, 4, 100_000)).toEqual([undefined, undefined, undefined, "floodOfPings"]);
  });
  test.each([
    { kind: "priorities", work: "a request", earn: (abuse: Abuse) => abuse.earnByRequest() },
    { kind: "windowUpdates", work: "content", earn: (abuse: Abuse) => abuse.earnByContent() },
  ] as const)("$work earns four $kind, up to the burst", ({ kind, earn }) => {
    const abuse = new Abuse(limits);
    earn(abuse);
    expect(exhaust(abuse, kind)).toBe(6);
    earn(abuse);
    expect(exhaust(abuse, kind)).toBe(4);
    earn(abuse);
    earn(abuse);
    expect(exhaust(abuse, kind)).toBe(6);
  });
  test("content earns a PING, up to the burst", () => {
    const abuse = new Abuse(limits);
    for (let count = 0; count < 20; count++) {
      expect(abuse.spend("pings", instant(0))).toBeUndefined();
      abuse.earnByContent();
    }
    expect(exhaust(abuse, "pings")).toBe(3);
  });
  test("each kind has its own budget and its own fault", () => {
    for (const kind of Abuse.kinds) {
      const strict = new Abuse({ ...DEFAULT_LIMITS, [kind]: { burst: 1, perSecond: 0 } });
      expect(strict.spend(kind, instant(0))).toBeUndefined();
      expect(strict.spend(kind, instant(9e9))?.code).toBe("ENHANCE_YOUR_CALM");
      const others = Abuse.kinds.filter((other) => other !== kind);
      expect(others.filter((other) => strict.spend(other, instant(0)) !== undefined)).toEqual([]);
    }
  });
});
