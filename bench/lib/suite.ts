import type { EmbeddedSubjects } from "./embedded.ts";
import type { BenchGroup } from "./result.ts";
import type { Say, Size } from "./size.ts";
import type { BenchSubject } from "./subject.ts";

/** A numeric flag of this bench. */
export type SizeFlag = {
  readonly name: keyof Size;
  readonly about: string;
  readonly least: number;
  readonly most: number;
};

/** The bench of one suite. Importing its module loads no bench. */
export type BenchSuite = {
  /** The parts for `--only`, in the order in which they run. */
  readonly parts: readonly string[];
  readonly flags?: readonly SizeFlag[];
  /** Examples for the help: a command without `touchstone bench`, and a description. */
  readonly examples?: readonly (readonly [command: string, about?: string])[];
  /** Compares Touchstone with its peers: all parts, or one. */
  readonly measure: (part: string | undefined, size: Size, say: Say) => Promise<BenchGroup[]>;
  /** Measures servers that the user has started. */
  readonly foreign?: (subjects: readonly BenchSubject[], size: Size, say: Say) => Promise<BenchGroup[]>;
};

export type BenchRegistry = Readonly<Record<string, () => Promise<{ readonly suite: BenchSuite }>>>;

/** The measurements of a protocol's servers. */
type ServerBench = {
  readonly embeddedSubjects: (say: Say) => Promise<EmbeddedSubjects>;
  readonly requestGroups: NonNullable<BenchSuite["foreign"]>;
  readonly transferGroups: NonNullable<BenchSuite["foreign"]>;
  readonly memoryGroups: (size: Size, say: Say) => Promise<BenchGroup[]>;
};

/** A bench that compares the servers of a protocol: requests, transfers and memory. Servers start once for both loads. */
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
