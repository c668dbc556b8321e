import type { CaseInfo, Role } from "./harness/case.ts";
import { casesOfSuite, suiteNamed } from "./harness/registry.ts";
import { select, type Selection } from "./harness/select.ts";
import type { Registry } from "./harness/suite.ts";

export type ListOptions = Selection & {
  /** All by default. */
  readonly suites?: readonly string[];
  /** All by default. */
  readonly role?: Role;
};

/** The selected cases, as `--list` prints them. Those of the group abuse are included by default. */
export async function list(registry: Registry, options: ListOptions = {}): Promise<CaseInfo[]> {
  const { suites = Object.keys(registry), role: wanted, ...selection } = options;
  const cases = (await Promise.all(suites.map(async (name) => casesOfSuite(await suiteNamed(registry, name))))).flat();
  const theirs = wanted === undefined ? cases : cases.filter(({ role }) => role === wanted);
  return select(theirs, { abuse: true, ...selection }).map(({ id, spec, level, role, title, group }) => ({
    id,
    spec,
    level,
    role,
    title,
    ...(group === undefined ? {} : { group }),
  }));
}
