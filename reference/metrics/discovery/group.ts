/** Labels by name. */
export type LabelSet = Readonly<Record<string, string>>;

/** Targets from one source of a discoverer, such as a file or a pod. */
export type Group = {
  /** Identifies the group within its discoverer. */
  readonly source: string;
  /** The labels of each target; `__address__` is among them. They replace labels of the group. */
  readonly targets: readonly LabelSet[];
  readonly labels: LabelSet;
};

/** A name that a label may have: every other character becomes an underscore, as the published meta labels have it. */
export const labelName = (text: string): string => text.replaceAll(/[^a-zA-Z0-9_]/gu, "_");

/** A host and a port; IPv6 addresses get their brackets. */
export const hostPort = (host: string, port: number | string): string => `${host.includes(":") ? `[${host}]` : host}:${port}`;

/** Labels without those that are undefined. */
export const labelsFrom = (entries: Iterable<readonly [string, string | undefined]>): LabelSet =>
  Object.fromEntries([...entries].filter((entry): entry is [string, string] => entry[1] !== undefined));
