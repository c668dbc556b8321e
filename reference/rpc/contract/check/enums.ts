import type { Enum, EnumValue } from "../model.ts";
import type { Checked } from "./checked.ts";
import { checkReservedValues } from "./names.ts";
import { checkRanges, overlapping } from "./numbers.ts";

const LEAST = -2_147_483_648;
const MOST = 2_147_483_647;

/** Enums: a first value of zero if open, numbers in range and each once unless aliases are allowed. */
export function checkEnum(one: Enum, { file, problems }: Checked): void {
  const [first] = one.values;
  if (first === undefined) problems.add(one.place, "enum-empty", `The enum "${one.name}" needs at least one value.`);
  else if (!one.isClosed && first.number !== 0)
    problems.add(
      first.numberPlace,
      "enum-zero",
      `The first value of "${one.name}" is the default and has the number 0, not ${first.number}.`,
    );
  checkRanges(one.reservedRanges, { what: "reserved", least: LEAST, most: MOST }, problems);
  checkReservedValues(one, problems);
  const names = new Map<number, string>();
  let hasAlias = false;
  for (const { name, number, numberPlace: place } of one.values) {
    if (number < LEAST || number > MOST) problems.add(place, "number-range", `The number of a value is from ${LEAST} to ${MOST}.`);
    const taken = names.get(number);
    if (taken !== undefined && !one.allowsAlias)
      problems.add(
        place,
        "number-taken",
        `"${name}" has the number ${number} of "${taken}": if both mean the same, write "option allow_alias = true;".`,
      );
    hasAlias ||= taken !== undefined;
    if (taken === undefined) names.set(number, name);
    if (overlapping({ start: number, end: number, place }, one.reservedRanges) !== undefined)
      problems.add(place, "number-reserved", `The number ${number} of "${name}" is reserved.`);
  }
  if (one.allowsAlias && !hasAlias && first !== undefined)
    problems.add(one.place, "alias-unused", `The enum "${one.name}" allows aliases and has none: leave the option out.`);
  const isLegacy = one.options.some(({ name }) => name === "deprecated_legacy_json_field_conflicts");
  if (file.syntax !== "proto2" && !isLegacy) checkShortNames(one, { file, problems });
}

/** Languages leave out the name of the enum before its values: what is left must differ in more than case and underscores. */
function checkShortNames(one: Enum, { problems }: Pick<Checked, "file" | "problems">): void {
  const byShort = new Map<string, EnumValue>();
  for (const value of one.values) {
    const short = shortName(value.name, one.name);
    const taken = byShort.get(short);
    if (taken !== undefined && taken.number !== value.number && taken.name !== value.name)
      problems.add(
        value.place,
        "enum-value-names",
        `"${taken.name}" and "${value.name}" become the same name in languages that leave "${one.name}" out before values.`,
      );
    byShort.set(short, value);
  }
}

function shortName(value: string, name: string): string {
  const plain = (text: string): string => text.replaceAll("_", "").toLowerCase();
  const prefix = plain(name);
  // The prefix ends wherever its letters do, with underscores in between not counted.
  let letters = 0;
  let at = 0;
  for (; at < value.length && letters < prefix.length; at += 1) {
    if (value[at] === "_") continue;
    if (value[at]?.toLowerCase() !== prefix[letters]) return camel(value);
    letters += 1;
  }
  const rest = value.slice(at).replace(/^_+/, "");
  return letters < prefix.length || rest === "" ? camel(value) : camel(rest);
}
const camel = (name: string): string =>
  name
    .split("_")
    .filter((part) => part !== "")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1).toLowerCase())
    .join("");
