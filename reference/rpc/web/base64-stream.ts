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
    const wrong = text.slice(0, whole).search(NEITHER);
    const good = wrong < 0 ? whole : wrong - (wrong % GROUP);
    for (const run of text.slice(0, good).match(/[^=]+={0,2}|=+/g) ?? []) {
      const isWhole = run.length % GROUP === 0 && !run.startsWith("=");
      if (isWhole) parts.push(Uint8Array.fromBase64(run));
      else return this.#broken([...parts, Uint8Array.fromBase64(groupsBefore(run))]);
    }
    return wrong < 0 ? concatenated(parts) : this.#broken(parts);
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

/** The groups of a run before padding that is in a wrong place, or too much. */
function groupsBefore(run: string): string {
  const letters = run.replaceAll("=", "").length;
  const rest = letters % GROUP;
  return run.slice(0, letters - rest + (rest > 1 && run.length >= letters - rest + GROUP ? GROUP : 0));
}

/** An octet of flags that are all reserved. */
const BROKEN = Uint8Array.of(0x7f, 0, 0, 0, 0);

/** Octets in Base64, padded at their end. */
export const toBase64 = (octets: Uint8Array): Uint8Array => ENCODER.encode(octets.toBase64());
