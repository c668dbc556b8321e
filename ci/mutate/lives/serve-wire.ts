import { Duplex } from "node:stream";

const broken = (code: string): Error => Object.assign(new Error(`the transport broke (${code})`), { code });

/** A socket in memory. What it sends waits on its wire. */
export class MemorySocket extends Duplex {
  readonly remoteAddress = "127.0.0.1";
  readonly remotePort = 4;
  readonly #wire: Wire;

  constructor(wire: Wire, highWaterMark: number) {
    super({ allowHalfOpen: true, highWaterMark });
    this.#wire = wire;
  }
  setNoDelay(): this {
    return this;
  }
  resetAndDestroy(): this {
    if (!this.destroyed) this.#wire.isReset = true;
    return this.destroy();
  }
  override _read(): void {
    // Octets come by `push`.
  }
  override _write(octets: Uint8Array, _encoding: string, written: (error?: Error) => void): void {
    this.#wire.accept(octets, written);
  }
  override _final(done: (error?: Error) => void): void {
    this.#wire.isEnded = true;
    done();
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#wire.isClosed = true;
    done(error);
  }
}

/** The far end of a socket in memory, and all that can be seen there. */
export class Wire {
  readonly name: string;
  readonly socket: MemorySocket;
  /** The socket has sent FIN, RST, or is closed. */
  isEnded = false;
  isReset = false;
  isClosed = false;
  /** The far end reads nothing, or has gone. */
  isStalled = false;
  isGone = false;
  /** All octets that have come, and how many of them have been reported or answered. */
  all = "";
  reported = 0;
  answered = 0;
  #hasSentEnd = false;
  #said = "";
  #waiting: { readonly octets: Uint8Array; readonly written: (error?: Error) => void } | undefined;

  constructor(name: string, highWaterMark: number) {
    this.name = name;
    this.socket = new MemorySocket(this, highWaterMark);
  }

  accept(octets: Uint8Array, written: (error?: Error) => void): void {
    if (this.isGone) written(broken("EPIPE"));
    else if (this.isStalled) this.#waiting = { octets, written };
    else {
      this.all += Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString("latin1");
      written();
    }
  }
  stall(isStalled: boolean): void {
    this.isStalled = isStalled;
    const waiting = this.#waiting;
    if (isStalled || waiting === undefined) return;
    this.#waiting = undefined;
    this.accept(waiting.octets, waiting.written);
  }

  get isOpen(): boolean {
    return !this.isGone && !this.#hasSentEnd && !this.socket.destroyed;
  }
  send(text: string): void {
    if (this.isOpen && text.length > 0) this.socket.push(Buffer.from(text, "latin1"));
  }
  /** Ends its half. */
  end(): void {
    if (this.isOpen) this.socket.push(null);
    this.#hasSentEnd = true;
  }
  /** Closes both halves: further octets meet an error. */
  leave(): void {
    if (this.isOpen) this.socket.push(null);
    this.isGone = true;
    this.stall(false);
  }
  /** Sends RST. */
  break(): void {
    this.isGone = true;
    if (!this.socket.destroyed) this.socket.destroy(broken("ECONNRESET"));
  }
  /** What has changed since the last call: new octets, and states. */
  news(): string[] {
    const lines: string[] = [];
    if (this.all.length > this.reported) lines.push(`${this.name} < ${brief(this.all.slice(this.reported))}`);
    this.reported = this.all.length;
    const state = `${this.isEnded ? " ended" : ""}${this.isReset ? " reset" : ""}${this.isClosed ? " closed" : ""}${this.socket.isPaused() ? " paused" : ""}`;
    if (state !== this.#said) lines.push(`${this.name}:${state}`);
    this.#said = state;
    return lines;
  }
}

const LONGEST = 700;
/** Of much text the beginning and a sum over all of it. */
export function brief(text: string): string {
  if (text.length <= LONGEST) return JSON.stringify(text);
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0;
  return `${JSON.stringify(text.slice(0, 300))}… (${text.length}, ${sum})`;
}
