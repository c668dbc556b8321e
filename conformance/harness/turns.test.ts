import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

/** Does works of so many turns each; the lines say what ran beside what. */
async function together(works: readonly (readonly [name: string, alone: boolean])[]): Promise<string[]> {
  const turns = new Turns();
  const running = new Set<string>();
  const lines: string[] = [];
  await Promise.all(
    works.map(([name, alone]) =>
      turns.take(alone, async () => {
        running.add(name);
        await turn();
        lines.push([...running].sort().join("+"));
        await turn();
        running.delete(name);
      }),
    ),
  );
  return lines;
}

test("work that need not be alone runs concurrently", async () => {
  expect(
    await together([
      ["a", false],
      ["b", false],
    ]),
  ).toEqual(["a+b", "a+b"]);
});

test("work that must be alone waits for earlier work, and later work waits for it", async () => {
  expect(
    await together([
      ["a", false],
      ["b", false],
      ["c", true],
      ["d", true],
      ["e", false],
      ["f", false],
    ]),
  ).toEqual(["a+b", "a+b", "c", "d", "e+f", "e+f"]);
});

test("work that throws makes way all the same", async () => {
  const turns = new Turns();
  await expect(turns.take(true, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await turns.take(true, () => Promise.resolve(7))).toBe(7);
});
