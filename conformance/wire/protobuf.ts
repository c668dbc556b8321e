/** Messages of protobuf, field by field: any message can be written, and any can be read without its contract. */

/** A length-delimited field: text, a message, packed numbers. */
export const lengthDelimited = (number: number, content: Uint8Array): Uint8Array =>
  joined([varint((number << 3) | 2), varint(content.length), content]);

/** A varint of a number that is not negative. */
export function varint(value: number): Uint8Array {
  const octets: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) octets.push((rest % 128) | 128);
  return Uint8Array.from([...octets, rest]);
}

/** A field with a varint; nothing for 0, as in proto3. */
export const varintField = (number: number, value: number): Uint8Array =>
  value === 0 ? new Uint8Array() : joined([varint(number << 3), varint(value)]);

export const joined = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

/** The values of a message by the numbers of their fields: a number for a varint, octets for a length-delimited field. */
export class ReadMessage {
  readonly #values: ReadonlyMap<number, readonly (number | Uint8Array)[]>;
  constructor(values: ReadonlyMap<number, readonly (number | Uint8Array)[]>) {
    this.#values = values;
  }
  /** The numbers of the fields that it has. */
  get numbers(): Iterable<number> {
    return this.#values.keys();
  }
  /** Every value of this field. */
  values(field: number): readonly (number | Uint8Array)[] {
    return this.#values.get(field) ?? [];
  }
  /** The last varint of this field; 0 without one. */
  number(field: number): number {
    const value = this.#values.get(field)?.findLast((one) => typeof one === "number");
    return typeof value === "number" ? value : 0;
  }
  /** Every length-delimited value of this field. */
  all(field: number): Uint8Array[] {
    return (this.#values.get(field) ?? []).filter((one) => typeof one !== "number");
  }
  /** The last length-delimited value of this field; empty without one. */
  octets(field: number): Uint8Array {
    return this.all(field).at(-1) ?? new Uint8Array();
  }
  text(field: number): string {
    return Buffer.from(this.octets(field)).toString();
  }
}

const FIXED: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/** Reads a message. Returns undefined if the octets are not one. */
export function readMessage(octets: Uint8Array): ReadMessage | undefined {
  const values = new Map<number, (number | Uint8Array)[]>();
  let at = 0;
  const next = (): number | undefined => {
    let value = 0;
    for (let scale = 1, taken = 0; taken < 10; taken++, scale *= 128) {
      const octet = octets[at++];
      if (octet === undefined) return undefined;
      value += (octet & 127) * scale;
      if (octet < 128) return value;
    }
    return undefined;
  };
  while (at < octets.length) {
    const key = next();
    if (key === undefined || key < 8) return undefined;
    const kind = key % 8;
    const value = kind === 0 || kind === 2 ? next() : 0;
    if (value === undefined) return undefined;
    const length = kind === 2 ? value : (FIXED[kind] ?? 0);
    if ((kind !== 0 && kind !== 2 && FIXED[kind] === undefined) || at + length > octets.length) return undefined;
    const field = Math.floor(key / 8);
    values.set(field, [...(values.get(field) ?? []), kind === 0 ? value : octets.slice(at, at + length)]);
    at += length;
  }
  return new ReadMessage(values);
}
