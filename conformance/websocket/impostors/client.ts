import { randomFillSync } from "node:crypto";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { fromLatin1, toLatin1 } from "../../wire/octets.ts";
import type { FrameSpec } from "../../wire/websocket/build.ts";
import { FAIL_REQUEST, LIMITS_ANSWER, LIMITS_REQUEST } from "../limits.ts";
import { toldAbout } from "../telling.ts";
import { type ReadMessage, Side } from "../../wire/websocket/read.ts";
import type { CarrierName } from "../driver/carrier.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import { WEBSOCKET_CLIENT_FLAWS } from "./client-flaws.ts";
import { overStream } from "./http2-client.ts";
import { WebSocketPeer } from "./peer.ts";
import { type RequestDraft, OFFER, type WebSocketClientFlaw } from "./flaw.ts";
/** How long the server may take to end the connection, in milliseconds. */
const PATIENCE_MS = 60;
const END_OF_HEAD = "\r\n\r\n";
let handshakes = 0;

/** The masking keys of one connection. */
function keysOf({ key }: WebSocketClientFlaw): () => Uint8Array {
  let frames = 0;
  return () => key?.((frames += 1)) ?? randomFillSync(new Uint8Array(4));
}

/** Opens a WebSocket, and waits for the server to end the connection: it checks nothing by itself. */
class ClientImpostor extends WebSocketPeer<WebSocketClientFlaw> {
  #head = "";
  #ended = false;
  #tired = false;

  constructor(socket: Duplex, flaw: WebSocketClientFlaw) {
    super(socket, flaw, new Side("server", true), keysOf(flaw));
    socket.on("end", () => {
      this.#ended = true;
      if (flaw.closes?.stays !== true && flaw.clings !== true && !this.#tired) socket.end();
    });
  }

  ask(url: URL): void {
    const draft: RequestDraft = {
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
    this.socket.write(fromLatin1(`${method} ${target} ${version}\r\n${lines}\r\n${content}`));
    if (this.flaw.early !== undefined) this.send(this.flaw.early);
  }

  /** Every impostor names limits, whatever it does about them, and fails on request. */
  override give(message: ReadMessage): void {
    const text = toLatin1(message.payload);
    if (text === FAIL_REQUEST) this.close(this.flaw.fails ?? 1011);
    else if (text === LIMITS_REQUEST) super.give({ ...message, payload: fromLatin1(LIMITS_ANSWER) });
    else super.give(message);
  }

  override end(): void {
    if (this.flaw.clings === true) this.over = true;
    else super.end();
  }

  protected greet(octets: Uint8Array): void {
    if (this.flaw.slams === true) return this.end();
    this.#head += toLatin1(octets);
    const end = this.#head.indexOf(END_OF_HEAD);
    if (end < 0) return;
    const head = this.#head.slice(0, end);
    const rest = this.#head.slice(end + END_OF_HEAD.length);
    if (this.flaw.refuses?.(head, rest) === true) {
      if (this.flaw.saysClose === true) this.send({ opcode: "close", code: 1002 });
      return this.end();
    }
    // Any permessage-deflate in the response counts as negotiated.
    const agreed = /^sec-websocket-extensions:.*permessage-deflate(.*)$/im.exec(head)?.[1];
    if (agreed !== undefined)
      this.agree(!agreed.includes("client_no_context_takeover"), /client_max_window_bits="?(\d+)/.exec(agreed)?.[1]);
    this.open = true;
    this.reads = 0;
    if (this.flaw.forgets !== true && rest !== "") this.take(fromLatin1(rest));
  }

  protected part(): void {
    const { closes, whenLeft } = this.flaw;
    if (whenLeft === undefined) this.over = closes?.late !== true;
    else setTimeout(() => this.#tire(whenLeft), PATIENCE_MS).unref();
  }

  #tire(whenLeft: FrameSpec | "stay"): void {
    if (this.#ended) return;
    this.over = true;
    if (whenLeft === "stay") this.#tired = true;
    else this.send(whenLeft);
  }
}

/** Runs an impostor on an address. Resolves when its connection has ended or the signal aborts, with what its program was told. */
export async function runWebSocketClient(
  name: string,
  address: string,
  signal?: AbortSignal,
  over: CarrierName = "http1",
): Promise<string> {
  const flaw = flawOf(WEBSOCKET_CLIENT_FLAWS, name);
  const url = new URL(address);
  const socket = connect({ host: url.hostname, port: Number(url.port), allowHalfOpen: true });
  signal?.addEventListener("abort", () => socket.destroy(), { once: true });
  socket.setNoDelay(true);
  socket.on("error", () => socket.destroy());
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
    // The other end of a connection of HTTP/2 may outlive its stream.
    if (over === "http2") socket.once("finish", () => resolve());
  });
  let peer: ClientImpostor | undefined;
  socket.once("connect", () => {
    if (flaw.leaves === true) socket.end();
    else if (flaw.mute === true) socket.resume();
    else {
      peer = new ClientImpostor(over === "http2" ? overStream(socket, flaw.http2 ?? {}) : socket, flaw);
      peer.ask(url);
    }
  });
  await closed;
  return peer === undefined ? "" : toldAbout("it", peer.told);
}
