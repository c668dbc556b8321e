import { type Compressors, IDENTITY, writeEncodings } from "./compression.ts";
import { type Envelope, EnvelopeReader } from "./envelope.ts";
import { type Fault, fault } from "./faults.ts";

/** The most octets of a received message: 4 MiB, as the existing implementations have it. */
export const DEFAULT_MESSAGE_OCTETS = 4_194_304;

export type MessageOptions = {
  /** The side that reads. */
  readonly side: "client" | "server";
  /** The value of the peer's encoding field. */
  readonly encoding?: string | undefined;
  readonly compressors: Compressors;
  /** The most octets of a message, counted as it was sent and again when it is decompressed. */
  readonly limit?: number;
};

/** Reads the messages of one direction of a stream, and decompresses them. */
export class MessageReader {
  readonly #options: MessageOptions;
  readonly #limit: number;
  readonly #reader: EnvelopeReader;
  readonly #envelopes: Envelope[] = [];

  constructor(options: MessageOptions) {
    this.#options = options;
    this.#limit = options.limit ?? DEFAULT_MESSAGE_OCTETS;
    this.#reader = new EnvelopeReader(this.#limit);
  }

  /**
   * Adds the complete messages to `out`. They may be views of `octets`: valid until the next `receive`. The fault is final: do not call it
   * again. The messages before it have been added.
   */
  receive(octets: Uint8Array, out: Uint8Array[]): Fault | undefined {
    const envelopes = this.#envelopes;
    const problem = this.#reader.receive(octets, envelopes);
    for (const envelope of envelopes) {
      const message = envelope.isCompressed ? this.#decompress(envelope.octets) : envelope.octets;
      if ("is" in message) return message;
      out.push(message);
    }
    envelopes.length = 0;
    if (problem === undefined) return undefined;
    if (problem.is === "tooLarge") return this.#tooLarge("messageTooLarge", `a message of ${problem.length} octets, more`);
    return fault("flagsReserved", `The ${this.#options.side} received a message with reserved flags: ${problem.flags}.`);
  }

  /** The stream has ended: the fault of a stream that ends inside a message. */
  end(): Fault | undefined {
    return this.#reader.isBetween
      ? undefined
      : fault("messageCutShort", `The ${this.#options.side} received a stream that ends inside a message.`);
  }

  #decompress(octets: Uint8Array): Uint8Array | Fault {
    const { side, encoding = IDENTITY, compressors } = this.#options;
    if (encoding === IDENTITY)
      return fault("flagWithoutEncoding", `The ${side} received a compressed message on a stream without an encoding.`);
    const compressor = compressors.get(encoding);
    if (compressor === undefined) {
      const name = side === "server" ? "requestEncodingUnknown" : "responseEncodingUnknown";
      return fault(name, `The ${side} does not know the encoding ${encoding}: it knows ${writeEncodings(compressors)}.`);
    }
    const message = compressor.decompress(octets, this.#limit);
    if (message === "corrupt") return fault("compressionInvalid", `The ${side} received a message that is not valid ${encoding}.`);
    return message === "large" ? this.#tooLarge("inflatedTooLarge", "a compressed message that inflates to more") : message;
  }

  #tooLarge(name: "messageTooLarge" | "inflatedTooLarge", what: string): Fault {
    return fault(name, `The ${this.#options.side} received ${what} than its limit of ${this.#limit} octets for a message.`);
  }
}
