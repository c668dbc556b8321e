import { createHash } from "node:crypto";
import type { Recorder } from "../../harness/connection/recorder.ts";
import type { Waiting } from "../../harness/connection/waiting.ts";
import { apart, writeInPieces } from "../../wire/writes.ts";
import type { Values } from "../../wire/http1/build.ts";
import { membersOf } from "../../wire/http1/read.ts";
import { toHex } from "../../wire/octets.ts";
import { type Ending, ENDING_IN_WORDS } from "../../wire/sockets.ts";
import { type Building, buildFrame, type FrameSpec, keyOf, Window } from "../../wire/websocket/build.ts";
import { GUID } from "../../wire/websocket/numbers.ts";
import { type ReadFrame, Side } from "../../wire/websocket/read.ts";
import { frameInWords } from "../../wire/websocket/words.ts";
import type { Cut, Handshake } from "../vocabulary.ts";
import type { Answer, Carrier, CarrierRule, Listener } from "./carrier.ts";
import { inWords, piecesOfHead, textInWords, windowBitsOf } from "./said.ts";

/** Pieces of a cut write that are kept apart by time; the rest only by a turn of the loop. */
const PACED = 100;
/** Turns of the loop that a peer in this process needs to read. */
export const TURNS = 4;

/** The key of the n-th handshake of a performance: 16 octets, the same in every run. */
export const handshakeKey = (nth: number): string =>
  Buffer.from([1, 2, 3, 4].flatMap((round) => [...keyOf(nth * 4 + round)])).toString("base64");
/** The accept value of a key (rfc6455#4.2.2). */
export const acceptOf = (key: string): string => createHash("sha1").update(`${key}${GUID}`).digest("base64");

/** Whether a PING has the payload of one of ours: if we answered it, a subject that sends back what it gets would pass as one that answers. */
export const isRepeated = ({ payload }: ReadFrame, ours: Side): boolean =>
  payload.length > 0 && ours.of(PING).some((ping) => Buffer.from(ping.payload).equals(payload));
const PING = 9;

/** What can be observed of one connection. */
export type Conversation = {
  readonly on: number;
  /** The status that opens it: 101 by default. */
  readonly opens?: number;
  /** The response to the handshake; undefined until its head is complete. */
  readonly response: Answer | undefined;
  /** Whether the response opened the WebSocket: frames follow. */
  readonly open: boolean;
  /** The frames that the subject sent, and ours, as a lenient reader parses them. */
  readonly theirs: Side;
  readonly ours: Side;
  /** How the subject ended its half. */
  readonly ended: "fin" | "reset" | undefined;
  readonly endedByUs: boolean;
  /** A client ended it before we did. */
  readonly endedFirst?: boolean;
  readonly key: string;
  /** Payloads that identify the answers to the fence. */
  readonly fences: readonly string[];
  /** What broke a rule of its carrier. */
  readonly broken?: Carrier["broken"];
};

/** What a connection is part of; `carrier` makes its carrier. */
export type Setting = {
  readonly recorder: Recorder;
  readonly waiting: Waiting;
  readonly values: Values;
  readonly fill: (text: string) => string;
  readonly carrier: (listener: Listener) => Carrier;
};

/** Our end of a connection to a server: it sends the frames of the case, answers Close and PING unless the case does, and reads leniently. */
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
  readonly #carrier: Carrier;
  readonly #recorder: Recorder;
  readonly #waiting: Waiting;
  readonly #values: Values;
  readonly #window = new Window();
  #frames = 0;
  #windowBits = 15;
  #sentTakeover = true;
  #wrote = false;
  #dropped = false;
  readonly #building: Building;

  constructor(on: number, setting: Setting) {
    this.on = on;
    this.key = handshakeKey(on);
    this.#recorder = setting.recorder;
    this.#waiting = setting.waiting;
    this.#values = setting.values;
    this.#building = {
      text: setting.fill,
      key: () => keyOf((this.#frames += 1)),
      window: () => (this.#sentTakeover ? this.#window.octets : new Uint8Array()),
      windowBits: () => this.#windowBits,
      remember: (plain) => this.#window.push(plain),
    };
    this.#carrier = setting.carrier({
      answered: (shown) => this.#answered(shown),
      data: (octets) => this.#data(octets),
      ended: (how, words) => this.#end(how, words),
    });
  }

  get opens(): number {
    return this.#carrier.opens;
  }
  get response(): Answer | undefined {
    return this.#carrier.answer;
  }
  broken(rule: CarrierRule): string | undefined {
    return this.#carrier.broken(rule);
  }

  /** Sends the handshake in the form of the carrier. */
  async ask(handshake: Handshake, cut?: number): Promise<void> {
    const { octets, words } = await this.#carrier.handshake(handshake, this.#values);
    await this.#send(octets, words, cut, (part) => this.#carrier.begin(part));
  }

  /** Sends octets of HTTP/1.1, or others that are not a frame. */
  async text(octets: Uint8Array, cut?: number): Promise<void> {
    const whole = this.#carrier.request?.(octets) ?? octets;
    await this.#send(whole, textInWords(whole), cut, (part) => this.#carrier.begin(part));
  }

  async bytes(octets: Uint8Array, note: string, cut?: number): Promise<void> {
    this.ours.push(octets);
    await this.#send(octets, note, cut);
  }

  async send(frames: readonly FrameSpec[], cut?: Cut): Promise<void> {
    const built = frames.map((frame) => buildFrame(frame, this.#building));
    for (const octets of built) this.ours.push(octets);
    if (cut === "frames") {
      for (const octets of built) await this.#send(octets, inWords(octets));
      return;
    }
    if (cut === "heads") {
      for (const octets of built) for (const { part, words } of piecesOfHead(octets)) await this.#send(part, words);
      return;
    }
    const words = built.length > 4 ? `${built.length} frames, the first: ` : "";
    const shown = built.length > 4 ? built.slice(0, 1) : built;
    await this.#send(new Uint8Array(Buffer.concat(built)), words + shown.map((octets) => inWords(octets)).join(" | "), cut);
  }

  end(how: Ending): void {
    if (this.endedByUs) return;
    this.#recorder.remark(`${this.#name}${ENDING_IN_WORDS[how]}`);
    this.endedByUs = true;
    this.#carrier.end(how);
  }

  drop(): void {
    this.#dropped = true;
    this.#carrier.drop();
  }

  get #name(): string {
    return this.on === 1 ? "" : `connection ${this.on}: `;
  }

  async #send(
    octets: Uint8Array,
    words: string,
    cut = Number.POSITIVE_INFINITY,
    write = (part: Uint8Array): Promise<void> => this.#carrier.write(part),
  ): Promise<void> {
    if (this.ended !== undefined || this.endedByUs) {
      this.#recorder.remark(`${this.#name}not sent, since the connection has ended: ${words}`);
      return;
    }
    if (this.#wrote) await apart(TURNS);
    this.#wrote = true;
    this.#recorder.wire("->", `${this.#name}${words}${octets.length > cut ? ` in pieces of ${cut}` : ""}`, octets);
    await writeInPieces(octets, { cut, write, isOver: () => this.ended !== undefined, paced: PACED, apart: () => apart(TURNS) });
  }

  #answered(shown: Parameters<Listener["answered"]>[0]): void {
    if (this.#dropped) return;
    if (shown !== undefined) this.#recorder.wire("<-", `${this.#name}${shown.words}`, shown.octets);
    const { response } = this;
    if (!this.open && response?.status === this.opens) {
      this.open = true;
      this.#agree(response);
    }
    this.#waiting.poke();
  }

  #data(octets: Uint8Array): void {
    if (this.#dropped) return;
    if (this.open) this.#take(octets);
    this.#waiting.poke();
  }

  /** Reads and compresses messages by the extension that the server agreed to (rfc7692#7.1.1). */
  #agree({ fields }: Answer): void {
    const agreed = membersOf(fields, "sec-websocket-extensions").find((one) => one.startsWith("permessage-deflate"));
    if (agreed === undefined) return;
    this.theirs.deflate = { takeover: !/server_no_context_takeover/.test(agreed) };
    this.#sentTakeover = !/client_no_context_takeover/.test(agreed);
    this.ours.deflate = { takeover: this.#sentTakeover };
    this.#windowBits = windowBitsOf(agreed, "client");
  }

  #take(octets: Uint8Array): void {
    if (octets.length === 0) return;
    const frames = this.theirs.push(octets);
    if (frames.length === 0) this.#recorder.remark(`${this.#name}${this.theirs.pending} octets of a frame have arrived`);
    for (const frame of frames) {
      this.#recorder.wire("<-", `${this.#name}${frameInWords(frame)}`, frame.octets);
      this.#answer(frame);
    }
  }

  /** Responds as every client must (rfc6455#5.5). */
  #answer(frame: ReadFrame): void {
    if (this.ended !== undefined || this.endedByUs || this.ours.close !== undefined) return;
    if (frame.opcode === 9 && this.answersPing && !isRepeated(frame, this.ours))
      void this.send([{ opcode: "pong", hex: toHex(frame.payload) }]);
    if (frame.opcode === 8 && this.answersClose)
      void this.send([{ opcode: "close", hex: toHex(frame.payload.length < 2 ? new Uint8Array() : frame.payload.subarray(0, 2)) }]);
  }

  #end(how: "fin" | "reset", words: string): void {
    if (this.ended !== undefined || this.#dropped) return;
    this.ended = how;
    this.#recorder.remark(`${this.#name}${words}`);
    this.#waiting.poke();
  }
}
