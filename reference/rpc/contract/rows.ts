import type { FieldRow } from "../message/index.ts";
import { jsonOf } from "./generate/names.ts";
import type { Field, ValueType } from "./model.ts";

/** The row of a field for its codec; its type is still a name. */
export type NamedRow = Omit<FieldRow, "type"> & { readonly type: ValueType };

/** Describes a field for codecs, with the properties that its message has. What is usual is left out. */
export function rowOf(field: Field, properties: ReadonlyMap<string, string>): NamedRow {
  const { type, oneof, presence } = field;
  const property = propertyOf(field, properties);
  const value: ValueType = type.is === "map" ? type.value : type;
  const hasText = (value.is === "scalar" && value.scalar === "string") || (type.is === "map" && type.key === "string");
  const json = jsonOf(field, property);
  // Messages and members of oneofs always have presence.
  const isOptional = presence === "explicit" && type.is !== "message" && oneof === undefined;
  return {
    number: field.number,
    ...(type.is === "map" ? { key: type.key } : {}),
    type: value,
    ...(presence === "repeated" && type.is !== "map" ? { list: field.isPacked ? "packed" : "expanded" } : {}),
    ...(presence === "required" ? { presence } : isOptional ? { presence: "optional" } : {}),
    ...(oneof === undefined ? {} : { oneof: properties.get(oneof) ?? oneof }),
    ...(field.name === property ? {} : { source: field.name }),
    ...(json === undefined ? {} : { json }),
    ...(field.isDelimited && type.is === "message" ? { isDelimited: true } : {}),
    ...(hasText && !field.isUtf8 ? { isLenient: true } : {}),
  };
}

export const propertyOf = ({ name }: Field, properties: ReadonlyMap<string, string>): string => properties.get(name) ?? name;
