import { Writer } from "./writer.ts";

/** Bytes up to this count are copied next to what was written before; larger chunks are passed on as the views given. */
const COPY_OCTETS = 4_096;
const NONE: readonly Uint8Array[] = Object.freeze([]);

/** The outgoing bytes of one connection, in order: small parts are written together, large ones leave uncopied. */
export class Output {
  /** Writes heads and small parts. */
  readonly writer = new Writer();
  /** The pieces in front of the writer's bytes, and their total length. */
  #pieces: Uint8Array[] | undefined;
  #piecesLength = 0;

  get length(): number {
    return this.#piecesLength + this.writer.length;
  }

  /** Copies few bytes; keeps a view of many. */
  add(bytes: Uint8Array): void {
    if (bytes.length <= COPY_OCTETS) this.writer.bytes(bytes);
    else this.addView(bytes);
  }
  /** Keeps a view however short: the bytes must not change until they are sent. */
  addView(bytes: Uint8Array): void {
    if (this.writer.length > 0) this.#push(this.writer.cut());
    this.#push(bytes);
  }
  /** Moves everything from `other` to the end of this output. */
  append(other: Output): void {
    for (const piece of other.take()) this.add(piece);
  }
  /** Hands over all bytes and keeps nothing. */
  take(): readonly Uint8Array[] {
    const pieces = this.#pieces;
    const { writer } = this;
    if (pieces === undefined) return writer.length === 0 ? NONE : [writer.handOver()];
    this.#pieces = undefined;
    this.#piecesLength = 0;
    if (writer.length > 0) pieces.push(writer.handOver());
    return pieces;
  }

  #push(bytes: Uint8Array): void {
    this.#pieces ??= [];
    this.#pieces.push(bytes);
    this.#piecesLength += bytes.length;
  }
}
