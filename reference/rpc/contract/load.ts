import { type ContractLimits, CONTRACT_LIMITS } from "./limits.ts";
import { linkContract } from "./link/index.ts";
import type { Contract } from "./model.ts";
import { parseContract } from "./parse/index.ts";
import { type Place, type Problem, Problems } from "./place.ts";
import type { FileNode } from "./syntax.ts";
import { WELL_KNOWN } from "./well-known/index.ts";

/** Gives the content of a file by the path that an import names, or undefined if there is none. */
export type ReadContract = (path: string) => Uint8Array | string | undefined;

/** A contract without mistakes, or its mistakes in the order of their places. */
export type Loaded =
  | { readonly is: "contract"; readonly contract: Contract }
  | { readonly is: "problems"; readonly problems: readonly Problem[] };

/**
 * Reads the contract of the files at `paths` with everything that they import, and checks it as a compiler does. Whatever the files hold, the
 * result is a contract or a list of problems; only `read` may throw.
 */
export function loadContract(paths: readonly string[], read: ReadContract, limits?: Partial<ContractLimits>): Loaded {
  const given = CONTRACT_LIMITS.with(limits);
  const problems = new Problems(given.problems);
  const files = new Files(read, given, problems);
  for (const path of paths) files.load(path, undefined);
  if (!problems.isEmpty) return { is: "problems", problems: problems.sorted() };
  const contract = linkContract(files.inOrder, paths, problems);
  return problems.isEmpty ? { is: "contract", contract } : { is: "problems", problems: problems.sorted() };
}

/** Parses files and those that they import, each once. */
class Files {
  readonly #read: ReadContract;
  readonly #limits: ContractLimits;
  readonly #problems: Problems;
  readonly #begun = new Set<string>();
  /** The files that are being loaded: each imports the next. */
  readonly #chain: string[] = [];
  /** Imported files come before those that import them. */
  readonly inOrder: FileNode[] = [];

  constructor(read: ReadContract, limits: ContractLimits, problems: Problems) {
    this.#read = read;
    this.#limits = limits;
    this.#problems = problems;
  }

  load(path: string, importedAt: Place | undefined): void {
    const place = importedAt ?? { file: path, line: 1, column: 1 };
    if (this.#chain.includes(path)) {
      const cycle = [...this.#chain.slice(this.#chain.indexOf(path)), path].join(" → ");
      this.#problems.add(place, "import-cycle", `The files import each other in a circle: ${cycle}.`);
      return;
    }
    if (this.#begun.has(path)) return;
    this.#begun.add(path);
    const text = this.#text(path, place);
    if (text === undefined) return;
    const parsed = parseContract(path, text, this.#limits.nesting);
    if ("rule" in parsed) {
      this.#problems.add(parsed, parsed.rule, parsed.message);
      return;
    }
    this.#chain.push(path);
    const seen = new Set<string>();
    for (const { path: imported } of parsed.imports) {
      if (seen.has(imported.text)) this.#problems.add(imported.place, "import-repeated", `"${imported.text}" is imported twice.`);
      else this.load(imported.text, imported.place);
      seen.add(imported.text);
    }
    this.#chain.pop();
    this.inOrder.push(parsed);
  }

  #text(path: string, place: Place): string | undefined {
    const wrong = (rule: string, message: string): undefined => this.#problems.add(place, rule, message);
    if (this.#begun.size > this.#limits.files) return wrong("limit", `The contract has more than ${this.#limits.files} files.`);
    if (path.includes("\\") || path.includes("\0") || path.split("/").some((part) => part === "" || part === "." || part === ".."))
      return wrong(
        "import-path",
        `"${path}" is not the path of a file below an import path: it has no "..", "." or "\\", and is not absolute.`,
      );
    const content = this.#read(path) ?? (Object.hasOwn(WELL_KNOWN, path) ? WELL_KNOWN[path] : undefined);
    if (content === undefined) return wrong("import-missing", `There is no file "${path}" in the import paths.`);
    if (content.length > this.#limits.fileOctets) return wrong("limit", `"${path}" is larger than ${this.#limits.fileOctets} octets.`);
    if (typeof content === "string") return content;
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    } catch {
      return wrong("encoding", `"${path}" is not UTF-8.`);
    }
  }
}
