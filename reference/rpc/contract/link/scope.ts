import type { Problems } from "../place.ts";
import type { Word } from "../syntax.ts";
import { join, type Kind, type Symbol, type Symbols } from "./symbols.ts";

/** The names that one file sees: its own, and those of its imports with what they import publicly. */
export class Scope {
  readonly #symbols: Symbols;
  readonly #problems: Problems;
  /** Which import makes the names of a file visible; the file itself has none. */
  readonly #importOf: ReadonlyMap<string, string | undefined>;
  readonly #used = new Set<string>();

  constructor(symbols: Symbols, problems: Problems, importOf: ReadonlyMap<string, string | undefined>) {
    this.#symbols = symbols;
    this.#problems = problems;
    this.#importOf = importOf;
  }

  /** Whether a name was found by this import. */
  isUsed(path: string): boolean {
    return this.#used.has(path);
  }

  /** Finds what `name` means inside of `scope`: the innermost scope that has its first part decides, as in C++. */
  find({ text, place }: Word, scope: string, kinds: readonly Kind[]): Symbol | undefined {
    const found = text.startsWith(".") ? this.#visible(text.slice(1)) : this.#search(text, scope, kinds);
    if (found === undefined) this.#problems.add(place, "unknown-name", this.#unknown(text, scope));
    else if (!kinds.includes(found.kind))
      this.#problems.add(place, "wrong-kind", `"${found.fullName}" is a ${found.kind}, not a ${kinds.join(" or a ")}.`);
    else return this.#use(found);
    return undefined;
  }
  /** Notes that `name` is needed, whatever it means. */
  use(name: string, scope: string): void {
    const found = this.#search(name, scope, ["extension", "message"]);
    if (found !== undefined) this.#use(found);
  }
  #use(found: Symbol): Symbol {
    const path = this.#importOf.get(found.file);
    if (path !== undefined) this.#used.add(path);
    return found;
  }

  #search(text: string, scope: string, kinds: readonly Kind[]): Symbol | undefined {
    const [first = ""] = text.split(".", 1);
    for (let outer = scope; ; outer = outer.slice(0, Math.max(0, outer.lastIndexOf(".")))) {
      const begins = this.#visible(join(outer, first));
      const isWhole = first === text;
      // A single name goes on past what cannot be meant, such as a field that is named like its type.
      if (begins !== undefined && isWhole && kinds.includes(begins.kind)) return begins;
      if (begins !== undefined && !isWhole && SCOPES.has(begins.kind)) {
        const found = this.#visible(join(outer, text));
        // A package is spread over files: what this one lacks, an outer one may have.
        if (found !== undefined || begins.kind !== "package") return found;
      }
      if (outer === "") return isWhole ? begins : undefined;
    }
  }
  #visible(fullName: string): Symbol | undefined {
    const symbol = this.#symbols.get(fullName);
    return symbol !== undefined && (symbol.kind === "package" || this.#importOf.has(symbol.file)) ? symbol : undefined;
  }

  #unknown(text: string, scope: string): string {
    const name = text.replace(/^\./, "");
    for (let outer = scope; ; outer = outer.slice(0, Math.max(0, outer.lastIndexOf(".")))) {
      const symbol = this.#symbols.get(join(outer, name));
      if (symbol !== undefined && symbol.kind !== "package") return `"${text}" is in ${symbol.file}, which is not imported.`;
      if (outer === "") return `"${text}" is not defined.`;
    }
  }
}

const SCOPES: ReadonlySet<Kind> = new Set(["package", "message", "enum", "service"]);
