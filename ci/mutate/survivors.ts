import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import schema from "./survivors-schema.json" with { type: "json" };
import type { Mutant } from "./mutants.ts";
import type { Target } from "./targets.ts";

/**
 * A mutant that no case needs to catch. `equivalent`: it behaves the same. `lawful`: the specification permits its behaviour, at `passage`.
 * `invisible`: it does not show on the wire, and `test` catches it.
 */
export type Survivor = {
  readonly key: string;
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

/** The accepted survivors of a target, by key. */
export function survivorsOf({ root, survivors }: Target): Map<string, Survivor> {
  const entries = survivors
    .filter((file) => existsSync(join(root, file)))
    .flatMap((file) => readSurvivors(readFileSync(join(root, file), "utf8"), file));
  return new Map(entries.map((entry) => [entry.key, entry]));
}

/** The file of a key. */
const fileOf = (key: string): string => key.split(" | ")[0] ?? "";

/** Entries without a mutant: the code has changed, or the key is mistyped. Entries for files of other targets are not judged here. */
export function staleIn(survivors: Iterable<Survivor>, mutants: readonly Mutant[], isElsewhere: (file: string) => boolean): string[] {
  const keys = new Set(mutants.map(({ key }) => key));
  return [...survivors].map(({ key }) => key).filter((key) => !keys.has(key) && !isElsewhere(fileOf(key)));
}
