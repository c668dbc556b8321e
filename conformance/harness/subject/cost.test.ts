import { describe, expect, test } from "vitest";
import { costInWords, excess, Meter } from "./cost.ts";
import { WrongUse } from "../driver.ts";

const MEBI = 1_048_576;
const cost = { memoryBefore: 10 * MEBI, memoryPeak: 43 * MEBI, memoryAfter: 12 * MEBI, cpuMs: 120 };

describe("a budget", () => {
  test("is kept up to its last octet and millisecond", () => {
    expect(excess(cost, { memoryMiB: 33, cpuMs: 120 })).toBeUndefined();
  });
  test("is exceeded by the peak of the memory, whatever was given back", () => {
    expect(excess(cost, { memoryMiB: 32, cpuMs: 1000 })).toBe("It used 33 MiB more memory for this; 32 MiB are allowed.");
  });
  test("is exceeded by processor time", () => {
    expect(excess(cost, { memoryMiB: 64, cpuMs: 100 })).toBe("It used 120 ms of processor time for this; 100 ms are allowed.");
  });
  test("is printed beside the figures", () => {
    expect(costInWords(cost, { memoryMiB: 32, cpuMs: 100 })).toBe(
      "measured: 10 MiB of memory before, 43 at most, 12 after, 120 ms of processor time (allowed: 32 MiB more, 100 ms)",
    );
  });
});

describe("a meter", () => {
  test("reports why it measures nothing", () => {
    expect(Meter.of(undefined)).toContain("is not known");
    expect(Meter.of(process.pid, "darwin")).toContain("only Linux tells");
  });

  test.runIf(process.platform === "linux")("refuses a process that does not exist", () => {
    expect(() => Meter.of(2 ** 31 - 2)).toThrow(WrongUse);
  });

  test.runIf(process.platform === "linux")("measures memory that was used and released, and processor time", () => {
    const meter = Meter.of(process.pid);
    if (typeof meter === "string") throw new Error(meter);
    const spent = meter.begin();
    let block: Uint8Array | undefined = new Uint8Array(100 * MEBI).fill(1);
    const began = process.cpuUsage();
    while (process.cpuUsage(began).user < 50_000) block[0] = 2;
    block = undefined;
    const { memoryPeak = 0, memoryBefore = 0, cpuMs = 0 } = spent?.() ?? {};
    expect(memoryPeak - memoryBefore).toBeGreaterThan(90 * MEBI);
    expect(cpuMs).toBeGreaterThanOrEqual(20);
  });
});
