import type { Contract, Field, Message } from "../model.ts";
import { changedDefault } from "./defaults.ts";
import { changesType, typeText } from "./field-types.ts";
import { fields, isCovered, isReserved, messages, parts } from "./find.ts";
import { optionText } from "../option-values.ts";
import { ALL, type BreakingRule, JSON_TOO, SOURCE, WIRES } from "./rule.ts";

/** Fields that the new message no longer has. */
const deleted = (but: (field: Field, now: Message) => boolean, what: (field: Field, message: Message) => string): BreakingRule["find"] =>
  parts(
    ({ messages }) => messages,
    (old, now) => {
      const left = new Set(now.fields.map(({ number }) => number));
      return old.fields.filter((field) => !left.has(field.number) && !but(field, now));
    },
    what,
  );
const name = ({ name, number }: Field): string => `"${name}" (${number})`;

/** How often a field may be there. */
type Cardinality = Field["presence"] | "map";
const cardinality = ({ presence, type }: Field): Cardinality => (type.is === "map" ? "map" : presence);
const CARDINALITY_TEXT: Readonly<Record<Cardinality, string>> = {
  implicit: "a field without presence",
  explicit: "an optional field with presence",
  required: "required",
  repeated: "repeated",
  map: "a map",
};
/** Cardinalities between which messages keep their meaning. */
const cardinalityChanges = (same: (cardinality: Cardinality) => string): BreakingRule["find"] =>
  fields((old, now) => {
    const [before, after] = [cardinality(old), cardinality(now)];
    return same(before) === same(after)
      ? undefined
      : `The field ${name(now)} was ${CARDINALITY_TEXT[before]} and is ${CARDINALITY_TEXT[after]}.`;
  });
const singleOnJson = (one: Cardinality): string => (one === "implicit" || one === "explicit" ? "single" : one);
const singleOnWire = (one: Cardinality): string => (one === "map" ? "repeated" : singleOnJson(one));

const typeChanges = (reach: Parameters<typeof changesType>[2]): BreakingRule["find"] =>
  fields((old, now, change) =>
    changesType(old, now, reach, change) ? `The field ${name(now)} had the type ${typeText(old)} and has ${typeText(now)}.` : undefined,
  );

/** What an option of a field is, where it has an effect before and after. */
const optionChanges = (
  has: (field: Field) => boolean,
  value: (field: Field, contract: Contract) => string,
  what: string,
): BreakingRule["find"] =>
  fields((old, now, change) => {
    if (!has(old) || !has(now)) return undefined;
    const [before, after] = [value(old, change.old), value(now, change.now)];
    return before === after ? undefined : `The field ${name(now)} had ${what} ${before} and has ${after}.`;
  });
const scalarOf = ({ type }: Field): string => (type.is === "scalar" ? type.scalar : "");
const isText = (field: Field): boolean => scalarOf(field) === "string" || scalarOf(field) === "bytes";
/** Editions from 2024 on have another default. */
const cppType = ({ options, place }: Field, { files }: Contract): string =>
  optionText(options, "ctype") ??
  optionText(options, "features.(pb.cpp).string_type") ??
  ((files.get(place.file)?.edition ?? "") < "2024" ? "STRING" : "VIEW");

const NEW_FIELD = "Keep the old field as it is, mark it as deprecated, and add a new one with a new number.";
const KEEP_DELETED = "Keep it and mark it as deprecated";

export const FIELD_RULES: readonly BreakingRule[] = [
  {
    name: "FIELD_NO_DELETE",
    strengths: SOURCE,
    find: deleted(
      () => false,
      (field, message) => `The field ${name(field)} of ${message.fullName} is deleted.`,
    ),
    advice: `${KEEP_DELETED}: code that uses it no longer compiles.`,
  },
  {
    name: "FIELD_NO_DELETE_UNLESS_NAME_RESERVED",
    strengths: ["wire-json"],
    find: deleted(
      (field, now) => isReserved(field.name, now.reservedNames),
      (field, message) =>
        `The field ${name(field)} of ${message.fullName} is deleted, and its name is not reserved: add \`reserved "${field.name}";\`.`,
    ),
    advice: "Another field of that name would read old JSON wrongly.",
  },
  {
    name: "FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED",
    strengths: WIRES,
    find: deleted(
      (field, now) => isCovered(field.number, now.reservedRanges),
      (field, message) =>
        `The field ${name(field)} of ${message.fullName} is deleted, and its number is not reserved: add \`reserved ${field.number};\`.`,
    ),
    advice: "Another field of that number would read old messages wrongly.",
  },
  { name: "FIELD_SAME_TYPE", strengths: SOURCE, find: typeChanges("same"), advice: NEW_FIELD },
  { name: "FIELD_WIRE_JSON_COMPATIBLE_TYPE", strengths: ["wire-json"], find: typeChanges("wire-json"), advice: NEW_FIELD },
  { name: "FIELD_WIRE_COMPATIBLE_TYPE", strengths: ["wire"], find: typeChanges("wire"), advice: NEW_FIELD },
  { name: "FIELD_SAME_CARDINALITY", strengths: SOURCE, find: cardinalityChanges((one) => one), advice: NEW_FIELD },
  { name: "FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY", strengths: ["wire-json"], find: cardinalityChanges(singleOnJson), advice: NEW_FIELD },
  { name: "FIELD_WIRE_COMPATIBLE_CARDINALITY", strengths: ["wire"], find: cardinalityChanges(singleOnWire), advice: NEW_FIELD },
  {
    name: "FIELD_SAME_NAME",
    strengths: JSON_TOO,
    find: fields((old, now) => {
      // The scope of an extension is a part of its name.
      const nameOf = ({ name, fullName, extendee }: Field): string => (extendee === undefined ? name : fullName);
      return nameOf(old) === nameOf(now)
        ? undefined
        : `The field ${now.number} was called "${nameOf(old)}" and is called "${nameOf(now)}".`;
    }),
    advice: "Keep the name; a field with another meaning needs a new number.",
  },
  {
    name: "FIELD_SAME_JSON_NAME",
    strengths: JSON_TOO,
    find: fields((old, now) =>
      // JSON has the full name of an extension.
      old.jsonName === now.jsonName || now.extendee !== undefined
        ? undefined
        : `The field ${name(now)} was called "${old.jsonName}" in JSON and is called "${now.jsonName}".`,
    ),
    advice: 'Keep the name in JSON, with `[json_name = "…"]` if the field needs another name.',
  },
  {
    name: "FIELD_SAME_ONEOF",
    strengths: ALL,
    find: fields((old, now) => {
      if (old.oneof === now.oneof) return undefined;
      const where = ({ oneof }: Field): string => (oneof === undefined ? "in no oneof" : `in the oneof "${oneof}"`);
      return `The field ${name(now)} was ${where(old)} and is ${where(now)}.`;
    }),
    advice: "Leave it where it is and add new fields: a message that has two fields of a oneof loses one of them.",
  },
  {
    name: "FIELD_SAME_DEFAULT",
    strengths: ALL,
    find: fields((old, now, change) => {
      const changed = changedDefault(old, now, change);
      return changed === undefined ? undefined : `The field ${name(now)} had the default ${changed[0]} and has ${changed[1]}.`;
    }),
    advice: "Keep the default: both sides read a message without the field differently.",
  },
  {
    name: "FIELD_SAME_JSTYPE",
    strengths: SOURCE,
    find: optionChanges(
      (field) => scalarOf(field).endsWith("64"),
      ({ options }) => optionText(options, "jstype") ?? "JS_NORMAL",
      "the jstype",
    ),
    advice: "Keep the option: code in JavaScript gets values of another type.",
  },
  {
    name: "FIELD_SAME_CPP_STRING_TYPE",
    strengths: SOURCE,
    find: optionChanges(isText, cppType, "the C++ type"),
    advice: "Keep the option: code in C++ gets values of another type.",
  },
  {
    name: "FIELD_SAME_UTF8_VALIDATION",
    strengths: SOURCE,
    find: fields((old, now) =>
      scalarOf(old) === "string" && scalarOf(now) === "string" && old.isUtf8 !== now.isUtf8
        ? `Text in the field ${name(now)} ${now.isUtf8 ? "must be UTF-8 now, and was not checked" : "is no longer checked for UTF-8"}.`
        : undefined,
    ),
    advice: "Keep the check as it is; `bytes` in a new field is the type for any octets.",
  },
  {
    name: "MESSAGE_SAME_REQUIRED_FIELDS",
    strengths: ALL,
    find: messages((old, now) => {
      const required = ({ fields }: Message): Set<number> =>
        new Set(fields.filter(({ presence }) => presence === "required").map(({ number }) => number));
      const [before, after] = [required(old), required(now)];
      const [added, removed] = [[...after.difference(before)], [...before.difference(after)]];
      if (added.length + removed.length === 0) return undefined;
      const list = (verb: string, numbers: number[]): string[] => (numbers.length === 0 ? [] : [`${verb} ${numbers.join(", ")}`]);
      return `The required fields of ${now.fullName} change: ${[...list("new", added), ...list("gone", removed)].join("; ")}.`;
    }),
    advice: "Add optional fields only, and keep those that are required: a reader refuses a message without one of them.",
  },
];
