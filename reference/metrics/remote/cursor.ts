/** A message is not one of the protocol. */
export class MessageFault extends Error {
  override readonly name = "MessageFault";
}

const ASCII = 0x80;

/** Reads the fields of a protobuf message from left to right: numbers stay numbers, which is exact to 2^53. Throws `MessageFault`. */
export class MessageCursor {
  readonly octets: Uint8Array;
  readonly #view: DataView;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  at = 0;
  /** The end of the message that is being read. */
  end: number;
  /** The number and the kind of the field that `next` found. */
  field = 0;
  kind = 0;

  constructor(octets: Uint8Array) {
    this.octets = octets;
    this.end = octets.length;
    this.#view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
  }

  /** Goes to the next field; false at the end. */
  next(): boolean {
    if (this.at >= this.end) return false;
    const tag = this.varint();
    this.field = Math.floor(tag / 8);
    this.kind = tag % 8;
    if (this.field === 0) throw new MessageFault("a field of the message has the number 0");
    return true;
  }

  /** Goes into the message or text that is the value of the field; returns what `leave` needs. */
  enter(): number {
    if (this.kind !== 2) throw this.wrong();
    const length = this.varint();
    if (length > this.end - this.at) throw torn();
    const outer = this.end;
    this.end = this.at + length;
    return outer;
  }
  leave(outer: number): void {
    this.at = this.end;
    this.end = outer;
  }

  /** An unsigned integer; beyond 2^53 the nearest number. */
  varint(): number {
    let value = 0;
    let weight = 1;
    for (let count = 0; count < 10; count++) {
      if (this.at >= this.end) throw torn();
      const octet = this.octets[this.at++]!;
      value += (octet & 0x7f) * weight;
      if (octet < 0x80) return value;
      weight *= 128;
    }
    throw new MessageFault("an integer of the message has more than 64 bits");
  }
  /** An int64: two's complement. */
  int64(): number {
    const start = this.at;
    const value = this.varint();
    return value < 2 ** 53 ? value : Number(this.#exact(start));
  }
  /** The varint from `start` up to here, as an int64. */
  #exact(start: number): bigint {
    let exact = 0n;
    for (let at = start; at < this.at; at++) exact |= BigInt(this.octets[at]! & 0x7f) << BigInt(7 * (at - start));
    return BigInt.asIntN(64, exact);
  }
  /** A sint32 or sint64: zigzag. */
  zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
  double(): number {
    if (this.kind !== 1) throw this.wrong();
    if (this.end - this.at < 8) throw torn();
    this.at += 8;
    return this.#view.getFloat64(this.at - 8, true);
  }
  /** The 64 bits of a fixed64 field. */
  fixed64(): bigint {
    if (this.kind !== 1) throw this.wrong();
    if (this.end - this.at < 8) throw torn();
    this.at += 8;
    return this.#view.getBigUint64(this.at - 8, true);
  }
  /** The halves of the double that was read last: they tell NaNs apart. */
  get high(): number {
    return this.#view.getUint32(this.at - 4, true);
  }
  get low(): number {
    return this.#view.getUint32(this.at - 8, true);
  }
  /** The number of a varint field. */
  integer(): number {
    if (this.kind !== 0) throw this.wrong();
    return this.int64();
  }
  /** The number of an int64 field, all 64 bits of it. */
  exactInteger(): bigint {
    if (this.kind !== 0) throw this.wrong();
    const start = this.at;
    this.varint();
    return this.#exact(start);
  }
  signed(): number {
    if (this.kind !== 0) throw this.wrong();
    return this.zigzag();
  }
  /** Checks that octets are text. */
  checkText(from: number, to: number): void {
    let at = from;
    while (at < to && this.octets[at]! < ASCII) at += 1;
    if (at === to) return;
    try {
      this.#decoder.decode(this.octets.subarray(at, to));
    } catch {
      throw new MessageFault("a text of the message is not UTF-8");
    }
  }
  /** The numbers of a repeated field, packed or one at a time. */
  numbers(into: number[], packedKind: 0 | 1, read: (at: this) => number): void {
    if (this.kind !== 2) {
      if (this.kind !== packedKind) throw this.wrong();
      into.push(read(this));
      return;
    }
    const outer = this.enter();
    this.kind = packedKind;
    while (this.at < this.end) into.push(read(this));
    this.leave(outer);
  }
  skip(): void {
    if (this.kind === 0) this.varint();
    else if (this.kind === 2) this.leave(this.enter());
    else if (this.kind === 1 || this.kind === 5) {
      this.at += this.kind === 1 ? 8 : 4;
      if (this.at > this.end) throw torn();
    } else throw this.wrong();
  }

  wrong(): MessageFault {
    return new MessageFault(`field ${this.field} of the message has the wrong wire type ${this.kind}`);
  }
}

const torn = (): MessageFault => new MessageFault("the message is cut off");
