import { type Budget, type Case, type RequirementRef, sectionOf } from "../../harness/case.ts";
import { leaves, type SightOf } from "../../harness/connection/sights.ts";
import { requirementFiles } from "../../harness/coverage.ts";
import { type Duty, owedLevel } from "../../harness/levels.ts";
import { listOf } from "../../harness/shapes.ts";

/** What a case for servers, clients or proxies states by itself; `casesOf` makes the case, with the level that its requirements demand. */
export type Row<Step, Sight> = {
  /** Words; the case has the name of the suite and the role before them. */
  readonly id: string;
  readonly title: string;
  readonly covers: RequirementRef | readonly [RequirementRef, ...RequirementRef[]];
  readonly steps: readonly Step[];
  /** The steps themselves by default: a case without a mistake. */
  readonly control?: readonly Step[];
  readonly allowed: Case<Step, Sight>["allowed"] | Sight;
  readonly needs?: readonly string[];
  /** If it is not that of the requirements. */
  readonly level?: Case<Step, Sight>["level"];
  readonly group?: "abuse";
  readonly budget?: Budget;
};

/** The cases of a role. `refusals`: the sights that show a refusal. */
export function casesOf<Step, Sight extends SightOf<Sight>>(
  role: "server" | "client" | "proxy",
  rows: readonly Row<Step, Sight>[],
  refusals: readonly string[],
): Case<Step, Sight>[] {
  const duties = new Map(
    requirementFiles().flatMap(({ spec, requirements }) => requirements.map((one): [string, Duty] => [`${spec}#${one.id}`, one])),
  );
  return rows.map(({ id, title, covers, steps, control = steps, allowed, needs, level, group, budget }) => {
    const refs = listOf(covers) as Case<Step, Sight>["covers"];
    const outcomes: Case<Step, Sight>["allowed"] = "see" in allowed ? [{ see: allowed }] : allowed;
    const refuses = leaves<Sight>(outcomes[0].see).some(({ see }) => refusals.includes(see));
    const owed = refs.flatMap((ref) => duties.get(ref) ?? []);
    return {
      id: `rpc/${role}-${id}`,
      spec: sectionOf(refs[0]),
      covers: refs,
      level: level ?? owedLevel(owed, role, refuses),
      role,
      title,
      ...(group === undefined ? {} : { group }),
      ...(budget === undefined ? {} : { budget }),
      ...(needs === undefined ? {} : { needs }),
      steps,
      control,
      allowed: outcomes,
    };
  });
}
