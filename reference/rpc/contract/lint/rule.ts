import type { Place } from "../place.ts";
import type { Linted } from "./linted.ts";

/** Which rules belong together: those that are always on, and those that a project chooses. */
export const LINT_GROUPS = ["standard", "comments", "unary", "stable"] as const;
export type LintGroup = (typeof LINT_GROUPS)[number];

/** What a rule has found: the element whose comments may switch the rule off, a place, and what is wrong and what to do, in sentences. */
export type LintFound = { readonly on: object; readonly at: Place; readonly text: string };

/** One row of the table of rules. The names are those of `buf`, so that lists of exceptions and comments keep their meaning. */
export type LintRule = { readonly name: string; readonly group: LintGroup; readonly find: (linted: Linted) => readonly LintFound[] };
