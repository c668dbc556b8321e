import { globSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readColumns } from "./compare/index.ts";
import { plainText } from "./gzip.ts";
import { subjectName } from "./order.ts";

const folder = new URL("./published/", import.meta.url);
/** Folders that are no matrices: tests of their own hold them to the columns. */
const OTHERS = ["findings", "site"];
const matrices = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !OTHERS.includes(entry.name))
  .map(({ name }) => name);
const REPAIR = "Write them again from the columns: node ci/publish.ts MATRIX --pages.";

/** The names of the columns that a page shows. */
function namesOn(page: string): string[] {
  const [, text = ""] = /<script type="text\/plain" id="block-frames">([^<]*)</.exec(page) ?? [];
  const frames = JSON.parse(plainText(Buffer.from(text, "base64"))) as { columns: string[] }[];
  return frames.flatMap(({ columns }) => columns);
}

describe("published matrices", () => {
  test.each(matrices)("%s: page and summary have the columns of its folder, and no others", (matrix) => {
    const columns = readColumns(new URL(matrix, folder).pathname);
    expect(columns.length).toBeGreaterThan(0);
    const names = columns.map(subjectName).sort();
    const read = (ending: string): string => readFileSync(new URL(`${matrix}.${ending}`, folder), "utf8");
    expect(namesOn(read("html")).sort(), REPAIR).toEqual(names);
    const rows = columns.map(({ subject }) => `| ${subject.name} | ${subject.version ?? ""} | `).sort();
    const [, table = ""] = /\| implementation \| version \| command \|\n\|[ |-]+\|\n((?:\|.*\n)+)/.exec(read("md")) ?? [];
    expect(table.match(/^\| [^|]+ \| [^|]* \| /gm)?.sort(), REPAIR).toEqual(rows);
  });

  test("every column is in the folder of a matrix", () => {
    const files = globSync("**/*.json.gz", { cwd: folder });
    expect(files.filter((file) => !matrices.includes(file.split("/")[0] ?? ""))).toEqual([]);
  });
});
