import type { Matrix, Row } from "./matrix.ts";

/** What changed from the first of two runs to the second. */
export type Changes = {
  /** Cases that fail now and did not. */
  readonly broken: readonly Row[];
  /** Cases that failed and pass now, perhaps with a warning. */
  readonly mended: readonly Row[];
  /** Cases with another verdict, without a failure before that is mended, or one now. */
  readonly moved: readonly Row[];
};

/** The names of the changes, in the order in which they are shown. */
export const CHANGE_WORDS = { broken: "New failures", mended: "Mended", moved: "Other verdicts" } as const satisfies Record<
  keyof Changes,
  string
>;
export const CHANGES = ["broken", "mended", "moved"] as const satisfies readonly (keyof Changes)[];

/** Whether these are two runs of one subject: at the same address, or of the same name. */
function areOfOne(columns: Matrix["columns"]): boolean {
  const [before, now, ...others] = columns;
  if (before === undefined || now === undefined || others.length > 0) return false;
  const plain = (name: string): string => name.replace(/ \(.*\)$/, "");
  return before.target === now.target || plain(before.name) === plain(now.name);
}

/** The changes between two runs of one subject; undefined for anything else. A case that is only in one of them is no change. */
export function changesIn({ columns, rows }: Matrix): Changes | undefined {
  if (!areOfOne(columns)) return undefined;
  const changes: Record<keyof Changes, Row[]> = { broken: [], mended: [], moved: [] };
  for (const row of rows) {
    const [before, now] = row.cells;
    if (before === undefined || now === undefined || before.verdict === now.verdict) continue;
    if (now.verdict === "fail") changes.broken.push(row);
    else if (before.verdict === "fail" && (now.verdict === "pass" || now.verdict === "warn")) changes.mended.push(row);
    else changes.moved.push(row);
  }
  return changes;
}
