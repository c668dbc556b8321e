import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Level, SpecDocument, SpecRef } from "../../reference/core/index.ts";
import type { Case, RequirementRef } from "./case.ts";
import type { Basis, Subject } from "./levels.ts";
import type { CoverageEntry } from "./result.ts";

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
    .filter((name) => /^(?:rfc\d|prometheus-)[\w-]*\.json$/.test(name))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as RequirementFile);
}

export const requirementRefs = (files: readonly RequirementFile[]): Set<RequirementRef> =>
  new Set(files.flatMap(({ spec, requirements }) => requirements.map(({ id }) => `${spec}#${id}` as const)));

/** The sections in the requirement files, with those above them: `6.9.1` adds `6.9` and `6`. */
export function sections(files: readonly RequirementFile[]): Set<SpecRef> {
  const known = new Set<SpecRef>();
  for (const { spec, requirements } of files) {
    for (const { id } of requirements) {
      const parts = (id.split("/")[0] ?? "").split(".");
      for (let depth = 1; depth <= parts.length; depth++) known.add(`${spec}#${parts.slice(0, depth).join(".")}`);
    }
  }
  return known;
}

/** The titles of the documents and of the sections in the requirements, by address (`rfc9113#6.9`). */
export function titles(files: readonly RequirementFile[], folder = FOLDER): Record<string, string> {
  const path = join(folder, "titles.json");
  const known = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Record<string, Record<string, string>>) : {};
  const found: Record<string, string> = Object.fromEntries(files.map(({ spec, title }) => [spec, title]));
  for (const ref of sections(files)) {
    const [document = "", section = ""] = ref.split("#");
    const title = known[document]?.[section];
    if (title !== undefined) found[ref] = title;
  }
  return found;
}

/** Each requirement with the cases that support it: covered, excused with the reason, or open. */
export function coverage(
  files: readonly RequirementFile[],
  cases: readonly Pick<Case<unknown, unknown>, "id" | "covers">[],
): CoverageEntry[] {
  const byRequirement = new Map<string, string[]>();
  for (const { id, covers } of cases) {
    for (const ref of covers) byRequirement.set(ref, [...(byRequirement.get(ref) ?? []), id]);
  }
  return files.flatMap(({ spec, requirements }) =>
    requirements.map(({ id, level, text, excused }): CoverageEntry => {
      const requirement = `${spec}#${id}`;
      const supporting = byRequirement.get(requirement) ?? [];
      const state = supporting.length > 0 ? "covered" : excused === undefined ? "open" : "excused";
      return {
        requirement,
        level,
        text,
        state,
        cases: supporting,
        ...(state === "excused" && excused !== undefined ? { why: excused } : {}),
      };
    }),
  );
}
