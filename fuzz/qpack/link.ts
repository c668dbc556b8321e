import { type Field, Writer } from "../../reference/core/index.ts";
import { Decoder, Encoder, type QpackFault } from "../../reference/qpack/index.ts";

/** What happens next between an encoder and its decoder. */
export type Action =
  | { readonly is: "send"; readonly stream: number; readonly fields: readonly Field[] }
  /** So many octets of the encoder stream arrive. */
  | { readonly is: "instructions"; readonly octets: number }
  /** A section arrives, whichever is at this place of those on their way; a stream keeps its order. */
  | { readonly is: "section"; readonly which: number }
  /** So many octets of the decoder stream arrive. */
  | { readonly is: "answers"; readonly octets: number }
  /** Nobody wants the stream any longer; nothing is sent on it afterwards. */
  | { readonly is: "cancel"; readonly stream: number };

export type LinkOptions = {
  /** The settings of the decoder. */
  readonly capacity: number;
  readonly blocked: number;
  /** The largest table that the encoder uses. */
  readonly own: number;
  /** What flow control permits on the encoder stream at a time. */
  readonly credit: number;
};

type Sent = { readonly stream: number; readonly octets: Uint8Array; readonly fields: readonly Field[] };

/** Both ends of one direction of a connection on which things come late, in pieces, or never. Every method throws if a rule does not hold. */
export class Link {
  readonly #encoder: Encoder;
  readonly #decoder: Decoder;
  readonly #blocked: number;
  readonly #writer = new Writer();
  /** Octets and sections on their way. */
  #instructions = Buffer.alloc(0);
  #answers = Buffer.alloc(0);
  readonly #sections: Sent[] = [];
  /** Fields of sections that arrived and are blocked, by stream. */
  readonly #waiting = new Map<number, (readonly Field[])[]>();
  readonly #cancelled = new Set<number>();

  constructor({ capacity, blocked, own, credit }: LinkOptions) {
    this.#blocked = blocked;
    this.#encoder = new Encoder({ tableCapacity: own });
    this.#encoder.credit = credit;
    must(this.#encoder.settings({ maxTableCapacity: capacity, maxBlockedStreams: blocked }));
    this.#decoder = new Decoder({ maxTableCapacity: capacity, maxBlockedStreams: blocked });
  }

  perform(action: Action): void {
    switch (action.is) {
      case "send":
        if (!this.#cancelled.has(action.stream)) this.#send(action.stream, action.fields);
        return;
      case "instructions":
        this.#arrive(action.octets);
        return;
      case "section":
        if (this.#sections.length > 0) this.#deliver(this.#sections[action.which % this.#sections.length]!.stream);
        return;
      case "answers":
        this.#say(action.octets);
        return;
      case "cancel":
        if (!this.#cancelled.has(action.stream)) this.#cancel(action.stream);
    }
  }

  /** Everything on its way arrives: both ends must agree then. */
  settle(): void {
    this.#arrive(Infinity);
    for (let first = this.#sections[0]; first !== undefined; first = this.#sections[0]) this.#deliver(first.stream);
    if (this.#waiting.size > 0) throw new Error("a section waits although everything has arrived");
    this.#say(Infinity);
    const { known, outstanding, inserted } = this.#encoder;
    if (known !== inserted || outstanding > 0 || this.#decoder.inserted !== inserted)
      throw new Error(`inserted ${inserted} and ${this.#decoder.inserted}, known ${known}, outstanding ${outstanding}`);
  }

  #send(stream: number, fields: readonly Field[]): void {
    this.#encoder.encode(stream, fields, this.#writer);
    this.#sections.push({ stream, octets: this.#writer.take(), fields });
    this.#instructions = Buffer.concat([this.#instructions, this.#encoder.take()]);
  }

  #arrive(count: number): void {
    const got = this.#decoder.receive(this.#instructions.subarray(0, count));
    this.#instructions = this.#instructions.subarray(count);
    if (got.fault !== undefined) throw new Error(`an instruction is refused: ${got.fault.name}`);
    for (const { streamId, decoded } of got.unblocked) {
      const queue = this.#waiting.get(streamId) ?? [];
      same(decoded, queue.shift());
      if (queue.length === 0) this.#waiting.delete(streamId);
    }
  }

  #deliver(stream: number): void {
    const first = this.#sections.findIndex((one) => one.stream === stream);
    const [{ octets, fields }] = this.#sections.splice(first, 1) as [Sent];
    const decoded = this.#decoder.decode(stream, octets);
    if (decoded.is !== "blocked") same(decoded, fields);
    else this.#waiting.set(stream, [...(this.#waiting.get(stream) ?? []), fields]);
    if (this.#decoder.blockedStreams > this.#blocked) throw new Error(`${this.#decoder.blockedStreams} streams are blocked`);
  }

  #say(count: number): void {
    this.#answers = Buffer.concat([this.#answers, this.#decoder.take()]);
    must(this.#encoder.receive(this.#answers.subarray(0, count)));
    this.#answers = this.#answers.subarray(count);
  }

  #cancel(stream: number): void {
    this.#cancelled.add(stream);
    for (let at = this.#sections.length - 1; at >= 0; at--) if (this.#sections[at]!.stream === stream) this.#sections.splice(at, 1);
    this.#waiting.delete(stream);
    this.#decoder.cancel(stream);
  }
}

function must(wrong: QpackFault | undefined): void {
  if (wrong !== undefined) throw new Error(`the encoder refuses an answer: ${wrong.name}`);
}

/** The same names and values, and sensitive fields still sensitive (the encoder may mark more). */
function same(decoded: { readonly is: string; readonly fields?: readonly Field[] }, wanted: readonly Field[] | undefined): void {
  const { fields } = decoded;
  if (decoded.is !== "fields" || fields === undefined || wanted === undefined)
    throw new Error(`a section decodes to ${JSON.stringify(decoded)}`);
  const isSame =
    fields.length === wanted.length &&
    wanted.every(({ name, value, sensitive }, at) => {
      const got = fields[at];
      return got?.name === name && got.value === value && (got.sensitive || !sensitive);
    });
  if (!isSame) throw new Error(`a section decodes to ${JSON.stringify(fields)}, not ${JSON.stringify(wanted)}`);
}
