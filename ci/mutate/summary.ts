import Table from "cli-table3";
import type { Outcome } from "./outcome.ts";
import type { Survivor } from "./survivors.ts";

/** The summary of a target's mutants. */
export type Summary = {
  readonly target: string;
  readonly mutants: number;
  readonly caught: number;
  /** Survivors that `survivors.json` explains. */
  readonly listed: number;
  readonly equivalent: number;
  /** Not listed, and detected by a unit test or by nothing. */
  readonly unitOnly: readonly Outcome[];
  readonly unnoticed: readonly Outcome[];
  /** Entries of `survivors.json` that a case now catches. */
  readonly needless: readonly string[];
  readonly stale: readonly string[];
  /** The share of caught mutants among those that are not equivalent. */
  readonly score: number;
};

export function summaryOf(
  target: string,
  outcomes: readonly Outcome[],
  survivors: ReadonlyMap<string, Survivor>,
  stale: readonly string[],
): Summary {
  const caught = outcomes.filter(({ suite }) => suite !== undefined);
  const left = outcomes.filter(({ suite }) => suite === undefined);
  const listed = left.filter(({ mutant }) => survivors.has(mutant.key));
  const equivalent = listed.filter(({ mutant }) => survivors.get(mutant.key)?.why === "equivalent").length;
  const open = left.filter(({ mutant }) => !survivors.has(mutant.key));
  return {
    target,
    mutants: outcomes.length,
    caught: caught.length,
    listed: listed.length,
    equivalent,
    unitOnly: open.filter(({ unit }) => unit !== undefined),
    unnoticed: open.filter(({ unit }) => unit === undefined),
    needless: caught.map(({ mutant }) => mutant.key).filter((key) => survivors.has(key)),
    stale,
    score: outcomes.length === equivalent ? 1 : caught.length / (outcomes.length - equivalent),
  };
}

/** The run fails for an unlisted survivor, and for an entry that matches nothing. */
export const isRed = ({ unitOnly, unnoticed, stale, needless }: Summary): boolean =>
  unitOnly.length + unnoticed.length + stale.length + needless.length > 0;

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

export function summaryText(summaries: readonly Summary[]): string {
  const table = new Table({
    head: ["target", "mutants", "caught", "listed", "unit tests only", "nothing", "score"],
    colAligns: ["left", "right", "right", "right", "right", "right", "right"],
    style: { head: [], border: [] },
  });
  for (const one of summaries)
    table.push([one.target, one.mutants, one.caught, one.listed, one.unitOnly.length, one.unnoticed.length, percent(one.score)]);
  return [...summaries.map(details), table.toString()].filter((part) => part !== "").join("\n");
}

function details({ unitOnly, unnoticed, stale, needless }: Summary): string {
  const open = [...unitOnly, ...unnoticed].map(({ mutant, unit, asked }) =>
    [
      `SURVIVED ${mutant.key}`,
      `  ${mutant.file}:${mutant.line}: ${mutant.about}`,
      unit === undefined
        ? `  ${asked.units ? "no unit test notices it either" : "the unit tests have not been asked"}`
        : `  noticed by ${unit.by}: ${unit.how}`,
    ].join("\n"),
  );
  return [
    ...open,
    ...stale.map((key) => `STALE ${key}\n  no mutant has this key: remove it from survivors.json`),
    ...needless.map((key) => `CAUGHT ${key}\n  a case catches it: remove it from survivors.json`),
  ].join("\n");
}
