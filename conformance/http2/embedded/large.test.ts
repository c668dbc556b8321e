import { expect, test } from "vitest";
import { check } from "../../check.ts";
import { notPassing } from "../../harness/impostors/again.ts";
import { SUITES } from "../../suites.ts";
import { startLarge } from "./server.ts";

test("every case for servers holds for a target of 300 KB, too", async () => {
  const { subject, stop } = await startLarge();
  try {
    const others = await notPassing(async (only) => {
      const { cases } = await check(SUITES, { suite: "http2", subject, timeout: 10_000, concurrency: 8, ...(only && { only }) });
      return cases.filter(({ verdict }) => verdict !== "skip");
    });
    expect(others).toEqual([]);
  } finally {
    await stop?.();
  }
});
