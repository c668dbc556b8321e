import { concatenated } from "../../core/index.ts";
import type { WebContent } from "./web-call.ts";

const LENIENT = new TextDecoder("latin1");
const ENCODER = new TextEncoder();
const NEITHER = /[^0-9A-Za-z+/=]/;
const GROUP = 4;

/**
 * Decodes content in Base64 that may have padding inside, where its sender flushed (rpc-web#text). White space is skipped; from anything that
 * is not Base64 on, octets come that no reader takes for messages.
 */
export class Base64Decoder implements WebContent {
  #rest = "";
  #isBroken = false;

  receive(octets: Uint8Array): Uint8Array {
    if (this.#isBroken) return new Uint8Array(0);
    const text = this.#rest + LENIENT.decode(octets).replaceAll(/[\r\n\t ]/g, "");
    const whole = text.length - (text.length % GROUP);
    this.#rest = text.slice(whole);
    const parts: Uint8Array[] = [];
    for (const run of text.slice(0, whole).match(/[^=]+={0,2}|=+/g) ?? []) {
      if (NEITHER.test(run) || run.length % GROUP !== 0 || run.startsWith("=")) return this.#broken(parts);
      parts.push(Uint8Array.fromBase64(run));
    }
    return concatenated(parts);
  }
  /** Padding at the end may be left out. */
  end(): Uint8Array {
    if (this.#isBroken || this.#rest === "") return new Uint8Array(0);
    return NEITHER.test(this.#rest) || this.#rest.length === 1 || this.#rest.includes("=") ? BROKEN : Uint8Array.fromBase64(this.#rest);
  }
  #broken(parts: readonly Uint8Array[]): Uint8Array {
    this.#isBroken = true;
    return concatenated([...parts, BROKEN]);
  }
}

/** An octet of flags that are all reserved. */
const BROKEN = Uint8Array.of(0x7f, 0, 0, 0, 0);

/** Octets in Base64, padded at their end. */
export const toBase64 = (octets: Uint8Array): Uint8Array => ENCODER.encode(octets.toBase64());
