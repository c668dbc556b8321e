import { concatenated } from "../../core/index.ts";
import { Spans } from "../spans.ts";

type Chunk = { readonly offset: number; readonly octets: Uint8Array };

/** Octets to send in order: not sent, in flight, lost, acknowledged. They are kept as the views given until they are acknowledged. */
export class SendBuffer {
  #chunks: Chunk[] = [];
  /** The end of what was written. */
  #end = 0;
  /** The end of what was sent at least once. */
  #sent = 0;
  readonly #acknowledged = new Spans();
  readonly #lost = new Spans();

  get end(): number {
    return this.#end;
  }
  get sent(): number {
    return this.#sent;
  }
  /** Octets that are kept: written and not acknowledged, but for gaps. */
  get waiting(): number {
    return this.#end - (this.#chunks[0]?.offset ?? this.#end);
  }
  get unsent(): number {
    return this.#end - this.#sent;
  }
  get hasLost(): boolean {
    return this.#lost.size > 0;
  }
  get isAcknowledged(): boolean {
    return this.#acknowledged.covers(0, this.#end);
  }

  /** The octets must not change until they are acknowledged. */
  write(octets: Uint8Array): void {
    if (octets.length === 0) return;
    this.#chunks.push({ offset: this.#end, octets });
    this.#end += octets.length;
  }

  /** The offset to send from next: lost octets come before new ones. Undefined if nothing is left below `limit`. */
  nextOffset(limit = Number.POSITIVE_INFINITY): number | undefined {
    return this.#lost.first?.from ?? (this.#sent < Math.min(this.#end, limit) ? this.#sent : undefined);
  }
  /** At most `most` octets from `nextOffset`, which count as in flight from now on. New ones end at `limit`. */
  take(most: number, limit = Number.POSITIVE_INFINITY): Chunk | undefined {
    const lost = this.#lost.first;
    if (lost !== undefined) {
      const to = Math.min(lost.to, lost.from + most);
      this.#lost.remove(lost.from, to);
      return { offset: lost.from, octets: this.#read(lost.from, to) };
    }
    const to = Math.min(this.#end, limit, this.#sent + most);
    if (to <= this.#sent) return undefined;
    const offset = this.#sent;
    this.#sent = to;
    return { offset, octets: this.#read(offset, to) };
  }

  acknowledge(from: number, to: number): void {
    if (!this.#acknowledged.add(from, to)) return;
    this.#lost.remove(from, to);
    const done = this.#acknowledged.first!;
    if (done.from > 0) return;
    let count = 0;
    while (count < this.#chunks.length && this.#chunks[count]!.offset + this.#chunks[count]!.octets.length <= done.to) count++;
    this.#chunks.splice(0, count);
  }
  /** The octets have to be sent again, but for those that were acknowledged meanwhile. */
  lose(from: number, to: number): void {
    for (const gap of this.#acknowledged.missing(from, to)) this.#lost.add(gap.from, gap.to);
  }
  /** Everything in flight has to be sent again. */
  loseAll(): void {
    this.lose(0, this.#sent);
  }
  /** Keeps nothing: the stream was reset. */
  clear(): void {
    this.#chunks = [];
    this.#lost.remove(0, this.#end);
    this.#acknowledged.add(0, this.#end);
    this.#sent = this.#end;
  }

  #read(from: number, to: number): Uint8Array {
    const parts: Uint8Array[] = [];
    for (let index = this.#indexOf(from); index < this.#chunks.length; index++) {
      const { offset, octets } = this.#chunks[index]!;
      if (offset >= to) break;
      parts.push(octets.subarray(Math.max(0, from - offset), to - offset));
    }
    return parts.length === 1 ? parts[0]! : concatenated(parts);
  }
  #indexOf(offset: number): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#chunks[middle]!.offset <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
