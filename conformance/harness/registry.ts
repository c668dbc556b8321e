import type { AnyCase } from "./case.ts";
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

/** The cases of a suite for all of its roles. */
export async function casesOfSuite(suite: Suite, settings: Settings = {}): Promise<AnyCase[]> {
  return (await Promise.all(rolesOf(suite).map((role) => suite.roles[role]?.cases(settings) ?? []))).flat();
}
