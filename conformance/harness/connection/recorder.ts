import type { TranscriptLine } from "../result.ts";
import { toHex } from "../../wire/octets.ts";

/** The maximum number of octets per write in a transcript: enough to replay ours. A run of zeros needs only its beginning. */
const KEPT = { "->": 4096, "<-": 256 } as const;
const KEPT_OF_ZEROS = 64;
const isZeros = (octets: Uint8Array): boolean =>
  octets.length > KEPT_OF_ZEROS && octets[3] === 0 && octets.subarray(KEPT_OF_ZEROS).every((octet) => octet === 0);
/** A transcript keeps the beginning and the end of a flood. */
const HEAD_LINES = 300;
const TAIL_LINES = 100;

/** Writes the transcript of one performance, with times since its start. */
export class Recorder {
  readonly #began = performance.now();
  #head: TranscriptLine[] = [];
  #tail: TranscriptLine[] = [];
  #dropped = 0;

  get now(): number {
    return Math.round((performance.now() - this.#began) * 10) / 10;
  }

  wire(way: "->" | "<-", means: string, octets: Uint8Array): void {
    const limit = way === "->" && isZeros(octets) ? KEPT_OF_ZEROS : KEPT[way];
    this.#add({
      at: this.now,
      way,
      means,
      hex: toHex(octets.length > limit ? octets.subarray(0, limit) : octets),
      ...(octets.length > limit ? { octets: octets.length } : {}),
    });
  }

  remark(means: string): void {
    this.#add({ at: this.now, way: "--", means });
  }

  get lines(): TranscriptLine[] {
    if (this.#dropped === 0) return [...this.#head, ...this.#tail];
    const at = this.#tail[0]?.at ?? this.now;
    return [...this.#head, { at, way: "--", means: `… ${this.#dropped} lines omitted` }, ...this.#tail];
  }

  #add(line: TranscriptLine): void {
    if (this.#head.length < HEAD_LINES) this.#head.push(line);
    else {
      this.#tail.push(line);
      if (this.#tail.length > TAIL_LINES) {
        this.#tail.shift();
        this.#dropped += 1;
      }
    }
  }
}
