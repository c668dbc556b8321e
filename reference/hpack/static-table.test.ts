import { expect, test } from "vitest";
import { STATIC_NAMES } from "./static-names.ts";
import { STATIC_TABLE } from "./static-table.ts";

test("static table: 61 entries, those with one name adjacent, and some well-known ones", () => {
  expect(STATIC_TABLE).toHaveLength(61);
  expect([1, 2, 8, 16, 61].map((index) => `${STATIC_TABLE[index - 1]?.name}=${STATIC_TABLE[index - 1]?.value}`)).toEqual([
    ":authority=",
    ":method=GET",
    ":status=200",
    "accept-encoding=gzip, deflate",
    "www-authenticate=",
  ]);
  expect(STATIC_TABLE.every(({ sensitive }) => !sensitive)).toBe(true);
});

test("static names: each name once, with its first index and all its values in order", () => {
  expect(STATIC_NAMES.size).toBe(new Set(STATIC_TABLE.map(({ name }) => name)).size);
  for (const [name, { index, values }] of STATIC_NAMES)
    expect(values.map((_, i) => STATIC_TABLE[index - 1 + i])).toEqual(values.map((value) => ({ name, value, sensitive: false })));
  expect([...STATIC_NAMES.values()].flatMap(({ values }) => values)).toHaveLength(61);
});
