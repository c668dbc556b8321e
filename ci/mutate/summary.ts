import Table from "cli-table3";
import type { Lived } from "./lives.ts";
import type { Outcome } from "./outcome.ts";
import type { Survivors } from "./survivors.ts";

/** The summary of a target's mutants. */
export type Summary = {
  readonly target: string;
  readonly mutants: number;
  /** By the verdict of a case, a vector or an interop test. */
  readonly caught: number;
  /** By what a case shows, although its verdict permits it. */
  readonly moved: number;
  /** Survivors that `survivors.json` explains. */
  readonly listed: number;
  readonly equivalent: number;
  /** Not listed, and alike in every life: presumed to be equivalent. */
  readonly alike: number;
  /** Listed as equivalent, although a life differs. */
  readonly doubtful: readonly Outcome[];
  /** Not listed, not alike, and detected by a unit test or by nothing. */
  readonly unitOnly: readonly Outcome[];
  readonly unnoticed: readonly Outcome[];
  /** Entries of `survivors.json` that a case now catches. */
  readonly needless: readonly string[];
  readonly stale: readonly string[];
  /** The share of caught and moved mutants among those that are not equivalent. */
  readonly score: number;
};

export function summaryOf(target: string, outcomes: readonly Outcome[], survivors: Survivors, stale: readonly string[]): Summary {
  const caught = outcomes.filter(({ suite }) => suite !== undefined && suite.moved !== true);
  const moved = outcomes.filter(({ suite }) => suite?.moved === true);
  const left = outcomes.filter(({ suite }) => suite === undefined);
  const listed = left.filter(({ mutant }) => survivors.of(mutant) !== undefined);
  const equivalent = listed.filter(({ mutant }) => survivors.of(mutant)?.why === "equivalent");
  const unlisted = left.filter(({ mutant }) => survivors.of(mutant) === undefined);
  const open = unlisted.filter((one) => !isAlike(one));
  const alike = unlisted.length - open.length;
  const same = equivalent.length + alike;
  return {
    target,
    mutants: outcomes.length,
    caught: caught.length,
    moved: moved.length,
    listed: listed.length,
    equivalent: equivalent.length,
    alike,
    doubtful: equivalent.filter(({ lived }) => lived?.witness !== undefined),
    unitOnly: open.filter(({ unit }) => unit !== undefined),
    unnoticed: open.filter(({ unit }) => unit === undefined),
    needless: caught.filter(({ mutant }) => survivors.hasAlone(mutant)).map(({ mutant }) => mutant.key),
    stale,
    score: outcomes.length === same ? 1 : (caught.length + moved.length) / (outcomes.length - same),
  };
}

/** Whether the mutant is presumed to be equivalent: its lives execute the mutated code, and none differs. */
export const isAlike = ({ lived }: Outcome): boolean => lived !== undefined && lived.witness === undefined;

/** The run fails for an unlisted survivor that is not alike, and for an entry that matches nothing or is wrong. */
export const isRed = ({ unitOnly, unnoticed, stale, needless, doubtful }: Summary): boolean =>
  unitOnly.length + unnoticed.length + stale.length + needless.length + doubtful.length > 0;

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

export function summaryText(summaries: readonly Summary[]): string {
  const table = new Table({
    head: ["target", "mutants", "caught", "moved", "listed", "alike", "unit tests only", "nothing", "score"],
    colAligns: ["left", "right", "right", "right", "right", "right", "right", "right", "right"],
    style: { head: [], border: [] },
  });
  for (const one of summaries)
    table.push([
      one.target,
      one.mutants,
      one.caught,
      one.moved,
      one.listed,
      one.alike,
      one.unitOnly.length,
      one.unnoticed.length,
      percent(one.score),
    ]);
  return [...summaries.map(details), table.toString()].filter((part) => part !== "").join("\n");
}

/** The longest line of a life to print. */
const LONGEST = 200;
const cut = (line: string): string => (line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`);

/** The first difference between a mutant and the original that its lives found. */
export function witnessOf({ lived }: { readonly lived?: Lived | undefined }): string {
  if (lived === undefined) return "  no life executes it";
  const { count, witness } = lived;
  if (witness === undefined) return `  alike in ${count} lives`;
  return `  life ${witness.seed}, original: ${cut(witness.original)}\n  ${" ".repeat(String(witness.seed).length)}        mutant: ${cut(witness.mutant)}`;
}

function details({ unitOnly, unnoticed, stale, needless, doubtful }: Summary): string {
  const open = [...unitOnly, ...unnoticed].map((one) =>
    [`SURVIVED ${one.mutant.key}`, `  ${one.mutant.file}:${one.mutant.line}: ${one.mutant.about}`, unitsOf(one), witnessOf(one)].join("\n"),
  );
  return [
    ...open,
    ...doubtful.map((one) => `NOT EQUIVALENT ${one.mutant.key}\n  survivors.json says so, but a life differs\n${witnessOf(one)}`),
    ...stale.map((key) => `STALE ${key}\n  no mutant has this key: remove it from survivors.json`),
    ...needless.map((key) => `CAUGHT ${key}\n  a case catches it: remove it from survivors.json`),
  ].join("\n");
}

const unitsOf = ({ unit, asked }: Outcome): string =>
  unit === undefined
    ? `  ${asked.units ? "no unit test notices it either" : "the unit tests have not been asked"}`
    : `  noticed by ${unit.by}: ${unit.how}`;
