import type { Socket } from "node:net";
import { type Ending, ENDING_IN_WORDS, endSocket, survivingWrites } from "../../wire/sockets.ts";
import type { Recorder } from "../../harness/recorder.ts";
import type { Waiting } from "../../harness/waiting.ts";
import { apart, writeInPieces, writeTo } from "../../wire/writes.ts";
import { membersOf, type ReadMessage, type ReadRequest, type ReadResponse, RequestReader, ResponseReader } from "../../wire/http1-read.ts";
import { octetsInWords } from "./describe.ts";
import { Upgraded } from "./upgraded.ts";

/** So many pieces of a write that is cut are kept apart by time; beyond, by a turn of the loop. */
const PACED = 200;
/** As much of a write, or of what came at once, is shown as text. */
const SHOWN = 240;
/** Turns of the loop in which a peer in this very process reads; and takes a connection before, as it takes one a turn. */
const TURNS = { read: 3, take: 32 } as const;

/** What may be seen of one connection to a server (or the front of a proxy). */
export type Conversation = {
  /** Final responses whose heads are whole, in order; of a connection that went over to HTTP/2, what came on stream 1 is the last. */
  readonly responses: readonly ReadResponse[];
  /** Interim responses that no final one has followed yet. */
  readonly interim: readonly ReadResponse[];
  /** Octets that belong to no response. */
  readonly garbage: readonly { readonly octets: Uint8Array; readonly after: number }[];
  /** What came behind a response that opened a tunnel. */
  readonly tunnel: Uint8Array;
  readonly upgraded: Upgraded | undefined;
  /** The subject ended its half, in order or by a reset. */
  readonly ended: "fin" | "reset" | undefined;
  /** We had ended ours before. */
  readonly endedByUs: boolean;
  /** Requests as a reader that never refuses sees what we sent. */
  readonly sent: readonly ReadRequest[];
};

/** By this message its sender says that the connection ends behind it (rfc9112#9.3). */
export const saysClose = ({ version, fields }: ReadMessage): boolean => {
  const options = membersOf(fields, "connection");
  return options.includes("close") || (version === "HTTP/1.0" && !options.includes("keep-alive"));
};

/** Our end of one connection to a server: sends what it is told, and reads whatever comes. */
export class Connection implements Conversation {
  readonly on: number;
  readonly #socket: Socket;
  readonly #recorder: Recorder;
  readonly #waiting: Waiting;
  readonly #sent = new RequestReader();
  readonly #reader = new ResponseReader((nth) => this.#sent.requests[nth - 1]?.method);
  #wrote = false;
  #taken = false;
  #told = 0;
  #dropped = false;
  ended: "fin" | "reset" | undefined;
  endedByUs = false;
  upgraded: Upgraded | undefined;
  /** It had ended before all was sent. */
  unsent = false;

  constructor(socket: Socket, on: number, { recorder, waiting }: { recorder: Recorder; waiting: Waiting }) {
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
  /** What came of a head that is not whole. */
  get pending(): Uint8Array {
    return this.#reader.pending;
  }
  get sent(): readonly ReadRequest[] {
    return this.#sent.requests;
  }
  /** Interim and final responses, in the order in which they came. */
  get all(): readonly ReadResponse[] {
    return this.#reader.all;
  }

  /** A moment, so that what was sent before is read on its own as far as it can be made so. */
  async rest(): Promise<void> {
    if (this.#wrote) await this.#apart();
    this.#wrote = false;
  }

  /** In one write, or in pieces of `cut` octets that each leave the process on their own. */
  async send(octets: Uint8Array, cut = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.ended !== undefined || this.endedByUs) {
      this.unsent = true;
      this.#recorder.remark(`${this.#name}not sent, the connection has ended: ${octetsInWords(octets, SHOWN)}`);
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

  end(how: Ending): void {
    if (this.endedByUs) return;
    this.#recorder.remark(`${this.#name}${ENDING_IN_WORDS[how]}`);
    this.endedByUs = true;
    endSocket(this.#socket, how);
  }

  /** After the case: nothing more is recorded. */
  drop(): void {
    this.#dropped = true;
    this.#socket.removeAllListeners("data");
    this.#socket.destroy();
  }

  get #name(): string {
    return this.on === 1 ? "" : `connection ${this.on}: `;
  }

  #apart(): Promise<void> {
    const turns = this.#taken ? TURNS.read : TURNS.take;
    this.#taken = true;
    return apart(turns);
  }

  #receive(octets: Uint8Array): void {
    if (this.#dropped) return;
    this.#recorder.wire("<-", `${this.#name}${octetsInWords(octets, SHOWN)}`, octets);
    const before = this.#reader.tunnel.length;
    this.#reader.push(octets);
    this.#upgrade(before);
    this.#tell();
    this.#waiting.poke();
  }

  /** Behind a 101 that agrees to it, HTTP/2 is read (rfc7540#3.2). */
  #upgrade(before: number): void {
    const last = this.#reader.all.at(-1);
    if (last?.status !== 101 || !membersOf(last.fields, "upgrade").includes("h2c")) return;
    this.upgraded ??= new Upgraded(this.#recorder);
    this.upgraded.push(this.#reader.tunnel.subarray(before));
  }

  /** Says of each response once that it is whole. */
  #tell(): void {
    for (let one = this.#reader.responses[this.#told]; one?.complete === true; one = this.#reader.responses[this.#told]) {
      this.#told += 1;
      const octets = `${one.content.length} octets of content ${one.framing === "none" ? "" : `(${one.framing})`}`.trimEnd();
      this.#recorder.remark(`${this.#name}response ${this.#told} is whole: ${one.status}, ${octets}`);
    }
  }

  #end(how: "fin" | "reset"): void {
    if (this.ended !== undefined || this.#dropped) return;
    this.ended = how;
    this.#reader.end(how);
    this.#tell();
    this.#recorder.remark(`${this.#name}${how === "fin" ? "the connection closed" : "the connection was reset"}`);
    this.#waiting.poke();
  }
}
