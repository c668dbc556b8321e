import { expect, test } from "vitest";
import { alternate } from "./alternate.ts";

test("alternate(): runs each subject once per round in reversing order and drops the first round", async () => {
  const order: string[] = [];
  let now = 0;
  const samples = await alternate(["a", "b"], 2, async (subject) => {
    order.push(subject);
    return { at: now++ };
  });
  expect(order.join("")).toBe("abbaab");
  expect(samples.get("a")).toEqual({ at: [3, 4] });
  expect(samples.get("b")).toEqual({ at: [2, 5] });
});
