import type { EnumObject, FieldRow, JsonValue, MessageKind, MessageType } from "../../message/index.ts";
import { enumName } from "../../message/index.ts";
import { REPEATED } from "../link/options.ts";
import type { Option } from "../model.ts";
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

/** The field `options` of a descriptor; empty if the element has no options. Extensions are left out. */
export function optionsMessage<Options extends object>(
  type: MessageType<Options>,
  options: readonly Option[],
): { readonly options?: Options } {
  const known = options.filter(({ name }) => !name.includes("("));
  if (known.length === 0) return {};
  const json: Json = {};
  for (const { name, value } of known) put(json, name.split("."), jsonOf(value));
  return { options: type.fromJson(json, { ignoreUnknown: true }) };
}

type Json = { [name: string]: JsonValue };
/** Sets `a.b` in an object; what is given in several statements is a list, or a message of both. */
function put(json: Json, [name = "", ...rest]: readonly string[], value: JsonValue): void {
  const before = json[name];
  if (rest.length > 0) {
    const inner: Json = isObject(before) ? { ...before } : {};
    put(inner, rest, value);
    json[name] = inner;
  } else if (Array.isArray(before)) json[name] = [...before, ...(Array.isArray(value) ? value : [value])];
  else if (isObject(before) && isObject(value)) json[name] = { ...before, ...value };
  else json[name] = REPEATED.has(name) && !Array.isArray(value) ? [value] : value;
}
const isObject = (json: JsonValue | undefined): json is { readonly [name: string]: JsonValue } =>
  typeof json === "object" && json !== null && !Array.isArray(json);

function jsonOf(value: OptionValue): JsonValue {
  switch (value.is) {
    case "name":
      return value.text === "true" ? true : value.text === "false" ? false : value.text;
    case "string":
      return value.text;
    case "integer":
      return String(value.value);
    case "float":
      return value.value;
    case "list":
      return value.values.map(jsonOf);
    case "message": {
      const json: Json = {};
      for (const { name, value: one } of value.fields) if (!name.startsWith("[")) put(json, [name], jsonOf(one));
      return json;
    }
  }
}
