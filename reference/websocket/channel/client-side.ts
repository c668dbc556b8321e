import { CLIENT_PULSE, Pulse, type PulseTimes } from "./pulse.ts";
import { readControl, writeControl, type Control, type Exit, type Peer, type Resize, type State, type Trouble } from "./protocol.ts";

/** What a client should show. */
export type ClientEvent =
  /**
   * `lost` octets of output that this client should have seen are no longer available. `isFresh`: output starts again, so clear the
   * screen. `untyped` octets may or may not have reached the shell, or were meant for an earlier one.
   */
  | { readonly is: "state"; readonly state: State; readonly isFresh: boolean; readonly lost: number; readonly untyped: number }
  | Readonly<{ is: "resize" } & Omit<Resize, "type">>
  | Readonly<{ is: "exit" } & Omit<Exit, "type">>
  | Readonly<{ is: "error" } & Omit<Trouble, "type">>
  | { readonly is: "malformed"; readonly why: string }
  | { readonly is: "nothing" };

const PIECE = 16_384;
/** Acknowledges after this many octets are shown, even if more are waiting. */
const ACK_EVERY = 16_384;
/** The most typed or pasted octets that are kept until the agent has them. */
const MOST_TYPED = 1_048_576;

/**
 * A client's part of the channel, over any number of successive connections. It counts what it has received, so that it can ask for the
 * rest, and keeps what was typed until the agent has it. The web page runs this file as it is: it imports the protocol and the pulse alone.
 */
export class ClientSide {
  readonly id: string;
  /** It asks to watch only. */
  readonly #watches: boolean;
  #peer: Peer | undefined;
  #isReady = false;
  #run = "";
  /** Output received, and output acknowledged as shown. */
  #received = 0;
  #acked = 0;
  /** Offsets of typed octets: the agent has those before `#taken`; those before `#sent` are sent on this connection; `#kept` starts at `#taken`. */
  #kept: Uint8Array[] = [];
  #taken = 0;
  #sent = 0;
  #typed = 0;
  /** Octets before this offset were sent on some connection: without the hub's memory nobody knows whether they arrived. */
  #everSent = 0;
  /** Octets to come that draw the screen. */
  #screen = 0;
  #isOwner = false;
  readonly #times: PulseTimes;
  #pulse: Pulse;
  /** 0 if the hub allows this client only to watch. */
  #window: number | undefined;

  constructor(id: string, watches = false, times: PulseTimes = CLIENT_PULSE) {
    this.id = id;
    this.#watches = watches;
    this.#times = times;
    this.#pulse = new Pulse(times, 0);
  }

  get received(): number {
    return this.#received;
  }
  /** Typed octets that the agent is not known to have. */
  get untaken(): number {
    return this.#typed - this.#taken;
  }
  /** Whether the client only watches, by its own choice or the hub's. */
  get watches(): boolean {
    return this.#watches || this.#window === 0;
  }
  /** Whether this client answers the queries of the shell. */
  get isOwner(): boolean {
    return this.#isOwner;
  }
  /** The query for the URL of the next connection. */
  get query(): string {
    return `client=${this.id}${this.#watches ? "&mode=watch" : ""}${this.#run === "" ? "" : `&run=${this.#run}&from=${this.#received}`}`;
  }

  // From the connection.

  connected(peer: Peer, now = 0): void {
    this.#peer = peer;
    this.#pulse = new Pulse(this.#times, now);
    this.#isReady = false;
  }
  /** A message has arrived. */
  heard(now: number): void {
    this.#pulse.heard(now);
  }
  /** To be called about once a second; asks a silent hub. True if the hub does not answer: the connection is dead. */
  beat(now: number): boolean {
    if (this.#peer === undefined) return false;
    const due = this.#pulse.beat(now);
    if (due === "ask") this.#send({ type: "ping", id: Math.floor(now) });
    return due === "dead";
  }
  lost(): void {
    this.#peer = undefined;
  }
  text(text: string): ClientEvent {
    const message = readControl(text, "hub");
    switch (message.type) {
      case "malformed":
        return { is: "malformed", why: message.why };
      case "state":
        return this.#state(message);
      case "ack":
        this.#take(message.offset);
        this.#flow();
        return { is: "nothing" };
      case "ping":
        this.#send({ type: "pong", id: message.id });
        return { is: "nothing" };
      case "resize":
        return { is: "resize", cols: message.cols, rows: message.rows };
      case "exit":
        return { is: "exit", code: message.code, signal: message.signal, again: message.again };
      case "error":
        return { is: "error", code: message.code, message: message.message };
      default:
        return { is: "nothing" };
    }
  }
  /** Takes output, and returns its end offset, for `shown`. Octets that draw the screen are shown in the same way, and not counted. */
  binary(octets: Uint8Array): number {
    const drawn = Math.min(this.#screen, octets.length);
    this.#screen -= drawn;
    this.#received += octets.length - drawn;
    return this.#received;
  }

  // From the user.

  /** All output before `offset` is on the screen. */
  shown(offset: number): void {
    if (!this.#isReady || offset <= this.#acked || (offset < this.#received && offset - this.#acked < ACK_EVERY)) return;
    this.#acked = offset;
    this.#send({ type: "ack", offset });
  }
  /** False if too much is waiting, or if the client may only watch. */
  type(octets: Uint8Array): boolean {
    if (this.watches) return false;
    if (this.untaken + octets.length > MOST_TYPED) return false;
    if (octets.length === 0) return true;
    this.#kept.push(octets);
    this.#typed += octets.length;
    this.#flow();
    return true;
  }
  resize(cols: number, rows: number): void {
    if (this.#isReady && !this.watches) this.#send({ type: "resize", cols, rows });
  }
  /** Asks for another shell, after an exit with `again`. */
  start(): void {
    if (this.#isReady && !this.watches) this.#send({ type: "start" });
  }
  /** Asks to own the terminal. */
  own(): void {
    if (this.#isReady && !this.watches) this.#send({ type: "own" });
  }

  #state(state: State): ClientEvent {
    const isFresh = state.run !== this.#run;
    this.#isOwner = state.owner;
    // A later state on the same connection only informs.
    if (this.#isReady && !isFresh) {
      const lost = state.from - this.#received;
      this.#received = state.from;
      return { is: "state", state, isFresh, lost, untyped: 0 };
    }
    // What a screen shows is not lost, and a client that was not there has lost nothing.
    const lost = isFresh || state.screen > 0 ? 0 : Math.max(0, state.from - this.#received);
    const isReplayed = isFresh || state.screen > 0 || state.from < this.#received;
    const isFirst = this.#run === "";
    this.#screen = state.screen;
    this.#run = state.run;
    this.#received = state.from;
    this.#acked = state.from;
    this.#window = state.window;
    this.#isReady = true;
    const isKnown = !isFresh && state.known && state.input >= this.#taken && state.input <= this.#typed;
    const untyped = isKnown ? 0 : this.#forget(isFresh && !isFirst ? this.#typed : this.#everSent, state.input);
    this.#sent = state.input;
    this.#everSent = Math.max(this.#everSent, state.input);
    if (state.window === 0) {
      this.#kept = [];
      this.#typed = this.#taken;
    }
    this.#flow();
    return { is: "state", state, isFresh: isReplayed, lost, untyped };
  }

  #send(message: Control): void {
    this.#peer?.send(writeControl(message));
  }
  /**
   * The hub does not know what became of the input: to type again what was sent could do harm, and what was typed for one shell is not meant
   * for another. Drops the octets before `offset`, returns their number, and counts the rest from `input`.
   */
  #forget(offset: number, input: number): number {
    const before = this.#taken;
    this.#take(offset);
    const dropped = this.#taken - before;
    this.#typed = input + this.untaken;
    this.#taken = input;
    this.#everSent = input;
    return dropped;
  }
  #take(offset: number): void {
    let left = Math.min(offset, this.#typed) - this.#taken;
    while (left > 0) {
      const first = this.#kept[0]!;
      const taken = Math.min(left, first.length);
      if (taken === first.length) this.#kept.shift();
      else this.#kept[0] = first.subarray(taken);
      this.#taken += taken;
      left -= taken;
    }
  }
  #flow(): void {
    const peer = this.#peer;
    if (peer === undefined || !this.#isReady) return;
    const until = Math.min(this.#typed, this.#taken + (this.#window ?? 0));
    let at = this.#taken;
    for (const octets of this.#kept) {
      const end = at + octets.length;
      while (this.#sent < Math.min(end, until)) {
        const to = Math.min(end, until, this.#sent + PIECE);
        const piece = octets.subarray(this.#sent - at, to - at);
        this.#sent = to;
        this.#everSent = Math.max(this.#everSent, to);
        peer.send(piece);
      }
      if (this.#sent >= until) return;
      at = end;
    }
  }
}
