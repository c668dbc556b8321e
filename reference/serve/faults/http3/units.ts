import { concatenated, Reader, readVarint, Writer, writeVarint } from "../../../core/index.ts";
import { Decoder, Encoder } from "../../../qpack/index.ts";
import { CONNECTION, FRAME, idOf, octets, ordinalOf, type CutUnit, type ResetUnit, type Unit } from "./unit.ts";

/**
 * Parses what the machine sends, and writes what the faults leave of it. Sections refer to the static table alone on both ways, so that one
 * that is dropped or delayed leaves the others readable.
 */
export class Units {
  readonly #decoder = new Decoder();
  readonly #encoder = new Encoder({ tableCapacity: 0 });
  /** Octets of incomplete frames, by stream. */
  readonly #held = new Map<number, Uint8Array>();

  /** The units in the next octets of a stream. */
  *read(id: number, bytes: Uint8Array, end: boolean): Generator<Unit> {
    const stream = ordinalOf(id);
    if (stream === CONNECTION) {
      yield octets(id, bytes, end);
      return;
    }
    const held = this.#held.get(id);
    let rest = held === undefined ? bytes : concatenated([held, bytes]);
    for (let next = frameIn(rest); next !== undefined; next = frameIn(rest)) {
      const { type, payload, size } = next;
      rest = rest.subarray(size);
      yield this.#unit(stream, type, payload, end && rest.length === 0);
      if (end && rest.length === 0) {
        this.#held.delete(id);
        return;
      }
    }
    if (end) yield octets(id, rest, true);
    if (end || rest.length === 0) this.#held.delete(id);
    else this.#held.set(id, rest.slice());
  }
  forget(id: number): void {
    this.#held.delete(id);
  }

  #unit(stream: number, type: number, payload: Uint8Array, end: boolean): Unit {
    const decoded = type === FRAME.HEADERS ? this.#decoder.decode((stream - 1) * 4, payload) : undefined;
    return decoded?.is === "fields" ? { is: "fields", stream, fields: decoded.fields, end } : { is: "frame", stream, type, payload, end };
  }

  /** The octets of a unit. */
  write(unit: Exclude<Unit, CutUnit | ResetUnit>): Uint8Array {
    if (unit.is === "octets") return unit.bytes;
    if (unit.is === "frame") return written(unit.type, unit.payload);
    const writer = new Writer(256);
    this.#encoder.encode(idOf(unit), unit.fields, writer);
    return written(FRAME.HEADERS, writer.take());
  }
}

function frameIn(bytes: Uint8Array): { readonly type: number; readonly payload: Uint8Array; readonly size: number } | undefined {
  const reader = new Reader(bytes);
  const type = readVarint(reader);
  const length = readVarint(reader);
  if (reader.short || reader.left < length) return undefined;
  const from = bytes.length - reader.left;
  return { type, payload: bytes.subarray(from, from + length), size: from + length };
}

/** A frame (rfc9114#7.1). */
export function written(type: number, payload: Uint8Array): Uint8Array {
  const writer = new Writer(payload.length + 16);
  writeVarint(writer, type);
  writeVarint(writer, payload.length);
  return writer.bytes(payload).take();
}
