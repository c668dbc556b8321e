import type { Message, Range } from "../model.ts";
import type { Place, Problems } from "../place.ts";

const MOST_FIELD = 536_870_911;
/** Numbers that implementations keep for themselves. */
const KEPT = { start: 19_000, end: 19_999 } as const;

/** Numbers of fields: in range, each once, and none that is reserved or left to extensions. */
export function checkNumbers(message: Message, problems: Problems): void {
  const most = message.options.some(({ name }) => name === "message_set_wire_format") ? 2_147_483_647 : MOST_FIELD;
  checkRanges(message.reservedRanges, { what: "reserved", most, least: 1 }, problems);
  checkRanges(message.extensionRanges, { what: "for extensions", most, least: 1 }, problems);
  for (const range of message.extensionRanges) {
    const reserved = overlapping(range, message.reservedRanges);
    if (reserved !== undefined)
      problems.add(range.place, "range-overlap", `${rangeText(range)} for extensions overlaps the reserved ${rangeText(reserved)}.`);
  }
  const names = new Map<number, string>();
  for (const { name, number, numberPlace } of message.fields) {
    checkNumber(number, numberPlace, problems);
    const taken = names.get(number);
    if (taken !== undefined)
      problems.add(numberPlace, "number-taken", `The number ${number} is the one of the field "${taken}": choose another for "${name}".`);
    else names.set(number, name);
    const own: Range = { start: number, end: number, place: numberPlace };
    if (overlapping(own, message.reservedRanges) !== undefined)
      problems.add(numberPlace, "number-reserved", `The number ${number} of the field "${name}" is reserved.`);
    if (overlapping(own, message.extensionRanges) !== undefined)
      problems.add(numberPlace, "number-of-extensions", `The number ${number} of the field "${name}" is left to extensions.`);
  }
}

/** A number that no field may have. */
export function checkNumber(number: number, place: Place, problems: Problems): void {
  if (number < 1 || number > MOST_FIELD)
    problems.add(place, "number-range", `The number of a field is from 1 to ${MOST_FIELD}, not ${numberText(number)}.`);
  else if (number >= KEPT.start && number <= KEPT.end)
    problems.add(
      place,
      "number-range",
      `The numbers ${KEPT.start} to ${KEPT.end} are kept for implementations, so ${number} cannot be used.`,
    );
}

/** Ranges: the right way round, in range, none overlapping another. */
export function checkRanges(
  ranges: readonly Range[],
  { what, least, most }: { readonly what: string; readonly least: number; readonly most: number },
  problems: Problems,
): void {
  ranges.forEach((range, at) => {
    if (range.start < least || range.end > most || range.start > most)
      problems.add(range.place, "number-range", `Numbers ${what} are from ${least} to ${most}.`);
    else if (range.start > range.end) problems.add(range.place, "range-order", `The range ends before it begins: ${rangeText(range)}.`);
    const other = overlapping(range, ranges.slice(0, at));
    if (other !== undefined) problems.add(range.place, "range-overlap", `${rangeText(range)} overlaps ${rangeText(other)}.`);
  });
}

export const overlapping = (range: Range, others: readonly Range[]): Range | undefined =>
  others.find((other) => range.start <= other.end && other.start <= range.end);
const rangeText = ({ start, end }: Range): string => (start === end ? `${start}` : `${start} to ${end}`);
const numberText = (number: number): string => (Math.abs(number) < 1e15 ? `${number}` : "a number with many digits");
