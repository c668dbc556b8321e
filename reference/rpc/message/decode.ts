import { MalformedMessage } from "./malformed.ts";
import { type Loose, type Plan, type PlannedField, zeroOf } from "./plan.ts";
import { endOf, type MessageReader, Wire } from "./reader.ts";
import { addUnknown } from "./unknown.ts";
import { MessageWriter } from "./writer.ts";

/** Reads fields into `message`, to the end of the octets or to the tag that ends a group. */
export function readFields(plan: Plan, reader: MessageReader, message: Loose, endTag: number): void {
  let unknown: Uint8Array[] | undefined;
  let isEnded = endTag === 0;
  while (!reader.isAtEnd) {
    const from = reader.at;
    const tag = reader.tag();
    const begun = reader.at;
    if (tag === endTag) {
      isEnded = true;
      break;
    }
    const field = plan.field(tag >>> 3);
    if (field !== undefined && readField(field, reader, message, tag)) continue;
    // What the type does not have is kept as it is: its number, another wire type, a number that a closed enum does not name.
    if (reader.at === begun) reader.skip(tag);
    unknown ??= [];
    unknown.push(reader.octets.slice(from, reader.at));
  }
  if (!isEnded) throw new MalformedMessage("A group does not end.");
  if (unknown !== undefined) addUnknown(message, unknown);
}

/** Reads one field; false if its octets are of no use to the type. */
function readField(field: PlannedField, reader: MessageReader, message: Loose, tag: number): boolean {
  const wire = tag & 7;
  if (field.kind === "single") return readSingle(field, reader, message, tag);
  if (field.kind === "map") {
    if (wire !== Wire.BYTES) return false;
    return readEntry(field, reader, message);
  }
  const { name, value, row } = field;
  if (value.is === "message") {
    if (!isWritten(value, wire)) return false;
    listOf(message, name).push(readMessage(field, reader, undefined, tag));
    return true;
  }
  const { scalar } = value;
  if (wire === scalar.wire) {
    const one = scalar.read(reader, row.isLenient === true);
    if (isUnnamed(value, one)) return false;
    listOf(message, name).push(one);
    return true;
  }
  if (wire !== Wire.BYTES) return false;
  const list = listOf(message, name);
  const unnamed: number[] = [];
  const outer = reader.enter();
  while (!reader.isAtEnd) {
    const one = scalar.read(reader, false);
    if (isUnnamed(value, one)) unnamed.push(Number(one));
    else list.push(one);
  }
  reader.leave(outer);
  if (unnamed.length > 0)
    addUnknown(
      message,
      unnamed.map((one) => varintField(row.number, one)),
    );
  return true;
}

function readSingle(field: PlannedField, reader: MessageReader, message: Loose, tag: number): boolean {
  const { name, value, row } = field;
  const wire = tag & 7;
  if (value.is === "scalar") {
    if (wire !== value.scalar.wire) return false;
    const one = value.scalar.read(reader, row.isLenient === true);
    if (isUnnamed(value, one)) return false;
    if (row.oneof === undefined) message[name] = one;
    else message[row.oneof] = { is: name, value: one };
    return true;
  }
  if (!isWritten(value, wire)) return false;
  // A message that comes twice is merged.
  if (row.oneof === undefined) message[name] = readMessage(field, reader, message[name], tag);
  else {
    const before = message[row.oneof];
    const isSame = isLoose(before) && before["is"] === name;
    message[row.oneof] = { is: name, value: readMessage(field, reader, isSame ? before["value"] : undefined, tag) };
  }
  return true;
}

function readMessage({ value }: PlannedField, reader: MessageReader, before: unknown, tag: number): unknown {
  if (value.is !== "message") return undefined;
  const { nested } = value;
  const into = isLoose(before) ? before : nested.empty();
  if ((tag & 7) === Wire.GROUP) {
    reader.deepen();
    nested.readFields(reader, into, endOf(tag));
    reader.rise();
  } else {
    const outer = reader.enter();
    nested.readFields(reader, into, 0);
    reader.leave(outer);
  }
  return into;
}

/** The field numbers of an entry of a map. */
const KEY = 1;
const VALUE = 2;

function readEntry(field: PlannedField, reader: MessageReader, message: Loose): boolean {
  const { key, name: property, value, row } = field;
  if (key === undefined) return false;
  let name: unknown = key.zero;
  let one: unknown = value.is === "message" ? undefined : (zeroOf(value) ?? new Uint8Array(0));
  const outer = reader.enter();
  while (!reader.isAtEnd) {
    const tag = reader.tag();
    const wire = tag & 7;
    if (tag >>> 3 === KEY && wire === key.wire) name = key.read(reader, row.isLenient === true);
    else if (tag >>> 3 === VALUE && value.is === "scalar" && wire === value.scalar.wire)
      one = value.scalar.read(reader, row.isLenient === true);
    else if (tag >>> 3 === VALUE && value.is === "message" && wire === Wire.BYTES) one = readMessage(field, reader, one, tag);
    else reader.skip(tag);
  }
  reader.leave(outer);
  // A closed enum without that number: the whole entry is not known.
  if (isUnnamed(value, one)) return false;
  const map = message[property];
  if (map instanceof Map) map.set(name, one ?? (value.is === "message" ? value.nested.empty() : one));
  return true;
}

const isLoose = (value: unknown): value is Loose => typeof value === "object" && value !== null;
const isWritten = (value: PlannedField["value"] & { readonly is: "message" }, wire: number): boolean =>
  wire === Wire.BYTES || (wire === Wire.GROUP && value.isDelimited);
const isUnnamed = (value: PlannedField["value"], number: unknown): boolean =>
  value.is === "scalar" && value.enum?.isClosed === true && typeof number === "number" && !value.enum.names.has(number);

function listOf(message: Loose, name: string): unknown[] {
  const list = message[name];
  // The list of a message without anything is shared and frozen.
  if (Array.isArray(list) && list.length > 0) return list;
  const own: unknown[] = [];
  message[name] = own;
  return own;
}

function varintField(number: number, value: number): Uint8Array {
  const writer = new MessageWriter();
  writer.varint(number << 3);
  writer.signed(value);
  return writer.take();
}
