import { Writer } from "../../../core/index.ts";
import { Decoder, Encoder } from "../../../hpack/index.ts";
import {
  CLIENT_PREFACE,
  CONNECTION,
  Flag,
  FrameType,
  HEAD_LENGTH,
  readFrame,
  readHead,
  streamId,
  writeFrame,
  writeHead,
  type Frame,
} from "../../../http2/index.ts";
import { octets, type FieldsUnit, type Unit } from "./unit.ts";

/** A limit for blocks of our own server: none is refused. */
const ROOM = 0xff_ffff;
const NOTHING = new Uint8Array(0);

type Block = { readonly unit: Omit<FieldsUnit, "fields">; readonly fragments: Uint8Array[] };

/**
 * Parses the machine's output, and writes what the faults leave of it. Blocks are decoded, and encoded again without the dynamic table, so
 * that a dropped or delayed block leaves later blocks readable.
 */
export class Units {
  readonly #decoder = new Decoder({ maxListSize: ROOM, maxStringLength: ROOM });
  readonly #encoder = new Encoder({ tableSize: 0, maxTableSize: 0 });
  readonly #writer = new Writer();
  #held: Uint8Array = NOTHING;
  /** Fragments of an incomplete block, after the frame that began it. */
  #open: Block | undefined;
  /** Size updates that the client expects, until a block leaves (rfc7541#4.2). */
  #updates: Uint8Array = NOTHING;

  /** Octets of a client's preface that are still to come. */
  #preface: number;

  constructor(side: "server" | "client") {
    this.#preface = side === "client" ? CLIENT_PREFACE.length : 0;
    // For any size that the server's encoder announces; it starts with the default.
    this.#decoder.maxTableSize = 0xffff_ffff;
  }

  /** The units in the next output of the machine. */
  *read(bytes: Uint8Array): Generator<Unit> {
    const input = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    let at = Math.min(this.#preface, input.length);
    if (at > 0) yield octets(CONNECTION, input.subarray(0, at));
    this.#preface -= at;
    for (; at + HEAD_LENGTH <= input.length;) {
      const head = readHead(input, at);
      const end = at + HEAD_LENGTH + head.length;
      if (end > input.length) break;
      const payload = input.subarray(at + HEAD_LENGTH, end);
      at = end;
      const read = readFrame(head, payload);
      const isBlock = read.is === "HEADERS" || read.is === "PUSH_PROMISE" || read.is === "CONTINUATION";
      if (!isBlock) yield { is: "frame", stream: head.stream, type: head.type, flags: head.flags, payload };
      else {
        const block = this.#collect(read);
        if (block !== undefined) yield this.#decode(block);
      }
    }
    // A copy: the server may reuse its buffer.
    this.#held = at === input.length ? NOTHING : input.slice(at);
  }

  /** The octets of a unit. `maxFrameSize` is the client's. */
  write(unit: Unit, maxFrameSize: number): Uint8Array {
    if (unit.is === "octets") return unit.bytes;
    if (unit.is === "cut") return NOTHING;
    const w = this.#writer;
    if (unit.is === "frame") {
      writeHead(w, { length: unit.payload.length, type: unit.type, flags: unit.flags, stream: unit.stream });
      return w.bytes(unit.payload).take();
    }
    this.#encoder.encode(unit.fields, w);
    const block = Buffer.concat([this.#updates, w.take()]);
    this.#updates = NOTHING;
    const { stream, endStream, promised } = unit;
    const size = maxFrameSize - (promised === undefined ? 0 : 4);
    const first = block.subarray(0, size);
    const endHeaders = first.length === block.length;
    if (promised === undefined) writeFrame(w, { is: "HEADERS", stream, endStream, endHeaders, block: first });
    else writeFrame(w, { is: "PUSH_PROMISE", stream, promised, endHeaders, block: first });
    for (let at = size; at < block.length; at += maxFrameSize) {
      const end = at + maxFrameSize;
      writeFrame(w, { is: "CONTINUATION", stream, endHeaders: end >= block.length, block: block.subarray(at, end) });
    }
    return w.take();
  }

  /** The block with its fragments, if it is complete. */
  #collect(read: Extract<Frame, { is: "HEADERS" | "PUSH_PROMISE" | "CONTINUATION" }>): Block | undefined {
    if (read.is === "CONTINUATION") this.#open?.fragments.push(read.block.slice());
    else {
      const { stream } = read;
      const unit =
        read.is === "HEADERS"
          ? { is: "fields" as const, stream, endStream: read.endStream }
          : { is: "fields" as const, stream, endStream: false, promised: streamId(read.promised) };
      this.#open = { unit, fragments: [read.block.slice()] };
    }
    if (!read.endHeaders) return undefined;
    const complete = this.#open;
    this.#open = undefined;
    return complete;
  }
  #decode({ unit, fragments }: Block): Unit {
    const block = Buffer.concat(fragments);
    const decoded = this.#decoder.decode(block);
    // A block that cannot be decoded passes unchanged.
    if (decoded.is !== "fields") {
      const flags = Flag.END_HEADERS | (unit.endStream ? Flag.END_STREAM : 0);
      return { is: "frame", stream: unit.stream, type: FrameType.HEADERS, flags, payload: block };
    }
    const updates = block.subarray(0, updatesLength(block));
    if (updates.length > 0) this.#updates = Buffer.concat([this.#updates, updates]);
    return { ...unit, fields: decoded.fields };
  }
}

/** The length of the size updates at the start of a block: 001, then an integer with a 5-bit prefix (rfc7541#6.3). */
function updatesLength(block: Uint8Array): number {
  let at = 0;
  while (at < block.length && (block[at]! & 0xe0) === 0x20) {
    const isLong = (block[at++]! & 0x1f) === 0x1f;
    if (isLong) while (at < block.length && (block[at++]! & 0x80) !== 0);
  }
  return at;
}
