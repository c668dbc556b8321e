import { after, NEVER, Writer, type Instant } from "../core/index.ts";
import { ErrorCode } from "./error-code.ts";
import * as goaway from "./frame/goaway.ts";
import * as ping from "./frame/ping.ts";
import { writeText } from "./frame/text.ts";
import { MAX_STREAM_ID, type StreamId } from "./stream/id.ts";

/** How far our side has come: nothing sent; the warning sent; the last GOAWAY sent, with the last stream that counts. */
const Progress = { none: 0, warned: 1, final: 2 } as const;
type Progress = (typeof Progress)[keyof typeof Progress];

const NOTHING = new Uint8Array(0);
function debugOf(why: string): Uint8Array {
  if (why === "") return NOTHING;
  const debug = new Writer(why.length);
  writeText(debug, why);
  return debug.take();
}

/**
 * The end of one connection: GOAWAY in both directions, and whether the connection is over. A graceful shutdown has two steps: a warning
 * with the highest identifier and a PING; then, when the PING is answered, the last stream that counts (rfc9113#6.8).
 */
export class Shutdown {
  readonly #out: Writer;
  #progress: Progress = Progress.none;
  /** Nothing more is read; what is written is still sent. */
  isOver = false;
  /** The peer has sent GOAWAY. */
  isPeerLeaving = false;
  /** Neither side is leaving: new streams of ours may begin. */
  admitsOurs = true;
  /** The last stream of the peer that we process, and the last of ours that the peer processes. */
  #admitted: StreamId = MAX_STREAM_ID;
  #admittedByPeer: StreamId = MAX_STREAM_ID;
  /** The payload of the PING after the warning, while its answer is awaited. */
  #ping: Uint8Array | undefined;
  #warnedAt: Instant = NEVER;
  #why = "";

  constructor(out: Writer) {
    this.#out = out;
  }

  get hasBegun(): boolean {
    return this.#progress !== Progress.none;
  }
  get isFinal(): boolean {
    return this.#progress === Progress.final;
  }
  /** Whether a stream of the peer is processed: ours was not the final GOAWAY with a lower identifier. */
  admits(id: StreamId): boolean {
    return id <= this.#admitted;
  }

  /**
   * The first step: `last`, the highest identifier of the peer's, excludes no stream yet; the PING, whose payload is `octets`, measures when
   * the peer has read it. `why` is the debug data of this step and the next.
   */
  warn(last: StreamId, { octets, why }: { readonly octets: Uint8Array; readonly why: string }, now: Instant): void {
    this.#progress = Progress.warned;
    this.admitsOurs = false;
    this.#ping = octets;
    this.#warnedAt = now;
    this.#why = why;
    goaway.write(this.#out, { is: "GOAWAY", last, code: ErrorCode.NO_ERROR, debug: debugOf(why) });
    ping.write(this.#out, { is: "PING", ack: false, data: octets });
  }
  /** Whether this is the answer to the PING of the first step. */
  isAwaited(answer: Uint8Array): boolean {
    return this.#ping !== undefined && this.#ping.every((octet, at) => octet === answer[at]);
  }
  /** When to stop waiting for that answer. */
  deadline(patienceMs: number): Instant {
    return this.#ping === undefined ? NEVER : after(this.#warnedAt, patienceMs);
  }
  /** The final GOAWAY names the last stream of the peer that was processed; `why` is its debug data. */
  finish(code: ErrorCode, last: StreamId, why: string): void {
    this.#ping = undefined;
    if (last < this.#admitted) this.#admitted = last;
    goaway.write(this.#out, { is: "GOAWAY", last: this.#admitted, code: ErrorCode[code], debug: debugOf(why === "" ? this.#why : why) });
    this.#progress = Progress.final;
    this.admitsOurs = false;
  }
  end(): void {
    this.isOver = true;
    this.admitsOurs = false;
  }

  /** The peer's GOAWAY; false if its last stream is higher than that of an earlier one (rfc9113#6.8). */
  receive(last: StreamId): boolean {
    if (last > this.#admittedByPeer) return false;
    this.#admittedByPeer = last;
    this.isPeerLeaving = true;
    this.admitsOurs = false;
    return true;
  }
}
