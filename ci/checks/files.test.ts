import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isSource, isTest, projectFiles, read, ROOT } from "./sources.ts";

const sources = projectFiles().filter(isSource);

/** Files that may exceed 400 lines, each with its reason. */
const LONG: Readonly<Record<string, string>> = {
  "reference/rpc/contract/descriptor/descriptor.pb.ts": "generated from one contract, as the rest of the world writes it",
};

describe("files", () => {
  test("no file exceeds 400 lines without a reason", () => {
    const long = sources.filter((file) => read(file).split("\n").length > 401 && LONG[file] === undefined);
    expect(long).toEqual([]);
  });

  test("every reason is for an existing long file", () => {
    expect(Object.keys(LONG).filter((file) => !sources.includes(file) || read(file).split("\n").length <= 401)).toEqual([]);
  });

  test("names are kebab-case", () => {
    const odd = sources.filter((file) => !/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(file.split("/").at(-1) ?? ""));
    expect(odd).toEqual([]);
  });

  test("no test is skipped, focused or left for later", () => {
    const marker = /\b(?:it|test|describe)\.(?:skip|only|todo|fails)\b/;
    expect(sources.filter((file) => isTest(file) && file !== "ci/checks/files.test.ts" && marker.test(read(file)))).toEqual([]);
  });

  test("nothing is left for later in a comment", () => {
    const marker = /(?:\/\/|^\s*\/?\*).*\b(?:TODO|FIXME|XXX|HACK)\b/m;
    expect(sources.filter((file) => file !== "ci/checks/files.test.ts" && marker.test(read(file)))).toEqual([]);
  });
});

const KILOBYTE = 1000;
/** Every publication is in the history for ever, and a change of a file has its former content too. */
const LIMITS = { html: 600, md: 200, other: 1000, folder: 12_000 };
const WAY_OUT =
  "Write it by node ci/publish.ts, which compresses columns and pages. If a page of it is too large, show less in reports/page/, or divide the matrix; do not raise the limit.";

type Sized = { readonly file: string; readonly octets: number };

/** What is too large among published files, in one line each. */
function tooLarge(files: readonly Sized[]): string[] {
  const kilobytes = (octets: number): number => Math.ceil(octets / KILOBYTE);
  const limitOf = (file: string): number => (file.endsWith(".html") ? LIMITS.html : file.endsWith(".md") ? LIMITS.md : LIMITS.other);
  const large = files.filter(({ file, octets }) => octets > limitOf(file) * KILOBYTE);
  const all = files.reduce((sum, { octets }) => sum + octets, 0);
  return [
    ...large.map(({ file, octets }) => `${file} has ${kilobytes(octets)} kB, and may have ${limitOf(file)}`),
    ...(all > LIMITS.folder * KILOBYTE ? [`reports/published/ has ${kilobytes(all)} kB, and may have ${LIMITS.folder}`] : []),
  ];
}

describe("published files", () => {
  test("stay small", () => {
    const published = projectFiles().filter((file) => file.startsWith("reports/published/"));
    expect(published.length).toBeGreaterThan(50);
    expect(tooLarge(published.map((file) => ({ file, octets: statSync(join(ROOT, file)).size }))), WAY_OUT).toEqual([]);
  });

  test("the check finds a large page, summary, column and folder", () => {
    const files = [
      { file: "reports/published/a.html", octets: 600_001 },
      { file: "reports/published/a.md", octets: 200_001 },
      { file: "reports/published/a/b.json.gz", octets: 1_000_001 },
      { file: "reports/published/b.html", octets: 600_000 },
    ];
    expect(tooLarge(files)).toEqual([
      "reports/published/a.html has 601 kB, and may have 600",
      "reports/published/a.md has 201 kB, and may have 200",
      "reports/published/a/b.json.gz has 1001 kB, and may have 1000",
    ]);
    const many = Array.from({ length: 14 }, (_, at) => ({ file: `reports/published/${at}.json.gz`, octets: 900_000 }));
    expect(tooLarge(many)).toEqual(["reports/published/ has 12600 kB, and may have 12000"]);
  });
});
