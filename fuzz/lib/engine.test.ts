import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seeded } from "../../reference/core/index.ts";
import { target as ladder } from "../canary/ladder.fuzz.ts";
import { mutate } from "./mutate.ts";
import { fuzz } from "./run.ts";
import { shrinkBytes, shrinkList, shrinkListAsync } from "./shrink.ts";
import type { Target } from "./target.ts";

const clock = (): number => 0;
const hasPair: Target = {
  name: "test/pair",
  about: "no input contains 0xff twice",
  run: (input) => {
    if (input.filter((octet) => octet === 0xff).length >= 2) throw new Error("twice");
  },
  seeds: [],
  maxLength: 32,
};

describe("fuzz()", () => {
  test("finds a failure and shrinks it to the octets that matter", () => {
    const report = fuzz(hasPair, [], { seed: 1, executions: 50_000, seconds: 60 }, { clock });
    expect(report.failure?.error.message).toBe("twice");
    expect([...(report.failure?.input ?? [])]).toEqual([0xff, 0xff]);
  });

  test("tries the same inputs for the same seed", () => {
    const tried = (seed: number): string[] => {
      const inputs: string[] = [];
      const spy: Target = { ...hasPair, run: (input) => void inputs.push(Buffer.from(input).toString("hex")) };
      fuzz(spy, [], { seed, executions: 500, seconds: 60 }, { clock });
      return inputs;
    };
    expect(tried(7)).toEqual(tried(7));
    expect(tried(7)).not.toEqual(tried(8));
  });

  test("without guidance, does not find the failure of the canary", () => {
    expect(fuzz(ladder, [], { seed: 1, executions: 200_000, seconds: 60 }, { clock }).failure).toBeUndefined();
  });

  test("reports progress while it tries a long corpus", () => {
    const corpus = Array.from({ length: 40 }, (_, at) => Uint8Array.of(at));
    const seen: number[] = [];
    const progress = ({ executions }: { readonly executions: number }): void => void seen.push(executions);
    fuzz(hasPair, corpus, { seed: 1, executions: 40, seconds: 60 }, { clock, progress });
    expect(seen).toEqual([16, 32]);
  });

  test("reports a failing corpus input before it tries others", () => {
    const report = fuzz(hasPair, [Uint8Array.of(1, 0xff, 2, 0xff, 3)], { seed: 1, executions: 10, seconds: 60 }, { clock });
    expect([...(report.failure?.input ?? [])]).toEqual([0xff, 0xff]);
  });
});

describe("mutate()", () => {
  test("keeps the maximum length and does not change its input", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.integer(), (input, seed) => {
        const before = input.slice();
        const out = mutate(input, seeded(seed), { others: [input], dictionary: [Uint8Array.of(1, 2, 3)], maxLength: 24 });
        expect(out.length).toBeLessThanOrEqual(24);
        expect(input).toEqual(before);
      }),
    );
  });
});

describe("shrinking", () => {
  test("shrinkBytes() removes octets that do not matter and lowers others to zero", () => {
    const small = shrinkBytes(Uint8Array.of(9, 9, 7, 9, 200, 9), (input) => input.includes(7) && input.some((octet) => octet > 100));
    expect([...small]).toEqual([7, 200]);
  });

  test("shrinkList() and shrinkListAsync() agree", async () => {
    const fails = (list: number[]): boolean => list.includes(3) && list.includes(8);
    const list = Array.from({ length: 50 }, (_, i) => i % 10);
    const small = shrinkList(list, fails);
    expect(small.toSorted()).toEqual([3, 8]);
    expect((await shrinkListAsync(list, async (l) => fails(l))).toSorted()).toEqual([3, 8]);
  });
});
