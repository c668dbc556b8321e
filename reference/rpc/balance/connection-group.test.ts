import { expect, test } from "vitest";
import { instant, NEVER } from "../../core/index.ts";
import { ConnectionGroup } from "./connection-group.ts";

const none = (): boolean => false;
const group = (most: number, connections: readonly string[]): ConnectionGroup<string> => {
  const made = new ConnectionGroup<string>(most, () => 0.5);
  for (const one of connections) made.add(one);
  return made;
};

test("a call takes the oldest connection with room", () => {
  const all = group(3, ["a", "b", "c"]);
  expect([all.choose(() => true), all.choose((one) => one !== "a"), all.choose(none)]).toEqual(["a", "b", undefined]);
  all.remove("a");
  expect(all.choose(() => true)).toBe("b");
});
test("one connection queues calls itself", () => {
  const all = group(1, ["a"]);
  expect([all.choose(none), all.grow(instant(0))]).toEqual(["a", false]);
});
test("a further connection: one attempt at a time, up to the most", () => {
  const all = group(3, ["a"]);
  expect([all.grow(instant(0)), all.grow(instant(1))]).toEqual([true, false]);
  all.add("b");
  expect(all.grow(instant(2))).toBe(true);
  all.add("c");
  expect(all.grow(instant(3))).toBe(false);
  all.remove("b");
  expect(all.grow(instant(4))).toBe(true);
});
test("after a failure the next attempt waits, longer each time, until one succeeds", () => {
  const all = group(3, ["a"]);
  all.grow(instant(0));
  all.failed(instant(300));
  expect([all.deadline, all.grow(instant(999)), all.grow(instant(1_000)), all.deadline]).toEqual([1_000, false, true, NEVER]);
  all.failed(instant(5_000));
  expect(all.deadline).toBe(2_600);
  expect(all.grow(instant(5_000))).toBe(true);
  all.add("b");
  expect(all.grow(instant(5_001))).toBe(true);
  all.failed(instant(5_002));
  expect(all.deadline).toBe(6_001);
});
test("the first connection is not its affair", () => {
  expect(group(3, []).grow(instant(0))).toBe(false);
});
