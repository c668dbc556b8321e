/** What a server of discovery may make us keep. A larger answer is an error, and the targets from before stay. */
export const DISCOVERY_LIMITS = {
  /** Octets of one answer, and of all pages of an answer. */
  answerOctets: 256 * 2 ** 20,
  /** Groups, and targets of all groups, of one discoverer. */
  groups: 200_000,
  targets: 500_000,
  /** Objects of one kind that are watched. */
  objects: 500_000,
  /** Services of a catalog that are watched, each with a connection of its own. */
  services: 10_000,
} as const;

/** What is wrong with the size of an answer. */
export function beyondLimits(groups: readonly { readonly targets: { readonly length: number } }[]): string | undefined {
  if (groups.length > DISCOVERY_LIMITS.groups) return `it lists ${groups.length} groups; the limit is ${DISCOVERY_LIMITS.groups}`;
  const count = groups.reduce((sum, { targets }) => sum + targets.length, 0);
  return count > DISCOVERY_LIMITS.targets ? `it lists ${count} targets; the limit is ${DISCOVERY_LIMITS.targets}` : undefined;
}
