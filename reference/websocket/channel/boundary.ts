/**
 * Finds where a stream of terminal output may be cut: neither within a character in UTF-8 nor within a control sequence. A screen that was
 * drawn at such an offset continues with the octets after it.
 */

/** `string`: OSC, DCS, APC, PM or SOS, until ST; OSC until BEL too. */
type Place = "ground" | "escape" | "escape-more" | "control" | "string" | "string-escape";

export class Boundary {
  #place: Place = "ground";
  /** Continuation octets of a character that are missing, and whether it may be a control character of 8 bits (C2 80 to C2 9F). */
  #missing = 0;
  #isC2 = false;
  #at: number;
  #safe: number;

  constructor(at = 0) {
    this.#at = at;
    this.#safe = at;
  }

  /** The last offset at which the stream may be cut. */
  get safe(): number {
    return this.#safe;
  }

  take(octets: Uint8Array): void {
    for (const octet of octets) {
      this.#at++;
      this.#next(octet);
      if (this.#place === "ground" && this.#missing === 0) this.#safe = this.#at;
    }
  }

  #next(octet: number): void {
    // CAN and SUB end any sequence, ESC begins one anywhere.
    if (octet === 0x18 || octet === 0x1a) return this.#to("ground");
    if (octet === 0x1b) return this.#to(this.#place === "string" ? "string-escape" : "escape");
    switch (this.#place) {
      case "ground":
        return this.#character(octet);
      case "escape":
      case "string-escape":
        return this.#escaped(octet);
      case "escape-more":
        if (octet >= 0x30 && octet <= 0x7e) this.#to("ground");
        return undefined;
      case "control":
        if (octet >= 0x40 && octet <= 0x7e) this.#to("ground");
        return undefined;
      default:
        if (octet === 0x07) return this.#to("ground");
        return this.#character(octet);
    }
  }
  #escaped(octet: number): void {
    if (octet === 0x5b) this.#to("control");
    else if (octet === 0x5d || octet === 0x50 || octet === 0x58 || octet === 0x5e || octet === 0x5f) this.#to("string");
    else if (octet >= 0x20 && octet <= 0x2f) this.#to("escape-more");
    else if (octet >= 0x30 && octet <= 0x7e) this.#to("ground");
  }
  #character(octet: number): void {
    if (octet >= 0x80 && octet <= 0xbf && this.#missing > 0) {
      this.#missing--;
      if (this.#isC2) this.#wide(octet);
      return;
    }
    this.#isC2 = octet === 0xc2;
    this.#missing = octet >= 0xf0 && octet <= 0xf4 ? 3 : octet >= 0xe0 && octet <= 0xef ? 2 : octet >= 0xc2 && octet <= 0xdf ? 1 : 0;
  }
  /** A control character of 8 bits: CSI, OSC and the others that begin a string, ST. */
  #wide(octet: number): void {
    if (octet === 0x9b) this.#to("control");
    else if (octet === 0x9d || octet === 0x90 || octet === 0x98 || octet === 0x9e || octet === 0x9f) this.#to("string");
    else if (octet === 0x9c) this.#to("ground");
    this.#isC2 = false;
  }
  #to(place: Place): void {
    this.#place = place;
    this.#missing = 0;
  }
}
