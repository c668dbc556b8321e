import type { CaseInfo, Role } from "./harness/case.ts";
import { select, type Selection } from "./harness/select.ts";
import { SUITES, type SuiteName, suiteNames } from "./suites.ts";

/** What `--list` shows: the cases of the suites (all by default) for one role or every role, abuse included. */
export async function list(
  options: Selection & { readonly suites?: readonly SuiteName[]; readonly role?: Role } = {},
): Promise<CaseInfo[]> {
  const { suites = suiteNames, role: wanted, ...selection } = options;
  const cases = (await Promise.all(suites.map((name) => SUITES[name].load()))).flat();
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
