import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileOf, SOURCES } from "./make.ts";
import { askedOf, permittedOf, unlike } from "./question.ts";
import { answerTo } from "./read.ts";
import type { QpackVector } from "./source/craft.ts";

const files = Object.entries(SOURCES).map(([name, source]) => ({ name, source }));

test.each(files)("qpack/$name is what its source says", ({ name, source }) => {
  expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8")).toBe(fileOf(source));
  const names = source.vectors.map((vector) => vector.name);
  expect(new Set(names).size).toBe(names.length);
});

describe.each(files)("our decoder agrees with qpack/$name", ({ source }) => {
  test.each(source.vectors)("$note", (draft) => {
    const vector: QpackVector = { id: 1, ...draft };
    const answer = answerTo(askedOf(vector));
    expect(unlike(permittedOf(vector)[0], { is: "messages", ...answer })).toBeUndefined();
    expect([answer.error?.split(" ")[0], answer.code]).toEqual([vector.fault, vector.code]);
  });
});
