import { describe, expect, test } from "vitest";
import { outputOf, perform } from "./perform.ts";
import type { Task } from "./plan.ts";

const task = (verb: Task["verb"], ...words: string[]): Task => ({ verb, words, index: 1, of: 1 });

describe("perform()", () => {
  test("a verdict is a result, with the exit status that it had", async () => {
    const done = await perform(task("check", "hpack", "--only", "4.2"), "");
    expect(done.status).toBe(0);
    expect(JSON.parse(outputOf(done))).toMatchObject({ suite: "hpack", summary: { fail: 0 } });
  });

  test("a wrong command is final; a subject that is away is worth another attempt", async () => {
    await expect(perform(task("check", "hpakc"), "")).rejects.toMatchObject({ isFinal: true, message: expect.stringContaining("hpakc") });
    await expect(perform(task("check", "http1", "http://127.0.0.1:9/"), "")).rejects.toMatchObject({ isFinal: false });
  });
});
