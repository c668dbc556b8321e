import type { Vector } from "../../../load.ts";
import type { VectorSource } from "../../../write.ts";
import type { Files } from "../breaking/craft.ts";

/**
 * The functions that build contracts for the rules of style. `‹RULE›` in a text marks where a rule is broken; the maker removes the marks and keeps
 * their places. Append to lists only: the position of a vector is its id.
 */

/** The rules that are always on, and those that a project chooses. */
export const GROUPS = ["standard", "comments", "unary", "stable"] as const;
export type Group = (typeof GROUPS)[number];

export type LintVector = Vector & {
  /** Permanent, and unique in its file. */
  readonly name: string;
  readonly files: Files;
  readonly groups: readonly Group[];
  /** `file:line:column RULE`, in the order of the places, then of the rules. */
  readonly findings: readonly string[];
  /** Where `buf` differs: the files and rules that it reports, and why. */
  readonly peer?: { readonly rules: readonly string[]; readonly why: string };
};
export type LintDraft = Omit<LintVector, "id">;
export type LintSource = VectorSource<LintVector>;

type Draft = { readonly flag: string; readonly groups?: readonly Group[]; readonly buf?: { readonly rules: readonly string[]; readonly why: string } };
const MARK = /‹([A-Z_, ]+)›/;

/** The path of a contract in one file. */
const SHOP = "shop/v1/shop.proto";

/** A contract with its marks. In one file it is `shop/v1/shop.proto`. The words of the note are the permanent name. */
export function linted(note: string, texts: string | Files, { flag, groups = ["standard"], buf }: Draft): LintDraft {
  const found: { file: string; line: number; column: number; rule: string }[] = [];
  const files = Object.entries(typeof texts === "string" ? { [SHOP]: texts } : texts).map(([file, text]) => {
    const lines = text.split("\n").map((line, at) => {
      let rest = line;
      for (let mark = MARK.exec(rest); mark !== null; mark = MARK.exec(rest)) {
        rest = rest.slice(0, mark.index) + rest.slice(mark.index + mark[0].length);
        for (const rule of (mark[1] ?? "").split(", ")) found.push({ file, line: at + 1, column: mark.index + 1, rule });
      }
      return rest;
    });
    return [file, lines.join("\n")] as const;
  });
  const less = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  found.sort((a, b) => less(a.file, b.file) || a.line - b.line || a.column - b.column || less(a.rule, b.rule));
  return {
    name: note.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-+|-+$/g, ""),
    note,
    files: Object.fromEntries(files),
    groups,
    findings: found.map(({ file, line, column, rule }) => `${file}:${line}:${column} ${rule}`),
    ...(buf === undefined ? {} : { peer: buf }),
    result: found.length === 0 ? "valid" : "invalid",
    flags: [flag],
  };
}
