import type { CaseInfo, Role } from "./harness/case.ts";
import { casesOfSuite, suiteNamed } from "./harness/registry.ts";
import { select, type Selection } from "./harness/select.ts";
import type { Registry, Settings } from "./harness/suite.ts";

export type ListOptions = Selection & {
  /** All by default. */
  readonly suites?: readonly string[];
  /** All by default. */
  readonly role?: Role;
  /** The settings of each suite, on which its cases may depend; none by default. */
  readonly settingsOf?: (suite: string) => Promise<Settings>;
};

/** The selected cases, as `--list` prints them. Those of the group abuse are included by default. */
export async function list(registry: Registry, options: ListOptions = {}): Promise<CaseInfo[]> {
  const { suites = Object.keys(registry), role, settingsOf = async () => ({}), ...selection } = options;
  const roles = role === undefined ? [] : [[role]];
  const cases = await Promise.all(
    suites.map(async (name) => casesOfSuite(await suiteNamed(registry, name), await settingsOf(name), ...roles)),
  );
  return select(cases.flat(), { abuse: true, ...selection }).map(({ id, spec, level, role, title, group }) => ({
    id,
    spec,
    level,
    role,
    title,
    ...(group === undefined ? {} : { group }),
  }));
}
