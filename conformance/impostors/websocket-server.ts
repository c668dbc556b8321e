import { createServer, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { acceptOf } from "../websocket/driver/connection.ts";
import { membersOf, type ReadRequest, RequestReader, valueOf, valuesOf } from "../wire/http1-read.ts";
import { fromLatin1, join, toHex, toLatin1 } from "../wire/octets.ts";
import { buildFrame, type FrameSpec, Window } from "../wire/websocket.ts";
import { type ReadFrame, type ReadMessage, Side } from "../wire/websocket-read.ts";
import type { RunningImpostor } from "./http2-server.ts";
import { type Http2Flaw, isHttp2, serveHttp2 } from "./websocket-http2.ts";
import { WEBSOCKET_SERVER_FLAWS } from "./websocket-server-flaws.ts";

/** The answer to a handshake before it is written. */
export type HandshakeDraft = { status: number; fields: [string, string][]; content: string };

/** What an impostor does instead of going on. */
export type Reaction = "ignore" | "drop" | { readonly code: number };

/** What a WebSocket impostor does wrong. Without any of these it takes whatever comes, and gives it back. */
export type WebSocketFlaw = {
  readonly about: string;
  /** Answers nothing; ends every connection at once. */
  readonly mute?: true;
  readonly slams?: true;
  /** A handshake that it does not answer with 101. */
  readonly refuses?: (request: ReadRequest, peer: WebSocketImpostor) => number | "close" | "silence" | undefined;
  /** Another answer to the handshake. */
  readonly answers?: (draft: HandshakeDraft, request: ReadRequest) => void;
  /** Has the first say on every frame that comes. */
  readonly meets?: (frame: ReadFrame, peer: WebSocketImpostor) => Reaction | undefined;
  /** Another message than that which came, or none. */
  readonly echoes?: (message: ReadMessage, peer: WebSocketImpostor) => readonly ReadMessage[];
  /** Rewrites what goes out, frame by frame. */
  readonly sends?: (frame: FrameSpec, peer: WebSocketImpostor) => readonly FrameSpec[];
  /** Of reads: true for one that it cannot do with. */
  readonly dislikes?: (octets: Uint8Array, peer: WebSocketImpostor) => boolean;
  /** Answers a Close frame with this code, or with none; `late`: reads on behind it; `stays`: does not end the connection. */
  readonly closes?: { readonly code?: number | "none"; readonly reason?: string; readonly late?: true; readonly stays?: true };
  /** Compression: what it agrees to, how far it refers back, and whether it forgets what came before. */
  readonly deflate?: { readonly declines?: true; readonly windowBits?: number; readonly takesOver?: true; readonly forgets?: true };
  /** When a connection is lost without a Close frame, those that follow are not served for a while. */
  readonly dies?: true;
  /** What is wrong with the streams of HTTP/2 that carry it. */
  readonly http2?: Http2Flaw;
};

/** What an impostor knows beyond one connection: until when it serves nobody. */
export type Shared = { deadUntil: number };
const DEAD_MS = 100;

const HELD = new Uint8Array();
const BEYOND = 1 << 24;

/** Gives back what it gets, as wrongly as its flaw says: it checks nothing by itself. */
export class WebSocketImpostor {
  readonly flaw: WebSocketFlaw;
  readonly #socket: Duplex;
  readonly #shared: Shared;
  readonly #reader = new RequestReader();
  readonly #window = new Window();
  /** What the other side has sent. */
  readonly came = new Side("client");
  open = false;
  over = false;
  reads = 0;
  went = 0;
  #given = 0;
  #closeSent = false;
  #serverTakesOver = true;
  #windowBits = 15;
  #compresses = false;

  constructor(socket: Duplex, flaw: WebSocketFlaw, shared: Shared = { deadUntil: 0 }) {
    this.#socket = socket;
    this.flaw = flaw;
    this.#shared = shared;
    socket.on("data", (octets: Uint8Array) => this.#receive(octets));
    socket.on("end", () => this.end());
  }

  /** It ended although more was to come: no Close frame, nor the message that our own harness asks last. */
  get lost(): boolean {
    const last = this.came.messages.at(-1)?.payload ?? HELD;
    return this.open && this.came.close === undefined && !toLatin1(last).startsWith("fence");
  }

  end(): void {
    this.over = true;
    if (!this.#socket.writableEnded) this.#socket.end();
  }

  send(...frames: FrameSpec[]): void {
    const building = {
      text: (value: string) => value,
      key: () => Uint8Array.of(1, 2, 3, 4),
      window: () => (this.#serverTakesOver ? this.#window.octets : HELD),
      windowBits: () => this.#windowBits,
      remember: (plain: Uint8Array) => this.#window.push(plain),
    };
    const out = frames.flatMap((frame) => this.flaw.sends?.(frame, this) ?? [frame]);
    this.went += out.length;
    if (out.length > 0 && this.#socket.writable)
      this.#socket.write(join(out.map((frame) => buildFrame({ mask: "none", ...frame }, building))));
  }

  #receive(octets: Uint8Array): void {
    if (this.over || performance.now() < this.#shared.deadUntil) return;
    this.reads += 1;
    if (this.flaw.dislikes?.(octets, this) === true) return this.end();
    if (this.open) return this.#take(octets);
    this.#reader.push(octets);
    const [request] = this.#reader.requests;
    if (request === undefined || (!request.complete && request.framing !== "length")) return;
    this.#answer(request);
    const behind = this.#reader.octets.subarray(request.headEnd);
    if (this.open && behind.length > 0) this.#take(behind);
  }

  #answer(request: ReadRequest): void {
    const refused = this.flaw.refuses?.(request, this);
    if (refused === "silence") return;
    if (refused === "close") return this.end();
    const draft: HandshakeDraft = { status: refused ?? 101, fields: [], content: "" };
    if (refused === undefined) {
      draft.fields.push(["Upgrade", "websocket"], ["Connection", "Upgrade"]);
      draft.fields.push(["Sec-WebSocket-Accept", acceptOf(valueOf(request.fields, "sec-websocket-key") ?? "")]);
      const [protocol] = valuesOf(request.fields, "sec-websocket-protocol").flatMap((one) => one.split(","));
      if (protocol !== undefined && protocol.trim() !== "") draft.fields.push(["Sec-WebSocket-Protocol", protocol.trim()]);
      const extension = this.#agree(request);
      if (extension !== undefined) draft.fields.push(["Sec-WebSocket-Extensions", extension]);
    } else draft.fields.push(["Content-Length", "0"], ["Connection", "close"]);
    this.flaw.answers?.(draft, request);
    const fields = draft.fields.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    this.#socket.write(fromLatin1(`HTTP/1.1 ${draft.status} Whatever\r\n${fields}\r\n${draft.content}`));
    if (draft.status === 101) this.open = true;
    else this.end();
  }

  /** Agrees to the first offer of permessage-deflate, whatever it says. */
  #agree({ fields }: ReadRequest): string | undefined {
    const offer = membersOf(fields, "sec-websocket-extensions").find((one) => one.startsWith("permessage-deflate"));
    if (offer === undefined || this.flaw.deflate?.declines === true) return undefined;
    const bits = /server_max_window_bits="?(\d+)/.exec(offer)?.[1];
    const noTakeover = offer.includes("server_no_context_takeover");
    this.#compresses = true;
    this.came.deflate = { takeover: this.flaw.deflate?.forgets !== true };
    this.#serverTakesOver = this.flaw.deflate?.takesOver === true || !noTakeover;
    this.#windowBits = this.flaw.deflate?.windowBits ?? Math.min(15, Math.max(9, Number(bits ?? 15)));
    const agreed = [
      "permessage-deflate",
      ...(noTakeover ? ["server_no_context_takeover"] : []),
      ...(offer.includes("client_no_context_takeover") ? ["client_no_context_takeover"] : []),
      ...(bits === undefined ? [] : [`server_max_window_bits=${bits}`]),
      ...(offer.includes("client_max_window_bits") ? ["client_max_window_bits=12"] : []),
    ];
    return agreed.join("; ");
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
    const reaction = this.flaw.meets?.(frame, this);
    if (reaction !== undefined) {
      if (reaction === "drop") this.end();
      else if (reaction !== "ignore") this.close(reaction.code);
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

  give({ type, payload }: ReadMessage): void {
    this.send({ opcode: type, hex: toHex(payload), ...(this.#compresses ? { deflate: {} } : {}) });
  }

  /** Fails the connection. */
  close(code: number): void {
    this.send({ opcode: "close", code });
    this.end();
  }

  #part(frame: ReadFrame): void {
    if (this.#closeSent) return;
    this.#closeSent = true;
    const { code = frame.code, reason, late, stays } = this.flaw.closes ?? {};
    const said: FrameSpec = { opcode: "close", ...(code === undefined || code === "none" ? {} : { code, reason: reason ?? "" }) };
    this.send(said);
    if (stays === true) return;
    if (late === true) setImmediate(() => this.end());
    else this.end();
  }
}

/** One WebSocket, on a connection or on a stream of one. */
function carry(socket: Duplex, flaw: WebSocketFlaw, shared: Shared): void {
  const peer = new WebSocketImpostor(socket, flaw, shared);
  const left = (lost: boolean): void => {
    if (lost && flaw.dies === true) shared.deadUntil = performance.now() + DEAD_MS;
  };
  socket.once("error", () => left(true));
  socket.once("close", () => left(peer.lost));
}

/** Starts an impostor on a free port of the loopback interface. */
export async function startWebSocketServer(name: string): Promise<RunningImpostor> {
  const flaw = WEBSOCKET_SERVER_FLAWS[name];
  if (flaw === undefined) throw new RangeError(`There is no impostor "${name}". Known: ${Object.keys(WEBSOCKET_SERVER_FLAWS).join(", ")}.`);
  const sockets = new Set<Socket>();
  const shared: Shared = { deadUntil: 0 };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
    if (flaw.mute === true) socket.resume();
    else if (flaw.slams === true) socket.destroy();
    else {
      socket.once("data", (octets: Uint8Array) => {
        socket.pause();
        socket.unshift(octets);
        if (isHttp2(octets)) serveHttp2(socket, flaw.http2 ?? {}, (tunnel) => carry(tunnel, flaw, shared));
        else carry(socket, flaw, shared);
        socket.resume();
      });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  return { url: `ws://127.0.0.1:${port}/`, stop, [Symbol.asyncDispose]: stop };
}

/** The head as it came, for those who look at every octet of it. */
export const headOf = ({ start, fields }: ReadRequest): string =>
  toLatin1(fromLatin1([start, ...fields.map(({ line }) => line)].join("\n")));

if (import.meta.main) {
  const { url } = await startWebSocketServer(process.argv[2] ?? "lenient");
  console.log(url);
}
