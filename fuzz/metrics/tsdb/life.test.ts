import { describe, expect, test } from "vitest";
import { Crash, MemoryFiles, type Mishap } from "../../../reference/metrics/tsdb/files/testing.ts";
import { live, type Plan } from "./script.ts";

/**
 * Random lives of a data directory, compared with a model: it contains acknowledged samples, and no deleted or never appended ones, whichever
 * file operation fails or is the last of its process.
 */
const KINDS = (["commit", "interval", "never"] as const).flatMap((policy) =>
  [0, 700].flatMap((window) => [false, true].map((isPowerLost) => ({ policy, window, isPowerLost }))),
);
const STEPS = 50;
/** The distance between failing operations: a prime, so that lives of one shape differ. */
const STRIDE = 23;

const nameOf = ({ policy, window, isPowerLost }: (typeof KINDS)[number]): string =>
  `fsync ${policy}, a window of ${window} ms, ${isPowerLost ? "the power fails" : "the process is killed"}`;

describe("a data directory", () => {
  test.each(KINDS.map((kind, at) => ({ kind, at, name: nameOf(kind) })))("$name at any file operation", ({ kind, at }) => {
    const plan: Plan = { ...kind, seed: 40 + at, steps: STEPS, mishaps: [] };
    const operations = live(plan);
    expect(operations).toBeGreaterThan(STEPS / 2);
    for (let operation = 1 + at; operation <= operations; operation += STRIDE) {
      live({ ...plan, mishaps: [[operation, "crash"]] });
    }
  });

  test("a deleted sample that was alone in the newest block stays deleted after a restart", () => {
    expect(live({ policy: "commit", window: 0, isPowerLost: false, seed: 6_780, steps: 40, mishaps: [] })).toBeGreaterThan(40);
  });

  test.each(["no space", "input or output", "not permitted"] as const satisfies Mishap[])(
    "%s at any file operation, then a crash",
    (mishap) => {
      const plan: Plan = { policy: "interval", window: 700, isPowerLost: true, seed: 71, steps: STEPS, mishaps: [] };
      const operations = live(plan);
      expect(operations).toBeGreaterThan(STEPS / 2);
      for (let operation = 3; operation <= operations; operation += STRIDE) {
        live({
          ...plan,
          mishaps: [
            [operation, mishap],
            [operation + 1, mishap],
            [operation + STRIDE, "crash"],
          ],
        });
      }
    },
  );
});

describe("the in-memory file system", () => {
  test("loses unsynced content on a power loss, and keeps synced content", () => {
    let isAnyLost = false;
    for (let seed = 1; seed < 20; seed++) {
      const files = new MemoryFiles(() => (seed * 0.37) % 1);
      files.makeDirectory("data");
      const file = files.open("data/a", "create");
      file.write(Uint8Array.of(1, 2, 3), 0);
      file.sync();
      files.syncDirectory("data");
      file.write(Uint8Array.of(4, 5, 6), 3);
      files.losePower();
      const left = files.open("data/a", "read").size();
      expect(left).toBeGreaterThanOrEqual(3);
      isAnyLost ||= left < 6;
    }
    expect(isAnyLost).toBe(true);
  });

  test("dies at the planned operation and works again after a restart", () => {
    const files = new MemoryFiles(() => 0.5);
    files.makeDirectory("data");
    files.plan(2, "crash");
    const file = files.open("data/a", "create");
    expect(() => file.write(Uint8Array.of(1, 2, 3, 4), 0)).toThrow(Crash);
    expect(() => files.exists("data/a")).toThrow(Crash);
    files.restart();
    expect(files.open("data/a", "read").size()).toBe(2);
  });
});
