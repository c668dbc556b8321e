import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { fromLatin1 } from "../../wire/octets.ts";
import { MAGIC } from "../../wire/http2/numbers.ts";
import type { ReadFrame } from "../../wire/http2/read.ts";
import type { FieldSpec, FrameSpec } from "../vocabulary.ts";
import { CLIENT_FLAWS, type ClientFlaw } from "./client-flaws.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import { type Fields, Peer } from "./peer.ts";

const LINGER = 30;

/** Why the exchange failed; the command then ends with status 1. */
class Failed extends Error {}

/** Gets one URL, with its flaw. */
class ClientPeer extends Peer {
  readonly #flaw: ClientFlaw;
  readonly #authority: string;
  readonly #settle: (failure?: Failed) => void;
  #stream = 0;
  #asked = 0;
  #settled = false;

  constructor(socket: Duplex, flaw: ClientFlaw, authority: string, settle: (failure?: Failed) => void) {
    super(socket, flaw, "client");
    this.#flaw = flaw;
    this.#authority = authority;
    this.#settle = settle;
  }

  start(): void {
    const flaw = this.#flaw;
    if (flaw.mute === true) return;
    this.raw(fromLatin1(MAGIC));
    this.send({ type: "SETTINGS", settings: flaw.settings ?? [["MAX_CONCURRENT_STREAMS", 100]] });
    if (flaw.leaves !== undefined) this.#end(flaw.leaves === 0 ? undefined : new Failed("left at once"));
  }

  protected take(frame: ReadFrame, fields: Fields | undefined): void {
    const { impatient, asksTwice, asksAfterGoaway, endsOnInterim } = this.#flaw;
    if (frame.type === "SETTINGS" && this.#asked === 0 && (impatient === true || this.setting("MAX_CONCURRENT_STREAMS", 1) > 0)) {
      this.ask();
      if (asksTwice === true) this.ask();
    }
    if (frame.type === "GOAWAY" && frame.last === 0 && asksAfterGoaway !== true)
      this.#end(new Failed("the server did not take the request"));
    if (frame.type === "PING" && asksAfterGoaway === true && this.came.has("GOAWAY")) {
      this.ask();
      setTimeout(() => this.#end(new Failed("the server did not take the request")), LINGER);
    }
    if (frame.stream !== this.#stream || this.#stream === 0) return;
    if (frame.type === "RST_STREAM") return this.#reset(frame);
    const interim = fields?.fields.some(([name, value]) => name === ":status" && /^1\d\d$/.test(value)) === true;
    const ends = fields?.end === true || (frame.type === "DATA" && frame.endStream === true);
    if (interim ? endsOnInterim === true : ends) this.#finish();
  }

  /** The response is complete. */
  #finish(): void {
    const { lingers, asksAgain } = this.#flaw;
    if (asksAgain === true && this.#asked < 2) return this.ask();
    if (lingers === undefined) return this.#end();
    setTimeout(() => this.#end(), lingers);
  }

  /** Opens the next stream with a request. */
  ask(): void {
    this.#stream = this.#flaw.firstStream === undefined ? 1 + 2 * this.#asked : this.#flaw.firstStream;
    this.#asked += 1;
    const plain: FieldSpec[] = [
      [":method", "GET"],
      [":scheme", "http"],
      [":authority", this.#authority],
      [":path", "/"],
      ["user-agent", "impostor"],
    ];
    const request: FrameSpec = {
      type: "HEADERS",
      stream: this.#stream,
      flags: this.#flaw.uploads === undefined ? ["END_STREAM", "END_HEADERS"] : ["END_HEADERS"],
      fields: this.#flaw.request?.(plain) ?? plain,
    };
    this.send(request);
    if (this.#flaw.uploads !== undefined) this.content(this.#stream, new Uint8Array(this.#flaw.uploads), []);
  }

  protected ended(): void {
    this.#end(this.#flaw.trusting === true ? undefined : new Failed("the connection ended before the response did"));
  }

  #reset(frame: ReadFrame): void {
    const { trusting, answersReset, discards } = this.#flaw;
    const whole = this.finished.has(frame.stream);
    if (whole && discards !== true) return;
    if (answersReset === true) this.send({ type: "RST_STREAM", stream: frame.stream, code: "CANCEL" });
    // It must fail on a plain reset; otherwise the harness would not trust its exit status.
    if (trusting === true && frame.code !== "INTERNAL_ERROR") return this.#end();
    if (frame.code === "REFUSED_STREAM" && this.#asked < 2) return this.ask();
    this.#end(new Failed(`the stream was reset with ${frame.code}`));
  }

  override react(...[reaction, stream]: Parameters<Peer["react"]>): void {
    super.react(reaction, stream);
    if (reaction !== "ignore") this.#end(this.#flaw.cheerful === true ? undefined : new Failed("it did not like that"));
  }

  #end(failure?: Failed): void {
    if (this.#settled) return;
    this.#settled = true;
    if (!this.over && this.#flaw.leaves === undefined && this.#flaw.saysNoGoodbye !== true)
      this.send({ type: "GOAWAY", last: 0, code: "NO_ERROR" });
    this.close();
    this.#settle(failure);
  }
}

/** Runs an impostor on a URL. Resolves where a command would exit with status 0; rejects otherwise. */
export function runClient(name: string, url: string, signal?: AbortSignal): Promise<void> {
  const flaw = flawOf(CLIENT_FLAWS, name);
  const { hostname, port, host, protocol } = new URL(url);
  const tls = protocol === "https:";
  return new Promise((resolve, reject) => {
    const at = { host: hostname, port: Number(port) };
    const socket = tls ? connectTls({ ...at, ALPNProtocols: [...(flaw.alpn ?? ["h2"])], rejectUnauthorized: false }) : connect(at);
    signal?.addEventListener("abort", () => socket.destroy(), { once: true });
    socket.setNoDelay(true);
    socket.once("error", reject);
    socket.once(tls ? "secureConnect" : "connect", () => {
      socket.off("error", reject);
      const peer = new ClientPeer(socket, flaw, host, (failure) => (failure === undefined ? resolve() : reject(failure)));
      peer.start();
    });
  });
}

if (import.meta.main) {
  const [name = "lenient", url = ""] = process.argv.slice(2);
  await runClient(name, url).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
