import type { Contract } from "../model.ts";
import { byPlace, type Place, type Problem } from "../place.ts";
import { Change } from "./change.ts";
import { FIELD_RULES } from "./fields.ts";
import { FILE_RULES } from "./files.ts";
import type { BreakingRule, Strength } from "./rule.ts";
import { SERVICE_RULES } from "./services.ts";
import { ENUM_RULES, EXTENSION_RULES, MESSAGE_RULES } from "./types.ts";

export { type BreakingRule, type Strength, STRENGTHS } from "./rule.ts";

/** Every rule that a change of a contract may break. */
export const BREAKING_RULES: readonly BreakingRule[] = [
  ...FILE_RULES,
  ...MESSAGE_RULES,
  ...EXTENSION_RULES,
  ...FIELD_RULES,
  ...ENUM_RULES,
  ...SERVICE_RULES,
];

/** A change that breaks somebody. Its place is in the new contract, or in the old one if the element is gone. */
export type Breakage = Problem & { readonly of: "old" | "new"; readonly strengths: readonly Strength[] };

/**
 * What breaks between two versions of a contract, in the order of its places. `pathOf` gives the path in the new version of a file of the old
 * one, where both are the same file under two names.
 */
export function breakages(old: Contract, now: Contract, pathOf: (path: string) => string = (path) => path): readonly Breakage[] {
  const change = new Change(old, now, pathOf);
  return BREAKING_RULES.flatMap(({ name, strengths, find, advice }) =>
    find(change).map(({ at, of, what }): Breakage => ({ ...placeOf(at), rule: name, message: `${what} ${advice}`, of, strengths })),
  ).toSorted(byPlace);
}
const placeOf = ({ file, line, column }: Place): Place => ({ file, line, column });
