import type { Socket } from "node:net";
import { type Ending, ENDING_IN_WORDS, endSocket, survivingWrites } from "../../wire/sockets.ts";
import type { Recorder } from "../../harness/connection/recorder.ts";
import type { Waiting } from "../../harness/connection/waiting.ts";
import { apart, writeInPieces, writeTo } from "../../wire/writes.ts";
import { membersOf, type ReadMessage, type ReadRequest, type ReadResponse, RequestReader, ResponseReader } from "../../wire/http1/read.ts";
import { Inserter } from "../../wire/http1/insert.ts";
import type { RequestField } from "../../wire/request-fields.ts";
import { octetsInWords } from "./describe.ts";
import { Upgraded } from "./upgraded.ts";
import type { Conversation } from "./conversation.ts";

/** Pieces of a cut write that are kept apart by time; the rest only by a turn of the loop. */
const PACED = 200;
/** Characters of one write, or one read, that the transcript shows. */
const SHOWN = 240;
/** Turns of the loop that a peer in this process needs to read, and to accept a connection first, one a turn. */
const TURNS = { read: 3, accept: 32 } as const;

/** The sender of this message announces that the connection ends after it (rfc9112#9.3). */
export const saysClose = ({ version, fields }: Pick<ReadMessage, "version" | "fields">): boolean => {
  const options = membersOf(fields, "connection");
  return options.includes("close") || (version === "HTTP/1.0" && !options.includes("keep-alive"));
};

/** What a connection is part of; `fields` are those of every request. */
type Context = { readonly recorder: Recorder; readonly waiting: Waiting; readonly fields?: readonly RequestField[] };

/** Our end of a connection to a server: writes the octets of the case, and reads leniently. */
export class Connection implements Conversation {
  readonly on: number;
  readonly #socket: Socket;
  readonly #recorder: Recorder;
  readonly #waiting: Waiting;
  readonly #sent = new RequestReader();
  readonly #inserter: Inserter;
  readonly #reader = new ResponseReader((nth) => this.#sent.requests[nth - 1]?.method);
  #wrote = false;
  #accepted = false;
  #noted = 0;
  #dropped = false;
  ended: "fin" | "reset" | undefined;
  endedByUs = false;
  upgraded: Upgraded | undefined;
  /** It ended before everything was sent. */
  unsent = false;

  constructor(socket: Socket, on: number, { recorder, waiting, fields = [] }: Context) {
    this.#inserter = new Inserter(fields);
    this.on = on;
    this.#socket = survivingWrites(socket);
    this.#recorder = recorder;
    this.#waiting = waiting;
    socket.on("data", (octets: Uint8Array) => this.#receive(octets));
    socket.on("end", () => this.#end("fin"));
    socket.on("close", () => this.#end("fin"));
    socket.on("error", () => this.#end("reset"));
  }

  get responses(): readonly ReadResponse[] {
    const last = this.upgraded?.response;
    return last === undefined ? this.#reader.responses : [...this.#reader.responses, { ...last, interim: this.#reader.interim }];
  }
  get interim(): readonly ReadResponse[] {
    return this.upgraded?.response === undefined ? this.#reader.interim : [];
  }
  get garbage(): Conversation["garbage"] {
    return this.#reader.garbage;
  }
  get tunnel(): Uint8Array {
    return this.#reader.tunnel;
  }
  /** Octets of an incomplete head. */
  get pending(): Uint8Array {
    return this.#reader.pending;
  }
  get sent(): readonly ReadRequest[] {
    return this.#sent.requests;
  }
  /** Interim and final responses in order. */
  get all(): readonly ReadResponse[] {
    return this.#reader.all;
  }

  /** Pauses after a write, so that the peer reads it on its own as far as that can be arranged. */
  async rest(): Promise<void> {
    if (this.#wrote) await this.#apart();
    this.#wrote = false;
  }

  /** Writes octets at once, or in pieces of `cut` octets that each leave the process on their own. */
  async send(given: Uint8Array, cut = Number.POSITIVE_INFINITY): Promise<void> {
    const octets = this.#inserter.insert(given);
    if (this.ended !== undefined || this.endedByUs) {
      this.unsent = true;
      this.#recorder.remark(`${this.#name}not sent, since the connection has ended: ${octetsInWords(octets, SHOWN)}`);
      return;
    }
    await this.rest();
    this.#wrote = true;
    const inPieces = octets.length > cut ? ` in pieces of ${cut}` : "";
    this.#recorder.wire("->", `${this.#name}${octetsInWords(octets, SHOWN)}${inPieces}`, octets);
    this.#sent.push(octets);
    await writeInPieces(octets, {
      cut,
      write: (piece) => writeTo(this.#socket, piece),
      isOver: () => this.ended !== undefined,
      paced: PACED,
      apart: () => this.#apart(),
    });
  }

  /**
   * Writes one octet, and then the others and the end of our half in one segment: Nagle's algorithm holds a small write until the one before it is
   * acknowledged, which a peer that has just answered delays, and the end takes along what is held. Otherwise they would reach a busy peer together
   * and an idle one not.
   */
  endWith(given: Uint8Array): void {
    const octets = this.#inserter.insert(given);
    if (this.ended !== undefined || this.endedByUs) {
      this.unsent = true;
      this.#recorder.remark(`${this.#name}not sent, since the connection has ended: ${octetsInWords(octets, SHOWN)}`);
      return;
    }
    this.#recorder.wire("->", `${this.#name}${octetsInWords(octets, SHOWN)}`, octets);
    this.#sent.push(octets);
    this.#socket.setNoDelay(false);
    this.#socket.write(octets.subarray(0, 1));
    this.#socket.write(octets.subarray(1));
    this.end("half-close");
  }

  end(how: Ending): void {
    if (this.endedByUs) return;
    this.#recorder.remark(`${this.#name}${ENDING_IN_WORDS[how]}`);
    this.endedByUs = true;
    endSocket(this.#socket, how);
  }

  /** Ends the connection after the case: nothing more is recorded. */
  drop(): void {
    this.#dropped = true;
    this.#socket.removeAllListeners("data");
    this.#socket.destroy();
  }

  get #name(): string {
    return this.on === 1 ? "" : `connection ${this.on}: `;
  }

  #apart(): Promise<void> {
    const turns = this.#accepted ? TURNS.read : TURNS.accept;
    this.#accepted = true;
    return apart(turns);
  }

  #receive(octets: Uint8Array): void {
    if (this.#dropped) return;
    this.#recorder.wire("<-", `${this.#name}${octetsInWords(octets, SHOWN)}`, octets);
    const before = this.#reader.tunnel.length;
    this.#reader.push(octets);
    this.#upgrade(before);
    this.#noteComplete();
    this.#waiting.poke();
  }

  /** Reads HTTP/2 after a 101 that agrees to it (rfc7540#3.2). */
  #upgrade(before: number): void {
    const last = this.#reader.all.at(-1);
    if (last?.status !== 101 || !membersOf(last.fields, "upgrade").includes("h2c")) return;
    this.upgraded ??= new Upgraded(this.#recorder);
    this.upgraded.push(this.#reader.tunnel.subarray(before));
  }

  /** Notes each response in the transcript when it is complete. */
  #noteComplete(): void {
    for (let one = this.#reader.responses[this.#noted]; one?.complete === true; one = this.#reader.responses[this.#noted]) {
      this.#noted += 1;
      const octets = `${one.content.length} octets of content ${one.framing === "none" ? "" : `(${one.framing})`}`.trimEnd();
      this.#recorder.remark(`${this.#name}response ${this.#noted} is complete: ${one.status}, ${octets}`);
    }
  }

  #end(how: "fin" | "reset"): void {
    if (this.ended !== undefined || this.#dropped) return;
    this.ended = how;
    this.#reader.end(how);
    this.#noteComplete();
    this.#recorder.remark(`${this.#name}${how === "fin" ? "the connection closed" : "the connection was reset"}`);
    this.#waiting.poke();
  }
}
