import type { ContractFile, Element } from "../model.ts";
import type { Place } from "../place.ts";
import type { Linted } from "./linted.ts";
import type { LintFound } from "./rule.ts";

/** The ways in which rules look at a contract. */

type Find = (linted: Linted) => readonly LintFound[];

/** Asks a question of each element of a kind; the answer is what is wrong with it. */
export const each =
  <E extends Element>(of: (linted: Linted) => readonly E[], wrong: (element: E, linted: Linted) => string | undefined): Find =>
  (linted) =>
    of(linted).flatMap((element) => {
      const text = wrong(element, linted);
      return text === undefined ? [] : [{ on: element, at: element.place, text }];
    });

export const startOf = ({ path }: ContractFile): Place => ({ file: path, line: 1, column: 1 });
const packagePlace = (file: ContractFile): Place => file.packagePlace ?? startOf(file);
/** Asks a question of each file. The place is that of its package, or its beginning. */
export const eachFile =
  (wrong: (file: ContractFile, linted: Linted) => string | undefined): Find =>
  (linted) =>
    linted.files.flatMap((file) => {
      const text = wrong(file, linted);
      return text === undefined ? [] : [{ on: file, at: packagePlace(file), text }];
    });

/** A rule for the style of names. */
export const styled = <E extends Element>(
  of: (linted: Linted) => readonly E[],
  { is, to, kind, style }: { is: (name: string) => boolean; to: (name: string) => string; kind: string; style: string },
): Find => each(of, ({ name }) => (is(name) ? undefined : `The name of the ${kind} "${name}" is not in ${style}: call it "${to(name)}".`));
