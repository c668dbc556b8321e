import type { Command } from "commander";
import { existsSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { Misuse } from "../../../core/index.ts";
import { contractReader } from "../../../io/index.ts";
import { type Contract, loadContract, type Problem, problemText } from "../../../rpc/contract/index.ts";

/** The options of every tool that reads contracts. */
export type ContractOptions = { readonly protoPath?: string[] };

/** Adds the files and the import paths to a command. */
export const contractOptions = (command: Command): Command =>
  command
    .argument("<file...>", "the .proto files")
    .option(
      "-I, --proto-path <folder>",
      "where imports are looked for; may be given several times (default: the folder that you are in, else that of the file)",
      (folder: string, before: string[] = []) => [...before, folder],
    );

/** Reads the contract of some files. Without one, its problems are printed to standard error, and the result is undefined. */
export function openContract(files: readonly string[], options: ContractOptions): Contract | undefined {
  const { folders, paths } = rootsOf(files, options);
  const loaded = loadContract(paths, contractReader(folders));
  if (loaded.is === "contract") return loaded.contract;
  for (const problem of loaded.problems) console.error(problemText(shown(problem, folders)));
  return undefined;
}

/** The import paths, and the files by their path below one of them: that is the name by which others import them. */
function rootsOf(files: readonly string[], { protoPath }: ContractOptions): { folders: readonly string[]; paths: readonly string[] } {
  const folders = protoPath ?? [...new Set([".", ...files.filter((file) => leaves(relative(".", file))).map(dirname)])];
  const paths = files.map((file) => {
    const below = folders.map((folder) => relative(folder, file)).filter((path) => !leaves(path));
    // As an import names it: with slashes. The folder given first decides.
    const path = below[0] ?? (folders.some((folder) => existsSync(resolve(folder, file))) ? file : undefined);
    if (path === undefined) throw new Misuse(`${file} is not below an import path: give its folder, or one above it, with -I.`);
    return path.split(sep).join("/");
  });
  return { folders, paths };
}

/** Whether a relative path leads out of its folder. */
const leaves = (path: string): boolean => path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);

/** A problem with the path at which the file is from here, so that an editor opens it. */
function shown(problem: Problem, folders: readonly string[]): Problem {
  const folder = folders.find((each) => existsSync(resolve(each, problem.file)));
  return folder === undefined ? problem : { ...problem, file: relative(".", resolve(folder, problem.file)) };
}
