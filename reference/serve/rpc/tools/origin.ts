import { existsSync, globSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { Misuse } from "../../../core/index.ts";
import { contractReader, Revision } from "../../../io/index.ts";
import type { ReadContract } from "../../../rpc/contract/index.ts";

/** Where contracts are: on the disk, or in a revision of a git repository. */
export type Origin = {
  readonly read: (folders: readonly string[]) => ReadContract;
  /** The .proto files below a folder, by their paths from there; undefined if it is not a folder. */
  readonly list: (folder: string) => readonly string[] | undefined;
  /** A file of an import path as a reader finds it, with the path that imports use. */
  readonly name: (path: string, folders: readonly string[]) => string;
};

/** Folders of packages and of tools have contracts of others. */
const isForeign = (path: string): boolean => /(?:^|[\\/])(?:node_modules|\.[^\\/.][^\\/]*)$/.test(path);

export const DISK: Origin = {
  read: contractReader,
  list: (folder) =>
    statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
      ? globSync("**/*.proto", { cwd: folder, exclude: isForeign }).map((path) => path.split(sep).join("/"))
      : undefined,
  name(path, folders) {
    const folder = folders.find((each) => existsSync(resolve(each, path)));
    return folder === undefined ? path : relative(".", resolve(folder, path));
  },
};

/** The contracts of a branch, a tag or a commit. */
export function revision(name: string): Origin {
  const at = new Revision(name);
  if (!at.exists)
    throw new Misuse(`There is no revision "${name}" here: give a branch, a tag or a commit of the git repository that you are in.`);
  const files = new Map<string, Uint8Array | undefined>();
  const fileAt = (path: string): Uint8Array | undefined => {
    if (!files.has(path)) files.set(path, at.file(path));
    return files.get(path);
  };
  const find = (path: string, folders: readonly string[]) =>
    folders.map((folder) => join(folder, path)).find((each) => fileAt(each) !== undefined);
  return {
    read: (folders) => (path) => fileAt(find(path, folders) ?? path),
    list: (folder) => at.files(relative(".", folder) || ".")?.filter((path) => path.endsWith(".proto") && !path.split("/").some(isForeign)),
    name: (path, folders) => `${name}:${find(path, folders) ?? path}`,
  };
}
