import { Writer } from "../../core/index.ts";
import { writeFrame, type Frame } from "../frame/index.ts";
import { longHeadLength, writeLongHeader, type LongHead } from "./header.ts";
import { shortFirst, type Keys } from "./keys.ts";
import type { NumberLength } from "./number.ts";
import { TAG_LENGTH } from "./suites.ts";

/** The head of a packet to send: long, or short with the key phase. */
export type Head = LongHead | { readonly type: "1-RTT"; readonly destination: Uint8Array; readonly phase: 0 | 1 };

/** A packet that is being filled with frames, within the octets that a datagram has left. */
export class Draft {
  readonly head: Head;
  readonly number: number;
  readonly payload: Writer;
  readonly #numberLength: NumberLength;
  readonly #room: number;
  #isPadded = false;

  constructor(head: Head, { number, length }: { readonly number: number; readonly length: NumberLength }, octets: number) {
    this.head = head;
    this.payload = new Writer(octets);
    this.number = number;
    this.#numberLength = length;
    this.#room = octets - this.#headLength - length - TAG_LENGTH;
  }

  /** Octets that frames may still take. */
  get room(): number {
    return this.#room - this.payload.length;
  }
  /** Octets of the whole packet. */
  get length(): number {
    return this.#headLength + this.#numberLength + Math.max(this.payload.length, 4 - this.#numberLength) + TAG_LENGTH;
  }
  /** Whether padding was added: such a packet counts as in flight (rfc9002#2). */
  get isPadded(): boolean {
    return this.#isPadded;
  }
  get isEmpty(): boolean {
    return this.payload.length === 0;
  }

  /** Adds a frame if it fits. */
  add(frame: Frame): boolean {
    const before = this.payload.length;
    writeFrame(this.payload, frame);
    if (this.payload.length <= this.#room) return true;
    this.payload.rewind(before);
    return false;
  }
  /** Makes the whole packet this much longer with padding. */
  grow(octets: number): void {
    if (octets > 0) this.#pad(Math.max(this.payload.length, 4 - this.#numberLength) + octets);
  }

  /** Makes the packet as long as it may be, with padding. */
  fill(): void {
    this.#pad(this.#room);
  }

  /** Writes and protects the packet. */
  seal(writer: Writer, keys: Keys): void {
    // Header protection needs a sample (rfc9001#5.4.2).
    this.#pad(4 - this.#numberLength);
    const start = writer.length;
    if (this.head.type === "1-RTT") writer.u8(shortFirst(this.head.phase, this.#numberLength)).bytes(this.head.destination);
    else writeLongHeader(writer, this.head, this.#numberLength + this.payload.length + TAG_LENGTH, this.#numberLength);
    const numberAt = writer.length - start;
    for (let at = this.#numberLength - 1; at >= 0; at--) writer.u8(Math.floor(this.number / 256 ** at) % 256);
    writer.bytes(this.payload.view(0));
    for (let at = 0; at < TAG_LENGTH; at += 4) writer.u32(0);
    keys.protect(writer.view(start), numberAt, this.#numberLength, this.number);
  }

  /** Pads the payload to a length. */
  #pad(length: number): void {
    const missing = length - this.payload.length;
    if (missing <= 0) return;
    this.#isPadded = true;
    writeFrame(this.payload, { is: "PADDING", length: missing });
  }
  get #headLength(): number {
    return this.head.type === "1-RTT" ? 1 + this.head.destination.length : longHeadLength(this.head);
  }
}
