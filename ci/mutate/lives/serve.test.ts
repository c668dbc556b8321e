import { expect, test } from "vitest";
import { live } from "./serve.ts";
import { livesSee } from "./testing.ts";

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed);
async function all(): Promise<string[]> {
  const texts: string[] = [];
  for (const seed of SEEDS) texts.push(await live(seed));
  return texts;
}

test("a life is the same each time, and another seed is another life", async () => {
  const { setTimeout: before } = globalThis;
  const first = await all();
  expect(await all()).toEqual(first);
  expect(new Set(first).size).toBe(SEEDS.length);
  expect(globalThis.setTimeout).toBe(before);
});

test("mistakes in a server, in a client, and in fields and tunnels of a proxy show", async () => {
  const mistakes = ["server/exchange.ts", "http1/client.ts", "proxy/hop.ts", "proxy/join.ts"].map(
    (file) => [`reference/serve/${file}`, "condition-true"] as const,
  );
  expect(await livesSee("http1", 400, mistakes, "ci/mutate/lives/serve.ts")).toEqual(mistakes.map(() => true));
});
