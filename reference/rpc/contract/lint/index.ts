import type { Contract } from "../model.ts";
import { byPlace, type Problem } from "../place.ts";
import { COMMENT_RULES } from "./comments.ts";
import { FILE_LINT_RULES } from "./files.ts";
import { Linted } from "./linted.ts";
import { METHOD_RULES } from "./methods.ts";
import { NAME_RULES } from "./names.ts";
import type { LintRule } from "./rule.ts";

export { LINT_GROUPS, type LintGroup, type LintRule } from "./rule.ts";

/** Every rule of style. */
export const LINT_RULES: readonly LintRule[] = [...FILE_LINT_RULES, ...NAME_RULES, ...METHOD_RULES, ...COMMENT_RULES];

/** What is against the rules in the files that were asked for, in the order of their places. Comments in the contract switch rules off. */
export function lintContract(contract: Contract, rules: readonly LintRule[]): readonly Problem[] {
  const linted = new Linted(contract);
  return rules
    .flatMap(({ name, find }) =>
      find(linted)
        .filter(({ on }) => !linted.ignores(on, name))
        .map(({ at: { file, line, column }, text }): Problem => ({ file, line, column, rule: name, message: text })),
    )
    .toSorted(byPlace);
}
