import type { Enum, Field, FieldType, Scalar, ValueType } from "../model.ts";
import type { Change } from "./change.ts";

/** Which types share an encoding (rpc-contract#updating). */

/** Scalars of one group are read as each other; a value that does not fit is cut off, as a cast would do. */
const WIRE_GROUPS: readonly (readonly Scalar[])[] = [
  ["int32", "uint32", "int64", "uint64", "bool"],
  ["sint32", "sint64"],
  ["fixed32", "sfixed32"],
  ["fixed64", "sfixed64"],
];
/** JSON writes 64-bit integers in quotes, and booleans as words. */
const JSON_GROUPS: readonly (readonly Scalar[])[] = [
  ["int32", "uint32"],
  ["int64", "uint64"],
  ["fixed32", "sfixed32"],
  ["fixed64", "sfixed64"],
];

/** How far a changed type may go: not at all, or as far as messages of a strength keep their meaning. */
type Reach = "same" | "wire-json" | "wire";

/** What the type of a field is called in a contract. */
export const typeText = ({ type, isDelimited }: Field): string =>
  type.is === "map" ? `map<${type.key}, ${valueText(type.value)}>` : `${isDelimited ? "group " : ""}${valueText(type)}`;
const valueText = (type: ValueType): string => (type.is === "scalar" ? type.scalar : type.name);

/** Whether the new type of a field differs more than `reach` allows. */
export function changesType(old: Field, now: Field, reach: Reach, change: Change): boolean {
  if (old.isDelimited !== now.isDelimited) return true;
  return differs(old.type, now.type, reach, change);
}

function differs(old: FieldType, now: FieldType, reach: Reach, change: Change): boolean {
  if (old.is === "map" || now.is === "map") {
    if (old.is !== "map" || now.is !== "map") return true;
    return !scalarsFit(old.key, now.key, reach) || differs(old.value, now.value, reach, change);
  }
  if (old.is === "scalar" && now.is === "scalar") return !scalarsFit(old.scalar, now.scalar, reach);
  if (old.is === "scalar" || now.is === "scalar" || old.is !== now.is) return true;
  if (old.name === now.name) return false;
  return reach === "same" || old.is === "message" || !enumsFit(old.name, now.name, reach, change);
}

function scalarsFit(old: Scalar, now: Scalar, reach: Reach): boolean {
  if (old === now) return true;
  if (reach === "same") return false;
  // Text is valid where octets are expected; the reverse is not true.
  if (reach === "wire" && old === "string" && now === "bytes") return true;
  return (reach === "wire" ? WIRE_GROUPS : JSON_GROUPS).some((group) => group.includes(old) && group.includes(now));
}

/** An enum in another place is compatible if it is called the same and knows every old value. */
function enumsFit(oldName: string, newName: string, reach: Reach, change: Change): boolean {
  const [old, now] = [change.old.enums.get(oldName), change.now.enums.get(newName)];
  if (old === undefined || now === undefined || old.name !== now.name) return false;
  const known = new Set(now.values.map((value) => keyOf(value, reach)));
  return old.values.every((value) => known.has(keyOf(value, reach)));
}
const keyOf = ({ number, name }: Enum["values"][number], reach: Reach): string => (reach === "wire" ? `${number}` : `${number} ${name}`);
