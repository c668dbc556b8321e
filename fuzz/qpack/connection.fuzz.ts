import { field, type Field } from "../../reference/core/index.ts";
import type { Target } from "../lib/target.ts";
import { Link } from "./link.ts";

const CAPACITIES = [0, 60, 120, 220, 4_096, 64, 33, 1_000];
const NAMES = ["a", "bb", "x-long-name", ":path", "server", "accept", ":status", "authorization"];

/** Reads an input as the settings of a connection and what happens on it. */
class Script {
  readonly #octets: Uint8Array;
  #at = 0;

  constructor(octets: Uint8Array) {
    this.#octets = octets;
  }
  get ended(): boolean {
    return this.#at >= this.#octets.length;
  }
  next(): number {
    return this.#octets[this.#at++] ?? 0;
  }
  fields(count: number): Field[] {
    return Array.from({ length: count }, () => {
      const kind = this.next();
      const length = this.next() & 0x3f;
      const value = Buffer.from(this.#octets.subarray(this.#at, (this.#at += length))).toString("latin1");
      return field(NAMES[kind & 7]!, value, kind >= 0xf0);
    });
  }
}

/** Encoder and decoder stay in step whatever comes late, in pieces or never. */
export const target: Target = {
  name: "qpack/connection",
  about: "sections give their fields back over a connection with delays, cuts and cancelled streams, within every limit",
  run(input) {
    const script = new Script(input);
    const head = script.next();
    const link = new Link({
      capacity: CAPACITIES[head & 7]!,
      blocked: (head >> 3) & 3,
      own: (head & 0x20) === 0 ? 4_096 : 100,
      credit: (head & 0x40) === 0 ? Infinity : 100,
    });
    while (!script.ended) {
      const kind = script.next();
      const stream = (kind >> 3) & 7;
      switch (kind & 7) {
        case 0:
        case 1:
        case 2:
          link.perform({ is: "send", stream, fields: script.fields(1 + (kind >> 6)) });
          break;
        case 3:
          link.perform({ is: "instructions", octets: script.next() });
          break;
        case 4:
        case 5:
          link.perform({ is: "section", which: kind >> 3 });
          break;
        case 6:
          link.perform({ is: "answers", octets: kind >> 3 });
          break;
        case 7:
          link.perform({ is: "cancel", stream });
      }
    }
    link.settle();
  },
  seeds: ["1b00000161000162033c0405de00000161", "0a400001610101620102630336040eee"].map((hex) => new Uint8Array(Buffer.from(hex, "hex"))),
  maxLength: 512,
};
