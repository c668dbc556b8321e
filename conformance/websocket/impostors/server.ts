import { createServer } from "node:net";
import type { Duplex } from "node:stream";
import { acceptOf } from "../driver/connection.ts";
import { CLOSE_REQUEST } from "../driver/probe.ts";
import { FAIL_REQUEST, LIMITS_ANSWER, LIMITS_REQUEST } from "../limits.ts";
import { NAME_FIELD, type Told, TOLD_REQUEST, toldAbout } from "../telling.ts";
import { membersOf, type ReadRequest, RequestReader, valueOf, valuesOf } from "../../wire/http1/read.ts";
import { fromLatin1, toHex, toLatin1 } from "../../wire/octets.ts";
import { endSocket } from "../../wire/sockets.ts";
import type { FrameSpec } from "../../wire/websocket/build.ts";
import { type ReadMessage, Side } from "../../wire/websocket/read.ts";
import { listening, type RunningImpostor } from "../../harness/impostors/listening.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import { loopbackCertificate } from "../../harness/subject/certificate.ts";
import { listenQuic, type QuicListener } from "../../wire/quic/line.ts";
import { isHttp2, serveHttp2 } from "./http2.ts";
import { serveHttp3 } from "./http3.ts";
import { WebSocketPeer } from "./peer.ts";
import { WEBSOCKET_SERVER_FLAWS } from "./server-flaws.ts";
import type { HandshakeDraft, WebSocketFlaw } from "./flaw.ts";

/** How long a reset waits, so that the Close frame before it arrives. */
const RESET_MS = 20;

/** The state that all connections of an impostor share: until when it serves no new ones, and the ends of those with names. */
type Shared = { deadUntil: number; readonly ends: Map<string, PromiseWithResolvers<Told>> };
/** How long an impostor that dies stays dead. */
export const DEAD_MS = 100;

/** Answers the handshake, and ends the connection after the Close frames. It checks nothing. */
class ServerImpostor extends WebSocketPeer<WebSocketFlaw> {
  readonly #shared: Shared;
  readonly #reader = new RequestReader();
  #name = "";

  constructor(socket: Duplex, flaw: WebSocketFlaw, shared: Shared) {
    super(socket, flaw, new Side("client"));
    this.#shared = shared;
    socket.on("end", () => this.end());
  }

  /** Whether it ended early: without a Close frame, and before the last message of the harness. */
  get lost(): boolean {
    const last = this.came.messages.at(-1)?.payload;
    return this.open && this.came.close === undefined && (last === undefined || !toLatin1(last).startsWith("fence"));
  }

  protected greet(octets: Uint8Array): void {
    if (performance.now() < this.#shared.deadUntil) return;
    this.#reader.push(octets);
    const [request] = this.#reader.requests;
    if (request === undefined || (!request.complete && request.framing !== "length")) return;
    this.#answer(request);
    const behind = this.#reader.octets.subarray(request.headEnd);
    if (this.open && behind.length > 0) this.take(behind);
  }

  /** Notes how the connection has ended. */
  left(): void {
    this.#shared.ends.get(this.#name)?.resolve(this.told);
  }
  async #report(name: string): Promise<void> {
    const told = await this.#shared.ends.get(name)?.promise;
    this.send({ opcode: "text", text: toldAbout(name, told ?? null) });
  }

  #answer(request: ReadRequest): void {
    this.#name = valueOf(request.fields, NAME_FIELD.toLowerCase()) ?? "";
    if (this.#name !== "") this.#shared.ends.set(this.#name, Promise.withResolvers());
    const refused = this.flaw.refuses?.(request);
    if (refused === "silence") return;
    if (refused === "close") return this.end();
    const draft: HandshakeDraft = { status: refused ?? 101, fields: [], content: "" };
    if (refused === undefined) {
      draft.fields.push(["Upgrade", "websocket"], ["Connection", "Upgrade"]);
      draft.fields.push(["Sec-WebSocket-Accept", acceptOf(valueOf(request.fields, "sec-websocket-key") ?? "")]);
      const [protocol] = valuesOf(request.fields, "sec-websocket-protocol").flatMap((one) => one.split(","));
      if (protocol !== undefined && protocol.trim() !== "") draft.fields.push(["Sec-WebSocket-Protocol", protocol.trim()]);
      const extension = this.#extensions(request);
      if (extension !== undefined) draft.fields.push(["Sec-WebSocket-Extensions", extension]);
    } else draft.fields.push(["Content-Length", "0"], ["Connection", "close"]);
    this.flaw.answers?.(draft, request);
    const fields = draft.fields.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    this.socket.write(fromLatin1(`HTTP/1.1 ${draft.status} Whatever\r\n${fields}\r\n${draft.content}`));
    if (draft.status === 101) this.open = true;
    else this.end();
  }

  /** Agrees to the first offer of permessage-deflate, whatever it says. */
  #extensions({ fields }: ReadRequest): string | undefined {
    const offer = membersOf(fields, "sec-websocket-extensions").find((one) => one.startsWith("permessage-deflate"));
    if (offer === undefined || this.flaw.deflate?.declines === true) return undefined;
    const bits = /server_max_window_bits="?(\d+)/.exec(offer)?.[1];
    const noTakeover = offer.includes("server_no_context_takeover");
    this.agree(!noTakeover, bits);
    const agreed = [
      "permessage-deflate",
      ...(noTakeover ? ["server_no_context_takeover"] : []),
      ...(offer.includes("client_no_context_takeover") ? ["client_no_context_takeover"] : []),
      ...(bits === undefined ? [] : [`server_max_window_bits=${bits}`]),
      ...(offer.includes("client_max_window_bits") ? ["client_max_window_bits=12"] : []),
    ];
    return agreed.join("; ");
  }

  /** Every impostor begins the closing handshake on request, and knows no limits, whatever it says. */
  override give(message: ReadMessage): void {
    const text = toLatin1(message.payload);
    if (text === CLOSE_REQUEST) this.close();
    else if (text === FAIL_REQUEST) this.close(this.flaw.fails ?? 1011);
    else if (text === LIMITS_REQUEST) super.give({ ...message, payload: fromLatin1(LIMITS_ANSWER) });
    else if (text.startsWith(`${TOLD_REQUEST} `)) void this.#report(text.slice(TOLD_REQUEST.length + 1));
    else super.give(message);
  }

  protected override take(octets: Uint8Array): void {
    const { parrots } = this.flaw;
    if (parrots === undefined) return super.take(octets);
    if (parrots === "octets") return void this.socket.write(octets);
    const frames = this.came.push(octets);
    return this.send(...frames.map(({ opcode, fin, rsv, payload }): FrameSpec => ({ opcode, fin, rsv, hex: toHex(payload) })));
  }

  protected part(): void {
    const { late, stays, resets } = this.flaw.closes ?? {};
    if (stays === true) return;
    if (resets === true) return void setTimeout(() => endSocket(this.socket, "reset"), RESET_MS);
    if (late === true) setImmediate(() => this.end());
    else this.end();
  }
}

/** One WebSocket, on a connection or a stream. */
function carry(socket: Duplex, flaw: WebSocketFlaw, shared: Shared): void {
  const peer = new ServerImpostor(socket, flaw, shared);
  const left = (lost: boolean): void => {
    peer.left();
    if (lost && flaw.dies === true) shared.deadUntil = performance.now() + DEAD_MS;
  };
  socket.once("error", () => left(true));
  socket.once("close", () => left(peer.lost));
}

/** Starts an impostor on a free port of the loopback interface. */
export async function startWebSocketServer(name: string): Promise<RunningImpostor> {
  const flaw = flawOf(WEBSOCKET_SERVER_FLAWS, name);
  const shared: Shared = { deadUntil: 0, ends: new Map() };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    if (flaw.mute === true) socket.resume();
    else if (flaw.slams === true) socket.destroy();
    else {
      socket.once("data", (octets: Uint8Array) => {
        socket.pause();
        socket.unshift(octets);
        if (isHttp2(octets)) serveHttp2(socket, flaw.streams ?? {}, (tunnel) => carry(tunnel, flaw, shared));
        else carry(socket, flaw, shared);
        socket.resume();
      });
    }
  });
  const listens = await listening(server, "ws");
  const datagrams = await listenForDatagrams(Number(new URL(listens.url).port), flaw, shared);
  const stop = async (): Promise<void> => {
    await datagrams.stop();
    await listens.stop();
  };
  return { url: listens.url, stop, [Symbol.asyncDispose]: stop };
}

let certificate: ReturnType<typeof loopbackCertificate> | undefined;
/** HTTP/3 at the same port, which needs TLS even where the other versions do not. */
async function listenForDatagrams(port: number, flaw: WebSocketFlaw, shared: Shared): Promise<QuicListener> {
  return listenQuic({
    port,
    certificate: await (certificate ??= loopbackCertificate()),
    accept: (line) => {
      if (flaw.mute === true) return () => {};
      if (flaw.slams === true) line.close(0x100, "");
      return serveHttp3(line, flaw.streams ?? {}, (tunnel) => carry(tunnel, flaw, shared));
    },
  });
}

if (import.meta.main) {
  const { url } = await startWebSocketServer(process.argv[2] ?? "lenient");
  console.log(url);
}
