import { connect, type Socket } from "node:net";
import { randomFillSync } from "node:crypto";
import { fromLatin1, join, toHex, toLatin1 } from "../wire/octets.ts";
import { type Building, buildFrame, type FrameSpec, Window } from "../wire/websocket.ts";
import { type ReadFrame, type ReadMessage, Side } from "../wire/websocket-read.ts";
import { WEBSOCKET_CLIENT_FLAWS } from "./websocket-client-flaws.ts";
import type { Reaction, WebSocketFlaw } from "./websocket-server.ts";

/** The handshake before it is written. */
export type Draft = { method: string; target: string; version: string; readonly fields: [string, string][]; content: string };

/** What it looks at and rewrites of frames and messages: the same on both sides, and so are the flaws about it. */
export type Peer = {
  readonly came: Side;
  readonly open: boolean;
  readonly reads: number;
  send(...frames: readonly FrameSpec[]): void;
  give(message: ReadMessage): void;
};

/** What a WebSocket client that is wrong on purpose does wrong. Without any of these it takes whatever comes for what it looks like, any answer included. */
export type WebSocketClientFlaw = Pick<WebSocketFlaw, "about" | "mute" | "slams" | "closes" | "deflate"> & {
  /** Ends before anything has come. */
  readonly leaves?: true;
  /** Another handshake; `nth` counts those of this process. */
  readonly asks?: (draft: Draft, url: URL, nth: number) => void;
  /** Sends this behind its handshake at once. */
  readonly early?: FrameSpec;
  /** Of answers: true for one that it gives up. `rest`: what came with it. */
  readonly refuses?: (head: string, peer: Peer, rest: string) => boolean;
  /** Says Close behind an answer that it gives up; does not end the connection then. */
  readonly saysClose?: true;
  readonly clings?: true;
  /** Throws away what came in the same read as the answer. */
  readonly forgets?: true;
  /** The key of the n-th frame. */
  readonly key?: (nth: number) => Uint8Array;
  readonly meets?: (frame: ReadFrame, peer: Peer) => Reaction | undefined;
  readonly echoes?: (message: ReadMessage, peer: Peer) => readonly ReadMessage[];
  readonly sends?: (frame: FrameSpec, peer: Peer) => readonly FrameSpec[];
  readonly dislikes?: (octets: Uint8Array, peer: Peer) => boolean;
  /** Has lost patience when the server does not end the connection at once. */
  readonly whenLeft?: FrameSpec | "stay";
};

/** Of its offer, where it makes one. */
export const OFFER = "permessage-deflate; client_max_window_bits";
const NOTHING = new Uint8Array();
const BEYOND = 1 << 24;
/** So long the server may take to end the connection, in milliseconds. */
const PATIENCE_MS = 60;
const END_OF_HEAD = "\r\n\r\n";
let handshakes = 0;

/** Opens a WebSocket, and gives back what comes, as wrongly as its flaw says: it checks nothing by itself. */
class ClientImpostor implements Peer {
  readonly flaw: WebSocketClientFlaw;
  readonly #socket: Socket;
  readonly #window = new Window();
  readonly came = new Side("server", true);
  open = false;
  over = false;
  reads = 0;
  #head = "";
  #given = 0;
  #frames = 0;
  #closeSent = false;
  #ended = false;
  #takesOver = true;
  #windowBits = 15;
  #compresses = false;
  readonly #building: Building;

  constructor(socket: Socket, flaw: WebSocketClientFlaw) {
    this.#socket = socket;
    this.flaw = flaw;
    this.#building = {
      text: (value) => value,
      key: () => flaw.key?.((this.#frames += 1)) ?? randomFillSync(new Uint8Array(4)),
      window: () => (this.#takesOver ? this.#window.octets : NOTHING),
      windowBits: () => this.#windowBits,
      remember: (plain) => this.#window.push(plain),
    };
    socket.on("data", (octets: Uint8Array) => this.#receive(octets));
    socket.on("end", () => {
      this.#ended = true;
      if (flaw.closes?.stays !== true && flaw.clings !== true && !(this.#closeSent && this.over && flaw.whenLeft === "stay"))
        this.#socket.end();
    });
  }

  ask(url: URL): void {
    const draft: Draft = {
      method: "GET",
      target: url.pathname + url.search,
      version: "HTTP/1.1",
      fields: [
        ["Host", url.host],
        ["Upgrade", "websocket"],
        ["Connection", "Upgrade"],
        ["Sec-WebSocket-Key", Buffer.from(randomFillSync(new Uint8Array(16))).toString("base64")],
        ["Sec-WebSocket-Version", "13"],
        ["Sec-WebSocket-Extensions", OFFER],
      ],
      content: "",
    };
    const protocols = url.searchParams.get("protocols");
    if (protocols !== null) draft.fields.push(["Sec-WebSocket-Protocol", protocols.replaceAll(",", ", ")]);
    this.flaw.asks?.(draft, url, (handshakes += 1));
    const { method, target, version, fields, content } = draft;
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    this.#socket.write(fromLatin1(`${method} ${target} ${version}\r\n${lines}\r\n${content}`));
    if (this.flaw.early !== undefined) this.send(this.flaw.early);
  }

  end(): void {
    this.over = true;
    if (this.flaw.clings !== true && !this.#socket.writableEnded) this.#socket.end();
  }

  send(...frames: readonly FrameSpec[]): void {
    const out = frames.flatMap((frame) => this.flaw.sends?.(frame, this) ?? [frame]);
    if (out.length > 0 && this.#socket.writable) this.#socket.write(join(out.map((frame) => buildFrame(frame, this.#building))));
  }

  give({ type, payload }: ReadMessage): void {
    this.send({ opcode: type, hex: toHex(payload), ...(this.#compresses ? { deflate: {} } : {}) });
  }

  #receive(octets: Uint8Array): void {
    if (this.over) return;
    this.reads += 1;
    if (this.flaw.slams === true || this.flaw.dislikes?.(octets, this) === true) return this.end();
    if (this.open) return this.#take(octets);
    this.#head += toLatin1(octets);
    const end = this.#head.indexOf(END_OF_HEAD);
    if (end < 0) return;
    const head = this.#head.slice(0, end);
    const rest = this.#head.slice(end + END_OF_HEAD.length);
    if (this.flaw.refuses?.(head, this, rest) === true) {
      if (this.flaw.saysClose === true) this.send({ opcode: "close", code: 1002 });
      return this.end();
    }
    this.#agree(head);
    this.open = true;
    this.reads = 0;
    if (this.flaw.forgets !== true && rest !== "") this.#take(fromLatin1(rest));
  }

  /** Takes whatever the answer says of permessage-deflate for agreed. */
  #agree(head: string): void {
    const agreed = /^sec-websocket-extensions:.*permessage-deflate(.*)$/im.exec(head)?.[1];
    if (agreed === undefined) return;
    const bits = /client_max_window_bits="?(\d+)/.exec(agreed)?.[1];
    this.#compresses = true;
    this.came.deflate = { takeover: this.flaw.deflate?.forgets !== true };
    this.#takesOver = this.flaw.deflate?.takesOver === true || !agreed.includes("client_no_context_takeover");
    this.#windowBits = this.flaw.deflate?.windowBits ?? Math.min(15, Math.max(9, Number(bits ?? 15)));
  }

  #take(octets: Uint8Array): void {
    for (const frame of this.came.push(octets)) {
      if (this.over) return;
      this.#frame(frame);
    }
    // A length that no peer could ever fill: whoever believes nothing of it takes what is there.
    if (this.came.pending > BEYOND) this.end();
  }

  #frame(frame: ReadFrame): void {
    // The flaws are written for servers, whose frames come masked.
    const reaction = this.flaw.meets?.({ ...frame, masked: true }, this);
    if (reaction !== undefined) {
      if (reaction === "drop") this.end();
      else if (reaction !== "ignore") this.#close(reaction.code);
      // What was not taken is no message either.
      if (reaction === "ignore") this.#given = this.came.messages.length;
      return;
    }
    if (frame.opcode === 9) this.send({ opcode: "pong", hex: toHex(frame.payload) });
    if (frame.opcode === 8) this.#part(frame);
    for (let message = this.came.messages[this.#given]; message !== undefined && !this.over; message = this.came.messages[this.#given]) {
      this.#given += 1;
      for (const one of this.flaw.echoes?.(message, this) ?? [message]) this.give(one);
    }
  }

  /** Fails the connection. */
  #close(code: number): void {
    this.send({ opcode: "close", code });
    this.end();
  }

  /** Answers Close, and waits for the server to end the connection. */
  #part(frame: ReadFrame): void {
    if (this.#closeSent) return;
    this.#closeSent = true;
    const { code = frame.code, reason, late } = this.flaw.closes ?? {};
    this.send({ opcode: "close", ...(code === undefined || code === "none" ? {} : { code, reason: reason ?? "" }) });
    if (late !== true) this.over = true;
    const { whenLeft } = this.flaw;
    if (whenLeft === undefined) return;
    this.over = false;
    setTimeout(() => {
      if (this.#ended) return;
      this.over = true;
      if (whenLeft !== "stay") this.send(whenLeft);
    }, PATIENCE_MS).unref();
  }
}

/** Runs an impostor on an address: resolves when its connection is over, or when the signal says so. */
export async function runWebSocketClient(name: string, address: string, signal?: AbortSignal): Promise<void> {
  const flaw = WEBSOCKET_CLIENT_FLAWS[name];
  if (flaw === undefined) throw new RangeError(`There is no impostor "${name}". Known: ${Object.keys(WEBSOCKET_CLIENT_FLAWS).join(", ")}.`);
  const url = new URL(address);
  const socket = connect({ host: url.hostname, port: Number(url.port), allowHalfOpen: true });
  signal?.addEventListener("abort", () => socket.destroy(), { once: true });
  socket.setNoDelay(true);
  socket.on("error", () => socket.destroy());
  const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
  socket.once("connect", () => {
    if (flaw.leaves === true) socket.end();
    else if (flaw.mute === true) socket.resume();
    else new ClientImpostor(socket, flaw).ask(url);
  });
  await closed;
}
