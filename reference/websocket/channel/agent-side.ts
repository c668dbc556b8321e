import { DEFAULT_CHANNEL_LIMITS } from "./limits.ts";
import { AGENT_PULSE, Pulse, type PulseTimes } from "./pulse.ts";
import { readControl, writeControl, type Control, type Peer } from "./protocol.ts";
import { Replay } from "./replay.ts";

/** What an agent needs from a shell. */
export interface Shell {
  write(octets: Uint8Array): void;
  resize(cols: number, rows: number): void;
  /** Stop printing for now, and continue. */
  pause(): void;
  resume(): void;
  /** Begin another shell, in another run; only for an `exited` with `again`. */
  restart?(): void;
}

/** The longest message that an agent sends; every hub accepts it. */
const PIECE = 32_768;

/**
 * An agent's part of the channel, over any number of successive connections. It keeps recent output for a hub that lacks it, sends no more
 * than the hub's window, and pauses the shell when the window is used up. It acknowledges input once the shell has it.
 */
export class AgentSide {
  readonly #shell: Shell;
  readonly #kept: Replay;
  #cols: number;
  #rows: number;
  #peer: Peer | undefined;
  /** On this connection: whether the hub has answered, the next octet to send, and the offset that the hub has acknowledged. */
  #isReady = false;
  #sent = 0;
  #granted = 0;
  #window: number;
  #input = 0;
  #isPaused = false;
  readonly #times: PulseTimes;
  #pulse: Pulse;
  #exit: Extract<Control, { type: "exit" }> | undefined;
  #hasSentExit = false;
  #isDone = false;

  constructor(
    shell: Shell,
    size: { readonly cols: number; readonly rows: number },
    keptOctets = DEFAULT_CHANNEL_LIMITS.replayOctets,
    times: PulseTimes = AGENT_PULSE,
  ) {
    this.#shell = shell;
    this.#kept = new Replay(keptOctets);
    this.#times = times;
    this.#pulse = new Pulse(times, 0);
    this.#window = this.#windowOf(DEFAULT_CHANNEL_LIMITS.windowOctets);
    this.#cols = size.cols;
    this.#rows = size.rows;
  }

  /** The hub has received the exit of the shell: there is nothing left to do. */
  get isDone(): boolean {
    return this.#isDone;
  }

  get size(): { readonly cols: number; readonly rows: number } {
    return { cols: this.#cols, rows: this.#rows };
  }

  // From the shell.

  printed(octets: Uint8Array): void {
    this.#kept.append(octets);
    this.#flow();
  }
  /** The shell has ended; `again` if `restart` can begin another. */
  exited(code: number, signal: number | null, again = false): void {
    this.#exit ??= { type: "exit", code, signal, again };
    this.#flow();
  }

  // From the connection.

  connected(peer: Peer, now = 0): void {
    this.#peer = peer;
    this.#pulse = new Pulse(this.#times, now);
    this.#isReady = false;
    this.#hasSentExit = false;
    const { start, end } = this.#kept;
    this.#send({ type: "offer", from: start, end, input: this.#input, cols: this.#cols, rows: this.#rows });
  }
  /** The connection has ended with this close code, 1006 without one. */
  lost(code: number): void {
    this.#peer = undefined;
    // A hub closes with 1000 only after it has received the exit.
    if (this.#hasSentExit && this.#exit?.again === false && code === 1000) this.#isDone = true;
  }
  /** Returns why the connection is useless: the hub is wrong, or announces that it closes. */
  text(text: string): string | undefined {
    const message = readControl(text, "hub");
    switch (message.type) {
      case "malformed":
        return message.why;
      case "ping":
        this.#send({ type: "pong", id: message.id });
        return undefined;
      case "start":
        if (this.#hasSentExit && this.#exit?.again === true) this.#shell.restart?.();
        return undefined;
      case "error":
        return `${message.code}: ${message.message}`;
      case "state":
        return this.#begin(message);
      case "resize":
        this.#resize(message.cols, message.rows);
        return undefined;
      case "ack":
        if (message.offset > this.#sent) return `nothing was sent at ${message.offset} yet`;
        this.#granted = Math.max(this.#granted, message.offset);
        // The first acknowledgement follows the state: the window counts from it.
        this.#isReady = true;
        this.#flow();
        return undefined;
      default:
        return undefined;
    }
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
  binary(octets: Uint8Array): void {
    this.#input += octets.length;
    this.#shell.write(octets);
    this.#send({ type: "ack", offset: this.#input });
  }

  #begin(state: Extract<Control, { type: "state" }>): string | undefined {
    if (state.from < this.#kept.start || state.from > this.#kept.end) return `octet ${state.from} is no longer kept`;
    if (state.input !== this.#input) return `the next typed octet is ${this.#input}, not ${state.input}`;
    this.#sent = state.from;
    this.#granted = 0;
    this.#window = this.#windowOf(state.window);
    this.#resize(state.cols, state.rows);
    return undefined;
  }
  /** At most half of what is kept: the other half is room for what the shell prints before it pauses. */
  #windowOf(wanted: number): number {
    return Math.min(wanted, this.#kept.capacity >> 1);
  }
  #resize(cols: number, rows: number): void {
    if (cols === this.#cols && rows === this.#rows) return;
    this.#cols = cols;
    this.#rows = rows;
    this.#shell.resize(cols, rows);
  }
  #send(message: Control): void {
    this.#peer?.send(writeControl(message));
  }

  /** Sends what the window allows, and pauses or resumes the shell. */
  #flow(): void {
    const { end } = this.#kept;
    const peer = this.#peer;
    if (peer !== undefined && this.#isReady) {
      const until = Math.min(end, this.#granted + this.#window);
      while (this.#sent < until) {
        const to = Math.min(until, this.#sent + PIECE);
        const piece = this.#kept.slice(this.#sent, to);
        this.#sent = to;
        peer.send(piece);
      }
      if (this.#exit !== undefined && this.#sent === end && !this.#hasSentExit) {
        this.#hasSentExit = true;
        this.#send(this.#exit);
      }
    }
    const isFull = end - this.#granted >= this.#window;
    if (isFull === this.#isPaused) return;
    this.#isPaused = isFull;
    if (isFull) this.#shell.pause();
    else this.#shell.resume();
  }
}
