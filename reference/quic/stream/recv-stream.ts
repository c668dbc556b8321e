import { Bug } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import type { StreamId } from "../stream-id.ts";
import { ReceiveCredit } from "./credit.ts";
import { Reassembler } from "./reassembler.ts";
import { isRecvDone, RECV_TABLE, type RecvInput, type RecvState } from "./recv-state.ts";

/** What arrived for the application. */
export type Arrival = { readonly octets: Uint8Array; readonly end: boolean };

/** The receiving part of a stream (rfc9000#3.2). */
export class RecvStream {
  readonly id: StreamId;
  readonly credit: ReceiveCredit;
  #octets = new Reassembler();
  #state: RecvState = "recv";
  #finalSize: number | undefined;
  #resetCode: number | undefined;
  /** STOP_SENDING: asked for, and not sent since. */
  #stop: { readonly code: number; isSent: boolean } | undefined;

  constructor(id: StreamId, window: number) {
    this.id = id;
    this.credit = new ReceiveCredit(window);
  }

  get state(): RecvState {
    return this.#state;
  }
  get isDone(): boolean {
    return isRecvDone(this.#state);
  }
  /** Octets that are kept. */
  get waiting(): number {
    return this.#octets.waiting;
  }
  /** More octets may come, so credit is worth announcing (rfc9000#4.1). */
  get isOpen(): boolean {
    return this.#state === "recv";
  }

  /** Octets arrived. `connection` has the credit of all streams together. */
  receive(
    { offset, data, fin }: { readonly offset: number; readonly data: Uint8Array; readonly fin: boolean },
    connection: ReceiveCredit,
  ): Fault | undefined {
    const end = offset + data.length;
    const wrong = this.#sized(end, fin) ?? this.#credited(end, connection);
    if (wrong !== undefined) return wrong;
    if (fin) {
      this.#finalSize = end;
      this.#advance("recv FIN");
    } else this.#advance("recv STREAM");
    if (this.#state !== "recv" && this.#state !== "sizeKnown") return undefined;
    if (this.#stop !== undefined) {
      if (this.#finalSize !== undefined) this.#finish();
      return undefined;
    }
    const pieces = this.#octets.push(offset, data);
    if (pieces !== undefined) return pieces;
    if (this.#finalSize !== undefined && this.#octets.next + this.#octets.waiting === this.#finalSize) this.#advance("recv all data");
    return undefined;
  }

  /** The peer gave up (rfc9000#19.4). */
  reset(code: number, finalSize: number, connection: ReceiveCredit): Fault | undefined {
    const wrong = this.#sized(finalSize, true) ?? this.#credited(finalSize, connection);
    if (wrong !== undefined) return wrong;
    this.#finalSize = finalSize;
    const before = this.#state;
    this.#advance("recv RESET_STREAM");
    if (this.#state !== "resetRecvd" || before === "resetRecvd") return undefined;
    this.#resetCode = code;
    if (this.#stop === undefined) connection.consume(this.credit.received - this.#octets.next);
    return undefined;
  }

  /** What is next in order, if anything. The caller gives credit back once the application has dealt with it. */
  pull(): Arrival | undefined {
    if (this.#state === "resetRecvd" || this.isDone) return undefined;
    const octets = this.#octets.pull();
    const isEnd = this.#state === "dataRecvd" && this.#octets.next === this.#finalSize;
    if (octets === undefined && !isEnd) return undefined;
    if (isEnd) this.#advance("app read all data");
    return { octets: octets ?? new Uint8Array(0), end: isEnd };
  }
  /** The code of a reset, once. */
  pullReset(): number | undefined {
    if (this.#state !== "resetRecvd") return undefined;
    this.#advance("app read reset");
    return this.#resetCode;
  }

  /** The application wants no more: nothing is kept or given out, and the peer is asked to stop (rfc9000#3.5). */
  stop(code: number, connection: ReceiveCredit): void {
    if (this.#stop !== undefined || this.isDone || this.#state === "resetRecvd") return;
    this.#stop = { code, isSent: false };
    connection.consume(this.credit.received - this.#octets.next);
    this.#octets = new Reassembler();
    if (this.#finalSize !== undefined) this.#finish();
  }
  /** The code to ask with, if the peer has to be asked. */
  get wantsStop(): number | undefined {
    return this.#stop !== undefined && !this.#stop.isSent && this.#state === "recv" ? this.#stop.code : undefined;
  }
  stopSent(isSent: boolean): void {
    if (this.#stop !== undefined) this.#stop.isSent = isSent;
  }

  #sized(end: number, isFinal: boolean): Fault | undefined {
    if (this.#finalSize !== undefined) {
      if (isFinal && end !== this.#finalSize) return fault("finalSizeChanged");
      return end > this.#finalSize ? fault("dataBeyondFinalSize") : undefined;
    }
    return isFinal && end < this.credit.received ? fault("finalSizeBelowData") : undefined;
  }
  #credited(end: number, connection: ReceiveCredit): Fault | undefined {
    const more = end - this.credit.received;
    if (more <= 0) return undefined;
    if (!this.credit.receive(more)) return fault("dataBeyondStreamLimit");
    if (!connection.receive(more)) return fault("dataBeyondConnectionLimit");
    // After STOP_SENDING nobody reads what arrives, so the connection gets its credit back at once.
    if (this.#stop !== undefined) connection.consume(more);
    return undefined;
  }
  /** The size is known and the octets are not wanted: as if all had been read. */
  #finish(): void {
    this.#state = "dataRead";
  }

  #advance(input: RecvInput): void {
    const cell = RECV_TABLE[this.#state][input];
    if (cell === "misuse") throw new Bug(`a stream in state ${this.#state} met ${input}`);
    if (cell !== "stay" && cell !== "ignore") this.#state = cell;
  }
}
