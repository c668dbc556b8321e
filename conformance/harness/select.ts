import type { Level } from "../../reference/core/index.ts";
import type { Case } from "./case.ts";
import { WrongUse } from "./driver.ts";
import type { Shard } from "./result.ts";
import { inShard } from "./shard.ts";

/** Which cases to run. Every given condition must hold; of the patterns in `only`, at least one. */
export type Selection = {
  /** An id, a glob of ids (`*`), or a section: `6.5`, `rfc9113#6.5`, `RFC 9113 §6.5` (its subsections included). */
  readonly only?: readonly string[];
  readonly level?: readonly string[];
  readonly group?: string;
  /** Without it the cases of the group `abuse` are excluded, whatever else selects them. */
  readonly abuse?: boolean;
  /** Of the selected cases, those of one shard; there may be none. */
  readonly shard?: Shard;
};

/** The selection among other options. */
export const selectionOf = ({ only, level, group, abuse, shard }: Selection): Selection => ({
  ...(only === undefined ? {} : { only }),
  ...(level === undefined ? {} : { level }),
  ...(group === undefined ? {} : { group }),
  ...(abuse === undefined ? {} : { abuse }),
  ...(shard === undefined ? {} : { shard }),
});

type Selectable = Pick<Case<unknown, unknown>, "id" | "spec" | "level" | "role" | "title" | "group">;

const LEVELS: Readonly<Record<string, readonly Level[]>> = { must: ["MUST", "MUST NOT"], should: ["SHOULD", "SHOULD NOT"], may: ["MAY"] };

export const globToRegExp = (glob: string): RegExp =>
  new RegExp(`^${glob.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);

/** Reads a pattern as a section: of any document, or of one. */
function sectionOf(pattern: string): { readonly document?: string; readonly section: string } | undefined {
  const found = /^(?:rfc ?(\d{3,5})\s*(?:#|§|section|sec\.?|,|\s)*\s*)?((?:\d+|[A-Z])(?:\.\d+)*)?$/i.exec(pattern.trim());
  const [, words, heading] = /^(prometheus-[a-z]+|rpc-[a-z0-9-]+|channel)(?:#(.*))?$/.exec(pattern.trim()) ?? [];
  if (words !== undefined) return { document: words, section: heading ?? "" };
  const [, document, section] = found ?? [];
  if (document === undefined && section === undefined) return undefined;
  return { ...(document === undefined ? {} : { document: `rfc${document}` }), section: section ?? "" };
}

function inSection(spec: string, wanted: { readonly document?: string; readonly section: string }): boolean {
  const [document = "", path = ""] = spec.split("#");
  if (wanted.document !== undefined && wanted.document !== document) return false;
  const section = path.split("/")[0] ?? "";
  return wanted.section === "" || section === wanted.section || section.startsWith(`${wanted.section}.`);
}

const matches = (c: Selectable, pattern: string): boolean => {
  if (pattern.includes("/") && !pattern.includes(" ")) return globToRegExp(pattern).test(c.id);
  const section = sectionOf(pattern);
  if (section !== undefined) return inSection(c.spec, section);
  return globToRegExp(pattern.includes("/") ? pattern : `*/${pattern}`).test(c.id);
};

/** The selected cases in their own order. Throws `WrongUse` for an unknown pattern or level, and if nothing is selected. */
export function select<C extends Selectable>(cases: readonly C[], selection: Selection): C[] {
  const levels = (selection.level ?? []).flatMap((name) => {
    const known = LEVELS[name.toLowerCase()];
    if (known === undefined) throw new WrongUse(`There is no level "${name}": use must, should or may.`);
    return known;
  });
  const only = selection.only ?? [];
  for (const pattern of only) {
    if (!cases.some((c) => matches(c, pattern))) throw new WrongUse(nothingMatches(pattern, cases));
  }
  const chosen = cases.filter(
    (c) =>
      (only.length === 0 || only.some((pattern) => matches(c, pattern))) &&
      (levels.length === 0 || levels.includes(c.level)) &&
      (selection.group === undefined || c.group === selection.group) &&
      (c.group !== "abuse" || selection.abuse === true),
  );
  if (chosen.length === 0 && selection.abuse !== true && select(cases, { ...selection, abuse: true }).length > 0) {
    throw new WrongUse("This selection leaves only cases of the group abuse: add --abuse to run them.");
  }
  if (chosen.length === 0) throw new WrongUse("This selection leaves no case: drop --only, --level or --group.");
  const { shard } = selection;
  return shard === undefined ? chosen : chosen.filter(({ id }) => inShard(id, shard));
}

function nothingMatches(pattern: string, cases: readonly Selectable[]): string {
  if (sectionOf(pattern) !== undefined) {
    const sections = [...new Set(cases.map(({ spec }) => spec.replace(/\/.*$/, "")))].sort((a, b) =>
      a.localeCompare(b, "en", { numeric: true }),
    );
    return `No case is about section "${pattern}". Sections with cases: ${sections.join(", ")}.`;
  }
  return `No case is called "${pattern}". ${near(
    pattern,
    cases.map(({ id }) => id),
  )}`;
}

/** Similar ids, the most similar first. */
export function near(pattern: string, ids: readonly string[]): string {
  const words = pattern
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  const alike = ids
    .map((id) => ({
      id,
      score: words.filter((word) => id.includes(word)).length * 4 - distance(pattern, id) / Math.max(pattern.length, id.length),
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 5)
    .map(({ id }) => id);
  return `Near it: ${alike.join(", ")}. "--list" prints all.`;
}

/** Edits from one word to another (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
