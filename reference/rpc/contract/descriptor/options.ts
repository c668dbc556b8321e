import type { EnumObject, FieldRow, MessageKind } from "../../message/index.ts";
import { enumName } from "../../message/index.ts";
import type { Place } from "../place.ts";
import type { OptionNode, OptionValue } from "../syntax.ts";

/** The options of a descriptor as if they were written. Extensions are left out: a descriptor has them as octets. */
export function optionNodes(type: MessageKind, options: object | undefined, place: Place): readonly OptionNode[] {
  if (options === undefined) return [];
  return entriesOf(type, options)
    .filter(({ name }) => name !== "uninterpreted_option" && name !== "map_entry")
    .map(({ name, value }) => ({ path: [{ name, isExtension: false }], value, place }));
}

/** The fields of a message that are set, with their values as a contract writes them. */
function entriesOf(type: MessageKind, message: object): { readonly name: string; readonly value: OptionValue }[] {
  const values = new Map<string, unknown>(Object.entries(message));
  return Object.entries(type.fields).flatMap(([property, row]) => {
    const value = optionValue(row, values.get(property));
    return value === undefined ? [] : [{ name: row.source ?? property, value }];
  });
}

function optionValue(row: FieldRow, value: unknown): OptionValue | undefined {
  if (Array.isArray(value)) {
    const values = value.flatMap((one) => optionValue(row, one) ?? []);
    return values.length === 0 ? undefined : { is: "list", values };
  }
  switch (typeof value) {
    case "boolean":
      return { is: "name", text: String(value) };
    case "string":
      return { is: "string", text: value };
    case "bigint":
      return { is: "integer", value };
    case "number":
      return isEnum(row.type) ? { is: "name", text: enumName(row.type, value) ?? String(value) } : { is: "integer", value: BigInt(value) };
    case "object":
      return value === null || !isMessage(row.type) ? undefined : { is: "message", fields: entriesOf(row.type, value) };
    default:
      return undefined;
  }
}
const isMessage = (type: FieldRow["type"]): type is MessageKind => typeof type === "object" && "fields" in type;
const isEnum = (type: FieldRow["type"]): type is EnumObject => typeof type === "object" && !("fields" in type);
