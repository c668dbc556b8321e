import { type FieldType, SCALARS, type Scalar, type ValueType } from "../model.ts";
import type { FieldNode, Word } from "../syntax.ts";
import type { Problems } from "../place.ts";
import type { Scope } from "./scope.ts";

const BY_NAME: ReadonlyMap<string, Scalar> = new Map(SCALARS.map((scalar) => [scalar, scalar]));
const NO_KEYS: ReadonlySet<Scalar> = new Set(["double", "float", "bytes"]);
export const isScalar = (name: string): boolean => BY_NAME.has(name);
/** Lists of these can be packed. */
export const isPackable = (type: ValueType): boolean =>
  type.is === "enum" || (type.is === "scalar" && type.scalar !== "string" && type.scalar !== "bytes");

/** The type of a field; undefined if a name in it is wrong, which is then a problem. */
export function typeOf(field: FieldNode, within: string, scope: Scope, problems: Problems): FieldType | undefined {
  const value = valueType(field.type, within, scope);
  if (field.mapKey === undefined || value === undefined) return value;
  const key = BY_NAME.get(field.mapKey.text);
  if (key !== undefined && !NO_KEYS.has(key)) return { is: "map", key, value };
  problems.add(field.mapKey.place, "map-key", `The keys of a map are integers, booleans or strings, not "${field.mapKey.text}".`);
  return undefined;
}

function valueType(name: Word, within: string, scope: Scope): ValueType | undefined {
  const scalar = BY_NAME.get(name.text);
  if (scalar !== undefined) return { is: "scalar", scalar };
  const found = scope.find(name, within, ["message", "enum"]);
  return found === undefined ? undefined : { is: found.kind === "enum" ? "enum" : "message", name: found.fullName };
}
