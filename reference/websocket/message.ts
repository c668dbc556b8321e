import { latin1, Utf8Check, skipAscii } from "../core/index.ts";
import type { Event } from "./contract.ts";
import type { Inflater } from "./deflate.ts";
import type { FaultName } from "./faults.ts";
import { concatenated, Gathered } from "./gathered.ts";

const NOTHING = new Uint8Array(0);
/** From so many octets on the platform's own check is faster than ours. */
const WORTH_A_CALL = 256;

/** How messages are told to the owner. */
export type Telling = {
  /** Text as octets instead of strings. */
  readonly asOctets: boolean;
  /** Parts as they come, instead of whole messages. */
  readonly asFragments: boolean;
};

/** One message after another, while it comes in pieces: inflated, checked, gathered or told piece by piece. */
export class Incoming {
  readonly #telling: Telling;
  readonly #emit: (event: Event) => void;
  readonly #limit: number;
  /** What has come, where the message is told whole. */
  readonly #gathered = new Gathered();
  readonly #utf8 = new Utf8Check();
  /** The start of a character whose rest is in the next piece; only where text is told as strings, in fragments. */
  #carry: Uint8Array = NOTHING;
  #isText = false;
  #isAscii = true;
  #inflater: Inflater | undefined;
  /** Octets so far, after inflation. */
  length = 0;
  frames = 0;
  /** Octets of the frame under way that were still to come when the last piece came, with that piece. */
  announced = 0;

  constructor(telling: Telling, limit: number, emit: (event: Event) => void) {
    this.#telling = telling;
    this.#limit = limit;
    this.#emit = emit;
  }

  /** A message begins; `inflater` where it is compressed. */
  begin(isText: boolean, inflater: Inflater | undefined): void {
    this.#isText = isText;
    this.#isAscii = true;
    this.#inflater = inflater;
    this.length = 0;
    this.frames = 0;
    this.#carry = NOTHING;
  }
  /** Whether a frame of so many octets would go beyond the limit; what a compressed one becomes shows later. */
  isBeyond(length: number): boolean {
    return (this.#inflater === undefined ? this.length + length : length) > this.#limit;
  }

  /** The next octets, unmasked; `end` with the last ones of the message. What is wrong with them, where something is. */
  piece(octets: Uint8Array, isAscii: boolean, end: boolean): FaultName | undefined {
    let plain = octets;
    let isPlain = isAscii;
    if (this.#inflater !== undefined) {
      const inflated = this.#inflater.inflate(octets, end, this.#limit - this.length);
      if (inflated === "corrupt") return "compressionInvalid";
      if (inflated === "large") return "messageTooLarge";
      plain = inflated;
      isPlain = !this.#isText || skipAscii(plain, 0, plain.length) === plain.length;
    }
    this.length += plain.length;
    if (this.#isText) {
      if (!isPlain) this.#isAscii = false;
      // Octets that are all ASCII, and begin no character that is under way, need no second look.
      if (!(isPlain && this.#utf8.isWhole) && !isUtf8(this.#utf8, plain)) return "textInvalid";
      if (end && !this.#utf8.isWhole) return "textInvalid";
    }
    if (this.#telling.asFragments) this.#tellPiece(plain, end);
    else {
      this.#gathered.push(plain, this.announced);
      if (end) this.#tellWhole();
    }
    return undefined;
  }

  #tellWhole(): void {
    this.#emit(wholeMessage(this.#gathered.take(), this.#isText, this.#isAscii, this.#telling.asOctets));
  }
  #tellPiece(octets: Uint8Array, end: boolean): void {
    if (!this.#isText || this.#telling.asOctets) {
      if (octets.length > 0 || end) this.#emit({ is: "fragment", kind: this.#isText ? "utf8" : "binary", data: octets, end });
      return;
    }
    const all = this.#carry.length === 0 ? octets : concatenated([this.#carry, octets]);
    let cut = all.length;
    if (!this.#utf8.isWhole) while (all[--cut]! < 0xc0);
    this.#carry = cut === all.length ? NOTHING : new Uint8Array(all.subarray(cut));
    if (cut > 0 || end) this.#emit({ is: "fragment", kind: "text", data: decode(all, 0, cut, this.#isAscii), end });
  }
}

/** A whole message as its event. */
export function wholeMessage(octets: Uint8Array, isText: boolean, isAscii: boolean, asOctets: boolean): Event {
  if (!isText) return { is: "message", kind: "binary", data: octets };
  if (asOctets) return { is: "message", kind: "utf8", data: octets };
  return { is: "message", kind: "text", data: decode(octets, 0, octets.length, isAscii) };
}

/** Octets that are known to be UTF-8 as a string; a byte order mark is a character like others. */
const decode = (octets: Uint8Array, from: number, to: number, isAscii: boolean): string =>
  isAscii ? latin1(octets, from, to) : utf8Slice.call(octets, from, to);
type Slice = (this: Uint8Array, from: number, to: number) => string;
const utf8Slice: Slice = Buffer.prototype.utf8Slice as Slice;

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** As `check.push` of them all; long ones are given to the platform, but for what may be cut at their end. */
export function isUtf8(check: Utf8Check, octets: Uint8Array): boolean {
  const { length } = octets;
  if (length < WORTH_A_CALL || !check.isWhole) return check.push(octets, 0, length);
  // At most three octets back from the end a character begins, or what stands there is wrong anyway.
  let whole = length - 1;
  while (whole > length - 4 && (octets[whole]! & 0xc0) === 0x80) whole--;
  try {
    STRICT.decode(octets.subarray(0, whole));
  } catch {
    return false;
  }
  return check.push(octets, whole, length);
}
