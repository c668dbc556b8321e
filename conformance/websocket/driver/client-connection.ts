import { type Ending, ENDING_IN_WORDS } from "../../wire/sockets.ts";
import type { Recorder } from "../../harness/connection/recorder.ts";
import type { Waiting } from "../../harness/connection/waiting.ts";
import { apart, writeInPieces } from "../../wire/writes.ts";
import type { Values } from "../../wire/http1/build.ts";
import { membersOf, type ReadRequest, valueOf } from "../../wire/http1/read.ts";
import { toHex, toLatin1 } from "../../wire/octets.ts";
import { type Building, buildFrame, type FrameSpec, keyOf, Window } from "../../wire/websocket/build.ts";
import { type ReadFrame, Side } from "../../wire/websocket/read.ts";
import { frameInWords } from "../../wire/websocket/words.ts";
import type { Cut, Handshake } from "../vocabulary.ts";
import type { Answer, CarrierName, CarrierRule } from "./carrier.ts";
import { type Conversation, isRepeated, TURNS } from "./connection.ts";
import { inWords, piecesOfHead, textInWords, windowBitsOf } from "./said.ts";
import type { ServedCarrier, ServedListener } from "./served-carrier.ts";

/** Pieces of a cut write that are kept apart by time; the rest only by a turn of the loop. */
const PACED = 40;
/** How long a write is cut at most, in milliseconds: on a busy machine a client may lose patience with half a frame. */
const CUTTING_MS = 2_000;
const REQUEST = /^[A-Z]{3,7} /;

/** What a connection is part of; `carrier` makes its carrier. */
export type ServedSetting = {
  readonly recorder: Recorder;
  readonly waiting: Waiting;
  readonly fill: (text: string) => string;
  readonly carrier: (listener: ServedListener) => ServedCarrier;
};

/** Our end of a connection that a client opened: it responds as in the case, ends the connection after Close frames as servers do, and reads leniently. */
export class ServedConnection implements Conversation {
  /** Its number, from 1, in the order in which the client opens them. */
  readonly on: number;
  readonly theirs = new Side("client", false);
  readonly ours = new Side("server", true);
  readonly fences: string[] = [];
  ended: "fin" | "reset" | undefined;
  /** A step has ended it. */
  endedByUs = false;
  /** We answered with the status that opens a WebSocket. */
  open = false;
  /** Whether we have responded, with any octets. */
  answered = false;
  /** Octets that came after the handshake but before our answer. */
  early = 0;
  /** It ended the connection before we did. */
  endedFirst = false;
  answersClose = true;
  answersPing = true;
  endsAfterClose = true;
  #carrier: ServedCarrier;
  readonly #recorder: Recorder;
  readonly #waiting: Waiting;
  readonly #window = new Window();
  readonly #building: Building;
  #frames = 0;
  #windowBits = 15;
  #takesOver = true;
  #isHttp = false;
  #wrote = false;
  #left = false;
  #dropped = false;

  constructor(on: number, setting: ServedSetting) {
    this.on = on;
    this.#recorder = setting.recorder;
    this.#waiting = setting.waiting;
    this.#building = {
      text: setting.fill,
      key: () => keyOf((this.#frames += 1)),
      window: () => (this.#takesOver ? this.#window.octets : new Uint8Array()),
      windowBits: () => this.#windowBits,
      remember: (plain) => this.#window.push(plain),
    };
    this.#carrier = setting.carrier({
      asked: (shown) => {
        if (shown !== undefined && !this.#dropped) this.#recorder.wire("<-", `${this.#name}${shown.words}`, shown.octets);
        this.#waiting.poke();
      },
      data: (octets) => this.#receive(octets),
      ended: (how, words) => this.#end(how, words),
      becomes: (carrier) => (this.#carrier = carrier),
    });
  }

  get carriedBy(): CarrierName {
    return this.#carrier.name;
  }
  get opens(): number {
    return this.#carrier.opens;
  }
  broken(rule: CarrierRule): string | undefined {
    return this.#carrier.broken(rule);
  }
  /** Its handshake, once that is complete. */
  get request(): ReadRequest | undefined {
    return this.#carrier.request;
  }
  get key(): string {
    return valueOf(this.request?.fields ?? [], "sec-websocket-key") ?? "";
  }
  get response(): Answer | undefined {
    return this.#carrier.response;
  }

  /** Responds to its handshake in the form of the carrier. */
  async respond(handshake: Handshake, values: Values, cut?: number): Promise<void> {
    const { octets, words } = this.#carrier.build(handshake, values);
    await this.#answer(octets, words, cut);
  }

  /** Writes octets of our response; those after one that opens the WebSocket are frames. */
  text(octets: Uint8Array, cut?: number): Promise<void> {
    return this.#answer(octets, textInWords(octets), cut);
  }

  async #answer(octets: Uint8Array, words: string, cut?: number): Promise<void> {
    this.answered = true;
    await this.#send(octets, words, cut, (part) => this.#carrier.begin(part));
    if (this.open) return;
    this.#carrier.answered(octets);
    const { response } = this.#carrier;
    if (response?.status !== this.opens) return;
    this.open = true;
    this.#agree(response);
    if (this.#carrier.behind.length > 0) this.ours.push(this.#carrier.behind);
  }

  async bytes(octets: Uint8Array, note: string, cut?: number): Promise<void> {
    this.ours.push(octets);
    await this.#send(octets, note, cut);
  }

  async send(frames: readonly FrameSpec[], cut?: Cut): Promise<void> {
    const built = frames.map((frame) => buildFrame({ mask: "none", ...frame }, this.#building));
    for (const octets of built) this.ours.push(octets);
    if (cut === "heads") {
      for (const octets of built) for (const { part, words } of piecesOfHead(octets)) await this.#send(part, words);
      return;
    }
    const groups = cut === "frames" ? built.map((octets) => [octets]) : [built];
    for (const group of groups) {
      const words = group
        .slice(0, SHOWN_FRAMES)
        .map((octets) => inWords(octets))
        .join(" | ");
      const count = group.length > SHOWN_FRAMES ? `${group.length} frames, the first: ` : "";
      await this.#send(new Uint8Array(Buffer.concat(group)), count + words, cut === "frames" ? undefined : cut);
    }
  }

  end(how: Ending): void {
    if (this.endedByUs) return;
    this.#recorder.remark(`${this.#name}${ENDING_IN_WORDS[how]}`);
    this.endedByUs = true;
    this.#carrier.end(how);
  }

  /** Ends our half as a server does: after Close frames, and after a response other than 101. The client is expected to end its own. */
  leave(): void {
    if (this.#left || this.endedByUs) return;
    this.#left = true;
    if (this.ended === undefined) this.#recorder.remark(`${this.#name}we end the connection, as a server does now`);
    this.#carrier.leave();
  }

  /** Ends the connection after the performance: nothing more is recorded. */
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
    if (this.ended !== undefined || this.endedByUs || this.#left) {
      this.#recorder.remark(`${this.#name}not sent, since the connection has ended: ${words}`);
      return;
    }
    if (this.#wrote) await apart(TURNS);
    this.#wrote = true;
    this.#recorder.wire("->", `${this.#name}${words}${octets.length > cut ? ` in pieces of ${cut}` : ""}`, octets);
    await writeInPieces(octets, {
      cut,
      write,
      isOver: () => this.ended !== undefined,
      paced: PACED,
      longest: CUTTING_MS,
    });
  }

  #receive(octets: Uint8Array): void {
    if (this.#dropped) return;
    this.#take(octets);
    this.#waiting.poke();
  }

  /** Reads and compresses messages by the extension that we agreed to (rfc7692#7.1.1). */
  #agree({ fields }: Answer): void {
    const agreed = membersOf(fields, "sec-websocket-extensions").find((one) => one.startsWith("permessage-deflate"));
    if (agreed === undefined) return;
    this.#takesOver = !agreed.includes("server_no_context_takeover");
    this.ours.deflate = { takeover: this.#takesOver };
    this.theirs.deflate = { takeover: !agreed.includes("client_no_context_takeover") };
    this.#windowBits = windowBitsOf(agreed, "server");
  }

  #take(octets: Uint8Array): void {
    if (octets.length === 0) return;
    // Without an open WebSocket another request may follow.
    if (this.answered && !this.open && this.theirs.frames.length === 0 && REQUEST.test(toLatin1(octets.subarray(0, 8))))
      this.#isHttp = true;
    if (this.#isHttp) return this.#recorder.wire("<-", `${this.#name}${textInWords(octets)}`, octets);
    if (!this.answered) this.early += octets.length;
    const frames = this.theirs.push(octets);
    if (frames.length === 0) this.#recorder.remark(`${this.#name}${this.theirs.pending} octets of a frame have arrived`);
    for (const frame of frames) {
      this.#recorder.wire("<-", `${this.#name}${frameInWords(frame)}`, frame.octets);
      this.#react(frame);
    }
  }

  /** Responds as every server must (rfc6455#5.5, rfc6455#7.1.1). */
  #react(frame: ReadFrame): void {
    if (this.ended !== undefined || this.endedByUs || !this.open) return;
    if (frame.opcode === 9 && this.answersPing && this.ours.close === undefined && !isRepeated(frame, this.ours))
      void this.send([{ opcode: "pong", hex: toHex(frame.payload) }]);
    if (frame.opcode !== 8) return;
    void this.#part(frame);
  }

  async #part({ payload }: ReadFrame): Promise<void> {
    const isAsked = this.ours.close === undefined;
    if (isAsked && !this.answersClose) return;
    if (isAsked) await this.send([{ opcode: "close", hex: toHex(payload.length < 2 ? new Uint8Array() : payload.subarray(0, 2)) }]);
    if (this.endsAfterClose) this.leave();
  }

  #end(how: "fin" | "reset", words: string): void {
    if (this.ended !== undefined || this.#dropped) return;
    this.ended = how;
    this.endedFirst = !this.#left && !this.endedByUs;
    this.#recorder.remark(`${this.#name}${words}`);
    this.leave();
    this.#waiting.poke();
  }
}

/** Frames of one write listed one by one. */
const SHOWN_FRAMES = 4;
