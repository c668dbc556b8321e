import { describe, expect, test } from "vitest";
import { isSource, projectFiles, read } from "./sources.ts";

/** Section titles by document: the documents that this project keeps requirements of. */
const SECTIONS = JSON.parse(read("conformance/requirements/titles.json")) as Record<string, Record<string, string>>;
/** Other documents that are cited, whose sections are not listed here. */
const ALSO_CITED = new Set([
  "rfc1951",
  "rfc3339",
  "rfc3629",
  "rfc3986",
  "rfc6454",
  "rfc6455",
  "rfc6585",
  "rfc7301",
  "rfc7540",
  "rfc7692",
  "rfc7838",
  "rfc8297",
  "rfc8336",
  "rfc9110",
  "rfc9112",
  "rfc9114",
  "rfc9220",
]);
const ADDRESS = /\b(rfc\d{4})#([A-Z]?[\d.]*\d|[A-Z])\b/g;

/** Addresses in a text that lead nowhere. */
function lost(file: string, text: string): string[] {
  return [...text.matchAll(ADDRESS)].flatMap(([address, document = "", section = ""]) => {
    const known = SECTIONS[document];
    if (known === undefined) return ALSO_CITED.has(document) ? [] : [`${file}: ${address}: a document that nobody named`];
    return known[section] === undefined ? [`${file}: ${address}: no such section`] : [];
  });
}

describe("addresses of requirements", () => {
  test("every address in the sources, the cases and the vectors leads to a section", () => {
    const files = projectFiles().filter(
      (file) => (isSource(file) && !file.startsWith("ci/")) || /^(?:vectors|conformance\/requirements)\/.*\.json$/.test(file),
    );
    expect(files.flatMap((file) => lost(file, read(file)))).toEqual([]);
  });

  test("the check sees a section that does not exist, and a document that nobody named", () => {
    expect(lost("x", "rfc9113#6.99 and rfc9999#1 and rfc9113#6.9")).toEqual([
      "x: rfc9113#6.99: no such section",
      "x: rfc9999#1: a document that nobody named",
    ]);
  });
});
