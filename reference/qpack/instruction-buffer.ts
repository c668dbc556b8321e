import { Writer } from "../core/index.ts";
import { Cursor } from "../field-coding/index.ts";
import { fault, type Place, type QpackFault, type QpackFaultName } from "./faults.ts";

/** Reads one instruction or a part of one at the cursor, and applies it; a name is a fault of the peer. */
export type ReadOne = (cursor: Cursor) => QpackFaultName | undefined;

/** The octets of a stream of instructions, which may be cut anywhere (rfc9204#4.2). An incomplete integer or string waits for the rest. */
export class InstructionBuffer {
  readonly #place: Place;
  readonly #cursor = new Cursor();
  readonly #held = new Writer();
  readonly #maxHeld: number;

  /** `maxHeld` is the number of octets that the longest permitted integer or string has. */
  constructor(place: Place, maxHeld: number) {
    this.#place = place;
    this.#maxHeld = maxHeld;
  }

  /** Calls `read` at the beginning of each part, until the octets end or a fault is found. */
  receive(octets: Uint8Array, read: ReadOne): QpackFault | undefined {
    let all = octets;
    if (this.#held.length > 0) {
      this.#held.bytes(octets);
      all = this.#held.take();
    }
    const cursor = this.#cursor.open(all);
    while (cursor.at < cursor.end) {
      const begin = cursor.at;
      const wrong = read(cursor);
      if (cursor.fault === "integerTruncated" || cursor.fault === "stringTruncated") {
        if (cursor.end - begin > this.#maxHeld) return fault("stringTooLong", this.#place);
        this.#held.bytes(all.subarray(begin));
        break;
      }
      const name = cursor.fault ?? wrong;
      if (name !== undefined) return fault(name, this.#place);
    }
    cursor.close();
    return undefined;
  }
}
