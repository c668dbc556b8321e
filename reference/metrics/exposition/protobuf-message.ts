import { Utf8Check } from "../../core/index.ts";
import type { SampleToWrite } from "./families-write.ts";
import type { Limits } from "./limits.ts";
import { fieldsOf, signed, type WireField } from "./protobuf-wire.ts";

/** Name and value pairs in the order of the message. */
export type Labels = readonly (readonly [name: string, value: string])[];

/** The faults of a page of messages, each with advice. */
const ADVICE = {
  messageTorn: "Send whole messages, each after its length.",
  fieldInvalid: "Send the type of value that metrics.proto defines for the field.",
  utf8Invalid: "Send strings in UTF-8.",
  nameMissing: "Name the family.",
  typeUnknown: "Use one of the types of metrics.proto.",
  valueMissing: "Give each metric the value of its family's type.",
  labelInvalid: "Give each label a name, once, and not __name__.",
  histogramInvalid: "Give a native histogram a schema from -4 to 8, as many counts as its spans have buckets, and none below zero.",
  pageTooLarge: "Expose less, or raise the limit of octets per page.",
  tooManyMetadata: "Expose fewer families, or raise the limit of metadata per page.",
  tooManySamples: "Expose fewer series, or raise the limit of samples per page.",
  tooManyLabels: "Use fewer labels, or raise the limit of labels per series.",
  tooManyBuckets: "Use fewer buckets, or raise the limit of buckets per histogram.",
  textTooLong: "Shorten the text, or raise the limit of names, values or lines.",
} as const;

/** A fault, thrown while reading messages; `readProtobuf` returns it. */
export class Refusal extends Error {
  override readonly name: keyof typeof ADVICE;
  readonly offset: number;
  constructor(name: keyof typeof ADVICE, offset: number) {
    super(name);
    this.name = name;
    this.offset = offset;
  }
  get advice(): string {
    return ADVICE[this.name];
  }
}

const isOfKind = <Kind extends WireField["is"]>(field: WireField, is: Kind): field is Extract<WireField, { is: Kind }> => field.is === is;

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** A message with access to its fields by number. If a field comes twice, the last counts, unless it is a list. */
export class Message {
  readonly offset: number;
  readonly limits: Limits;
  readonly #fields: readonly WireField[];

  constructor(octets: Uint8Array, offset: number, limits: Limits) {
    const fields = fieldsOf(octets, offset, limits.samples + limits.buckets);
    if (fields === "tooMany") throw new Refusal("tooManySamples", offset);
    if (fields === undefined) throw new Refusal("messageTorn", offset);
    this.#fields = fields;
    this.offset = offset;
    this.limits = limits;
  }

  #all<Kind extends WireField["is"]>(number: number, is: Kind): Extract<WireField, { is: Kind }>[] {
    return this.#fields.flatMap((field) => {
      if (field.number !== number) return [];
      if (!isOfKind(field, is)) throw new Refusal("fieldInvalid", this.offset);
      return [field];
    });
  }
  has(number: number): boolean {
    return this.#fields.some((field) => field.number === number);
  }

  text(number: number, most: number): string {
    const field = this.#all(number, "octets").at(-1);
    if (field === undefined) return "";
    const { value, offset } = field;
    if (value.length > most) throw new Refusal("textTooLong", offset);
    const check = new Utf8Check();
    if (!check.push(value, 0, value.length) || !check.isWhole) throw new Refusal("utf8Invalid", offset);
    return UTF8.decode(value);
  }
  double(number: number): number {
    return this.#all(number, "double").at(-1)?.value ?? 0;
  }
  /** An int64, an int32 or an enum. */
  integer(number: number): number {
    return signed(this.#all(number, "varint").at(-1)?.value ?? 0n);
  }
  /** A uint64, rounded to a float. */
  count(number: number): number {
    return Number(this.#all(number, "varint").at(-1)?.value ?? 0n);
  }
  message(number: number): Message | undefined {
    return this.messages(number).at(-1);
  }
  messages(number: number): Message[] {
    return this.#all(number, "octets").map(({ value, offset }) => new Message(value, offset, this.limits));
  }
  /** A list of numbers, packed or not. */
  list<T>(number: number, each: (field: WireField) => T, unpack: (octets: Uint8Array) => WireField[] | undefined): T[] {
    return this.#fields
      .filter((field) => field.number === number)
      .flatMap((field) => {
        const parts = field.is === "octets" ? unpack(field.value) : [field];
        if (parts === undefined) throw new Refusal("messageTorn", this.offset);
        return parts.map(each);
      });
  }

  labels(number: number): Labels {
    const pairs = this.messages(number);
    if (pairs.length > this.limits.labels) throw new Refusal("tooManyLabels", this.offset);
    const seen = new Set<string>(["", "__name__"]);
    return pairs.map((pair) => {
      const name = pair.text(1, this.limits.nameOctets);
      if (seen.has(name)) throw new Refusal("labelInvalid", pair.offset);
      seen.add(name);
      return [name, pair.text(2, this.limits.valueOctets)];
    });
  }
  /** A google.protobuf.Timestamp in milliseconds. */
  timestamp(number: number): number | undefined {
    const found = this.message(number);
    return found === undefined ? undefined : found.integer(1) * 1_000 + found.integer(2) / 1e6;
  }
  exemplar(): NonNullable<SampleToWrite["exemplar"]> {
    const timestamp = this.timestamp(3);
    return { labels: this.labels(1), value: this.double(2), ...(timestamp === undefined ? {} : { timestamp }) };
  }
}
