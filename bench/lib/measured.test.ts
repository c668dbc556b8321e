import { expect, test } from "vitest";
import { measured } from "./measured.ts";
import type { BenchSubject } from "./subject.ts";

const subject = (pid?: number): BenchSubject => ({ name: "a", version: "", origin: "http://127.0.0.1:1", pid, paths: { small: "/" } });

test("measured(): the rate, and nothing of CPU time without a process", async () => {
  const done = await measured(subject(), "message", () => Promise.resolve({ count: 30, seconds: 2 }));
  expect(done).toEqual({ messagesPerSecond: 15 });
});

test("measured(): throughput and CPU time of a process", async () => {
  const done = await measured(subject(process.pid), "request", () => {
    const until = process.cpuUsage().user + 60_000;
    while (process.cpuUsage().user < until) Math.sqrt(until);
    return Promise.resolve({ count: 2, seconds: 4, octets: 8 << 20 });
  });
  expect(done).toMatchObject({ requestsPerSecond: 0.5, mibPerSecond: 2 });
  // 60 ms, as far as the system's clock of 10 ms tells.
  expect(done["cpuUsPerRequest"]).toBeGreaterThanOrEqual(20_000);
  expect(done["cpuMsPerMib"]).toBeCloseTo((done["cpuUsPerRequest"]! * 2) / 1_000 / 8, 6);
  expect(done["userUsPerRequest"]).toBeLessThanOrEqual(done["cpuUsPerRequest"]!);
});
