import { Misuse, type Instant } from "../../core/index.ts";
import type { Event, Flight, Level, Machine } from "../contract.ts";
import { sendHello } from "./hello.ts";
import type { ClientOptions } from "./options.ts";
import { ClientSide } from "./side.ts";
import { CLIENT_STATES } from "./states.ts";

/** The client of one handshake (rfc8446#2). It begins at once: drain it before anything is received. */
export class Client implements Machine {
  readonly #c: ClientSide;

  constructor(options: ClientOptions, now: Instant) {
    this.#c = new ClientSide(options, CLIENT_STATES.hello, now);
    sendHello(this.#c);
  }

  receive(level: Level, octets: Uint8Array, now: Instant): readonly Event[] {
    this.#c.e.now = now;
    this.#c.e.receive(this.#c, level, octets);
    return this.events();
  }
  events(): readonly Event[] {
    return this.#c.e.drain();
  }
  take(): readonly Flight[] {
    return this.#c.e.take();
  }
  exported(label: string, context: Uint8Array, length: number): Uint8Array {
    const secret = this.#c.e.exported({ label, context, length });
    if (secret === undefined) throw new Misuse("wait for the event `complete` before you export");
    return secret;
  }
}
