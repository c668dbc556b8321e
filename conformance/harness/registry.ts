import type { AnyCase, Role } from "./case.ts";
import { WrongUse } from "./driver.ts";
import { type Registry, rolesOf, type Settings, type Suite } from "./suite.ts";

/** `a, b or c`. */
export const oneOf = (words: readonly string[]): string =>
  [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(" or ");

/** The name of a suite as the registry spells it. Throws `WrongUse` with the known names. */
export function nameOfSuite(registry: Registry, name: string): string {
  const known = name.toLowerCase();
  if (Object.hasOwn(registry, known)) return known;
  throw new WrongUse(`There is no suite "${name}": it is ${oneOf(Object.keys(registry))}.`);
}

/** The suite of this name. Throws `WrongUse` with the known names. */
export async function suiteNamed(registry: Registry, name: string): Promise<Suite> {
  const load = registry[nameOfSuite(registry, name)];
  if (load === undefined) throw new WrongUse(`There is no suite "${name}".`);
  return (await load()).suite;
}

/** Every suite with its name, in the order of the registry. */
export const allSuites = (registry: Registry): Promise<(readonly [name: string, suite: Suite])[]> =>
  Promise.all(Object.entries(registry).map(async ([name, load]) => [name, (await load()).suite] as const));

/** The cases of a suite for its roles. Leaves out a role that refuses the settings while another takes them; throws its `WrongUse` if none does. */
export async function casesOfSuite(suite: Suite, settings: Settings = {}, roles: readonly Role[] = rolesOf(suite)): Promise<AnyCase[]> {
  const cases: AnyCase[] = [];
  const refusals = new Map<Role, WrongUse>();
  for (const role of roles) {
    try {
      cases.push(...((await suite.roles[role]?.cases(settings)) ?? []));
    } catch (error) {
      if (!(error instanceof WrongUse)) throw error;
      refusals.set(role, error);
    }
  }
  const [refusal] = refusals.values();
  if (refusal !== undefined && cases.length === 0) throw refusal;
  return cases;
}
