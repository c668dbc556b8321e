import { Reader, Writer } from "../core/index.ts";
import type { Level } from "./contract.ts";
import { fault, type Fault } from "./faults.ts";
import type { Limits } from "./limits.ts";

/** One handshake message as it came: its type, its body, and the whole of it for the transcript. It owns its octets. */
export type Raw = { readonly is: "raw"; readonly type: number; readonly body: Uint8Array; readonly whole: Uint8Array };

const HEAD = 4;
const ORDER: Readonly<Record<Level, number>> = { initial: 0, early: 1, handshake: 2, application: 3 };

/** Joins the octets of each level to messages. Octets of a later level wait for their turn (rfc9001#4.1.3). */
export class Inbox {
  readonly #limits: Limits;
  #level: Level = "initial";
  readonly #buffers: Record<Level, Writer> = {
    initial: new Writer(),
    early: new Writer(),
    handshake: new Writer(),
    application: new Writer(),
  };
  /** Octets of the buffer of the current level that are read. */
  #read = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  push(level: Level, octets: Uint8Array): Fault | undefined {
    if (octets.length === 0) return undefined;
    if (level === "early") return fault("levelWithoutMessages");
    if (ORDER[level] < ORDER[this.#level]) return fault("levelPassed");
    const buffer = this.#buffers[level];
    if (level !== this.#level && buffer.length + octets.length > this.#limits.aheadOctets) return fault("tooMuchAhead");
    buffer.bytes(octets);
    return undefined;
  }

  /** The next whole message of the current level. */
  next(): Raw | Fault | undefined {
    const buffer = this.#buffers[this.#level];
    const waiting = buffer.view(this.#read);
    if (waiting.length < HEAD) return undefined;
    const head = new Reader(waiting);
    const type = head.u8();
    const length = head.u24();
    if (length > this.#limits.messageOctets) return fault("messageTooLong");
    if (waiting.length < HEAD + length) return undefined;
    const whole = waiting.slice(0, HEAD + length);
    this.#read += whole.length;
    if (this.#read === buffer.length) this.#clear();
    return { is: "raw", type, body: whole.subarray(HEAD), whole };
  }

  /** The next messages come at `level`. No message spans two levels, and none of the old level may be left (rfc8446#5.1). */
  advance(level: Level): Fault | undefined {
    if (this.#buffers[this.#level].length > this.#read) return fault("messageAcrossKeys");
    this.#level = level;
    return undefined;
  }

  #clear(): void {
    this.#buffers[this.#level].handOver();
    this.#read = 0;
  }
}
