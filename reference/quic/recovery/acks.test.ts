import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instant, NEVER } from "../../core/index.ts";
import { Acks } from "./acks.ts";

const at = instant;
const ranges = (acks: Acks, now = 0): string =>
  acks
    .frame(at(now), 3)
    ?.ranges.map(({ smallest, largest }) => `${smallest}-${largest}`)
    .join(" ") ?? "";

describe("acknowledgments", () => {
  test("of the handshake leave at once and report no delay", () => {
    const acks = new Acks(0);
    expect([acks.frame(at(0), 3), acks.deadline, acks.hasNews]).toEqual([undefined, NEVER, false]);
    acks.received(0, true, at(5));
    expect([acks.deadline, acks.hasNews, acks.frame(at(30), 3)?.delay]).toEqual([5, true, 0]);
    acks.reported();
    expect([acks.deadline, acks.hasNews]).toEqual([NEVER, false]);
  });

  test("of data wait, but for the second packet, and for disorder", () => {
    const acks = new Acks(25);
    acks.received(0, true, at(0));
    expect(acks.deadline).toBe(25);
    acks.received(1, false, at(1));
    expect(acks.deadline).toBe(25);
    acks.received(2, true, at(10));
    expect(acks.deadline).toBe(10);
    acks.reported();
    acks.received(4, true, at(20));
    expect([acks.deadline, ranges(acks)]).toEqual([20, "4-4 0-2"]);
    acks.reported();
    acks.received(3, true, at(30));
    expect([acks.deadline, ranges(acks)]).toEqual([30, "0-4"]);
    acks.reported();
    acks.received(5, false, at(40));
    expect(acks.deadline).toBe(NEVER);
    expect(acks.frame(at(48), 3)?.delay).toBe(1_000);
  });

  test("what the peer knows is forgotten, and stays a duplicate", () => {
    const acks = new Acks(25);
    for (const number of [0, 1, 2, 5, 6]) acks.received(number, true, at(0));
    acks.confirmed(5);
    expect([ranges(acks), acks.isDuplicate(3), acks.isDuplicate(6), acks.isDuplicate(7)]).toEqual(["5-6", true, true, false]);
    acks.confirmed(2);
    expect(ranges(acks)).toBe("5-6");
  });

  test("ranges are bounded: the lowest go first", () => {
    const acks = new Acks(25);
    for (let number = 0; number < 1000; number += 2) acks.received(number, true, at(0));
    expect(acks.frame(at(0), 3)?.ranges).toHaveLength(64);
    expect([acks.isDuplicate(500), acks.largest]).toEqual([true, 998]);
  });

  test("every number is a duplicate exactly if it was received or forgotten", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100), { maxLength: 80 }), (numbers) => {
        const acks = new Acks(25);
        const model = new Set<number>();
        for (const number of numbers) {
          if (acks.isDuplicate(number)) {
            if (!model.has(number)) throw new Error(`${number} is no duplicate`);
            continue;
          }
          acks.received(number, true, at(0));
          model.add(number);
        }
        const reported =
          acks
            .frame(at(0), 3)
            ?.ranges.flatMap(({ smallest, largest }) => Array.from({ length: largest - smallest + 1 }, (_, i) => smallest + i)) ?? [];
        expect(reported.sort((a, b) => a - b)).toEqual([...model].sort((a, b) => a - b));
      }),
    );
  });
});
