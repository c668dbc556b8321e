import type { Enum, Field, Message, Scalar, ValueType } from "../model.ts";
import type { OptionValue } from "../syntax.ts";
import { type NamedRow, rowOf } from "../rows.ts";
import { prefixOf, propertiesOf } from "./names.ts";
import { docText, indent, objectText } from "./print.ts";
import type { References } from "./references.ts";

/** How scalars are typed. Integers of 64 bits do not fit into a number. */
const TYPES: Readonly<Record<Scalar, string>> = {
  double: "number",
  float: "number",
  int32: "number",
  int64: "bigint",
  uint32: "number",
  uint64: "bigint",
  sint32: "number",
  sint64: "bigint",
  fixed32: "number",
  fixed64: "bigint",
  sfixed32: "number",
  sfixed64: "bigint",
  bool: "boolean",
  string: "string",
  bytes: "Uint8Array",
};

/** The type of a message as TypeScript. */
export function messageTypeText(message: Message, references: References): string {
  const name = references.type(message.fullName);
  const head = docText(message, 0);
  if (message.fields.length === 0) return `${head}export type ${name} = Record<string, never>;\n`;
  const properties = propertiesOf(message);
  const done = new Set<string>();
  const lines = message.fields.map((field) => {
    if (field.oneof === undefined) return propertyText(field, properties.get(field.name) ?? field.name, references);
    if (done.has(field.oneof)) return "";
    done.add(field.oneof);
    return oneofText(message, field.oneof, properties, references);
  });
  return `${head}export type ${name} = {\n${lines.join("")}};\n`;
}

function propertyText(field: Field, property: string, references: References): string {
  const doc = docText(field, 1, defaultText(field.default));
  const type = typeText(field, references);
  const isOptional = field.presence === "explicit";
  const line = `${indent(1)}readonly ${property}${isOptional ? "?" : ""}: ${type.text}${isOptional ? " | undefined" : ""};\n`;
  if (line.length <= FORMATTED + 1) return doc + line;
  if (isOptional) return `${doc}${indent(1)}readonly ${property}?:\n${indent(2)}| ${type.text}\n${indent(2)}| undefined;\n`;
  if (type.parts.length === 0) return doc + line;
  return `${doc}${indent(1)}readonly ${property}: ReadonlyMap<\n${type.parts.map((part) => `${indent(2)}${part}`).join(",\n")}\n${indent(1)}>;\n`;
}
/** The width of the usual formatter: only types that are wider than that are written on several lines. */
const FORMATTED = 100;

/** A default is part of the contract, not of the message: a field that is not set is absent. */
const defaultText = (value: OptionValue | undefined): string[] => {
  if (value === undefined) return [];
  const text =
    value.is === "string" ? JSON.stringify(value.text) : value.is === "name" ? value.text : "value" in value ? String(value.value) : "";
  return [`Default: ${text}`];
};

function oneofText(message: Message, name: string, properties: ReadonlyMap<string, string>, references: References): string {
  const oneof = message.oneofs.find((one) => one.name === name);
  const members = message.fields.filter((field) => field.oneof === name);
  const lines = members.map(
    (field) =>
      `${docText(field, 2)}${indent(2)}readonly ${properties.get(field.name) ?? field.name}: ${typeText(field, references).text};\n`,
  );
  const doc = oneof === undefined ? "" : docText(oneof, 1);
  return `${doc}${indent(1)}readonly ${properties.get(name) ?? name}?: ${references.runtimeType("OneOf")}<{\n${lines.join("")}${indent(1)}}>;\n`;
}

/** The type of a field; the parts of a map can be written on lines of their own. */
function typeText(field: Field, references: References): { readonly text: string; readonly parts: readonly string[] } {
  const { type } = field;
  if (type.is === "map") {
    const parts = [TYPES[type.key], valueText(type.value, references)];
    return { text: `ReadonlyMap<${parts.join(", ")}>`, parts };
  }
  const value = valueText(type, references);
  return { text: field.presence === "repeated" ? `readonly ${value}[]` : value, parts: [] };
}
const valueText = (type: ValueType, references: References): string =>
  type.is === "scalar" ? TYPES[type.scalar] : references.type(type.name);

/** The fields of a message for its codec: one property a field. */
function fieldRows(message: Message, references: References): string {
  const properties = propertiesOf(message);
  const rows = message.fields.map((field) => {
    const property = properties.get(field.name) ?? field.name;
    return `${indent(2)}${property}: ${objectText(rowText(rowOf(field, properties), references), 2, property.length + 2)},\n`;
  });
  return rows.length === 0 ? "({})" : `({\n${rows.join("")}${indent(1)}})`;
}

/** The properties of a row in the order in which it has them. */
function rowText(row: NamedRow, references: References): string[] {
  return Object.entries(row).map(([name, value]) => {
    if (name !== "type") return `${name}: ${JSON.stringify(value)}`;
    return `type: ${row.type.is === "scalar" ? JSON.stringify(row.type.scalar) : references.type(row.type.name)}`;
  });
}

/** The codec of a message. */
export function messageValueText(message: Message, references: References, isTyped: boolean): string {
  const name = references.type(message.fullName);
  const type = isTyped ? `: ${references.runtimeType("MessageType")}<${name}>` : "";
  const body = `{\n${indent(1)}name: ${JSON.stringify(message.fullName)},\n${indent(1)}fields: () => ${fieldRows(message, references)},\n}`;
  const head = `export const ${name}${type} =`;
  const call = `${references.runtime("messageType")}(`;
  if (head.length + call.length + 2 <= FORMATTED) return `${head} ${call}${body});\n`;
  return `${head}\n${indentAll(`${call}${body});`)}\n`;
}
const indentAll = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? line : indent(1) + line))
    .join("\n");

/** An enum: its values, and the type of its numbers. */
export function enumText(
  one: Enum,
  references: References,
): { readonly value: string; readonly type: string; readonly declaration: string } {
  const name = references.type(one.fullName);
  const prefix = prefixOf(one);
  const doc = docText(one, 0);
  const keyOf = (value: string): string => (value === "__proto__" ? '["__proto__"]' : value.slice(prefix.length));
  const rows = (depth: number, readonly: string, end: string): string =>
    one.values.map((value) => `${docText(value, depth)}${indent(depth)}${readonly}${keyOf(value.name)}: ${value.number}${end}\n`).join("");
  const head = [
    `name: ${JSON.stringify(one.fullName)}`,
    ...(prefix === "" ? [] : [`prefix: ${JSON.stringify(prefix)}`]),
    ...(one.isClosed ? ["isClosed: true"] : []),
  ];
  const lines = head.map((line) => `${indent(1)}${line},\n`).join("");
  const kind = references.runtimeType(one.isClosed ? "ClosedEnum" : "OpenEnum");
  return {
    value: `${doc}export const ${name} = ${references.runtime("enumeration")}({\n${lines}${indent(1)}values: {\n${rows(2, "", ",")}${indent(1)}},\n});\n`,
    type: `export type ${name} = ${kind}<typeof ${name}>;\n`,
    declaration: `${doc}export declare const ${name}: EnumObject & {\n${rows(1, "readonly ", ";")}};\n`,
  };
}
