import { Misuse } from "../../core/index.ts";
import { enumeration, type EnumObject, type FieldRow, messageType, type MessageType } from "../message/index.ts";
import { prefixOf, propertiesOf } from "./generate/names.ts";
import type { Contract, Field, Message } from "./model.ts";
import { propertyOf, rowOf } from "./rows.ts";

/**
 * A message whose type is known only when the program runs: its properties are named as those of generated code. An extension is a property
 * named as in JSON, `[package.name]`.
 */
export type AnyMessage = Readonly<Record<string, unknown>>;

/** The types of all messages of a contract by full name: what generated code has, without generating it. In JSON they know each other in `Any`. */
export function messageTypes(contract: Contract): ReadonlyMap<string, MessageType<AnyMessage>> {
  const enums = new Map<string, EnumObject>();
  for (const one of contract.enums.values()) {
    const prefix = prefixOf(one);
    const values = Object.fromEntries(one.values.map(({ name, number }) => [name.slice(prefix.length), number]));
    enums.set(one.fullName, enumeration({ name: one.fullName, prefix, isClosed: one.isClosed, values }));
  }
  const types = new Map<string, MessageType<AnyMessage>>();
  const extensions = Map.groupBy(contract.extensions.values(), ({ extendee }) => extendee);
  const typeOf = (message: Message): MessageType<AnyMessage> => {
    const properties = propertiesOf(message);
    const row = (field: Field): FieldRow => {
      const { type, ...rest } = rowOf(field, properties);
      const found = type.is === "scalar" ? type.scalar : type.is === "enum" ? enums.get(type.name) : types.get(type.name);
      if (found === undefined) throw new Misuse(`the contract has no type "${type.is === "scalar" ? "" : type.name}"`);
      return { ...rest, type: found };
    };
    const extension = (field: Field): FieldRow => {
      const { source: _source, json: _json, ...rest } = row(field);
      return rest;
    };
    const fields = (): Record<string, FieldRow> =>
      Object.fromEntries([
        ...message.fields.map((field) => [propertyOf(field, properties), row(field)] as const),
        ...(extensions.get(message.fullName) ?? []).map((field) => [`[${field.fullName}]`, extension(field)] as const),
      ]);
    return messageType({ name: message.fullName, fields, typeOf: (name) => types.get(name) });
  };
  for (const message of contract.messages.values()) types.set(message.fullName, typeOf(message));
  return types;
}
