import { expect, test } from "vitest";
import { formatPriority, parsePriority } from "./priority.ts";

test.each([
  ["", 3, false],
  ["u=0", 0, false],
  ["u=7, i", 7, true],
  ["i,u=5", 5, true],
  ["i=?1", 3, true],
  ["i=?0", 3, false],
  ["u=1, u=2", 2, false],
  ["u=8", 3, false],
  ["u=-1", 3, false],
  ["u=1.5", 3, false],
  ["u", 3, false],
  ["i=1", 3, false],
  ['x="a, u=0", u=4;q=1', 4, false],
  ["foo=(1 2), u=6", 6, false],
  ["u=2;a;b=tok, i;x", 2, true],
  ["u=2,", 3, false],
  ["u=2 i", 3, false],
  ["U=2", 3, false],
  ['x="open', 3, false],
])("parsePriority(%j): urgency %s, incremental %s", (text, urgency, incremental) => {
  expect(parsePriority(text)).toEqual({ urgency, incremental });
});

test("formatPriority(): parses back to the same priority", () => {
  for (let urgency = 0; urgency < 8; urgency++) {
    for (const incremental of [false, true]) {
      expect(parsePriority(formatPriority({ urgency, incremental }))).toEqual({ urgency, incremental });
    }
  }
  expect([formatPriority({ urgency: 3, incremental: false }), formatPriority({ urgency: 1, incremental: true })]).toEqual(["", "u=1, i"]);
});
