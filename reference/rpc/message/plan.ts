import { type MessageReader, Wire } from "./reader.ts";
import { SCALARS, type Scalar } from "./scalars.ts";
import { description, type EnumDescription, type FieldRow, type FieldRows } from "./types.ts";
import type { MessageWriter } from "./writer.ts";

/** What a codec knows of another type of messages: enough to read and write parts of a message. */
export type Nested = {
  readonly name: string;
  writeFields(writer: MessageWriter, message: Loose): void;
  readFields(reader: MessageReader, into: Loose, endTag: number): void;
  empty(): Loose;
};
/** A message whose type only its codec knows. */
export type Loose = Record<string, unknown>;

/** A single value of a field: a scalar (an enum is one, too), or a message. */
export type Value =
  | { readonly is: "scalar"; readonly scalar: Scalar; readonly enum: EnumDescription | undefined }
  | { readonly is: "message"; readonly nested: Nested; readonly isDelimited: boolean };

export type Kind = "single" | "list" | "packed" | "map";
/** A field as a codec uses it. */
export type PlannedField = {
  readonly name: string;
  readonly row: FieldRow;
  readonly kind: Kind;
  readonly value: Value;
  readonly key: Scalar | undefined;
  /** The tag that is written; readers accept others, too. */
  readonly tag: number;
  readonly hasPresence: boolean;
};
/** In the order in which they are written: a oneof stands where its first member does. */
export type Planned = PlannedField | { readonly kind: "oneof"; readonly name: string; readonly members: ReadonlyMap<string, PlannedField> };

const EMPTY: readonly unknown[] = Object.freeze([]);

/** Numbers below this one are looked up in a list. */
const SMALL = 32;

export class Plan {
  readonly order: readonly Planned[];
  readonly byNumber: ReadonlyMap<number, PlannedField>;
  /** The same for small numbers, which are found faster in a list. */
  readonly #small: readonly (PlannedField | undefined)[];
  readonly byName: ReadonlyMap<string, PlannedField>;
  /** A message without anything, to be copied. Lists are shared: they are frozen. */
  readonly template: Readonly<Loose>;
  /** Properties that every message needs of its own, as they could be changed. */
  readonly maps: readonly string[];
  /** Octets, which no two messages share. */
  readonly octets: readonly string[];

  constructor(rows: FieldRows, nestedOf: (type: object) => Nested) {
    const fields = Object.entries(rows)
      .map(([name, row]) => planField(name, row, nestedOf))
      .sort((a, b) => a.row.number - b.row.number);
    this.byNumber = new Map(fields.map((field) => [field.row.number, field]));
    this.byName = new Map(fields.map((field) => [field.name, field]));
    this.#small = Array.from({ length: SMALL }, (_, number) => this.byNumber.get(number));
    const order: Planned[] = [];
    const oneofs = new Map<string, Map<string, PlannedField>>();
    const template: Loose = {};
    for (const field of fields) {
      const { name, row } = field;
      const { oneof } = row;
      if (oneof === undefined) {
        order.push(field);
        if (field.kind === "list" || field.kind === "packed") template[name] = EMPTY;
        else if (field.kind === "single" && !field.hasPresence) template[name] = zeroOf(field.value);
        continue;
      }
      let members = oneofs.get(oneof);
      if (members === undefined) {
        members = new Map();
        oneofs.set(oneof, members);
        order.push({ kind: "oneof", name: oneof, members });
      }
      members.set(name, field);
    }
    this.order = order;
    this.template = template;
    this.maps = fields.filter(({ kind }) => kind === "map").map(({ name }) => name);
    this.octets = fields
      .filter((field) => field.row.type === "bytes" && field.name in template && field.kind === "single")
      .map(({ name }) => name);
  }

  /** The field with this number. */
  field(number: number): PlannedField | undefined {
    return number < SMALL ? this.#small[number] : this.byNumber.get(number);
  }
  /** A message without anything. */
  empty(): Loose {
    const message: Loose = { ...this.template };
    for (const name of this.maps) message[name] = new Map();
    for (const name of this.octets) message[name] = new Uint8Array(0);
    return message;
  }
}

/** What a value that is not set is; a message has no such value. */
export const zeroOf = (value: Value): unknown =>
  value.is === "message" ? undefined : value.enum === undefined ? value.scalar.zero : value.enum.zero;

function planField(name: string, row: FieldRow, nestedOf: (type: object) => Nested): PlannedField {
  const value = valueOf(row, nestedOf);
  const kind: Kind = row.key !== undefined ? "map" : row.list === undefined ? "single" : row.list === "packed" ? "packed" : "list";
  const isPart = kind === "map" || kind === "packed";
  const wire = isPart ? Wire.BYTES : value.is === "scalar" ? value.scalar.wire : value.isDelimited ? Wire.GROUP : Wire.BYTES;
  return {
    name,
    row,
    kind,
    value,
    key: row.key === undefined ? undefined : SCALARS[row.key],
    tag: ((row.number << 3) | wire) >>> 0,
    hasPresence: row.presence !== undefined || row.oneof !== undefined || value.is === "message",
  };
}

function valueOf({ type, isDelimited }: FieldRow, nestedOf: (type: object) => Nested): Value {
  if (typeof type === "string") return { is: "scalar", scalar: SCALARS[type], enum: undefined };
  if (description in type) return { is: "scalar", scalar: SCALARS.int32, enum: type[description] };
  return { is: "message", nested: nestedOf(type), isDelimited: isDelimited === true };
}
