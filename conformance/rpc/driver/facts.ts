import { isPart, messageOfParts, type Part, partsAt } from "../../wire/rpc/parts.ts";
import type { Fact, Kept, MessageFields } from "../vocabulary.ts";

/** What standard services say, beside what a case expects of it. */

/** What was kept, by its name. */
export type KeptValues = ReadonlyMap<string, Part>;

function partOf(value: number | string | Kept, kept: KeptValues): Part | undefined {
  if (typeof value !== "object") return value;
  const { kept: name, plus = 0 } = value;
  const found = kept.get(name);
  return typeof found === "number" ? found + plus : found;
}

const isFields = (value: MessageFields[number][1]): value is MessageFields => Array.isArray(value);

/** A message of ours; what was never kept is left out of it. */
export const writtenFields = (fields: MessageFields, kept: KeptValues): Uint8Array =>
  messageOfParts(
    fields.flatMap(([number, value]) => {
      const part = isFields(value) ? writtenFields(value, kept) : partOf(value, kept);
      return part === undefined ? [] : [[number, part] as const];
    }),
  );

/** Whether all facts are true of a message. A fact about something that was never kept is false. */
export const areTrue = (message: Uint8Array, facts: readonly Fact[], kept: KeptValues): boolean =>
  facts.every((fact) => isTrue(message, fact, kept));

function isTrue(message: Uint8Array, { at, are, include, exclude, from, to, count, rise, among }: Fact, kept: KeptValues): boolean {
  // Whether a sender writes a 0 or leaves it out means nothing.
  const found = partsAt(message, at).filter((one) => one !== 0);
  const is = (one: number | Uint8Array | undefined, value: number | string | Kept): boolean => {
    const part = partOf(value, kept);
    return part !== undefined && one !== undefined && isPart(one, part);
  };
  const [fewest, most] = count ?? [0, Number.POSITIVE_INFINITY];
  const least = from === undefined ? 0 : partOf(from, kept);
  const isBetween = (one: number | Uint8Array): boolean =>
    typeof one === "number" && typeof least === "number" && one >= least && (to === undefined || one <= to);
  const isKnown = exclude === undefined || partOf(exclude, kept) !== undefined;
  return (
    (are === undefined || (found.length === are.length && are.every((value, nth) => is(found[nth], value)))) &&
    (include === undefined || found.some((one) => is(one, include))) &&
    (exclude === undefined || (isKnown && !found.some((one) => is(one, exclude)))) &&
    ((from === undefined && to === undefined) || (found.length > 0 && found.every(isBetween))) &&
    found.length >= fewest &&
    found.length <= most &&
    (rise === undefined || found.every((one, nth) => nth === 0 || one > found[nth - 1]!)) &&
    (among === undefined || isAmong(found, partsAt(message, among)))
  );
}

const isAmong = (some: readonly (number | Uint8Array)[], all: readonly (number | Uint8Array)[]): boolean =>
  some.every((one) => all.some((other) => isPart(other, one)));
