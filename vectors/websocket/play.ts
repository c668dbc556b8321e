import { instant, Misuse } from "../../reference/core/index.ts";
import { Connection, type Event as Reported } from "../../reference/websocket/index.ts";
import type { ConnectionVector, Event, Sent, Step } from "./source/connections.ts";

/** Plays the vectors of connections on our own, and reports in their words. */

const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "hex"));
const toHex = (octets: Uint8Array): string => Buffer.from(octets).toString("hex");
const T0 = instant(0);
/** Masking keys of zeros leave the octets as they are. */
const ZEROS = (into: Uint8Array): Uint8Array => into.fill(0);

export type Played = { readonly events: readonly Event[]; readonly sends: readonly Sent[]; readonly misuse: boolean };

export class Player {
  readonly #connection: Connection;
  readonly #cut: number;

  /** `cut`: octets in one read. */
  constructor({ side }: Pick<ConnectionVector, "side">, cut: number) {
    this.#cut = cut;
    this.#connection = new Connection({ side, random: ZEROS }, T0);
  }

  /** What a step makes the program learn, and what it makes the peer get. */
  play(step: Step): Played {
    const c = this.#connection;
    const heard: Reported[] = [];
    const sent: Uint8Array[] = [];
    const drain = (): void => {
      sent.push(...c.take());
      heard.push(...c.events());
    };
    let misuse = false;
    try {
      if ("receive" in step) {
        const octets = fromHex(step.receive);
        for (let at = 0; at < octets.length; at += this.#cut) {
          heard.push(...c.receive(octets.slice(at, at + this.#cut), T0));
          drain();
        }
      } else heard.push(...this.#act(step));
    } catch (error) {
      if (!(error instanceof Misuse)) throw error;
      misuse = true;
    }
    drain();
    return { events: heard.flatMap(say), sends: framesOf(Buffer.concat(sent)), misuse };
  }

  #act(step: Exclude<Step, { readonly receive: string }>): readonly Reported[] {
    const c = this.#connection;
    switch (step.do) {
      case "text":
        c.text(step.text);
        return [];
      case "binary":
        c.binary(fromHex(step.octets));
        return [];
      case "part":
        c.fragment(step.kind, fromHex(step.octets), step.end);
        return [];
      case "ping":
      case "pong":
        c[step.do](fromHex(step.octets));
        return [];
      case "close":
        c.close(step.code, step.reason);
        return [];
      case "abort":
        c.abort();
        return [];
      case "ended":
        return c.ended(T0);
    }
  }
}

/** An event in the words of the vectors; room for messages is left out. */
function say(event: Reported): readonly Event[] {
  switch (event.is) {
    case "message":
      return [event.kind === "text" ? { text: event.data } : { binary: toHex(event.data) }];
    case "ping":
      return [{ ping: toHex(event.data) }];
    case "pong":
      return [{ pong: toHex(event.data) }];
    case "closing":
      return [{ close: event.code, reason: event.reason }];
    case "closed":
      return [{ closed: event.code, reason: event.reason, clean: event.clean }];
    case "writable":
      return [];
    case "fragment":
      throw new Error("nothing is reported in parts unless the program wants it");
  }
}

/** The frames in these octets, without their masks (rfc6455#5.2). */
function framesOf(octets: Buffer): readonly Sent[] {
  const found: Sent[] = [];
  for (let at = 0; at < octets.length;) {
    const [head, second] = [octets[at]!, octets[at + 1]!];
    const isLong = (second & 0x7f) === 126;
    const from = at + (isLong ? 4 : 2) + (second >= 0x80 ? 4 : 0);
    const to = from + (isLong ? octets.readUInt16BE(at + 2) : second & 0x7f);
    const payload = octets.subarray(from, to);
    const [opcode, end] = [head & 0x0f, head >= 0x80];
    if (opcode === 0 || !end)
      found.push({ part: (["continuation", "text", "binary"] as const)[opcode as 0 | 1 | 2], octets: toHex(payload), end });
    else found.push(frameOf(opcode, payload));
    at = to;
  }
  return found;
}
function frameOf(opcode: number, payload: Buffer): Sent {
  switch (opcode) {
    case 1:
      return { text: payload.toString() };
    case 2:
      return { binary: toHex(payload) };
    case 8:
      return { close: payload.length === 0 ? null : payload.readUInt16BE(0), reason: payload.subarray(2).toString() };
    case 9:
      return { ping: toHex(payload) };
    case 10:
      return { pong: toHex(payload) };
    default:
      throw new Error(`a frame with the opcode ${opcode} is sent`);
  }
}
