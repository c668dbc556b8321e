/**
 * The framing of messages on a stream: a flags octet, the length in four octets, and the message (rpc-http2#requests). The boundaries of DATA
 * frames have no meaning (rpc-http2#data-frames).
 */

/** The number of octets before each message. */
const HEAD_OCTETS = 5;
/** The flags octet of a compressed message (rpc-http2#requests). */
const COMPRESSED = 1;

/** A message as sent. `octets` may be a view of the received octets: valid until the next `receive`. */
export type Envelope = { readonly isCompressed: boolean; readonly octets: Uint8Array };

/** Why octets are not a message. `tooLarge`: its announced length exceeds the limit; nothing of it was kept. */
export type EnvelopeProblem = { readonly is: "flags"; readonly flags: number } | { readonly is: "tooLarge"; readonly length: number };

const NOTHING = new Uint8Array(0);
/** The most memory that an announced length gets before its octets arrive. */
const TRUSTED_OCTETS = 65_536;

/** Reads the messages of one direction of a stream, wherever it is cut. */
export class EnvelopeReader {
  readonly #limit: number;
  /** The head of the message, and how much of it has arrived. */
  readonly #head = new Uint8Array(HEAD_OCTETS);
  #headLength = 0;
  /** The announced length of the message, and the part of it that has arrived. */
  #length = 0;
  #kept: Uint8Array = NOTHING;
  #keptLength = 0;

  /** @param limit The most octets of a message, as it was sent. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether the stream may end here: no message is incomplete. */
  get isBetween(): boolean {
    return this.#headLength === 0;
  }

  /** Adds the complete messages to `out`. The problem is final: do not call it again. */
  receive(octets: Uint8Array, out: Envelope[]): EnvelopeProblem | undefined {
    let at = 0;
    while (at < octets.length) {
      if (this.#headLength < HEAD_OCTETS) {
        at = this.#receiveHead(octets, at);
        if (this.#headLength < HEAD_OCTETS) return undefined;
        const problem = this.#begin();
        if (problem !== undefined) return problem;
      }
      const missing = this.#length - this.#keptLength;
      if (octets.length - at < missing) {
        this.#keep(octets.subarray(at));
        return undefined;
      }
      const rest = octets.subarray(at, at + missing);
      at += missing;
      out.push({ isCompressed: this.#head[0] === COMPRESSED, octets: this.#keptLength === 0 ? rest : this.#join(rest) });
      this.#headLength = 0;
    }
    return undefined;
  }

  #receiveHead(octets: Uint8Array, from: number): number {
    let at = from;
    while (this.#headLength < HEAD_OCTETS && at < octets.length) this.#head[this.#headLength++] = octets[at++] ?? 0;
    return at;
  }

  #begin(): EnvelopeProblem | undefined {
    const [flags = 0, a = 0, b = 0, c = 0, d = 0] = this.#head;
    if (flags > COMPRESSED) return { is: "flags", flags };
    this.#length = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
    return this.#length > this.#limit ? { is: "tooLarge", length: this.#length } : undefined;
  }

  /** Keeps a part of a message. An announced length costs little memory until its octets arrive. */
  #keep(part: Uint8Array): void {
    const needed = this.#keptLength + part.length;
    if (needed > this.#kept.length) {
      const kept = new Uint8Array(Math.min(this.#length, Math.max(needed, TRUSTED_OCTETS, this.#kept.length * 2)));
      kept.set(this.#kept.subarray(0, this.#keptLength));
      this.#kept = kept;
    }
    this.#kept.set(part, this.#keptLength);
    this.#keptLength = needed;
  }

  /** The whole message, whose last part is `rest`. */
  #join(rest: Uint8Array): Uint8Array {
    this.#keep(rest);
    const message = this.#kept.subarray(0, this.#keptLength);
    this.#kept = NOTHING;
    this.#keptLength = 0;
    return message;
  }
}

/** A message with its head. */
export function writeEnvelope({ isCompressed, octets }: Envelope): Uint8Array {
  const { length } = octets;
  const wire = new Uint8Array(HEAD_OCTETS + length);
  wire.set([isCompressed ? COMPRESSED : 0, length >>> 24, length >>> 16, length >>> 8, length]);
  wire.set(octets, HEAD_OCTETS);
  return wire;
}
