import { ReceiveCredit } from "../../reference/quic/stream/credit.ts";
import { RecvStream } from "../../reference/quic/stream/recv-stream.ts";
import { streamId } from "../../reference/quic/stream-id.ts";
import { pattern } from "../../reference/quic/testing.ts";
import { inputs, Script, shown } from "../lib/script.ts";
import type { Target } from "../lib/target.ts";

const WINDOW = 120;
const CONNECTION = 200;

/** What a receiving part has to do, octet by octet (rfc9000#4.5, rfc9000#3.2). */
class Model {
  readonly #there = new Set<number>();
  #limit = WINDOW;
  #most = 0;
  #consumed = 0;
  #connectionConsumed = 0;
  #connectionLimit = CONNECTION;
  size: number | undefined;
  isReset = false;
  isStopped = false;
  next = 0;

  /** The name of the fault, or undefined. */
  arrive(end: number, isFinal: boolean): string | undefined {
    if (this.size !== undefined) {
      if (isFinal && end !== this.size) return "finalSizeChanged";
      if (end > this.size) return "dataBeyondFinalSize";
    } else if (isFinal && end < this.#most) return "finalSizeBelowData";
    if (end > this.#limit) return "dataBeyondStreamLimit";
    if (end > this.#connectionLimit) return "dataBeyondConnectionLimit";
    if (this.isStopped) this.#giveBack(Math.max(0, end - this.#most));
    this.#most = Math.max(this.#most, end);
    if (isFinal) this.size = end;
    return undefined;
  }
  keep(from: number, to: number): void {
    for (let at = from; at < to; at++) this.#there.add(at);
  }
  /** How far the octets go from the first that was not read. */
  get readable(): number {
    let at = this.next;
    while (this.#there.has(at)) at++;
    return at;
  }
  get waiting(): number {
    return [...this.#there].filter((at) => at >= this.next).length;
  }
  consume(octets: number): void {
    this.#consumed += octets;
    if (this.#limit - this.#consumed < WINDOW / 2) this.#limit = this.#consumed + WINDOW;
    this.#giveBack(octets);
  }
  #giveBack(octets: number): void {
    this.#connectionConsumed += octets;
    if (this.#connectionLimit - this.#connectionConsumed < CONNECTION / 2) this.#connectionLimit = this.#connectionConsumed + CONNECTION;
  }
  giveUp(): void {
    this.#giveBack(this.#most - this.next);
  }
  get limits(): readonly number[] {
    return [this.#limit, this.#connectionLimit];
  }
}

/** Two octets and more a step: what happens, an offset, a length. */
export const target: Target = {
  name: "quic/receive-stream",
  about:
    "a stream gives out each octet once and in order, and refuses what its final size or its credit forbids, as a model does that looks at each octet",
  run(input) {
    const script = new Script(input);
    const credit = new ReceiveCredit(CONNECTION);
    const stream = new RecvStream(streamId(0), WINDOW);
    const model = new Model();
    const same = (what: string, got: unknown, wanted: unknown): void => {
      if (shown(got) !== shown(wanted)) throw new Error(`${what} is ${shown(got)}, not ${shown(wanted)}`);
    };
    while (!script.ended) {
      const kind = script.next();
      const isOver = stream.isDone;
      switch (kind & 7) {
        case 0:
        case 1:
        case 2:
        case 3: {
          const [offset, length] = [script.next(), script.next() & 0x3f];
          const isFinal = (kind & 0x80) !== 0;
          const wrong = model.arrive(offset + length, isFinal);
          same(
            "the fault",
            stream.receive({ offset, data: pattern(offset, length), fin: isFinal }, credit)?.name ?? "none",
            wrong ?? "none",
          );
          if (wrong !== undefined) return;
          if (!model.isReset && !model.isStopped && !isOver) model.keep(offset, offset + length);
          break;
        }
        case 4: {
          const arrival = stream.pull();
          const to = model.isReset || model.isStopped ? model.next : model.readable;
          if (arrival === undefined) {
            if (to > model.next) throw new Error(`octets up to ${to} are not given out`);
            break;
          }
          same("what is next", arrival.octets, pattern(model.next, arrival.octets.length));
          if (model.next + arrival.octets.length > to) throw new Error("octets are given out that have not arrived");
          model.next += arrival.octets.length;
          same("the end", arrival.end, model.next === model.size);
          stream.credit.consume(arrival.octets.length);
          credit.consume(arrival.octets.length);
          model.consume(arrival.octets.length);
          break;
        }
        case 5: {
          const size = script.next();
          const isFresh = !model.isReset && stream.state !== "dataRecvd" && !stream.isDone;
          const wrong = model.arrive(size, true);
          same("the fault", stream.reset(kind, size, credit)?.name ?? "none", wrong ?? "none");
          if (wrong !== undefined) return;
          if (isFresh && !model.isStopped) model.giveUp();
          model.isReset ||= isFresh;
          break;
        }
        case 6:
          if (!model.isReset && !model.isStopped && !isOver) {
            model.giveUp();
            model.isStopped = true;
          }
          stream.stop(1, credit);
          break;
        default:
          same("the code of a reset", stream.pullReset() !== undefined, model.isReset && !isOver);
      }
      if (model.isReset || model.isStopped) {
        same("the limit of the connection", credit.limit, model.limits[1]);
        continue;
      }
      same("what is kept", stream.waiting, model.waiting);
      same("the limits", [stream.credit.limit, credit.limit], model.limits);
    }
  },
  seeds: inputs(
    "00000a 01140a 020a0a 04 04 04 803c00 04",
    "002020 04 00000a 80 200a 04 04",
    "00050a 050f 07 07",
    "000010 06 002010 8030 10 05 40",
    "00003f 04 003f3f 04 007e3f 04 00bd3f",
  ),
  maxLength: 200,
};
