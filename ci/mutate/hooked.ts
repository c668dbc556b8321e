import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Edit } from "./edit.ts";
import type { Mutant } from "./mutants.ts";

/** The variable with the path of an order to `hook.ts`. */
export const HOOK = "TOUCHSTONE_MUTANT";
/** What `hook.ts` does in the process that loads it. That process ends with the process `owner`. */
export type Hooked = {
  readonly mutated?: { readonly url: string; readonly edit: Edit };
  readonly reached: string;
  readonly owner: number;
};

/** A command with the order in its environment. */
export const commandIn = ({ environment }: Pick<Order, "environment">, command: string): string =>
  `env ${Object.entries(environment)
    .map(([name, value]) => `'${name}=${value}'`)
    .join(" ")} ${command}`;

/** A memory limit, so that a leaking subject does not exhaust the machine. */
const HEAP_MIB = 2048;

/** An order to `hook.ts`; it exists while its processes run. */
export type Order = {
  readonly environment: Readonly<Record<string, string>>;
  /** The files that have been loaded. */
  readonly reached: () => ReadonlySet<string>;
  readonly remove: () => void;
};

/**
 * Writes the order: to record the loaded files, and to make the mistake of a mutant. `cover`: the folder where each of its processes
 * writes, when it ends, which code it has executed.
 */
export function orderFor(mutant: Pick<Mutant, "file" | "edit"> | undefined, root: string, cover?: string): Order {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-mutant-"));
  const [order, list] = [join(folder, "order.json"), join(folder, "reached")];
  const hooked: Hooked = {
    owner: process.pid,
    reached: list,
    ...(mutant !== undefined && { mutated: { url: pathToFileURL(join(root, mutant.file)).href, edit: mutant.edit } }),
  };
  writeFileSync(list, "");
  writeFileSync(order, JSON.stringify(hooked));
  const preload = pathToFileURL(join(import.meta.dirname, "hook.ts")).href;
  const base = `${pathToFileURL(root).href}/`;
  return {
    environment: {
      [HOOK]: order,
      NODE_OPTIONS: `--import=${preload} --max-old-space-size=${HEAP_MIB}`,
      ...(cover !== undefined && { NODE_V8_COVERAGE: cover }),
    },
    reached: () => {
      const urls = readFileSync(list, "utf8").split("\n");
      return new Set(urls.filter((url) => url.startsWith(base)).map((url) => fileURLToPath(url).slice(fileURLToPath(base).length)));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
