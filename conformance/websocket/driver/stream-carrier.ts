import type { Ending } from "../../wire/sockets.ts";
import type { Values } from "../../wire/http1/build.ts";
import type { Handshake } from "../vocabulary.ts";
import type { Answer, Carrier, CarrierName, CarrierRule, Listener } from "./carrier.ts";

type Field = readonly [name: string, value: string];

/** A stream that extended CONNECT and 200 turn into a WebSocket (rfc8441#5, rfc9220#3): what both versions have in common. */
export abstract class StreamCarrier implements Carrier {
  abstract readonly name: CarrierName;
  readonly opens = 200;
  answer: Answer | undefined;
  protected isOver = false;
  readonly #listener: Listener;
  /** How it ended, if not in order. */
  #reset: string | undefined;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  broken(rule: CarrierRule): string | undefined {
    if (rule === "ended in order") return this.#reset;
    return this.announced === 1 ? undefined : `SETTINGS_ENABLE_CONNECT_PROTOCOL is ${this.announced ?? "not there"}`;
  }
  /** The value of SETTINGS_ENABLE_CONNECT_PROTOCOL. */
  protected abstract get announced(): number | undefined;

  abstract handshake(handshake: Handshake, values: Values): Promise<{ readonly octets: Uint8Array; readonly words: string }>;
  abstract begin(octets: Uint8Array): Promise<void>;
  abstract write(octets: Uint8Array): Promise<void>;
  abstract end(how: Ending): void;
  abstract drop(): void;
  /** Ends our half in order, after what was written. */
  protected abstract leave(): void;
  /** Nothing more is sent. */
  protected abstract stop(): void;

  protected head(fields: readonly Field[], last: boolean): void {
    const status = Number(fields.find(([name]) => name === ":status")?.[1]);
    // Interim responses do not count; 101 does, since these versions forbid it (rfc9113#8.6) and a server that sends it means it as final.
    if (this.answer === undefined && (status >= 200 || status === 101)) {
      const named = fields.filter(([name]) => !name.startsWith(":"));
      this.answer = { status, fields: named.map(([name, value]) => ({ name, value, line: `${name}: ${value}` })), complete: last };
      this.#listener.answered();
    }
    if (last) this.last();
  }
  protected data(octets: Uint8Array, last: boolean): void {
    this.#listener.data(octets);
    if (last) this.last();
  }
  protected last(): void {
    this.ended("fin", "the stream was ended");
    // Our half ends after theirs, as that of a TCP connection does on its own.
    this.leave();
  }
  protected ended(how: "fin" | "reset", words: string): void {
    if (this.isOver) return;
    this.isOver = true;
    if (how === "reset") {
      this.stop();
      this.#reset = words;
    }
    if (this.answer !== undefined) this.answer = { ...this.answer, complete: true };
    this.#listener.ended(how, words);
  }
}
