import { type Ending, ENDING_IN_WORDS, endSocket, survivingWrites } from "../../wire/sockets.ts";
import type { Accepted } from "../../harness/subject/client-run.ts";
import type { Recorder } from "../../harness/connection/recorder.ts";
import { writeInPieces, writeTo } from "../../wire/writes.ts";
import { RequestReader, ResponseReader } from "../../wire/http1/read.ts";
import { octetsInWords } from "./describe.ts";

/** Pieces of a cut write that are kept apart by time; the rest only by a turn of the loop. */
const PACED = 100;
/** Characters of one write, or one read, that the transcript shows. */
const SHOWN = 400;
/** Octets that a client may send in one performance; more end the connection. */
const MOST_OCTETS = 8_388_608;

/** Our end of a connection that a client opened: writes the octets of the case, and reads leniently. */
export class ServedConnection {
  /** Its number, from 1, in the order in which the client opens them. */
  readonly on: number;
  readonly reader = new RequestReader();
  /** What we sent, as a lenient reader sees it. */
  readonly said = new ResponseReader((nth) => this.reader.requests[nth - 1]?.method);
  readonly #socket: Accepted;
  readonly #recorder: Recorder;
  readonly #changed: (one: ServedConnection) => void;
  #dropped = false;
  /** We have ended both halves: the client did not cause what the kernel reports afterwards. */
  #isGone = false;
  /** How the client ended its half. */
  ended: "fin" | "reset" | undefined;
  endedByUs = false;
  /** The client ended its half while ours was open. */
  isLeft = false;
  /** Requests of this connection that have been answered. */
  answers = 0;

  constructor(socket: Accepted, on: number, recorder: Recorder, changed: (one: ServedConnection) => void) {
    this.on = on;
    this.#socket = survivingWrites(socket);
    this.#recorder = recorder;
    this.#changed = changed;
    socket.on("data", (octets: Uint8Array) => this.#receive(octets));
    socket.on("end", () => this.#end("fin"));
    socket.on("close", () => this.#end("fin"));
    socket.on("error", () => this.#end("reset"));
  }

  /** Writes octets at once, or in pieces of `cut` octets that each leave the process on their own. */
  async write(octets: Uint8Array, cut = Number.POSITIVE_INFINITY): Promise<void> {
    if (octets.length === 0 || this.endedByUs) return;
    this.#recorder.wire("->", `${this.#name}${octetsInWords(octets, SHOWN)}${octets.length > cut ? ` in pieces of ${cut}` : ""}`, octets);
    this.said.push(octets);
    await writeInPieces(octets, {
      cut,
      write: (piece) => writeTo(this.#socket, piece),
      isOver: () => !this.#socket.writable,
      paced: PACED,
    });
  }

  /** Ends our half, as any server would, once the client has ended its own and has all its responses. */
  endAfterClient(): void {
    if (this.ended === undefined || this.endedByUs || this.answers < this.reader.requests.length) return;
    this.endedByUs = true;
    this.#socket.end();
  }

  end(how: Ending): void {
    if (this.endedByUs || this.#dropped) return;
    this.endedByUs = true;
    this.#isGone = how !== "half-close";
    this.said.end(how === "reset" ? "reset" : "fin");
    this.#recorder.remark(`${this.#name}${ENDING_IN_WORDS[how]}`);
    endSocket(this.#socket, how);
  }

  /** Ends the connection after the performance: nothing more is recorded. */
  drop(): void {
    this.#dropped = true;
    this.#socket.removeAllListeners("data");
    this.#socket.destroy();
  }

  get #name(): string {
    return this.on === 1 ? "" : `connection ${this.on}: `;
  }

  #receive(octets: Uint8Array): void {
    if (this.#dropped) return;
    this.#recorder.wire("<-", `${this.#name}${octetsInWords(octets, SHOWN)}`, octets);
    this.reader.push(octets);
    if (this.reader.length > MOST_OCTETS) this.drop();
    this.#changed(this);
  }

  #end(how: "fin" | "reset"): void {
    if (this.ended !== undefined || this.#dropped) return;
    this.ended = how;
    this.isLeft = !this.endedByUs;
    this.reader.end(how);
    if (this.#isGone) return;
    this.#recorder.remark(`${this.#name}the client ${how === "fin" ? "closed" : "reset"} the connection`);
    this.#changed(this);
  }
}
