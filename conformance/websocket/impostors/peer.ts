import type { Duplex } from "node:stream";
import { join, toHex } from "../../wire/octets.ts";
import { type Building, buildFrame, type FrameSpec, Window } from "../../wire/websocket/build.ts";
import type { Told } from "../telling.ts";
import { type ReadFrame, type ReadMessage, Side } from "../../wire/websocket/read.ts";

/** An action that replaces the normal one. */
export type Reaction = "ignore" | "drop" | { readonly code: number };

/** The flaws of a WebSocket impostor of either side with frames and messages. */
export type FrameFlaw = {
  readonly about: string;
  /** Called first for each received frame. */
  readonly meets?: (frame: ReadFrame, peer: WebSocketPeer) => Reaction | undefined;
  /** Replaces a received message by others, or by none. */
  readonly echoes?: (message: ReadMessage, peer: WebSocketPeer) => readonly ReadMessage[];
  /** Rewrites each sent frame. */
  readonly sends?: (frame: FrameSpec, peer: WebSocketPeer) => readonly FrameSpec[];
  /** Takes frames that announce more than it can hold for frames of five octets. */
  readonly shortens?: true;
  /** Refuses a frame that announces more than it can hold. */
  readonly limits?: true;
  /** True for a read on which it gives up. */
  readonly dislikes?: (octets: Uint8Array, peer: WebSocketPeer) => boolean;
  /** Answers a Close frame with this code, or with none; `late`: keeps reading after it; `stays`: does not end the connection; `resets`: does not end it in order. */
  readonly closes?: {
    readonly code?: number | "none";
    readonly reason?: string;
    readonly late?: true;
    readonly stays?: true;
    readonly resets?: true;
  };
  /** What it reports of the end of a connection in place of the truth. */
  readonly tells?: (told: Told) => Told;
  /** Closes with this code when its program fails. */
  readonly fails?: number;
  /** Compression: what it agrees to, how far it refers back, and whether it drops its context. */
  readonly deflate?: { readonly declines?: true; readonly windowBits?: number; readonly takesOver?: true; readonly forgets?: true };
};

const NOTHING = new Uint8Array();
const BEYOND = 1 << 24;

const isBeyond = (octets: Uint8Array): boolean =>
  (octets[1] ?? 0) % 128 === 127 && octets.length >= 10 && Buffer.from(octets).readBigUInt64BE(2) > BEYOND;
/** Octets that begin with a frame, which has five octets if it announces too many. */
function shortened(octets: Uint8Array): Uint8Array {
  if (!isBeyond(octets)) return octets;
  const other = new Uint8Array(octets);
  other.set([0, 0, 0, 0, 0, 0, 0, 5], 2);
  return other;
}

/**
 * The base of every WebSocket impostor: accepts everything as what it looks like, and echoes it. The handshake and the end
 * are in `server.ts` and `client.ts`.
 */
export abstract class WebSocketPeer<Flaw extends FrameFlaw = FrameFlaw> {
  readonly flaw: Flaw;
  protected readonly socket: Duplex;
  /** The received octets. */
  readonly came: Side;
  open = false;
  over = false;
  reads = 0;
  #given = 0;
  #closeSent = false;
  #compresses = false;
  #takesOver = true;
  #windowBits = 15;
  readonly #building: Building;
  readonly #masks: boolean;

  /** Without keys it masks nothing. */
  constructor(socket: Duplex, flaw: Flaw, came: Side, key?: () => Uint8Array) {
    this.socket = socket;
    this.flaw = flaw;
    this.came = came;
    this.#masks = key !== undefined;
    const window = new Window();
    this.#building = {
      text: (value) => value,
      key: key ?? (() => NOTHING),
      window: () => (this.#takesOver ? window.octets : NOTHING),
      windowBits: () => this.#windowBits,
      remember: (plain) => window.push(plain),
    };
    socket.on("data", (octets: Uint8Array) => {
      if (this.over) return;
      this.reads += 1;
      if (flaw.dislikes?.(octets, this) === true) this.end();
      else if (this.open) this.take(octets);
      else this.greet(octets);
    });
  }

  /** Octets of the other side's handshake. */
  protected abstract greet(octets: Uint8Array): void;
  /** Both Close frames were sent and received. */
  protected abstract part(): void;

  /** What its library says of the end. */
  get told(): Told {
    const { close } = this.came;
    const code = close === undefined ? 1006 : (close.code ?? 1005);
    const told = { code, reason: Buffer.from(close?.reason ?? []).toString(), clean: close !== undefined };
    return this.flaw.tells?.(told) ?? told;
  }

  end(): void {
    this.over = true;
    if (!this.socket.writableEnded) this.socket.end();
  }

  send(...frames: readonly FrameSpec[]): void {
    const out = frames.flatMap((frame) => this.flaw.sends?.(frame, this) ?? [frame]);
    const built = out.map((frame) => buildFrame(this.#masks ? frame : { mask: "none", ...frame }, this.#building));
    if (built.length > 0 && this.socket.writable) this.socket.write(join(built));
  }

  give({ type, payload }: ReadMessage): void {
    this.send({ opcode: type, hex: toHex(payload), ...(this.#compresses ? { deflate: {} } : {}) });
  }

  /** Negotiated compression: whether our messages may refer to earlier ones, and how far back. */
  protected agree(takesOver: boolean, windowBits = "15"): void {
    const { deflate } = this.flaw;
    this.#compresses = true;
    this.came.deflate = { takeover: deflate?.forgets !== true };
    this.#takesOver = takesOver || deflate?.takesOver === true;
    this.#windowBits = deflate?.windowBits ?? Math.min(15, Math.max(9, Number(windowBits)));
  }

  protected take(octets: Uint8Array): void {
    if (this.flaw.limits === true && this.came.pending === 0 && isBeyond(octets)) {
      this.send({ opcode: "close", code: 1009 });
      return this.end();
    }
    for (const frame of this.came.push(this.flaw.shortens === true ? shortened(octets) : octets)) {
      if (this.over) return;
      this.#frame(frame);
    }
    // A length that no peer can send: the impostor uses the octets that are there.
    if (this.came.pending > BEYOND) this.end();
  }

  #frame(frame: ReadFrame): void {
    const { messages } = this.came;
    const reaction = this.flaw.meets?.(frame, this);
    if (reaction === "drop") return this.end();
    // Octets that it did not accept are not a message.
    if (reaction === "ignore") return void (this.#given = messages.length);
    if (reaction !== undefined) {
      this.send({ opcode: "close", code: reaction.code });
      return this.end();
    }
    if (frame.opcode === 9) this.send({ opcode: "pong", hex: toHex(frame.payload) });
    if (frame.opcode === 8 && !this.#closeSent) this.#close(frame);
    else if (frame.opcode === 8) this.part();
    for (let message = messages[this.#given]; message !== undefined && !this.over; message = messages[this.#given]) {
      this.#given += 1;
      for (const one of this.flaw.echoes?.(message, this) ?? [message]) this.give(one);
    }
  }

  /** Begins the closing handshake. */
  protected close(code = 1000): void {
    this.#closeSent = true;
    this.send({ opcode: "close", code });
  }

  /** Answers a Close frame. */
  #close(theirs: ReadFrame): void {
    this.#closeSent = true;
    const { code = theirs.code, reason = "" } = this.flaw.closes ?? {};
    this.send({ opcode: "close", ...(code === undefined || code === "none" ? {} : { code, reason }) });
    this.part();
  }
}
