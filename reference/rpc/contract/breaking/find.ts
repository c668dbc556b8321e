import type { ContractFile, Element, Enum, Field, Message, Method, Range, ReservedName } from "../model.ts";
import type { Place } from "../place.ts";
import type { Change, Pair } from "./change.ts";
import type { Found } from "./rule.ts";

/** The ways in which rules look at a change. Each takes what a rule asks of one element, and gives the function that asks all of them. */

type Find = (change: Change) => readonly Found[];
/** Compares an element with its old version: a sentence, or undefined if they agree. */
type Compare<E> = (old: E, now: E, change: Change) => string | undefined;

const changed =
  <E extends Element>(of: (change: Change) => readonly Pair<E>[], compare: Compare<E>): Find =>
  (change) =>
    of(change).flatMap(({ old, now }) => at(now.place, compare(old, now, change)));
const at = (place: Place, what: string | undefined): Found[] => (what === undefined ? [] : [{ at: place, of: "new", what }]);

export const fields = (compare: Compare<Field>): Find => changed(({ fields }) => fields, compare);
export const extensions = (compare: Compare<Field>): Find => changed(({ extensions }) => extensions, compare);
export const messages = (compare: Compare<Message>): Find => changed(({ messages }) => messages, compare);
export const enums = (compare: Compare<Enum>): Find => changed(({ enums }) => enums, compare);
export const methods = (compare: Compare<Method>): Find => changed(({ methods }) => methods, compare);

/** Elements of the old version that are gone. */
export const gone =
  (of: (change: Change) => readonly Pick<Element, "place" | "fullName">[], what: (name: string) => string): Find =>
  (change) =>
    of(change).map(({ place, fullName }) => ({ at: place, of: "old", what: what(fullName) }));

/** Parts of a message or an enum that its new version has no longer. */
export const parts =
  <E, P extends { readonly place: Place }>(
    of: (change: Change) => readonly Pair<E>[],
    missing: (old: E, now: E) => readonly P[],
    what: (part: P, old: E) => string,
  ): Find =>
  (change) =>
    of(change).flatMap(({ old, now }) => missing(old, now).map((part): Found => ({ at: part.place, of: "old", what: what(part, old) })));

/** The first place of a file. */
export const startOf = ({ path }: ContractFile): Place => ({ file: path, line: 1, column: 1 });
export const files =
  (compare: Compare<ContractFile>, placeOf: (now: ContractFile) => Place | undefined): Find =>
  (change) =>
    change.files.flatMap(({ old, now }) => at(placeOf(now) ?? startOf(now), compare(old, now, change)));

/** Ranges of the old version that those of the new one do not cover. */
export const uncovered = (old: readonly Range[], now: readonly Range[]): readonly Range[] => {
  const sorted = now.toSorted((a, b) => a.start - b.start);
  return old.filter(({ start, end }) => {
    let next = start;
    for (const range of sorted) if (range.start <= next && range.end >= next) next = range.end + 1;
    return next <= end;
  });
};
export const isCovered = (number: number, ranges: readonly Range[]): boolean =>
  ranges.some(({ start, end }) => start <= number && number <= end);
export const isReserved = (name: string, names: readonly ReservedName[]): boolean => names.some((reserved) => reserved.name === name);
export const rangeText = ({ start, end }: Range): string => (start === end ? String(start) : `${start} to ${end}`);
