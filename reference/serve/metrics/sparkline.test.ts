import { expect, test } from "vitest";
import { sparkline } from "./sparkline.ts";

test.each([
  [[0, 1, 2, 3, 4, 5, 6, 7], 80, "▁▂▃▄▅▆▇█"],
  [[0, 0, 7, 7], 2, "▁█"],
  [[3, 3, 3], 80, "▁▁▁"],
  [[0, undefined, 7, Number.NaN, Number.POSITIVE_INFINITY], 80, "▁ █  "],
  [[], 80, ""],
  [[-1, 1], 1, "▁"],
] as const)("%j at width %i: %j", (values, width, line) => {
  expect(sparkline(values, width)).toBe(line);
});
