import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import schema from "./survivors-schema.json" with { type: "json" };
import type { Mutant } from "./mutants.ts";
import type { Target } from "./targets.ts";

/** Mutants of one kind: those of these operators in one function (or constant) of one file, at code that contains `code`. */
type Kind = { readonly file: string; readonly owner: string; readonly operators: readonly string[]; readonly code?: string };

/**
 * One mutant, by its key, or a kind of mutants that no case needs to catch. `equivalent`: it behaves the same. `lawful`: the specification
 * permits its behaviour, at `passage`. `invisible`: it does not show on the wire, and `test` catches it.
 */
export type Survivor = ({ readonly key: string } | { readonly all: Kind }) & {
  readonly why: "equivalent" | "lawful" | "invisible";
  readonly reason: string;
  readonly passage?: string;
  readonly test?: string;
};

const validate = new Ajv().compile<readonly Survivor[]>(schema);

/** Reads a `survivors.json`. Throws if it does not match the schema. */
export function readSurvivors(content: string, file: string): readonly Survivor[] {
  const value: unknown = JSON.parse(content);
  if (!validate(value))
    throw new Error(`${file}: ${validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join("; ")}`);
  return value;
}

const isOfKind = ({ file, owner, operator, key }: Mutant, kind: Kind): boolean =>
  file === kind.file && owner === kind.owner && kind.operators.includes(operator) && key.includes(kind.code ?? "");

/** The file of a key. */
const fileOf = (key: string): string => key.split(" | ")[0] ?? "";
const placeOf = ({ file, owner, code }: Kind): string => [file, owner, ...(code === undefined ? [] : [code])].join(" | ");

/** The accepted survivors of a target. */
export class Survivors {
  readonly #single = new Map<string, Survivor>();
  readonly #kinds: (readonly [Kind, Survivor])[] = [];

  constructor(entries: readonly Survivor[] = []) {
    for (const entry of entries) {
      if ("key" in entry) this.#single.set(entry.key, entry);
      else this.#kinds.push([entry.all, entry]);
    }
  }

  /** The entry that covers a mutant. */
  of(mutant: Mutant): Survivor | undefined {
    return this.#single.get(mutant.key) ?? this.#kinds.find(([kind]) => isOfKind(mutant, kind))?.[1];
  }

  /** Whether an entry is about this mutant alone: once a case catches it, the entry has no purpose. */
  hasAlone({ key }: Mutant): boolean {
    return this.#single.has(key);
  }

  /** Entries without a mutant: the code has changed, or there is a typing error. Entries for files of other targets are not judged here. */
  stale(mutants: () => readonly Mutant[], isElsewhere: (file: string) => boolean): string[] {
    if (this.#single.size + this.#kinds.length === 0) return [];
    const all = mutants();
    const keys = new Set(all.map(({ key }) => key));
    const single = [...this.#single.keys()].filter((key) => !keys.has(key) && !isElsewhere(fileOf(key)));
    // Each operator of a kind must have a mutant.
    const isEmpty = (kind: Kind): boolean =>
      kind.operators.some((operator) => !all.some((mutant) => isOfKind(mutant, { ...kind, operators: [operator] })));
    const kinds = this.#kinds.filter(([kind]) => !isElsewhere(kind.file) && isEmpty(kind)).map(([kind]) => placeOf(kind));
    return [...single, ...kinds];
  }
}

/** Reads the accepted survivors of a target. */
export const survivorsOf = ({ root, survivors }: Target): Survivors =>
  new Survivors(
    survivors.filter((file) => existsSync(join(root, file))).flatMap((file) => readSurvivors(readFileSync(join(root, file), "utf8"), file)),
  );
