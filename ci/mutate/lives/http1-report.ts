import { latin1, Misuse, type Field } from "../../../reference/core/index.ts";
import type { Connection, Event } from "../../../reference/http1/index.ts";

export const octetsOf = (text: string): Uint8Array => {
  const { length } = text;
  const octets = new Uint8Array(length);
  for (let i = 0; i < length; i++) octets[i] = text.charCodeAt(i);
  return octets;
};
const LONGEST = 400;
/** Octets as text; of many octets only a part, with a sum over all of them. */
export function shown(octets: Uint8Array): string {
  const { length } = octets;
  if (length <= LONGEST) return JSON.stringify(latin1(octets, 0, length));
  let sum = 0;
  for (let i = 0; i < length; i++) sum = (Math.imul(sum, 31) + octets[i]!) | 0;
  return `${JSON.stringify(latin1(octets, 0, 40))}… (${length} octets, ${sum})`;
}
const joined = (pieces: readonly Uint8Array[]): Uint8Array => (pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));
const fieldsOf = (fields: readonly Field[]): string =>
  fields.map(({ name, value, sensitive }) => `${name}=${value}${sensitive ? "!" : ""}`).join("|");

/** What a connection lets its owner and its peer see, line by line. */
export class Report {
  readonly lines: string[] = [];
  /** Octets that belong to the owner from now on, as they were when he got them. */
  readonly #given: (readonly [Uint8Array, string])[] = [];
  #before = "";

  say(line: string): void {
    this.lines.push(line);
  }
  /** Performs an action of the owner; a mistake of his is reported by its words. */
  try(line: string, act: () => unknown): void {
    this.say(line);
    try {
      const result = act();
      if (result !== undefined) this.say(`= ${String(result)}`);
    } catch (error) {
      this.say(error instanceof Misuse ? `misuse: ${error.message}` : `throws ${String(error)}`);
    }
  }
  /** Adjacent content is one line, however it was cut. */
  events(events: readonly Event[]): void {
    for (let i = 0; i < events.length; i++) {
      const event = events[i]!;
      if (event.is === "data") {
        const pieces = [event.bytes];
        let { end } = event;
        for (let next = events[i + 1]; next?.is === "data" && next.exchange === event.exchange && !end; next = events[++i + 1]) {
          pieces.push(next.bytes);
          ({ end } = next);
        }
        for (const piece of pieces) this.#keep(piece);
        this.say(`data ${event.exchange} ${shown(joined(pieces))} ${end}`);
      } else if (event.is === "switched") {
        this.#keep(event.rest);
        this.say(`switched ${event.exchange} ${event.status} ${fieldsOf(event.fields)} ${shown(event.rest)}`);
      } else if ("fields" in event) {
        const { fields, ...rest } = event;
        this.say(`${JSON.stringify(rest)} ${fieldsOf(fields)}`);
      } else this.say(JSON.stringify(event));
    }
  }
  sent(pieces: readonly Uint8Array[]): void {
    if (pieces.length === 0) return;
    for (const piece of pieces) this.#keep(piece);
    this.say(`< ${shown(joined(pieces))}`);
  }
  /** The public properties, if they have changed. */
  properties({ deadline, wants, queued, idle, accepting }: Connection): void {
    const now = `${deadline} ${wants} ${queued} ${idle} ${accepting}`;
    if (now !== this.#before) this.say(`: ${now}`);
    this.#before = now;
  }
  /** What was given away must not have changed since. */
  finish(): string {
    for (const [octets, before] of this.#given) if (shown(octets) !== before) this.say(`${before} has become ${shown(octets)}`);
    return this.lines.join("\n");
  }
  #keep(octets: Uint8Array): void {
    if (octets.length > 0) this.#given.push([octets, shown(octets)]);
  }
}
