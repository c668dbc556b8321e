import { expect, test } from "vitest";
import { type Clocks, slownessOf } from "./slowness.ts";

/** A machine on which processor time passes this much slower than the clock, and timers fire so late. */
function machine({ stretch, late = 0 }: { readonly stretch: number; readonly late?: number }): Clocks & { samples: number } {
  let [now, cpu] = [0, 0];
  return {
    samples: 0,
    now: () => now,
    cpu() {
      now += stretch;
      return (cpu += 1);
    },
    async sleep(ms) {
      this.samples += 1;
      now += ms + late;
    },
  };
}

test("an idle machine takes as long as the computation needs", async () => {
  expect(await slownessOf(machine({ stretch: 1 }))()).toBeCloseTo(1, 0);
});

test("a share of a processor, or a late timer, is measured", async () => {
  expect(await slownessOf(machine({ stretch: 12 }))()).toBeCloseTo(12, -1);
  expect(await slownessOf(machine({ stretch: 1, late: 200 }))()).toBe(5);
});

test("a fresh sample is used again", async () => {
  const clocks = machine({ stretch: 1 });
  const slowness = slownessOf(clocks);
  await slowness();
  await slowness();
  expect(clocks.samples).toBe(1);
});

test("this machine has a slowness of at least one", async () => {
  expect(await slownessOf()()).toBeGreaterThan(0.5);
});
