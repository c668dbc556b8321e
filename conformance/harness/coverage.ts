import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Level, SpecDocument, SpecRef } from "../../reference/core/index.ts";
import type { RequirementRef } from "./case.ts";
import type { Basis, Subject } from "./levels.ts";
import type { CaseResult, CoverageEntry } from "./result.ts";

/** One file of `conformance/requirements/`. */
export type RequirementFile = {
  readonly spec: SpecDocument;
  readonly title: string;
  readonly requirements: readonly {
    readonly id: `${string}/${string}`;
    readonly level: Level;
    /** Whom the sentence binds. */
    readonly subject: Subject;
    readonly basis?: Basis;
    /** Why the basis is `conditional` or `inferred`. */
    readonly why?: string;
    readonly text: string;
    readonly excused?: string;
  }[];
};

const FOLDER = join(import.meta.dirname, "..", "requirements");

/** Every requirement file, by document. */
export function requirementFiles(folder = FOLDER): RequirementFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^(?:rfc\d[\w-]*|prometheus-[\w-]*|rpc-[\w-]*|channel)\.json$/.test(name))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as RequirementFile);
}

export const requirementRefs = (files: readonly RequirementFile[]): Set<RequirementRef> =>
  new Set(files.flatMap(({ spec, requirements }) => requirements.map(({ id }) => `${spec}#${id}` as const)));

/** A section and those above it: `6.9.1`, `6.9` and `6`. */
function andAbove(ref: string): string[] {
  const [document = "", section = ""] = ref.split("#");
  const parts = section.split(".");
  return parts.map((_, at) => `${document}#${parts.slice(0, parts.length - at).join(".")}`);
}

/** The sections in the requirement files, with those above them: `6.9.1` adds `6.9` and `6`. */
export const sections = (files: readonly RequirementFile[]): Set<SpecRef> =>
  new Set(
    files.flatMap(({ spec, requirements }) =>
      requirements.flatMap(({ id }) => andAbove(`${spec}#${id.split("/")[0]}`).toReversed() as SpecRef[]),
    ),
  );

/** The titles of the documents and of the sections that the cases are about, by address (`rfc9113#6.9`). */
export function titles(
  files: readonly RequirementFile[],
  cases: readonly Pick<CaseResult, "spec" | "covers">[],
  folder = FOLDER,
): Record<string, string> {
  const path = join(folder, "titles.json");
  const known = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Record<string, Record<string, string>>) : {};
  const refs = new Set(cases.flatMap(({ spec, covers }) => [spec, ...covers.map((ref) => ref.split("/")[0] ?? "")]));
  const documents = new Set([...refs].map((ref) => ref.split("#")[0] ?? ""));
  const found: Record<string, string> = Object.fromEntries(
    files.filter(({ spec }) => documents.has(spec)).map(({ spec, title }) => [spec, title]),
  );
  // With the sections above them, by which some reports group.
  for (const ref of new Set([...refs].flatMap(andAbove))) {
    const [document = "", section = ""] = ref.split("#");
    const title = known[document]?.[section];
    if (title !== undefined) found[ref] = title;
  }
  return found;
}

/** The strongest state first: one failure breaks a requirement, and one pass outweighs cases that proved nothing. */
const STATES = ["fail", "warn", "pass", "unproved", "skip"] as const satisfies readonly CoverageEntry["state"][];

/** The requirements that the cases of a run are about, each with its cases and what they say of this subject. */
export function coverage(
  files: readonly RequirementFile[],
  cases: readonly Pick<CaseResult, "id" | "covers" | "verdict">[],
): CoverageEntry[] {
  const byRequirement = new Map<string, typeof cases>();
  for (const c of cases) for (const ref of c.covers) byRequirement.set(ref, [...(byRequirement.get(ref) ?? []), c]);
  return files.flatMap(({ spec, requirements }) =>
    requirements.flatMap(({ id, level, text }): CoverageEntry[] => {
      const requirement = `${spec}#${id}`;
      const about = byRequirement.get(requirement);
      if (about === undefined) return [];
      // The harness could not judge an error: nothing is proved.
      const state = STATES.find((one) => about.some(({ verdict }) => verdict === one)) ?? "unproved";
      return [{ requirement, level, text, state, cases: about.map((c) => c.id) }];
    }),
  );
}
