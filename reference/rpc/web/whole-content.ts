import { concatenated } from "../../core/index.ts";
import { writeEnvelope } from "../envelope.ts";
import { framed } from "./end-of-stream.ts";
import { NOTHING, type WebContent } from "./web-call.ts";

/** The content of a unary request: one message without an envelope (rpc-connect#unary-request). */
export class WholeContent implements WebContent {
  readonly #isCompressed: boolean;
  readonly #limit: number;
  #parts: Uint8Array[] = [];
  #length = 0;
  #isRefused = false;

  /** @param limit The most octets that are kept. */
  constructor(isCompressed: boolean, limit: number) {
    this.#isCompressed = isCompressed;
    this.#limit = limit;
  }

  receive(octets: Uint8Array): Uint8Array {
    if (this.#isRefused) return NOTHING;
    this.#length += octets.length;
    if (this.#length > this.#limit) {
      this.#parts = [];
      this.#isRefused = true;
      // The head alone makes the reader of messages refuse it.
      return framed(0, NOTHING).fill(0xff, 1);
    }
    this.#parts.push(Uint8Array.from(octets));
    return NOTHING;
  }
  end(): Uint8Array {
    if (this.#isRefused) return NOTHING;
    return enveloped(concatenated(this.#parts), this.#isCompressed);
  }
}

/** A message that stood in the head of the request. Content of the request itself has no meaning. */
export class GivenContent implements WebContent {
  readonly #message: Uint8Array;
  readonly #isCompressed: boolean;

  constructor(message: Uint8Array, isCompressed: boolean) {
    this.#message = message;
    this.#isCompressed = isCompressed;
  }
  receive(): Uint8Array {
    return NOTHING;
  }
  end(): Uint8Array {
    return enveloped(this.#message, this.#isCompressed);
  }
}

/** A message of no octets is never decompressed (rpc-connect#unary-request). */
const enveloped = (octets: Uint8Array, isCompressed: boolean): Uint8Array =>
  writeEnvelope({ isCompressed: isCompressed && octets.length > 0, octets });
