import { globSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { errorTables, tablesIn } from "./error-tables.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import { type Target, TARGETS } from "./targets.ts";

const NOT_MUTATED = ["**/*.test.ts", "**/*.property.ts", "**/testing.ts", "**/*-testing.ts", "**/index.ts"];

/** The mutated files of a target, in the order of their names. */
export function filesOf({ root, sources, except = [] }: Target): string[] {
  const patterns = sources.map((source) => (source.endsWith(".ts") ? source : `${source}/**/*.ts`));
  return globSync(patterns, { cwd: root, exclude: [...NOT_MUTATED, ...except.filter((one) => !one.includes(":"))] }).sort();
}

/** Whether the target leaves out the function that the mutant is in. */
const isExcepted = ({ file, owner }: Mutant, { except = [] }: Target): boolean =>
  except.some((one) => one.includes(":") && matchesGlob(`${file}:${owner}`, one));

/** A mutated file of another target, which may have the same `survivors.json`. */
export const isOfAnother = (file: string, target: Target): boolean =>
  !filesOf(target).includes(file) && Object.values(TARGETS).some((other) => other !== target && filesOf(other).includes(file));

const folderOf = (file: string): string => file.split("/").slice(0, -1).join("/");

/** Every mutant of a target. */
export function mutantsOfTarget(target: Target): Mutant[] {
  const sources = filesOf(target).map((file) => [file, readFileSync(join(target.root, file), "utf8")] as const);
  const tables = sources.map(([file, source]) => ({ folder: folderOf(file), tables: tablesIn(source) }));
  const found = sources.flatMap(([file, source]) => {
    // The names of errors come from the folder of the file or one above it.
    const near = tables.filter(({ folder }) => folderOf(file).startsWith(folder)).flatMap((one) => one.tables);
    return mutantsOf(file, source, errorTables(near));
  });
  return found.filter((mutant) => !isExcepted(mutant, target));
}
