import { Output, type Utf8Check } from "../core/index.ts";
import type { Compression } from "./compression.ts";
import { firstOctet, Opcode, writeHead } from "./frame.ts";
import { mask } from "./mask.ts";
import type { MaskKeys } from "./mask-keys.ts";

const NOTHING = new Uint8Array(0);

/** Our message in fragments that is not complete. */
export type FragmentedMessage = {
  readonly compression: Compression | undefined;
  /** Of text: checks that the fragments together are UTF-8. */
  readonly check: Utf8Check | undefined;
};

/** The outgoing frames of one side. */
export class FrameWriter extends Output {
  /** Undefined for a server, which does not mask. */
  readonly #keys: MaskKeys | undefined;

  constructor(keys: MaskKeys | undefined) {
    super();
    this.#keys = keys;
  }

  /** A data frame. `opcode` is `continuation` except at the start of a message: RSV1 is set only there (rfc7692#6). */
  data(opcode: Opcode, data: Uint8Array, fin: boolean, compression: Compression | undefined): void {
    const payload = compression === undefined ? data : compression.deflater.deflate(data, fin);
    const key = this.#keys?.next();
    const w = this.writer;
    const { length } = payload;
    writeHead(w, firstOctet(opcode, fin, compression !== undefined && opcode !== Opcode.continuation), length, key);
    if (key === undefined) return this.add(payload);
    // Masked as a copy: the octets belong to the caller.
    const at = w.claim(length);
    w.octets.set(payload, at);
    mask(w.octets, at, at + length, key);
    return undefined;
  }

  /** A text message straight from a short string; false, and nothing is written, unless the string is ASCII. */
  asciiText(data: string): boolean {
    const { length } = data;
    const key = this.#keys?.next();
    const w = this.writer;
    const before = w.length;
    writeHead(w, firstOctet(Opcode.text, true), length, key);
    const from = w.claim(length);
    const { octets } = w;
    for (let i = 0; i < length; i++) {
      const code = data.charCodeAt(i);
      if (code >= 0x80) {
        w.rewind(before);
        return false;
      }
      octets[from + i] = code;
    }
    if (key !== undefined) mask(octets, from, from + length, key);
    return true;
  }

  control(opcode: Opcode, payload: Uint8Array): void {
    const key = this.#keys?.next();
    const w = this.writer;
    writeHead(w, firstOctet(opcode, true), payload.length, key);
    const at = w.claim(payload.length);
    w.octets.set(payload, at);
    if (key !== undefined) mask(w.octets, at, at + payload.length, key);
  }
  close(code: number | undefined, reason: string): void {
    if (code === undefined) return this.control(Opcode.close, NOTHING);
    const text = Buffer.from(reason);
    const payload = new Uint8Array(2 + text.length);
    payload[0] = code >>> 8;
    payload[1] = code;
    payload.set(text, 2);
    return this.control(Opcode.close, payload);
  }
}
