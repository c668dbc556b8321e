import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { cpuTime, listenerOf, residentOctets } from "./cpu.ts";

const noProc = !existsSync("/proc/self/stat");

describe.skipIf(noProc)("CPU time and memory of a process (Linux only: from /proc)", () => {
  test("cpuTime(): grows while a process works, and user time is part of the total", () => {
    const before = cpuTime(process.pid);
    const until = process.cpuUsage().user + 60_000;
    while (process.cpuUsage().user < until) Math.sqrt(until);
    const after = cpuTime(process.pid);
    expect(after?.total ?? 0).toBeGreaterThan(before?.total ?? Number.POSITIVE_INFINITY);
    expect(after?.user ?? 0).toBeLessThanOrEqual(after?.total ?? 0);
  });

  test("cpuTime(): includes threads that have ended", async () => {
    const before = cpuTime(process.pid)?.total ?? Number.NaN;
    const used = process.cpuUsage();
    await new Promise((resolve) => {
      new Worker("while (process.threadCpuUsage().user < 300_000);", { eval: true }).on("exit", resolve);
    });
    const { user, system } = process.cpuUsage(used);
    expect((cpuTime(process.pid)?.total ?? 0) - before).toBeGreaterThan((user + system) * 0.8);
  });

  test("cpuTime(): returns undefined for a process that does not exist", () => {
    expect(cpuTime(2 ** 30)).toBeUndefined();
    expect(residentOctets(2 ** 30)).toBeUndefined();
  });

  test("residentOctets(): is close to the process's own figure", () => {
    expect(residentOctets(process.pid) ?? 0).toBeGreaterThan(process.memoryUsage.rss() / 4);
  });

  test("listenerOf(): finds the process that listens on a port, if any", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    expect(listenerOf(port)).toBe(process.pid);
    await new Promise((resolve) => server.close(resolve));
    expect(listenerOf(port)).toBeUndefined();
  });
});
