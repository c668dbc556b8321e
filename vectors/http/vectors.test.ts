import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linter } from "../lint.ts";
import { kindOf, loadVectors, type Vector, vectorFiles } from "../load.ts";
import { fileOf, SOURCES } from "./make.ts";
import { read, readSections } from "./read.ts";
import type { ElementVector } from "./source/craft.ts";
import type { FieldsVector } from "./source/sections.ts";

/** Our own readers of elements against the vectors, which were written from the text of the specifications. */

const files = vectorFiles().filter((name) => name.startsWith("http/"));
/** The vectors of one kind with their names. */
const vectorsOf = <V extends Vector>(kind: string): (readonly [name: string, vector: V])[] =>
  files
    .map((name) => ({ name, file: loadVectors<V>(name) }))
    .filter(({ file }) => kindOf(file) === kind)
    .flatMap(({ name, file }) => file.vectors.map((vector) => [`${name} ${vector.id}: ${vector.note}`, vector] as const));
const elements = vectorsOf<ElementVector>("http-element");

test("every file is valid by its schema and up to date with its source", () => {
  const lint = linter();
  expect(files.flatMap((name) => lint(name))).toEqual([]);
  expect(files).toEqual(Object.keys(SOURCES).map((name) => `http/${name}`));
  for (const [name, source] of Object.entries(SOURCES))
    expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8"), `node vectors/http/make.ts (${name})`).toBe(
      fileOf(name, source),
    );
});

test("a vector has a value for each of its texts, or for none", () => {
  for (const [name, { texts, values }] of elements) expect(values?.length ?? texts.length, name).toBe(texts.length);
});

test.each(elements)("%s", (_, vector) => {
  const { texts, values, result, refused } = vector;
  const isRefused = result === "invalid" || refused === true;
  const due = texts.map((text, at) => [text, isRefused ? undefined : values === undefined ? true : values[at]]);
  expect(texts.map((text, at) => [text, read(vector)[at]])).toEqual(due);
});

test.each(vectorsOf<FieldsVector>("http-fields"))("%s", (_, vector) => {
  const { sections, fault } = vector;
  const due = sections.map((section, at) => (fault !== undefined && at === sections.length - 1 ? fault : section));
  expect(readSections(vector)).toEqual(due);
});
