import {
  breakages,
  type Contract,
  LINT_RULES,
  lintContract,
  loadContract,
  problemText,
  type Strength,
} from "../../reference/rpc/contract/index.ts";
import type { BreakingDraft, Breaks, Files } from "./source/breaking/craft.ts";
import type { LintDraft } from "./source/lint/craft.ts";

/** The answers of our own reader of contracts to the vectors about them. */

function contractOf(files: Files): Contract {
  const loaded = loadContract(Object.keys(files).sort(), (path) => files[path]);
  if (loaded.is === "contract") return loaded.contract;
  throw new Error(loaded.problems.map(problemText).join("\n"));
}

/** The rules that are broken between two contracts. */
export function breaksBetween({ old, new: now }: Pick<BreakingDraft, "old" | "new">): Breaks {
  const found = breakages(contractOf(old), contractOf(now));
  const of = (strength: Strength): string[] =>
    [...new Set(found.filter(({ strengths }) => strengths.includes(strength)).map(({ rule }) => rule))].sort();
  return { file: of("file"), package: of("package"), wireJson: of("wire-json"), wire: of("wire") };
}

/** `file:line:column RULE` for each finding, sorted. */
export const lintsOf = ({ files, groups }: Pick<LintDraft, "files" | "groups">): readonly string[] =>
  lintContract(
    contractOf(files),
    LINT_RULES.filter(({ group }) => groups.includes(group)),
  )
    .map(({ file, line, column, rule }) => `${file}:${line}:${column} ${rule}`)
    .sort();
