import { Misuse } from "../../core/index.ts";
import { unknownFields } from "./unknown.ts";
import type { Loose, Nested, Plan, PlannedField, Value } from "./plan.ts";
import { Wire } from "./reader.ts";
import type { MessageWriter } from "./writer.ts";

/** Writes the fields of `message` by its plan. */
export function writeFields(plan: Plan, writer: MessageWriter, message: Loose, type: Nested): void {
  for (const planned of plan.order) {
    if (planned.kind !== "oneof") {
      const value = message[planned.name];
      if (value !== undefined && value !== null) writeField(planned, writer, value, type);
      else if (planned.row.presence === "required") throw new Misuse(`${type.name}: the field "${planned.name}" is required.`);
      continue;
    }
    const member = message[planned.name];
    if (member === undefined || member === null) continue;
    const { is, value } = isMember(member) ? member : { is: "", value: undefined };
    const field = planned.members.get(is);
    if (field === undefined)
      throw new Misuse(`${type.name}: "${planned.name}" is { is, value } with one of the names ${[...planned.members.keys()].join(", ")}.`);
    writeSingle(field, writer, value, type);
  }
  const unknown = unknownFields(message);
  if (unknown !== undefined) writer.raw(unknown);
}

const isMember = (value: unknown): value is { is: string; value: unknown } =>
  typeof value === "object" && value !== null && "is" in value && typeof value.is === "string" && "value" in value;

function writeField(field: PlannedField, writer: MessageWriter, value: unknown, type: Nested): void {
  const { kind } = field;
  if (kind === "single") {
    const isZero = !field.hasPresence && field.value.is === "scalar" && isZeroOf(field.value, value);
    if (!isZero) writeSingle(field, writer, value, type);
  } else if (kind === "map") writeMap(field, writer, value, type);
  else if (!Array.isArray(value)) throw wrong(field, type, "an array");
  else if (kind === "list") for (const one of value) writeSingle(field, writer, one, type);
  else if (value.length > 0) {
    writer.varint(field.tag);
    const begun = writer.begin();
    for (const one of value) writeValue(field, writer, one, type);
    writer.end(begun);
  }
}

const isZeroOf = (value: Value & { readonly is: "scalar" }, given: unknown): boolean =>
  value.enum === undefined ? value.scalar.isZero(given) : given === value.enum.zero;

function writeSingle(field: PlannedField, writer: MessageWriter, value: unknown, type: Nested): void {
  writer.varint(field.tag);
  writeValue(field, writer, value, type);
}

function writeValue(field: PlannedField, writer: MessageWriter, value: unknown, type: Nested): void {
  const { value: expected } = field;
  if (expected.is === "scalar") {
    if (!expected.scalar.write(writer, value)) throw wrong(field, type, expected.scalar.expected);
    return;
  }
  const { nested } = expected;
  if (!isLoose(value)) throw wrong(field, type, `a message ${nested.name}`);
  if (expected.isDelimited) {
    nested.writeFields(writer, value);
    writer.varint((field.row.number << 3) | Wire.END_GROUP);
  } else {
    const begun = writer.begin();
    nested.writeFields(writer, value);
    writer.end(begun);
  }
}

/** The tags of the key and, without its wire type, of the value of an entry. */
const KEY = 1 << 3;
const VALUE = 2 << 3;

function writeMap(field: PlannedField, writer: MessageWriter, value: unknown, type: Nested): void {
  const { key } = field;
  if (!(value instanceof Map) || key === undefined) throw wrong(field, type, "a Map");
  for (const [name, one] of value) {
    writer.varint(field.tag);
    const begun = writer.begin();
    writer.varint(KEY | key.wire);
    if (!key.write(writer, name)) throw wrong(field, type, `a Map whose keys are ${key.expected}`);
    writer.varint(VALUE | (field.value.is === "scalar" ? field.value.scalar.wire : Wire.BYTES));
    writeValue(field, writer, one, type);
    writer.end(begun);
  }
}

const isLoose = (value: unknown): value is Loose => typeof value === "object" && value !== null;
const wrong = ({ name: field }: PlannedField, { name }: Nested, expected: string): Misuse =>
  new Misuse(`${name}: the field "${field}" has to be ${expected}.`);
