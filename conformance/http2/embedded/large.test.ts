import { expect, test } from "vitest";
import { check } from "../../check.ts";
import { SUITES } from "../../suites.ts";
import { startLarge } from "./server.ts";

test("every case for servers holds for a target of 300 KB, too", async () => {
  const { subject, stop } = await startLarge();
  try {
    const { cases } = await check(SUITES, { suite: "http2", subject, timeout: 10_000, concurrency: 8 });
    const others = cases.filter(({ verdict }) => verdict !== "pass" && verdict !== "skip");
    expect(others.map(({ id, verdict, reason }) => `${verdict} ${id}: ${reason}`)).toEqual([]);
  } finally {
    await stop?.();
  }
});
