import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { patient } from "../../harness/patient.ts";
import type { Recorder } from "../../harness/recorder.ts";
import type { Waiting } from "../../harness/waiting.ts";
import { membersOf, type ReadResponse, ResponseReader } from "../../wire/http1-read.ts";
import { printable, toHex, toLatin1 } from "../../wire/octets.ts";
import { type Building, buildFrame, type FrameSpec, keyOf, Window } from "../../wire/websocket.ts";
import { GUID, opcodeName } from "../../wire/websocket-numbers.ts";
import { readFrame, type ReadFrame, Side } from "../../wire/websocket-read.ts";
import { frameInWords } from "../../wire/websocket-words.ts";

/** So many pieces of a write that is cut are kept apart by time; beyond, by a turn of the loop. */
const PACED = 100;
const SHOWN = 400;
/** How long the kernel may take to take a write, in milliseconds. */
const UNREAD_MS = 250;
const TURNS = 4;
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
/** Long enough that a peer has read what it was sent. */
const apart = async (): Promise<void> => {
  await pause(1);
  for (let left = TURNS; left > 0; left--) await turn();
};

/** The key of the n-th handshake of a performance: 16 octets, the same in every run. */
export const handshakeKey = (nth: number): string =>
  Buffer.from([1, 2, 3, 4].flatMap((round) => [...keyOf(nth * 4 + round)])).toString("base64");
/** What a server that understood the key answers (rfc6455#4.2.2). */
export const acceptOf = (key: string): string => createHash("sha1").update(`${key}${GUID}`).digest("base64");

/** What may be seen of one connection. */
export type Conversation = {
  readonly on: number;
  /** The answer to the handshake; undefined before its head is whole. */
  readonly response: ReadResponse | undefined;
  /** It is 101: what follows is frames. */
  readonly open: boolean;
  /** What the subject sends, and what we sent as a lenient reader sees it. */
  readonly theirs: Side;
  readonly ours: Side;
  /** The subject ended its half, in order or by a reset. */
  readonly ended: "fin" | "reset" | undefined;
  readonly endedByUs: boolean;
  readonly key: string;
  /** Payloads by which the fence knows its answers. */
  readonly fences: readonly string[];
};

/** Our end of one connection: sends what it is told, answers Close and PING unless told not to, and reads whatever comes. */
export class Connection implements Conversation {
  readonly on: number;
  readonly key: string;
  readonly theirs = new Side("server");
  readonly ours = new Side("client");
  readonly fences: string[] = [];
  ended: "fin" | "reset" | undefined;
  endedByUs = false;
  open = false;
  answersClose = true;
  answersPing = true;
  readonly #socket: Duplex;
  readonly #recorder: Recorder;
  readonly #waiting: Waiting;
  readonly #reader = new ResponseReader(() => this.#method);
  readonly #window = new Window();
  #frames = 0;
  #windowBits = 15;
  /** Of the handshake: what answers HEAD has no content. */
  #method = "GET";
  #sentTakeover = true;
  #wrote = false;
  #dropped = false;
  readonly #building: Building;

  constructor(socket: Duplex, on: number, stage: { recorder: Recorder; waiting: Waiting; fill: (text: string) => string }) {
    this.on = on;
    this.key = handshakeKey(on);
    this.#socket = patient(socket);
    this.#recorder = stage.recorder;
    this.#waiting = stage.waiting;
    this.#building = {
      text: stage.fill,
      key: () => keyOf((this.#frames += 1)),
      window: () => (this.#sentTakeover ? this.#window.octets : new Uint8Array()),
      windowBits: () => this.#windowBits,
      remember: (plain) => this.#window.push(plain),
    };
    socket.on("data", (octets: Uint8Array) => this.#receive(octets));
    socket.on("end", () => this.#end("fin"));
    socket.on("close", () => this.#end("fin"));
    socket.on("error", () => this.#end("reset"));
  }

  get response(): ReadResponse | undefined {
    return this.#reader.all.find(({ status }) => status === 101 || status >= 200);
  }

  /** Octets of HTTP, or such as are no frame. */
  async text(octets: Uint8Array, cut?: number): Promise<void> {
    if (toLatin1(octets.subarray(0, 5)) === "HEAD ") this.#method = "HEAD";
    await this.#send(octets, printable(toLatin1(octets), SHOWN).replaceAll("\\x0d\\x0a", "\\r\\n"), cut);
  }

  async bytes(octets: Uint8Array, note: string, cut?: number): Promise<void> {
    this.ours.push(octets);
    await this.#send(octets, note, cut);
  }

  async send(frames: readonly FrameSpec[], cut?: number | "frames"): Promise<void> {
    const built = frames.map((frame) => buildFrame(frame, this.#building));
    for (const octets of built) this.ours.push(octets);
    if (cut === "frames") {
      for (const octets of built) await this.#send(octets, this.#inWords(octets));
      return;
    }
    const words = built.length > 4 ? `${built.length} frames, the first: ` : "";
    const shown = built.length > 4 ? built.slice(0, 1) : built;
    await this.#send(new Uint8Array(Buffer.concat(built)), words + shown.map((octets) => this.#inWords(octets)).join(" | "), cut);
  }

  /** Ends our half, all of it, or all of it without a word. */
  end(how: "half" | "whole" | "reset"): void {
    if (this.endedByUs) return;
    const words = how === "half" ? "we end our half of the connection" : how === "whole" ? "we close the connection" : "we reset it";
    this.#recorder.remark(`${this.#name}${words}`);
    this.endedByUs = true;
    if (how === "half") this.#socket.end();
    else if (how === "whole" || !("resetAndDestroy" in this.#socket)) this.#socket.destroy();
    else (this.#socket as Duplex & { resetAndDestroy(): void }).resetAndDestroy();
  }

  drop(): void {
    this.#dropped = true;
    this.#socket.removeAllListeners("data");
    this.#socket.destroy();
  }

  get #name(): string {
    return this.on === 1 ? "" : `connection ${this.on}: `;
  }
  #inWords(octets: Uint8Array): string {
    const frame = readFrame(octets);
    return frame === undefined ? `the beginning of a frame: ${opcodeName((octets[0] ?? 0) & 15)}` : frameInWords(frame);
  }

  async #send(octets: Uint8Array, words: string, cut = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.ended !== undefined || this.endedByUs) {
      this.#recorder.remark(`${this.#name}not sent, the connection has ended: ${words}`);
      return;
    }
    if (this.#wrote) await apart();
    this.#wrote = true;
    this.#recorder.wire("->", `${this.#name}${words}${octets.length > cut ? ` in pieces of ${cut}` : ""}`, octets);
    if (octets.length <= cut) return this.#write(octets);
    let pieces = 0;
    for (let at = 0; at < octets.length && this.ended === undefined; at += cut) {
      await this.#write(octets.subarray(at, at + cut));
      await (++pieces <= PACED ? apart() : turn());
    }
  }

  #write(octets: Uint8Array): Promise<void> {
    if (octets.length === 0 || !this.#socket.writable) return Promise.resolve();
    return new Promise((resolve) => {
      // A subject that does not read is not waited for here: what follows decides.
      const timer = setTimeout(resolve, UNREAD_MS);
      this.#socket.write(octets, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #receive(octets: Uint8Array): void {
    if (this.#dropped) return;
    if (this.open) this.#take(octets);
    else {
      this.#reader.push(octets);
      this.#recorder.wire("<-", `${this.#name}${printable(toLatin1(octets), SHOWN).replaceAll("\\x0d\\x0a", "\\r\\n")}`, octets);
      const last = this.#reader.all.at(-1);
      if (last?.status === 101) {
        this.open = true;
        this.#agree(last);
        this.#take(this.#reader.tunnel);
      }
    }
    this.#waiting.poke();
  }

  /** What was agreed to decides how messages are read, and how ours are compressed (rfc7692#7.1.1). */
  #agree({ fields }: ReadResponse): void {
    const agreed = membersOf(fields, "sec-websocket-extensions").find((one) => one.startsWith("permessage-deflate"));
    if (agreed === undefined) return;
    this.theirs.deflate = { takeover: !/server_no_context_takeover/.test(agreed) };
    this.#sentTakeover = !/client_no_context_takeover/.test(agreed);
    this.ours.deflate = { takeover: this.#sentTakeover };
    const bits = /client_max_window_bits="?(\d+)/.exec(agreed)?.[1];
    // Eight bits are beyond what our compression can do; nine are the same for messages shorter than that.
    if (bits !== undefined) this.#windowBits = Math.max(9, Math.min(15, Number(bits)));
  }

  #take(octets: Uint8Array): void {
    if (octets.length === 0) return;
    const frames = this.theirs.push(octets);
    if (frames.length === 0) this.#recorder.remark(`${this.#name}${this.theirs.pending} octets of a frame have come`);
    for (const frame of frames) {
      this.#recorder.wire("<-", `${this.#name}${frameInWords(frame)}`, frame.octets);
      this.#answer(frame);
    }
  }

  /** What every client does by itself (rfc6455#5.5). */
  #answer(frame: ReadFrame): void {
    if (this.ended !== undefined || this.endedByUs || this.ours.close !== undefined) return;
    if (frame.opcode === 9 && this.answersPing) void this.send([{ opcode: "pong", hex: toHex(frame.payload) }]);
    if (frame.opcode === 8 && this.answersClose)
      void this.send([{ opcode: "close", hex: toHex(frame.payload.length < 2 ? new Uint8Array() : frame.payload.subarray(0, 2)) }]);
  }

  #end(how: "fin" | "reset"): void {
    if (this.ended !== undefined || this.#dropped) return;
    this.ended = how;
    this.#reader.end(how);
    this.#recorder.remark(`${this.#name}${how === "fin" ? "the connection closed" : "the connection was reset"}`);
    this.#waiting.poke();
  }
}
