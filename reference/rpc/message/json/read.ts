import { MalformedMessage } from "../malformed.ts";
import type { Loose, PlannedField } from "../plan.ts";
import type { FieldRow, JsonReadOptions, JsonValue } from "../types.ts";
import { scalarFromJson } from "./scalars.ts";
import { parseDuration, parseTimestamp, type Time } from "./times.ts";
import { type Described, isDescribed, isSpecial, snakeCase } from "./write.ts";

/** How deep values may nest; the same limit as for octets. */
const NESTING = 100;
type Context = { readonly type: Described & Makes; readonly options: JsonReadOptions; readonly depth: number };
type Makes = { empty(): Loose; encode(message: never): Uint8Array };

/** Reads a message from proto3 JSON. */
export function fromJson(type: Described & Makes, json: JsonValue, options: JsonReadOptions): Loose {
  return readMessage(json, { type, options, depth: 0 });
}

function readMessage(json: JsonValue, context: Context): Loose {
  const { type, options, depth } = context;
  if (depth > NESTING) throw new MalformedMessage(`The JSON nests deeper than the limit of ${NESTING} levels.`);
  const special = SPECIAL[type.name];
  if (special !== undefined) return special(json, context);
  if (!isObject(json)) throw new MalformedMessage(`${type.name}: a message is an object in JSON.`);
  const message = type.empty();
  const seen = new Set<string>();
  const names = namesOf(type);
  for (const [name, value] of Object.entries(json)) {
    const field = names.get(name);
    if (field === undefined) {
      if (options.ignoreUnknown === true) continue;
      throw new MalformedMessage(`${type.name}: there is no field "${name}".`);
    }
    const { row } = field;
    const target = row.oneof ?? field.name;
    const isNull = value === null && !mayBeNull(field);
    if (isNull && row.oneof !== undefined) continue;
    if (seen.has(target)) throw new MalformedMessage(`${type.name}: "${name}" is given twice, or beside another member of its oneof.`);
    seen.add(target);
    if (isNull) continue;
    const read = readField(field, value, context);
    if (read !== undefined) message[target] = row.oneof === undefined ? read : { is: field.name, value: read };
  }
  return message;
}

/** The fields by every name that JSON may give them. */
function namesOf({ plan }: Described): ReadonlyMap<string, PlannedField> {
  const names = new Map<string, PlannedField>();
  for (const field of plan.byNumber.values()) {
    names.set(field.row.source ?? field.name, field);
    names.set(field.row.json ?? field.name, field);
  }
  return names;
}

/** Null is a value of these types; of any other field it means that the field is not set. */
const mayBeNull = ({ kind, value }: PlannedField): boolean =>
  kind === "single" &&
  (value.is === "message" ? value.nested.name === "google.protobuf.Value" : value.enum?.name === "google.protobuf.NullValue");

function readField(field: PlannedField, json: JsonValue, context: Context): unknown {
  if (field.kind === "single") return readValue(field, json, context);
  if (field.kind === "map") {
    if (!isObject(json)) throw wrong(field, context, "an object");
    const map = new Map<unknown, unknown>();
    for (const [key, value] of Object.entries(json)) {
      const name = scalarFromJson(field.row.key ?? "string", key, true);
      if (name === undefined) throw wrong(field, context, `an object with names of the type ${field.row.key}`);
      const read = readValue(field, value, context);
      if (read !== undefined) map.set(name, read);
    }
    return map;
  }
  if (!Array.isArray(json)) throw wrong(field, context, "an array");
  return json.flatMap((one: JsonValue) => {
    const read = readValue(field, one, context);
    return read === undefined ? [] : [read];
  });
}

/** Undefined stands for a name of an enum that is not known and to be ignored. */
function readValue(field: PlannedField, json: JsonValue, context: Context): unknown {
  const { row, value: expected } = field;
  const { options, depth } = context;
  if (expected.is === "message") {
    if (!isReadable(row.type)) throw wrong(field, context, "a message");
    return readMessage(json, { type: row.type, options, depth: depth + 1 });
  }
  if (expected.enum !== undefined) {
    if (json === null && expected.enum.name === "google.protobuf.NullValue") return 0;
    const number = typeof json === "string" ? expected.enum.numbers.get(json) : scalarFromJson("int32", json, false);
    if (number === undefined && typeof json === "string" && options.ignoreUnknown === true) return undefined;
    if (number === undefined) throw wrong(field, context, `a value of ${expected.enum.name}`);
    return number;
  }
  if (typeof row.type !== "string") return undefined;
  const read = scalarFromJson(row.type, json, false);
  if (read === undefined) throw wrong(field, context, row.type);
  return read;
}

const isReadable = (type: FieldRow["type"]): type is FieldRow["type"] & Described & Makes => isDescribed(type) && "empty" in type;
const isObject = (json: JsonValue): json is { readonly [name: string]: JsonValue } =>
  typeof json === "object" && json !== null && !Array.isArray(json);
const wrong = ({ name }: PlannedField, { type }: Context, expected: string): MalformedMessage =>
  new MalformedMessage(`${type.name}: "${name}" has to be ${expected}.`);

/** Types whose JSON is not an object with their fields. */
const SPECIAL: Readonly<Record<string, (json: JsonValue, context: Context) => Loose>> = {
  "google.protobuf.Timestamp": (json, context) => readTime(json, context, parseTimestamp),
  "google.protobuf.Duration": (json, context) => readTime(json, context, parseDuration),
  "google.protobuf.FieldMask": (json, { type }) => {
    if (typeof json !== "string" || json.includes("_")) throw new MalformedMessage(`${type.name}: it has to be names with commas.`);
    return { ...type.empty(), paths: json === "" ? [] : json.split(",").map(snakeCase) };
  },
  "google.protobuf.Struct": (json, context) => readOnly(json, context, "fields"),
  "google.protobuf.ListValue": (json, context) => readOnly(json, context, "values"),
  "google.protobuf.Value": (json, context) => {
    const name =
      json === null ? "nullValue" : Array.isArray(json) ? "listValue" : typeof json === "object" ? "structValue" : KINDS[typeof json];
    const field = context.type.plan.byName.get(name ?? "");
    if (field === undefined) throw new MalformedMessage(`${context.type.name}: it is not a JSON value.`);
    return { ...context.type.empty(), kind: { is: name, value: readValue(field, json, context) } };
  },
  "google.protobuf.Any": readAny,
  ...Object.fromEntries(
    ["Double", "Float", "Int64", "UInt64", "Int32", "UInt32", "Bool", "String", "Bytes"].map((name) => [
      `google.protobuf.${name}Value`,
      (json: JsonValue, context: Context) => readOnly(json, context, "value"),
    ]),
  ),
};
const KINDS: Readonly<Record<string, string>> = { string: "stringValue", number: "numberValue", boolean: "boolValue" };

function readOnly(json: JsonValue, context: Context, name: string): Loose {
  const field = context.type.plan.byName.get(name);
  return field === undefined ? {} : { ...context.type.empty(), [name]: readField(field, json, context) };
}

function readTime(json: JsonValue, { type }: Context, parse: (text: string) => Time | undefined): Loose {
  const time = typeof json === "string" ? parse(json) : undefined;
  if (time === undefined) throw new MalformedMessage(`${type.name}: ${JSON.stringify(json)?.slice(0, 60)} is not one.`);
  return { ...type.empty(), ...time };
}

function readAny(json: JsonValue, { type, options, depth }: Context): Loose {
  if (!isObject(json)) throw new MalformedMessage(`${type.name}: it is an object in JSON.`);
  const { "@type": url, ...rest } = json;
  if (url === undefined && Object.keys(rest).length === 0) return type.empty();
  const found = typeof url === "string" ? options.typeOf?.(url.slice(url.lastIndexOf("/") + 1)) : undefined;
  if (found === undefined || !isReadable(found)) throw new MalformedMessage(`${type.name}: the type ${JSON.stringify(url)} is not known.`);
  const content = isSpecial(found.name) ? (rest["value"] ?? null) : rest;
  const inner = readMessage(content, { type: found, options, depth: depth + 1 });
  return { ...type.empty(), typeUrl: url, value: found.encode(inner as never) };
}
