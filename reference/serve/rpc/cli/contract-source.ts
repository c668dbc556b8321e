import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import protobuf from "protobufjs";
import { BadInput } from "./json-messages.ts";

/** Where the command line learns contracts: from files, or from the server. */
export interface ContractSource {
  /** The full names of the services. */
  services(): Promise<readonly string[]>;
  /** A parsed contract with this symbol and all that it needs; undefined if there is none. */
  withSymbol(symbol: string): Promise<protobuf.Root | undefined>;
}

/** The most files that one contract may import, directly or not. */
const MOST_FILES = 5_000;

/** Contracts in files. Imports are looked for in the folders, then beside the files. Throws `BadInput` for a file that is missing or wrong. */
export function contractsInFiles(files: readonly string[], folders: readonly string[]): ContractSource {
  const root = new protobuf.Root();
  const paths = [...folders, ...files.map((file) => dirname(file))];
  const read = new Set<string>();
  const load = (name: string, by: string | undefined): void => {
    if (read.has(name)) return;
    read.add(name);
    if (read.size > MOST_FILES) throw new BadInput(`the contract has more than ${MOST_FILES} files`);
    const candidates = by === undefined ? [name, ...folders.map((folder) => join(folder, name))] : paths.map((path) => join(path, name));
    const text = firstOf(candidates);
    if (text === undefined) {
      const known = protobuf.common.get(name);
      if (known?.nested === undefined)
        throw new BadInput(
          `${by === undefined ? "" : `${by}: imports `}${name}, which is not in ${candidates.join(", ")}: add its folder with -I`,
        );
      root.addJSON(known.nested);
      return;
    }
    Object.assign(protobuf.parse, { filename: name });
    const { imports = [] } = parsed(name, () => protobuf.parse(text, root, { alternateCommentMode: true }));
    for (const one of imports) load(one, name);
  };
  for (const file of files) load(file, undefined);
  parsed(files.join(", "), () => root.resolveAll());
  return { services: () => Promise.resolve(servicesOf(root)), withSymbol: () => Promise.resolve(root) };
}

function firstOf(candidates: readonly string[]): string | undefined {
  for (const file of candidates) {
    try {
      return readFileSync(file, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw new BadInput(`${file} cannot be read: ${(error as Error).message}`);
    }
  }
  return undefined;
}
function parsed<Result>(name: string, parse: () => Result): Result {
  try {
    return parse();
  } catch (cause) {
    throw new BadInput(`${name}: ${(cause as Error).message}`, { cause });
  }
}

/** The full names of the services in a contract. */
function servicesOf(root: protobuf.Root): string[] {
  const names: string[] = [];
  const visit = (space: protobuf.NamespaceBase): void => {
    for (const one of space.nestedArray) {
      if (one instanceof protobuf.Service) names.push(one.fullName.slice(1));
      else if (one instanceof protobuf.Namespace) visit(one);
    }
  };
  visit(root);
  return names.toSorted();
}

/** Something in a contract by its full name, without a dot before it. */
export const symbolIn = (root: protobuf.Root, symbol: string): protobuf.ReflectionObject | null =>
  root.lookup(`.${symbol}`) ?? methodIn(root, symbol);

/** A method by `package.Service/Method`, or with a dot before the method. */
export function methodIn(root: protobuf.Root, name: string): protobuf.Method | null {
  const at = Math.max(name.lastIndexOf("/"), name.lastIndexOf("."));
  const service = at < 0 ? null : root.lookup(`.${name.slice(0, at)}`);
  return service instanceof protobuf.Service ? (service.methods[name.slice(at + 1)] ?? null) : null;
}
