import type { Command } from "commander";
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { Misuse } from "../../../core/index.ts";
import { type Contract, loadContract, type Place, problemText } from "../../../rpc/contract/index.ts";
import { DISK, type Origin } from "./origin.ts";

/** The options of every tool that reads contracts. */
export type ContractOptions = { readonly protoPath?: string[] };

/** Adds the files and the import paths to a command. */
export const contractOptions = (command: Command, files = "<file...>"): Command =>
  command
    .argument(files, "the .proto files, or folders of them")
    .option(
      "-I, --proto-path <folder>",
      "where imports are looked for; may be given several times (default: the folder that you are in, else that of the file)",
      (folder: string, before: string[] = []) => [...before, folder],
    );

/** A contract, the paths of its own files by which others import them, and the way to its places from here. */
export type Opened = {
  readonly contract: Contract;
  readonly paths: readonly string[];
  readonly shown: <P extends Place>(place: P) => P;
};

/** Reads the contract of some files. Without one, its problems are printed to standard error, and the result is undefined. */
export const openContract = (files: readonly string[], options: ContractOptions): Contract | undefined =>
  readFiles(files, options)?.contract;

/** The same from any origin; a folder stands for all .proto files below it. */
export function readFiles(files: readonly string[], options: ContractOptions, origin: Origin = DISK): Opened | undefined {
  const opened = tryFiles(files, options, origin);
  if (!("problems" in opened)) return opened;
  for (const problem of opened.problems) console.error(problem);
  return undefined;
}

/** The same; the problems, a line each, are not printed. */
export function tryFiles(
  files: readonly string[],
  options: ContractOptions,
  origin: Origin = DISK,
): Opened | { readonly problems: readonly string[] } {
  const { folders, paths } = rootsOf(files, options, origin);
  // An editor opens a file by its path from here.
  const shown = <P extends Place>(place: P): P => ({ ...place, file: origin.name(place.file, folders) });
  const loaded = loadContract(paths, origin.read(folders));
  if (loaded.is === "contract") return { contract: loaded.contract, paths, shown };
  return { problems: loaded.problems.map((problem) => problemText(shown(problem))) };
}

type Roots = { readonly folders: readonly string[]; readonly paths: readonly string[] };
/** The import paths, and the files by their path below one of them: that is the name by which others import them. */
function rootsOf(given: readonly string[], { protoPath }: ContractOptions, origin: Origin): Roots {
  const listed = given.map((path) => ({ path, below: origin.list(path) }));
  const ownFolders = listed.flatMap(({ path, below }) => (below === undefined ? [] : [path]));
  const files = listed.flatMap(({ path, below }) => below?.map((each) => join(path, each)) ?? [path]);
  const empty = listed.find(({ below }) => below?.length === 0);
  if (empty !== undefined) throw new Misuse(`There is no .proto file below "${empty.path}".`);
  const folders = protoPath ?? [...new Set([...ownFolders, ".", ...files.filter((file) => leaves(relative(".", file))).map(dirname)])];
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
