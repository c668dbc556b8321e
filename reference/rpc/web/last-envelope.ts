import { concatenated } from "../../core/index.ts";
import { type Compressors, IDENTITY } from "../compression.ts";
import { NOTHING } from "./web-call.ts";

const HEAD_OCTETS = 5;
const COMPRESSED = 1;
/** The most octets of the envelope that ends a stream. */
const LIMIT = 1_048_576;

/**
 * Divides the content of a streaming answer into messages in their envelopes, which pass as they are, and the envelope that says how the call
 * ended, which is kept. The flag `mark` tells it apart.
 */
export class LastEnvelope {
  readonly #mark: number;
  readonly #encoding: string;
  readonly #compressors: Compressors;
  #head: number[] = [];
  /** Octets that the envelope still lacks. */
  #missing = 0;
  #kept: Uint8Array | undefined;
  #length = 0;
  #isBroken = false;

  constructor(mark: number, of: { readonly encoding: string | undefined; readonly compressors: Compressors }) {
    this.#mark = mark;
    this.#encoding = of.encoding ?? IDENTITY;
    this.#compressors = of.compressors;
  }

  /** The octets of the messages among these. */
  receive(octets: Uint8Array): Uint8Array {
    const parts: Uint8Array[] = [];
    let at = 0;
    while (at < octets.length) {
      if (this.#missing === 0) {
        while (this.#head.length < HEAD_OCTETS && at < octets.length) this.#head.push(octets[at++]!);
        if (this.#head.length < HEAD_OCTETS) break;
        parts.push(this.#begin());
        continue;
      }
      const part = octets.subarray(at, at + this.#missing);
      at += part.length;
      this.#missing -= part.length;
      if (this.#kept === undefined) parts.push(part);
      else {
        this.#kept.set(part, this.#length);
        this.#length += part.length;
      }
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : concatenated(parts);
  }

  /** Starts the envelope whose head is complete; returns what of it passes. Nothing may follow the last one. */
  #begin(): Uint8Array {
    const head = Uint8Array.from(this.#head);
    const [flags = 0] = head;
    const length = new DataView(head.buffer).getUint32(1);
    if (this.#kept !== undefined) this.#isBroken = true;
    else if ((flags & this.#mark) === 0) {
      this.#head = [];
      this.#missing = length;
      return head;
    } else if (length > LIMIT) this.#isBroken = true;
    this.#missing = this.#isBroken ? Number.POSITIVE_INFINITY : length;
    this.#kept = this.#isBroken ? undefined : new Uint8Array(length);
    this.#flags = flags;
    this.#head = [];
    return NOTHING;
  }
  #flags = 0;

  /** The octets of the last envelope; undefined if there is none, or it is damaged. */
  end(): Uint8Array | undefined {
    if (this.#isBroken || this.#kept === undefined || this.#missing > 0) return undefined;
    if ((this.#flags & COMPRESSED) === 0 || this.#kept.length === 0) return this.#kept;
    const octets = this.#compressors.get(this.#encoding)?.decompress(this.#kept, LIMIT);
    return octets instanceof Uint8Array ? octets : undefined;
  }
  /** Octets of a head that is not complete: the answer ends inside an envelope. */
  get rest(): Uint8Array {
    return Uint8Array.from(this.#head);
  }
}
