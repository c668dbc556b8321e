import type { Field, Output } from "../core/index.ts";
import type { ExchangeId, Version } from "./contract.ts";
import type { Fault } from "./faults.ts";
import { Framing } from "./framing.ts";
import { State } from "./state.ts";

const NO_PROTOCOLS: readonly string[] = [];

/** What is known of one exchange while it is under way. The queue of them is a list, in the order of requests (rfc9112#9.3.2). */
export class Exchange {
  readonly id: ExchangeId;
  readonly method: string;
  next: Exchange | undefined;
  state: State = State.asking;
  /** Server: that of the request. */
  version: Version = "HTTP/1.1";

  // The message that we send.
  framing: Framing = Framing.none;
  /** Octets of content still owed by its content-length; -1 where none was given. */
  owed = -1;
  /** Server: what waits behind earlier answers. */
  output: Output | undefined;
  /** The owner was told to wait. */
  isWaiting = false;

  /** The connection ends with this exchange. */
  closes = false;
  /** Server: the client waits for 100, and neither that nor any content has passed. */
  awaits100 = false;
  /** Protocols offered for a change (rfc9110#7.8). */
  upgrade: readonly string[] = NO_PROTOCOLS;
  /** The response that switches, once it has passed. */
  switched: { readonly status: number; readonly fields: readonly Field[] } | undefined;

  /** Nothing more is told of it: it has failed, or was given up. */
  isDead = false;
  /** Server: the peer was wrong here: after this exchange nothing follows. */
  fault: Fault | undefined;
  /** Server: the fault is told in place of an answer. */
  isRefused = false;

  /** Client: some of the response has come. */
  isHeard = false;
  interims = 0;

  constructor(id: ExchangeId, method: string) {
    this.id = id;
    this.method = method;
  }
}
