import { Writer } from "../core/index.ts";

/** Payloads up to this size are copied beside the head before them; larger ones leave as the view that was given. */
const COPY_OCTETS = 4_096;
const NONE: readonly Uint8Array[] = [];

/** Frames on their way out, in order: between any two of its pieces that were taken together a frame may stand, never across them. */
export class Output {
  /** Where heads and small payloads are written. */
  readonly writer = new Writer();
  /** What goes before the writer's octets, and how many octets that is. */
  #pieces: Uint8Array[] | undefined;
  #before = 0;

  get length(): number {
    return this.#before + this.writer.length;
  }

  payload(bytes: Uint8Array): void {
    if (bytes.length <= COPY_OCTETS) this.writer.bytes(bytes);
    else {
      if (this.writer.length > 0) this.#push(this.writer.cut());
      this.#push(bytes);
    }
  }
  /** All of it, handed over. */
  take(): readonly Uint8Array[] {
    const pieces = this.#pieces;
    const { writer } = this;
    if (pieces === undefined) return writer.length === 0 ? NONE : [writer.handOver()];
    this.#pieces = undefined;
    this.#before = 0;
    if (writer.length > 0) pieces.push(writer.handOver());
    return pieces;
  }

  #push(bytes: Uint8Array): void {
    this.#pieces ??= [];
    this.#pieces.push(bytes);
    this.#before += bytes.length;
  }
}
