import { Bug, Misuse } from "../../core/index.ts";
import type { StreamId } from "../stream-id.ts";
import { SendCredit } from "./credit.ts";
import { SendBuffer } from "./send-buffer.ts";
import { isSendDone, SEND_TABLE, type SendInput, type SendState } from "./send-state.ts";

/** Octets to put into a STREAM frame. */
export type Piece = { readonly offset: number; readonly data: Uint8Array; readonly fin: boolean };

/** The sending part of a stream (rfc9000#3.1). */
export class SendStream {
  readonly id: StreamId;
  readonly credit: SendCredit;
  readonly #buffer = new SendBuffer();
  #state: SendState = "ready";
  /** The application has written its last octet. */
  #isEnded = false;
  #end: "unsent" | "sent" | "acknowledged" = "unsent";
  #reset: { readonly code: number; isSent: boolean } | undefined;

  constructor(id: StreamId, limit: number) {
    this.id = id;
    this.credit = new SendCredit(limit);
  }

  get state(): SendState {
    return this.#state;
  }
  get isDone(): boolean {
    return isSendDone(this.#state);
  }
  /** Octets that are kept until they are acknowledged. */
  get waiting(): number {
    return this.#buffer.waiting;
  }
  /** Octets that were sent at least once: what a reset has as the final size. */
  get sent(): number {
    return this.#buffer.sent;
  }
  get isWritable(): boolean {
    return !this.#isEnded && this.#reset === undefined;
  }

  /** The octets must not change until they are acknowledged. */
  write(octets: Uint8Array, end: boolean): void {
    if (!this.isWritable) throw new Misuse(`stream ${this.id} has ended: nothing more can be sent on it`);
    this.#buffer.write(octets);
    if (end) this.#isEnded = true;
  }
  /** Gives up; false if everything has arrived, or it was reset before. */
  reset(code: number): boolean {
    if (this.isDone || this.#reset !== undefined) return false;
    this.#reset = { code, isSent: false };
    this.#sentBeforeReset = this.#buffer.sent;
    this.#buffer.clear();
    this.#advance("send RESET_STREAM");
    return true;
  }
  #sentBeforeReset = 0;

  /** The content of the RESET_STREAM frame that is due, if one is. */
  get wantsReset(): { readonly code: number; readonly finalSize: number } | undefined {
    const reset = this.#reset;
    return reset === undefined || reset.isSent || this.isDone ? undefined : { code: reset.code, finalSize: this.#sentBeforeReset };
  }
  resetSent(isSent: boolean): void {
    if (this.#reset !== undefined) this.#reset.isSent = isSent;
  }
  resetAcknowledged(): void {
    this.#advance("recv ACK of RESET_STREAM");
  }

  /** Whether a STREAM frame can be sent now; `connection` has the credit of all streams together. */
  wants(connection: SendCredit): boolean {
    if (this.#reset !== undefined) return false;
    return this.#buffer.nextOffset(this.#limit(connection)) !== undefined || this.#wantsEnd;
  }
  /** Where the next octets begin. */
  get nextOffset(): number {
    return this.#buffer.nextOffset() ?? this.#buffer.end;
  }
  /** At most `most` octets, and the end if it is their turn. */
  take(most: number, connection: SendCredit): Piece | undefined {
    if (this.#reset !== undefined) return undefined;
    const before = this.#buffer.sent;
    const chunk = this.#buffer.take(most, this.#limit(connection));
    if (chunk === undefined && !this.#wantsEnd) return undefined;
    const fresh = this.#buffer.sent - before;
    this.credit.use(fresh);
    connection.use(fresh);
    const offset = chunk?.offset ?? this.#buffer.end;
    const data = chunk?.octets ?? new Uint8Array(0);
    const fin = this.#isEnded && offset + data.length === this.#buffer.end;
    if (fin) {
      this.#end = "sent";
      this.#advance("send FIN");
    } else this.#advance("send STREAM");
    return { offset, data, fin };
  }
  /** The limit to complain about with STREAM_DATA_BLOCKED, once for each. */
  blocked(): number | undefined {
    return this.#reset === undefined && this.#buffer.unsent > 0 ? this.credit.blocked() : undefined;
  }
  /** Octets that wait for nothing but credit or room. */
  get unsent(): number {
    return this.#reset === undefined ? this.#buffer.unsent : 0;
  }

  acknowledged(from: number, to: number, fin: boolean): void {
    if (this.#reset !== undefined) return;
    this.#buffer.acknowledge(from, to);
    if (fin) this.#end = "acknowledged";
    if (this.#end === "acknowledged" && this.#buffer.isAcknowledged) this.#advance("recv all ACKs");
  }
  lost(from: number, to: number, fin: boolean): void {
    if (this.#reset !== undefined) return;
    this.#buffer.lose(from, to);
    if (fin && this.#end === "sent") this.#end = "unsent";
  }

  /** The end has to be sent, and all octets before it are on their way. */
  get #wantsEnd(): boolean {
    return this.#isEnded && this.#end === "unsent" && this.#buffer.unsent === 0 && !this.#buffer.hasLost;
  }
  #limit(connection: SendCredit): number {
    return Math.min(this.credit.limit, this.#buffer.sent + connection.left);
  }
  #advance(input: SendInput): void {
    const cell = SEND_TABLE[this.#state][input];
    if (cell === "misuse") throw new Bug(`a stream in state ${this.#state} met ${input}`);
    if (cell !== "stay" && cell !== "ignore") this.#state = cell;
  }
}
