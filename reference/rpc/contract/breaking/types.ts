import type { Enum, EnumValue, Message } from "../model.ts";
import { enums, extensions, gone, isCovered, isReserved, messages, parts, rangeText, uncovered } from "./find.ts";
import { optionText } from "../option-values.ts";
import { ALL, type BreakingRule, JSON_TOO, SOURCE, WIRES } from "./rule.ts";

/** Values of an enum whose number its new version no longer has. */
const deletedValues = (but: (value: EnumValue, now: Enum) => boolean, what: (value: EnumValue) => string): BreakingRule["find"] =>
  parts(
    ({ enums }) => enums,
    (old, now) => {
      const left = new Set(now.values.map(({ number }) => number));
      return old.values.filter((value) => !left.has(value.number) && !but(value, now));
    },
    what,
  );
const valueName = ({ fullName, number }: EnumValue): string => `The value ${fullName} (${number})`;

type Reserving = Pick<Message, "fullName" | "reservedRanges" | "reservedNames">;
const missingReservations = (old: Reserving, now: Reserving) => [
  ...uncovered(old.reservedRanges, now.reservedRanges).map((range) => ({ place: range.place, text: rangeText(range) })),
  ...old.reservedNames.filter(({ name }) => !isReserved(name, now.reservedNames)).map(({ name, place }) => ({ place, text: `"${name}"` })),
];
const reservation = (part: { readonly text: string }, { fullName }: Reserving): string =>
  `${part.text} is no longer reserved in ${fullName}.`;
const KEEP_RESERVED = "Keep the reservation: old messages still use what it protects.";
const KEEP_TYPE = "Keep it and mark it as deprecated, or use a new version of the package.";

export const MESSAGE_RULES: readonly BreakingRule[] = [
  {
    name: "MESSAGE_NO_DELETE",
    strengths: ["file"],
    find: gone(
      (change) => change.goneFromFile("messages"),
      (name) => `The message ${name} is no longer in its file.`,
    ),
    advice: KEEP_TYPE,
  },
  {
    name: "PACKAGE_MESSAGE_NO_DELETE",
    strengths: ["package"],
    find: gone(
      (change) => change.goneFromPackage("messages"),
      (name) => `The message ${name} is no longer in its package.`,
    ),
    advice: KEEP_TYPE,
  },
  {
    name: "MESSAGE_SAME_JSON_FORMAT",
    strengths: JSON_TOO,
    find: messages((old, now) =>
      old.hasJson && !now.hasJson ? `The message ${now.fullName} no longer promises a form in JSON.` : undefined,
    ),
    advice: "Keep the feature json_format as it is.",
  },
  {
    name: "MESSAGE_NO_REMOVE_STANDARD_DESCRIPTOR_ACCESSOR",
    strengths: SOURCE,
    find: messages(({ options: before }, { options: after, fullName }) => {
      const option = "no_standard_descriptor_accessor";
      const isLost = optionText(after, option) === "true" && optionText(before, option) !== "true";
      return isLost ? `The message ${fullName} loses its accessor of the descriptor.` : undefined;
    }),
    advice: "Remove the option: generated code no longer has the method.",
  },
  {
    name: "ONEOF_NO_DELETE",
    strengths: SOURCE,
    find: parts(
      ({ messages }) => messages,
      (old, now) => old.oneofs.filter(({ name }) => !now.oneofs.some((oneof) => oneof.name === name)),
      ({ name }, { fullName }) => `The oneof "${name}" of ${fullName} is gone.`,
    ),
    advice: "Keep the oneof and its name, and mark its fields as deprecated.",
  },
  {
    name: "RESERVED_MESSAGE_NO_DELETE",
    strengths: ALL,
    find: parts(({ messages }) => messages, missingReservations, reservation),
    advice: KEEP_RESERVED,
  },
  {
    name: "EXTENSION_MESSAGE_NO_DELETE",
    strengths: SOURCE,
    find: parts(
      ({ messages }) => messages,
      (old, now) => uncovered(old.extensionRanges, now.extensionRanges),
      (range, { fullName }) => `${fullName} no longer has the numbers ${rangeText(range)} for extensions.`,
    ),
    advice: "Keep the range: extensions that others declare are in it.",
  },
];

const KEEP_EXTENSION = "Keep the extension and mark it as deprecated.";
export const EXTENSION_RULES: readonly BreakingRule[] = [
  {
    name: "EXTENSION_NO_DELETE",
    strengths: ["file"],
    find: gone(
      (change) => change.goneFromFile("extensions"),
      (name) => `The extension ${name} is no longer in its file.`,
    ),
    advice: KEEP_EXTENSION,
  },
  {
    name: "PACKAGE_EXTENSION_NO_DELETE",
    strengths: ["package"],
    find: gone(
      (change) => change.goneFromPackage("extensions"),
      (name) => `The extension ${name} is no longer in its package.`,
    ),
    advice: KEEP_EXTENSION,
  },
  {
    name: "EXTENSION_SAME_NUMBER",
    strengths: ALL,
    find: extensions((old, now) =>
      old.number === now.number && old.extendee === now.extendee
        ? undefined
        : `The extension ${now.fullName} was ${old.number} of ${old.extendee} and is ${now.number} of ${now.extendee}.`,
    ),
    advice: "Keep the number and the message, and add a new extension: nobody finds the old values under the new number.",
  },
];

export const ENUM_RULES: readonly BreakingRule[] = [
  {
    name: "ENUM_NO_DELETE",
    strengths: ["file"],
    find: gone(
      (change) => change.goneFromFile("enums"),
      (name) => `The enum ${name} is no longer in its file.`,
    ),
    advice: KEEP_TYPE,
  },
  {
    name: "PACKAGE_ENUM_NO_DELETE",
    strengths: ["package"],
    find: gone(
      (change) => change.goneFromPackage("enums"),
      (name) => `The enum ${name} is no longer in its package.`,
    ),
    advice: KEEP_TYPE,
  },
  {
    name: "ENUM_VALUE_NO_DELETE",
    strengths: SOURCE,
    find: deletedValues(
      () => false,
      (value) => `${valueName(value)} is deleted.`,
    ),
    advice: "Keep it and mark it as deprecated: code that uses it no longer compiles.",
  },
  {
    name: "ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED",
    strengths: ["wire-json"],
    find: deletedValues(
      (value, now) => isReserved(value.name, now.reservedNames),
      (value) => `${valueName(value)} is deleted, and its name is not reserved: add \`reserved "${value.name}";\`.`,
    ),
    advice: "Another value of that name would read old JSON wrongly.",
  },
  {
    name: "ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED",
    strengths: WIRES,
    find: deletedValues(
      (value, now) => isCovered(value.number, now.reservedRanges),
      (value) => `${valueName(value)} is deleted, and its number is not reserved: add \`reserved ${value.number};\`.`,
    ),
    advice: "Another value of that number would read old messages wrongly.",
  },
  {
    name: "ENUM_VALUE_SAME_NAME",
    strengths: JSON_TOO,
    find: enums((old, now) => {
      const names = (numbered: Enum, number: number): string[] =>
        numbered.values.filter((value) => value.number === number).map(({ name }) => name);
      const lost = old.values.filter(({ name, number }) => {
        const after = names(now, number);
        return after.length > 0 && !after.includes(name);
      });
      return lost.length === 0
        ? undefined
        : `Numbers of ${now.fullName} lose their names: ${lost.map(({ name, number }) => `${number} was ${name} and is ${names(now, number).join(", ")}`).join("; ")}.`;
    }),
    advice: "Keep the names, as aliases (`option allow_alias = true;`) if there are better ones.",
  },
  {
    name: "ENUM_SAME_TYPE",
    strengths: SOURCE,
    find: enums((old, now) =>
      old.isClosed === now.isClosed ? undefined : `The enum ${now.fullName} was ${kind(old)} and is ${kind(now)}.`,
    ),
    advice: "Keep the feature enum_type as it is: readers treat unknown numbers differently.",
  },
  {
    name: "ENUM_SAME_JSON_FORMAT",
    strengths: JSON_TOO,
    find: enums((old, now) => (old.hasJson && !now.hasJson ? `The enum ${now.fullName} no longer promises a form in JSON.` : undefined)),
    advice: "Keep the feature json_format as it is.",
  },
  {
    name: "RESERVED_ENUM_NO_DELETE",
    strengths: ALL,
    find: parts(({ enums }) => enums, missingReservations, reservation),
    advice: KEEP_RESERVED,
  },
];
const kind = ({ isClosed }: Enum): string => (isClosed ? "closed" : "open");
