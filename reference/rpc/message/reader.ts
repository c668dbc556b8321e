import { MalformedMessage } from "./malformed.ts";

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const LENIENT = new TextDecoder("utf-8", { ignoreBOM: true });
/** Texts of this length are read character by character. */
const SHORT = 32;
/** How deep messages and groups may nest; what existing implementations allow. */
const NESTING = 100;

/** How a value is written: the lower three bits of its tag. */
export const Wire = { VARINT: 0, FIXED64: 1, BYTES: 2, GROUP: 3, END_GROUP: 4, FIXED32: 5 } as const;

/** Reads the parts of a message. Every method throws `MalformedMessage` at the end of the octets. */
export class MessageReader {
  readonly octets: Uint8Array;
  /** Made for the first number of fixed size: most messages have none. */
  #lazyView: DataView | undefined;
  #at = 0;
  #end: number;
  #depth = 0;

  constructor(octets: Uint8Array) {
    // A subclass may give views in place of copies, as Buffer does.
    this.octets = octets.constructor === Uint8Array ? octets : new Uint8Array(octets.buffer, octets.byteOffset, octets.length);
    this.#end = octets.length;
  }

  get #view(): DataView {
    this.#lazyView ??= new DataView(this.octets.buffer, this.octets.byteOffset, this.octets.length);
    return this.#lazyView;
  }
  get at(): number {
    return this.#at;
  }
  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** The number and the wire type of a field. */
  tag(): number {
    const tag = this.uint32();
    if (tag >>> 3 === 0) throw new MalformedMessage("A field has the number 0.");
    return tag;
  }
  /** A varint of at most 32 bits; of a longer one the lower 32 bits. */
  uint32(): number {
    const { octets } = this;
    let octet = this.#octet();
    if (octet < 0x80) return octet;
    let value = octet & 0x7f;
    for (let shift = 7; shift < 35; shift += 7) {
      octet = this.#octet();
      value |= (octet & 0x7f) << shift;
      if (octet < 0x80) return value >>> 0;
    }
    for (let more = 0; more < 5; more += 1) if (this.#octet() < 0x80) return value >>> 0;
    throw new MalformedMessage(`A number at octet ${this.#at} of ${octets.length} has more than ten octets.`);
  }
  /** A varint of at most 64 bits, without a sign. */
  uint64(): bigint {
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const octet = this.#octet();
      low |= (octet & 0x7f) << shift;
      if (octet < 0x80) return BigInt(low);
    }
    const middle = this.#octet();
    low = (low | ((middle & 0x0f) << 28)) >>> 0;
    let high = (middle & 0x7f) >> 4;
    if (middle >= 0x80) {
      let shift = 3;
      for (; shift < 38; shift += 7) {
        const octet = this.#octet();
        if (shift < 32) high |= (octet & 0x7f) << shift;
        if (octet < 0x80) break;
      }
      if (shift >= 38) throw new MalformedMessage("A number has more than ten octets.");
    }
    return high === 0 ? BigInt(low) : (BigInt(high >>> 0) << 32n) | BigInt(low);
  }
  /** A varint of at most 64 bits: whether any is set. */
  bool(): boolean {
    let isSet = false;
    for (let count = 0; count < 10; count += 1) {
      const octet = this.#octet();
      isSet ||= (octet & 0x7f) !== 0;
      if (octet < 0x80) return isSet;
    }
    throw new MalformedMessage("A number has more than ten octets.");
  }
  fixed32(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }
  sfixed32(): number {
    return this.#view.getInt32(this.#advance(4), true);
  }
  fixed64(): bigint {
    return this.#view.getBigUint64(this.#advance(8), true);
  }
  sfixed64(): bigint {
    return this.#view.getBigInt64(this.#advance(8), true);
  }
  float(): number {
    return this.#view.getFloat32(this.#advance(4), true);
  }
  double(): number {
    return this.#view.getFloat64(this.#advance(8), true);
  }
  /** Octets with their length before them, as a copy. */
  bytes(): Uint8Array {
    const length = this.uint32();
    const from = this.#advance(length);
    return this.octets.slice(from, from + length);
  }
  string(isLenient: boolean): string {
    const length = this.uint32();
    const from = this.#advance(length);
    const { octets } = this;
    if (length <= SHORT) {
      let text = "";
      let at = from;
      for (; at < from + length; at += 1) {
        const octet = octets[at]!;
        if (octet > 0x7f) break;
        text += String.fromCharCode(octet);
      }
      if (at === from + length) return text;
    }
    const part = octets.subarray(from, from + length);
    if (isLenient) return LENIENT.decode(part);
    try {
      return STRICT.decode(part);
    } catch {
      throw new MalformedMessage("A string is not UTF-8.");
    }
  }

  /** Begins a part with a length before it: until `leave` its end is the end of the octets. Returns what `leave` needs. */
  enter(): number {
    const length = this.uint32();
    const outer = this.#end;
    if (length > outer - this.#at) throw new MalformedMessage(`A part of ${length} octets does not fit into its message.`);
    this.#end = this.#at + length;
    this.deepen();
    return outer;
  }
  leave(outer: number): void {
    this.#end = outer;
    this.rise();
  }
  /** Goes one level deeper, as `enter` does. */
  deepen(): void {
    if (this.#depth >= NESTING) throw new MalformedMessage(`Messages nest deeper than the limit of ${NESTING} levels.`);
    this.#depth += 1;
  }
  rise(): void {
    this.#depth -= 1;
  }

  /** Skips the value of a field. */
  skip(tag: number): void {
    switch (tag & 7) {
      case Wire.VARINT:
        this.uint32();
        return;
      case Wire.FIXED64:
        this.#advance(8);
        return;
      case Wire.BYTES:
        this.#advance(this.uint32());
        return;
      case Wire.FIXED32:
        this.#advance(4);
        return;
      case Wire.GROUP:
        this.deepen();
        for (let inner = this.tag(); inner !== endOf(tag); inner = this.tag()) this.skip(inner);
        this.rise();
        return;
      default:
        throw new MalformedMessage(`The field ${tag >>> 3} has the wire type ${tag & 7}, which cannot be here.`);
    }
  }

  #octet(): number {
    if (this.#at >= this.#end) throw new MalformedMessage("The message is cut off.");
    return this.octets[this.#at++]!;
  }
  #advance(count: number): number {
    const from = this.#at;
    if (count > this.#end - from) throw new MalformedMessage("The message is cut off.");
    this.#at = from + count;
    return from;
  }
}

/** The tag that ends the group which `tag` begins. */
export const endOf = (tag: number): number => ((tag & ~7) | Wire.END_GROUP) >>> 0;
