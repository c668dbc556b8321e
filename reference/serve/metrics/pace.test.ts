import { expect, test } from "vitest";
import { paced } from "./pace.ts";

test("content that is always ready: other work runs in between, and the content is unchanged", async () => {
  let turns = 0;
  let isOn = true;
  const count = (): void => {
    turns += 1;
    if (isOn) setImmediate(count);
  };
  setImmediate(count);
  // Content that never waits: unpaced, it would be read to its end before any other work.
  async function* busy(): AsyncGenerator<string> {
    for (let at = 0; at < 50_000_000; at++) {
      if (turns >= 3) break;
      yield "x";
    }
    yield "end";
  }
  let last = "";
  for await (const piece of paced(busy())) last = String(piece);
  isOn = false;
  expect([last, turns >= 3]).toEqual(["end", true]);
});
