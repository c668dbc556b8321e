import { Misuse, type Instant } from "../../core/index.ts";
import type { Event, Flight, Level, Machine } from "../contract.ts";
import type { ServerOptions } from "./options.ts";
import { ServerSide } from "./side.ts";
import { SERVER_STATES } from "./states.ts";

/** The server of one handshake (rfc8446#2). */
export class Server implements Machine {
  readonly #s: ServerSide;

  constructor(options: ServerOptions, now: Instant) {
    this.#s = new ServerSide(options, SERVER_STATES.hello, now);
  }

  receive(level: Level, octets: Uint8Array, now: Instant): readonly Event[] {
    this.#s.e.now = now;
    this.#s.e.receive(this.#s, level, octets);
    return this.events();
  }
  events(): readonly Event[] {
    return this.#s.e.drain();
  }
  take(): readonly Flight[] {
    return this.#s.e.take();
  }
  exported(label: string, context: Uint8Array, length: number): Uint8Array {
    const secret = this.#s.e.exported({ label, context, length });
    if (secret === undefined) throw new Misuse("wait for the event `complete` before you export");
    return secret;
  }
}
