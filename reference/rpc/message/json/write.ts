import { Misuse } from "../../../core/index.ts";
import type { Loose, Plan, PlannedField } from "../plan.ts";
import { description, type FieldRow, type JsonOptions, type JsonValue } from "../types.ts";
import { toBase64 } from "./base64.ts";
import { durationText, timestampText } from "./times.ts";

/** A codec as far as JSON needs it. */
export type Described = { readonly name: string; readonly plan: Plan; decode(octets: Uint8Array): object };

/** A message as proto3 JSON. */
export function toJson(type: Described, message: Loose, options: JsonOptions): JsonValue {
  const special = SPECIAL[type.name];
  if (special !== undefined) return special({ type, message, options });
  const json: Record<string, JsonValue> = {};
  const put = (field: PlannedField, value: JsonValue): void => {
    const name = options.sourceNames === true ? (field.row.source ?? field.name) : (field.row.json ?? field.name);
    Object.defineProperty(json, name, { value, enumerable: true, configurable: true, writable: true });
  };
  for (const planned of type.plan.order) {
    if (planned.kind !== "oneof") {
      const value = message[planned.name] ?? (options.zeros === true ? type.plan.empty()[planned.name] : undefined);
      if (value !== undefined && (options.zeros === true || !isUnset(planned, value)))
        put(planned, fieldJson(planned, value, { type, message, options }));
      continue;
    }
    const member = message[planned.name];
    if (!isLoose(member)) continue;
    const field = planned.members.get(String(member["is"]));
    if (field === undefined) throw new Misuse(`${type.name}: "${planned.name}" has no member "${String(member["is"])}".`);
    put(field, valueJson(field, member["value"], { type, message, options }));
  }
  return json;
}

type Context = { readonly type: Described; readonly message: Loose; readonly options: JsonOptions };

/** Whether JSON leaves the field out. */
function isUnset({ kind, hasPresence, value }: PlannedField, given: unknown): boolean {
  if (given === null) return true;
  if (kind === "map") return given instanceof Map && given.size === 0;
  if (kind !== "single") return Array.isArray(given) && given.length === 0;
  return !hasPresence && value.is === "scalar" && (value.enum === undefined ? value.scalar.isZero(given) : given === value.enum.zero);
}

function fieldJson(field: PlannedField, value: unknown, context: Context): JsonValue {
  if (field.kind === "single") return valueJson(field, value, context);
  if (field.kind === "map") {
    if (!(value instanceof Map)) throw wrong(field, context);
    const json: Record<string, JsonValue> = {};
    for (const [key, one] of value)
      Object.defineProperty(json, String(key), {
        value: valueJson(field, one, context),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    return json;
  }
  if (!Array.isArray(value)) throw wrong(field, context);
  return value.map((one) => valueJson(field, one, context));
}

function valueJson(field: PlannedField, value: unknown, context: Context): JsonValue {
  const { row, value: expected } = field;
  if (expected.is === "message") {
    if (!isLoose(value) || !isDescribed(row.type)) throw wrong(field, context);
    return toJson(row.type, value, context.options);
  }
  if (expected.enum !== undefined) {
    if (typeof value !== "number") throw wrong(field, context);
    if (expected.enum.name === "google.protobuf.NullValue") return null;
    return expected.enum.names.get(value) ?? value;
  }
  switch (typeof value) {
    case "bigint":
      return String(value);
    case "number":
      if (!Number.isFinite(value)) return String(value);
      return row.type === "float" ? shortFloat(value) : value;
    case "string":
    case "boolean":
      return value;
    default:
      if (value instanceof Uint8Array) return toBase64(value);
      throw wrong(field, context);
  }
}

/** The shortest number that is the same in 32 bits. */
function shortFloat(value: number): number {
  const exact = Math.fround(value);
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(exact.toPrecision(digits));
    if (Math.fround(short) === exact) return short;
  }
  return exact;
}

const isLoose = (value: unknown): value is Loose => typeof value === "object" && value !== null;
export const isDescribed = (type: FieldRow["type"]): type is FieldRow["type"] & Described =>
  typeof type === "object" && !(description in type) && "plan" in type;
const wrong = ({ name }: PlannedField, { type }: Context): Misuse =>
  new Misuse(`${type.name}: the value of the field "${name}" is not of its type.`);

/** Types whose JSON is not an object with their fields. */
const SPECIAL: Readonly<Record<string, (context: Context) => JsonValue>> = {
  "google.protobuf.Timestamp": (context) => timeJson(context, timestampText),
  "google.protobuf.Duration": (context) => timeJson(context, durationText),
  "google.protobuf.FieldMask": ({ type, message }) => {
    const paths = Array.isArray(message["paths"]) ? message["paths"].map(String) : [];
    return paths
      .map((path) => {
        const camel = path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
        if (snakeCase(camel) !== path) throw new Misuse(`${type.name}: the path "${path}" has no JSON.`);
        return camel;
      })
      .join(",");
  },
  "google.protobuf.Struct": (context) => onlyField(context, "fields"),
  "google.protobuf.ListValue": (context) => onlyField(context, "values"),
  "google.protobuf.Value": (context) => {
    const { type, message } = context;
    const kind = isLoose(message["kind"]) ? message["kind"] : {};
    const field = type.plan.byName.get(String(kind["is"]));
    if (field === undefined) throw new Misuse(`${type.name}: a value needs its kind.`);
    if (typeof kind["value"] === "number" && !Number.isFinite(kind["value"]))
      throw new Misuse(`${type.name}: ${kind["value"]} has no JSON.`);
    return valueJson(field, kind["value"], context);
  },
  "google.protobuf.Any": ({ type, message, options }) => {
    const url = typeof message["typeUrl"] === "string" ? message["typeUrl"] : "";
    if (url === "") return {};
    const found = options.typeOf?.(url.slice(url.lastIndexOf("/") + 1));
    if (found === undefined || !isDescribed(found)) throw new Misuse(`${type.name}: the option typeOf does not know the type of "${url}".`);
    const inner: unknown = found.decode(message["value"] instanceof Uint8Array ? message["value"] : new Uint8Array(0));
    const json = toJson(found, isLoose(inner) ? inner : {}, options);
    return found.name in SPECIAL || !isObject(json) ? { "@type": url, value: json } : { "@type": url, ...json };
  },
  ...Object.fromEntries(
    ["Double", "Float", "Int64", "UInt64", "Int32", "UInt32", "Bool", "String", "Bytes"].map((name) => [
      `google.protobuf.${name}Value`,
      (context: Context) => onlyField(context, "value"),
    ]),
  ),
};
export const isSpecial = (name: string): boolean => Object.hasOwn(SPECIAL, name);

const isObject = (json: JsonValue): json is { readonly [name: string]: JsonValue } =>
  typeof json === "object" && json !== null && !Array.isArray(json);
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function onlyField(context: Context, name: string): JsonValue {
  const field = context.type.plan.byName.get(name);
  return field === undefined ? null : fieldJson(field, context.message[name] ?? context.type.plan.empty()[name], context);
}

function timeJson({ type, message }: Context, text: typeof timestampText): string {
  const { seconds = 0n, nanos = 0 } = message;
  const written = typeof seconds === "bigint" && typeof nanos === "number" ? text({ seconds, nanos }) : undefined;
  if (written === undefined) throw new Misuse(`${type.name}: ${String(seconds)} s and ${String(nanos)} ns are out of range.`);
  return written;
}
