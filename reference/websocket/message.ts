import { concatenated, latin1, Utf8Check, skipAscii } from "../core/index.ts";
import type { Event } from "./contract.ts";
import type { Inflater } from "./deflate.ts";
import type { FaultName } from "./faults.ts";
import { Gathered } from "./gathered.ts";

const NOTHING = new Uint8Array(0);
/** From this length on the platform's check is faster than ours. */
const WORTH_A_CALL = 256;

/** How messages are reported. */
export type Delivery = {
  /** Text as octets instead of strings. */
  readonly asOctets: boolean;
  /** Parts as they arrive, instead of whole messages. */
  readonly asFragments: boolean;
};

/** Reads one message after another that arrives in pieces: inflates, checks, and gathers or reports them. */
export class MessageReader {
  readonly #delivery: Delivery;
  readonly #emit: (event: Event) => void;
  readonly #limit: number;
  /** What has arrived of a message that is reported whole. */
  readonly #gathered = new Gathered();
  readonly #utf8 = new Utf8Check();
  /** The start of a character whose rest is in the next piece; only for fragments of text as strings. */
  #carry: Uint8Array = NOTHING;
  #isText = false;
  #isAscii = true;
  #inflater: Inflater | undefined;
  /** Octets so far, after inflation. */
  #length = 0;
  #frames = 0;
  /** Octets of the current frame that were still to come, the last piece included. */
  #announced = 0;

  constructor(delivery: Delivery, limit: number, emit: (event: Event) => void) {
    this.#delivery = delivery;
    this.#limit = limit;
    this.#emit = emit;
  }

  /** A message begins; `inflater` if it is compressed. */
  begin(isText: boolean, inflater: Inflater | undefined): void {
    this.#isText = isText;
    this.#isAscii = true;
    this.#inflater = inflater;
    this.#length = 0;
    this.#frames = 0;
    this.#carry = NOTHING;
  }
  /** Counts a continuation frame, and returns their number. */
  countFrame(): number {
    return ++this.#frames;
  }
  /** Whether a frame of this length exceeds the limit; a compressed one is judged as it is inflated. */
  exceeds(length: number): boolean {
    return (this.#inflater === undefined ? this.#length + length : length) > this.#limit;
  }
  announce(octets: number): void {
    this.#announced = octets;
  }

  /** The next unmasked octets; `end` with the last of the message. Returns what is wrong with them. */
  piece(octets: Uint8Array, isAscii: boolean, end: boolean): FaultName | undefined {
    let plain = octets;
    let isPlain = isAscii;
    if (this.#inflater !== undefined) {
      const inflated = this.#inflater.inflate(octets, end, this.#limit - this.#length);
      if (inflated === "corrupt") return "compressionInvalid";
      if (inflated === "large") return "messageTooLarge";
      plain = inflated;
      isPlain = !this.#isText || skipAscii(plain, 0, plain.length) === plain.length;
    }
    this.#length += plain.length;
    if (this.#isText) {
      if (!isPlain) this.#isAscii = false;
      // ASCII between two characters needs no further check.
      if (!(isPlain && this.#utf8.isWhole) && !isUtf8(this.#utf8, plain)) return "textInvalid";
      if (end && !this.#utf8.isWhole) return "textInvalid";
    }
    if (this.#delivery.asFragments) this.#emitPiece(plain, end);
    else {
      this.#gathered.push(plain, this.#announced);
      if (end) this.#emit(wholeMessage(this.#gathered.take(), formOf(this.#isText, this.#isAscii, this.#delivery)));
    }
    return undefined;
  }

  #emitPiece(octets: Uint8Array, end: boolean): void {
    if (!this.#isText || this.#delivery.asOctets) {
      if (octets.length > 0 || end) this.#emit({ is: "fragment", kind: this.#isText ? "utf8" : "binary", data: octets, end });
      return;
    }
    const all = this.#carry.length === 0 ? octets : concatenated([this.#carry, octets]);
    let cut = all.length;
    if (!this.#utf8.isWhole) while (all[--cut]! < 0xc0);
    this.#carry = cut === all.length ? NOTHING : new Uint8Array(all.subarray(cut));
    if (cut > 0 || end) {
      const data = this.#isAscii ? latin1(all, 0, cut) : utf8Slice.call(all, 0, cut);
      this.#emit({ is: "fragment", kind: "text", data, end });
    }
  }
}

/** The four ways to report a message: octets, octets of text, and strings, with a shortcut for ASCII. */
export const Form = { binary: 0, utf8: 1, ascii: 2, text: 3 } as const;
export type Form = (typeof Form)[keyof typeof Form];
export function formOf(isText: boolean, isAscii: boolean, { asOctets }: Delivery): Form {
  if (!isText) return Form.binary;
  if (asOctets) return Form.utf8;
  return isAscii ? Form.ascii : Form.text;
}

/** The event for a whole message. A byte order mark is a character like any other. */
export function wholeMessage(octets: Uint8Array, form: Form): Event {
  switch (form) {
    case Form.binary:
      return { is: "message", kind: "binary", data: octets };
    case Form.utf8:
      return { is: "message", kind: "utf8", data: octets };
    case Form.ascii:
      return { is: "message", kind: "text", data: latin1(octets, 0, octets.length) };
    default:
      return { is: "message", kind: "text", data: utf8Slice.call(octets, 0, octets.length) };
  }
}

type Slice = (this: Uint8Array, from: number, to: number) => string;
const utf8Slice: Slice = Buffer.prototype.utf8Slice as Slice;

/** Without `stream` it keeps nothing from one call to the next. */
const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** As `check.push` of all octets; gives long ones to the platform, except a character that may be cut at their end. */
export function isUtf8(check: Utf8Check, octets: Uint8Array): boolean {
  const { length } = octets;
  if (length < WORTH_A_CALL || !check.isWhole) return check.push(octets, 0, length);
  // The last character begins at most three octets before the last one, or the text is wrong anyway.
  let whole = length - 1;
  while (whole > length - 4 && (octets[whole]! & 0xc0) === 0x80) whole--;
  try {
    STRICT.decode(octets.subarray(0, whole));
  } catch {
    return false;
  }
  return check.push(octets, whole, length);
}
