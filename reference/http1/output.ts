import { Writer } from "../core/index.ts";

/** Content up to this size is copied beside the head before it; larger content leaves as the view that was given. */
const COPY_OCTETS = 4_096;
const NONE: readonly Uint8Array[] = [];

/** Octets on their way out, in order. */
export class Output {
  /** Where heads and small content are written. */
  readonly writer = new Writer();
  /** What goes before the writer's octets, and how many octets that is. */
  #pieces: Uint8Array[] | undefined;
  #before = 0;

  get length(): number {
    return this.#before + this.writer.length;
  }

  content(bytes: Uint8Array): void {
    if (bytes.length <= COPY_OCTETS) this.writer.bytes(bytes);
    else {
      this.#cut();
      this.#push(bytes);
    }
  }
  /** What another has gathered goes on here. */
  append(other: Output): void {
    for (const piece of other.take()) this.content(piece);
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

  #cut(): void {
    if (this.writer.length > 0) this.#push(this.writer.cut());
  }
  #push(bytes: Uint8Array): void {
    this.#pieces ??= [];
    this.#pieces.push(bytes);
    this.#before += bytes.length;
  }
}
