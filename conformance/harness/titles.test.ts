import { expect, test } from "vitest";
import { requirementFiles, sections, titles } from "./coverage.ts";

test("titles(): every document and section of a requirement has a title", () => {
  const files = requirementFiles();
  const known = titles(
    files,
    [...sections(files)].map((spec) => ({ spec, covers: [] })),
  );
  expect(known["rfc9113#6.9"] ?? known["rfc9113#8.1"]).toBeDefined();
  expect([...files.map(({ spec }) => spec), ...sections(files)].filter((ref) => known[ref] === undefined)).toEqual([]);
});
