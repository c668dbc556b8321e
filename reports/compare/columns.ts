/** The columns of a published matrix on disk: a folder with one result for each, `nginx.json.gz`, without what no report of a matrix shows. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "../../conformance/harness/result.ts";
import { DamagedFile } from "../damaged.ts";
import { gzip } from "../gzip.ts";
import { readResults } from "../validate.ts";
import { compacted } from "./published.ts";

const ENDING = ".json.gz";

/** `ws behind nginx` is in `ws-behind-nginx.json.gz`. */
const fileOf = ({ subject }: Result): string =>
  `${subject.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, "-")
    .replaceAll(/^-|-$/g, "")}${ENDING}`;

const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith(ENDING))
        .sort()
    : [];

/** The columns in a folder, by the name of their files; none if there is no such folder. */
export const readColumns = (folder: string): Result[] => filesIn(folder).flatMap((file) => readResults(join(folder, file)));

/** Writes the columns whose content changed, and removes those that are no longer in the matrix. The names of the files that it changed. */
export function writeColumns(folder: string, results: readonly Result[]): string[] {
  const wanted = new Map(results.map((result) => [fileOf(result), gzip(`${JSON.stringify(compacted(result))}\n`)]));
  if (wanted.size < results.length)
    throw new DamagedFile(`${folder}: two columns need the same file: ${results.map(fileOf).sort().join(", ")}.`);
  mkdirSync(folder, { recursive: true });
  const gone = filesIn(folder).filter((file) => !wanted.has(file));
  for (const file of gone) rmSync(join(folder, file));
  const changed = [...wanted].filter(
    ([file, octets]) => !existsSync(join(folder, file)) || !readFileSync(join(folder, file)).equals(octets),
  );
  for (const [file, octets] of changed) writeFileSync(join(folder, file), octets);
  return [...gone, ...changed.map(([file]) => file)];
}
