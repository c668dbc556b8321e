import { expect, test } from "vitest";
import { casesAt } from "./cases/server/10.4-limits.ts";
import { loadCases } from "./cases/load.ts";
import { LARGEST, scaleOf, sizeAt } from "./scale.ts";

const MEBI = 1_048_576;

test("sizeAt(): goes from the least to the most by a constant factor", () => {
  expect(([1, 2, 3, 4, 5] as const).map((scale) => sizeAt(scale, 10, 160))).toEqual([10, 20, 40, 80, 160]);
  expect([0, 1, 5, 6, 1.5].map(scaleOf)).toEqual([undefined, 1, 5, undefined, undefined]);
});

test("casesAt(): same ids at every scale, full size at the largest", () => {
  expect(casesAt(LARGEST).map(({ id }) => id)).toEqual(casesAt(1).map(({ id }) => id));
  const largest = JSON.stringify(casesAt(LARGEST));
  for (const said of [`"count":${16 * MEBI}`, '"times":1000']) expect(largest).toContain(said);
  // Whatever the scale, some sizes are fixed: `message-of-…`.
  const scaled = casesAt(1).filter(({ id }) => !id.startsWith("websocket/message-of-"));
  expect(JSON.stringify(scaled)).not.toContain(`"count":${MEBI}`);
  const fragmented = casesAt(LARGEST).find(({ id }) => id === "websocket/large-text-message-in-fragments");
  expect(fragmented?.steps[1]).toMatchObject({ do: "send", frames: { length: 1000 } });
});

test("loadCases(): applies the scale over HTTP/2, too", async () => {
  const titles = (await loadCases(LARGEST)).filter(({ id }) => id.endsWith("large-binary-message")).map(({ title }) => title);
  expect(titles).toHaveLength(2);
  for (const title of titles) expect(title).toContain("16,777,216");
});
