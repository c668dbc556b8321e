import type { ReadFrame } from "./read.ts";

/** Counts our open streams: a stream is open from our HEADERS until both sides end it, or one resets it (rfc9113#5.1). */
export class OpenStreams {
  readonly #half = new Map<number, { ours: boolean; theirs: boolean }>();

  get open(): number {
    return this.#half.size;
  }

  ours(frame: ReadFrame): void {
    if (frame.type === "HEADERS" && !this.#half.has(frame.stream)) this.#half.set(frame.stream, { ours: false, theirs: false });
    this.#end(frame, "ours");
  }
  theirs(frame: ReadFrame): void {
    this.#end(frame, "theirs");
  }

  #end(frame: ReadFrame, side: "ours" | "theirs"): void {
    const one = this.#half.get(frame.stream);
    if (one === undefined) return;
    if (frame.endStream === true) one[side] = true;
    if (frame.type === "RST_STREAM" || (one.ours && one.theirs)) this.#half.delete(frame.stream);
  }
}
