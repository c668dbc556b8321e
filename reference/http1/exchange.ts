import type { Field, Output } from "../core/index.ts";
import type { Declined, ExchangeId, Version } from "./contract.ts";
import type { Fault } from "./faults.ts";
import { Framing } from "./framing.ts";
import { MISUSE, State, step, type Input } from "./state.ts";

const NO_PROTOCOLS: readonly string[] = [];

/** One open exchange. */
export class Exchange {
  readonly id: ExchangeId;
  readonly method: string;
  /** The next exchange in the queue, which sets it. */
  next: Exchange | undefined;
  #state: State = State.asking;
  /** Server: the version of the request. */
  version: Version = "HTTP/1.1";

  // The message that we send.
  framing: Framing = Framing.none;
  /** Octets that content-length still promises; -1 without content-length. */
  owed = -1;
  /** Server: output that waits until earlier responses are complete. */
  output: Output | undefined;
  /** The owner waits for `writable`. */
  isWaiting = false;

  /** The connection ends with this exchange. */
  closes = false;
  /** Server: the client waits for 100, and has received neither that nor a final response, nor sent content. */
  awaits100 = false;
  /** Server: the owner reads no more of its content. */
  declined: Declined | undefined;
  /** Protocols offered for an upgrade (rfc9110#7.8). */
  upgrade: readonly string[] = NO_PROTOCOLS;
  /** The response that switches protocols. */
  switched: { readonly status: number; readonly fields: readonly Field[] } | undefined;

  /** It has failed or was abandoned: no further event mentions it. */
  isDead = false;
  /** Server: the peer's fault; the connection ends with this exchange. */
  fault: Fault | undefined;
  /** Server: the response is the refusal of `fault`. */
  isRefused = false;

  /** Client: part of the response has arrived. */
  isHeard = false;
  interims = 0;

  constructor(id: ExchangeId, method: string) {
    this.id = id;
    this.method = method;
  }

  get state(): State {
    return this.#state;
  }
  /** Whether the table allows the input now. */
  allows(input: Input): boolean {
    return step(this.#state, input) !== MISUSE;
  }
  /** The only writer of the state; an input that the table does not allow changes nothing. */
  move(input: Input): void {
    const next = step(this.#state, input);
    if (next !== MISUSE) this.#state = next;
  }
}
