import type { Level } from "../../reference/core/index.ts";

type Document = {
  readonly spec: string;
  readonly requirements: readonly { readonly id: string; readonly level: Level; readonly text: string; readonly excused?: string }[];
};

/** How many requirements of a document have a case, are excused from one, or are open. */
export type CaseCount = {
  readonly spec: string;
  readonly all: number;
  readonly withCase: number;
  readonly excused: number;
  readonly open: readonly { readonly id: string; readonly level: Level; readonly text: string }[];
};

/** Counts the requirements of each document against the requirements that any case of any suite covers. */
export function countCases(documents: readonly Document[], covered: ReadonlySet<string>): CaseCount[] {
  return documents.map(({ spec, requirements }) => {
    const without = requirements.filter(({ id }) => !covered.has(`${spec}#${id}`));
    const open = without.filter(({ excused }) => excused === undefined);
    return {
      spec,
      all: requirements.length,
      withCase: requirements.length - without.length,
      excused: without.length - open.length,
      open: open.map(({ id, level, text }) => ({ id, level, text })),
    };
  });
}
