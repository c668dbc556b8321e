import type { BenchGroup } from "./result.ts";
import type { Say, Size } from "./size.ts";
import type { BenchSubject } from "./subject.ts";

/** A number that only this bench has a use for, as a flag. */
export type SizeFlag = {
  readonly name: keyof Size;
  readonly about: string;
  readonly least: number;
  readonly most: number;
};

/** What is measured of one suite. Its module loads no bench by itself. */
export type BenchSuite = {
  /** The parts that `--only` may name, in the order in which they run. */
  readonly parts: readonly string[];
  readonly flags?: readonly SizeFlag[];
  /** Examples for the help: a command without `touchstone bench`, and what it does. */
  readonly examples?: readonly (readonly [command: string, about?: string])[];
  /** Measures ours and its peers: all parts, or one. */
  readonly measure: (part: string | undefined, size: Size, say: Say) => Promise<BenchGroup[]>;
  /** Measures servers that somebody else started. */
  readonly foreign?: (subjects: readonly BenchSubject[], size: Size, say: Say) => Promise<BenchGroup[]>;
};

export type BenchRegistry = Readonly<Record<string, () => Promise<{ readonly suite: BenchSuite }>>>;

/** What the servers of a protocol are measured by. */
type ServerBench = {
  readonly embeddedSubjects: (say: Say) => Promise<{ readonly subjects: readonly BenchSubject[]; readonly stop: () => Promise<void> }>;
  readonly requestGroups: NonNullable<BenchSuite["foreign"]>;
  readonly transferGroups: NonNullable<BenchSuite["foreign"]>;
  readonly memoryGroups: (size: Size, say: Say) => Promise<BenchGroup[]>;
};

/** The bench of a protocol whose servers are compared: requests, transfers and memory. The servers start once for both loads. */
export const serverBench = (load: () => Promise<ServerBench>): BenchSuite => ({
  parts: ["requests", "transfers", "memory"],
  measure: async (part, size, say) => {
    const { embeddedSubjects, requestGroups, transferGroups, memoryGroups } = await load();
    const wanted = (name: string): boolean => part === undefined || part === name;
    const groups: BenchGroup[] = [];
    if (wanted("requests") || wanted("transfers")) {
      const { subjects, stop } = await embeddedSubjects(say);
      try {
        if (wanted("requests")) groups.push(...(await requestGroups(subjects, size, say)));
        if (wanted("transfers")) groups.push(...(await transferGroups(subjects, size, say)));
      } finally {
        await stop();
      }
    }
    if (wanted("memory")) groups.push(...(await memoryGroups(size, say)));
    return groups;
  },
  foreign: async (subjects, size, say) => (await load()).requestGroups(subjects, size, say),
});
