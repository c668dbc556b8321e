/** A message is not one of the protocol. */
export class MessageFault extends Error {
  override readonly name = "MessageFault";
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads the fields of a protobuf message from left to right: numbers stay numbers, which is exact to 2^53. Throws `MessageFault`. */
export class MessageCursor {
  readonly octets: Uint8Array;
  readonly #view: DataView;
  #at: number;
  #end: number;
  /** The number and the kind of the field that `next` found. */
  field = 0;
  kind = 0;

  constructor(octets: Uint8Array, from = 0, end = octets.length) {
    this.octets = octets;
    this.#view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
    this.#at = from;
    this.#end = end;
  }

  /** Goes to the next field; false at the end. */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    const tag = this.varint();
    this.field = Math.floor(tag / 8);
    this.kind = tag % 8;
    if (this.field === 0) throw new MessageFault("a field of the message has the number 0");
    return true;
  }

  /** An unsigned integer; beyond 2^53 the nearest number. */
  varint(): number {
    let value = 0;
    let weight = 1;
    for (let count = 0; count < 10; count++) {
      if (this.#at >= this.#end) throw torn();
      const octet = this.octets[this.#at++]!;
      value += (octet & 0x7f) * weight;
      if (octet < 0x80) return value;
      weight *= 128;
    }
    throw new MessageFault("an integer of the message has more than 64 bits");
  }
  /** An int64: two's complement. */
  int64(): number {
    const start = this.#at;
    const value = this.varint();
    if (value < 2 ** 53) return value;
    let exact = 0n;
    for (let at = start; at < this.#at; at++) exact |= BigInt(this.octets[at]! & 0x7f) << BigInt(7 * (at - start));
    return Number(BigInt.asIntN(64, exact));
  }
  /** A sint32 or sint64: zigzag. */
  zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
  /** The halves of a double; its value. */
  double(): { readonly value: number; readonly high: number; readonly low: number } {
    if (this.kind !== 1) throw this.wrong();
    if (this.#end - this.#at < 8) throw torn();
    const at = this.#at;
    this.#at += 8;
    return { value: this.#view.getFloat64(at, true), high: this.#view.getUint32(at + 4, true), low: this.#view.getUint32(at, true) };
  }
  /** The number of a varint field. */
  integer(): number {
    if (this.kind !== 0) throw this.wrong();
    return this.int64();
  }
  signed(): number {
    if (this.kind !== 0) throw this.wrong();
    return this.zigzag();
  }
  text(): string {
    const inner = this.message();
    try {
      return decoder.decode(this.octets.subarray(inner.#at, inner.#end));
    } catch {
      throw new MessageFault("a text of the message is not UTF-8");
    }
  }
  /** The cursor of a message within. */
  message(): MessageCursor {
    if (this.kind !== 2) throw this.wrong();
    const length = this.varint();
    if (length > this.#end - this.#at) throw torn();
    const inner = new MessageCursor(this.octets, this.#at, this.#at + length);
    this.#at += length;
    return inner;
  }
  /** The numbers of a repeated field, packed or one at a time. */
  numbers(into: number[], packedKind: 0 | 1, read: (at: MessageCursor) => number): void {
    if (this.kind !== 2) {
      if (this.kind !== packedKind) throw this.wrong();
      into.push(read(this));
      return;
    }
    const inner = this.message();
    inner.kind = packedKind;
    while (inner.#at < inner.#end) into.push(read(inner));
  }
  skip(): void {
    if (this.kind === 0) this.varint();
    else if (this.kind === 2) this.message();
    else if (this.kind === 1 || this.kind === 5) {
      this.#at += this.kind === 1 ? 8 : 4;
      if (this.#at > this.#end) throw torn();
    } else throw this.wrong();
  }

  wrong(): MessageFault {
    return new MessageFault(`field ${this.field} of the message has the wrong wire type ${this.kind}`);
  }
}

const torn = (): MessageFault => new MessageFault("the message is cut off");
