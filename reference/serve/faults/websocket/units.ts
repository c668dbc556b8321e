import { Opcode, type Unit } from "./unit.ts";

const NOTHING = Buffer.alloc(0);

/** Parses the output of our own machine into frames: it is well-formed. */
export class Units {
  #held: Buffer = NOTHING;
  /** The number of the current message. */
  #message = 0;

  /** The units in the next output of the machine. */
  *read(bytes: Uint8Array): Generator<Unit> {
    this.#held = this.#held.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#held, bytes]);
    for (;;) {
      const input = this.#held;
      if (input.length < 2) return;
      const [first = 0, second = 0] = input;
      const short = second & 0x7f;
      const extended = short === 127 ? 8 : short === 126 ? 2 : 0;
      const isMasked = second > 127;
      const at = 2 + extended + (isMasked ? 4 : 0);
      if (input.length < at) return;
      const length = short === 127 ? Number(input.readBigUInt64BE(2)) : short === 126 ? input.readUInt16BE(2) : short;
      if (input.length < at + length) return;
      const key = input.subarray(at - 4, at);
      const payload = input.subarray(at, at + length);
      const opcode = first & 0x0f;
      if (opcode === Opcode.text || opcode === Opcode.binary || opcode === Opcode.close) this.#message++;
      this.#held = input.subarray(at + length);
      yield {
        is: "frame",
        stream: opcode > Opcode.close ? 0 : this.#message,
        bits: first & 0xf0,
        opcode,
        isMasked,
        payload: isMasked ? payload.map((octet, nth) => octet ^ key[nth % 4]!) : Buffer.from(payload),
      };
    }
  }
}
