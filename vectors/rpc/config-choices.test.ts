import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { chooseServiceConfig } from "../../reference/rpc/index.ts";
import { linter } from "../lint.ts";
import { CHOICES, choicesOf } from "./make.ts";

test.each(Object.entries(CHOICES))("%s: the file is as its source makes it, valid, and names are unique", (name, source) => {
  expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8")).toBe(choicesOf(source));
  expect(linter()(`rpc/${name}`)).toEqual([]);
  expect(new Set(source.vectors.map((vector) => vector.name)).size).toBe(source.vectors.length);
});

describe("our choice of a published config", () => {
  const { vectors } = CHOICES["config-choices"];
  const choose = ({ records, attribute, client }: (typeof vectors)[number]): unknown =>
    chooseServiceConfig(records, attribute, client) ?? null;
  test.each(vectors.filter(({ result }) => result === "valid"))("$note", (vector) => {
    expect(choose(vector)).toEqual(vector.chosen);
  });
  test.each(vectors.filter(({ result }) => result === "invalid"))("refuses $note", (vector) => {
    expect(() => choose(vector)).toThrow("service config: ");
  });
});
