import { DEFAULT_CHANNEL_LIMITS } from "./limits.ts";
import { readControl, writeControl, type Control, type Peer } from "./protocol.ts";
import { Replay } from "./replay.ts";

/** The shell as an agent sees it. */
export interface Shell {
  write(octets: Uint8Array): void;
  resize(cols: number, rows: number): void;
  /** Print nothing for now, and go on. */
  pause(): void;
  resume(): void;
}

/** Octets of one message: small enough for every hub. */
const PIECE = 32_768;

/**
 * An agent's part of the channel, over any number of connections one after another. It keeps the last output for a hub that lacks it, sends no
 * more than the hub's window, and holds the shell back when that is used up. What is typed is acknowledged once the shell has it.
 */
export class AgentSide {
  readonly #shell: Shell;
  readonly #kept: Replay;
  #cols: number;
  #rows: number;
  #peer: Peer | undefined;
  /** On this connection: whether the hub has answered, the next octet to send, and up to where the hub is done. */
  #isReady = false;
  #sent = 0;
  #granted = 0;
  #window = DEFAULT_CHANNEL_LIMITS.windowOctets;
  #input = 0;
  #isPaused = false;
  #exit: Extract<Control, { type: "exit" }> | undefined;
  #hasToldExit = false;
  /** The hub has heard of the end of the shell: there is nothing left to do. */
  isDone = false;

  constructor(shell: Shell, size: { readonly cols: number; readonly rows: number }, keptOctets = DEFAULT_CHANNEL_LIMITS.replayOctets) {
    this.#shell = shell;
    this.#kept = new Replay(keptOctets);
    this.#cols = size.cols;
    this.#rows = size.rows;
  }

  // From the shell.

  printed(octets: Uint8Array): void {
    this.#kept.append(octets);
    this.#flow();
  }
  exited(code: number, signal: number | null): void {
    this.#exit ??= { type: "exit", code, signal };
    this.#flow();
  }

  // From the connection.

  connected(peer: Peer): void {
    this.#peer = peer;
    this.#isReady = false;
    this.#hasToldExit = false;
    const { start, end } = this.#kept;
    this.#tell({ type: "offer", from: start, end, input: this.#input, cols: this.#cols, rows: this.#rows });
  }
  /** The connection is over, with this close code; 1006 without one. */
  lost(code: number): void {
    this.#peer = undefined;
    this.#isReady = false;
    // Only a hub that has heard of the end closes in good order.
    if (this.#hasToldExit && code === 1000) this.isDone = true;
  }
  /** A line where the hub is wrong, or says that it closes: the connection is of no more use. */
  text(text: string): string | undefined {
    const message = readControl(text, "hub");
    switch (message.type) {
      case "malformed":
        return message.why;
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
        // The first acknowledgement follows the state, and says what the window counts from.
        this.#isReady = true;
        this.#flow();
        return undefined;
      default:
        return undefined;
    }
  }
  binary(octets: Uint8Array): void {
    this.#input += octets.length;
    this.#shell.write(octets);
    this.#tell({ type: "ack", offset: this.#input });
  }

  #begin(state: Extract<Control, { type: "state" }>): string | undefined {
    if (state.from < this.#kept.start || state.from > this.#kept.end) return `octet ${state.from} is not kept`;
    if (state.input !== this.#input) return `the next typed octet is ${this.#input}, not ${state.input}`;
    this.#sent = state.from;
    this.#granted = 0;
    // The other half has room for what the shell prints at once, before it is held back.
    this.#window = Math.min(state.window, this.#kept.capacity >> 1);
    this.#resize(state.cols, state.rows);
    return undefined;
  }
  #resize(cols: number, rows: number): void {
    if (cols === this.#cols && rows === this.#rows) return;
    this.#cols = cols;
    this.#rows = rows;
    this.#shell.resize(cols, rows);
  }
  #tell(message: Control): void {
    this.#peer?.send(writeControl(message));
  }

  /** Sends what the window allows, and lets the shell print while there is room. */
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
      if (this.#exit !== undefined && this.#sent === end && !this.#hasToldExit) {
        this.#hasToldExit = true;
        this.#tell(this.#exit);
      }
    }
    const isFull = end - this.#granted >= this.#window;
    if (isFull === this.#isPaused) return;
    this.#isPaused = isFull;
    if (isFull) this.#shell.pause();
    else this.#shell.resume();
  }
}
