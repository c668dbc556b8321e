import { Defaults, type Field, type Instant } from "../core/index.ts";
import type { Event, Machine } from "./contract.ts";
import { end, settle, shutdown } from "./endings.ts";
import { Endpoint } from "./endpoint.ts";
import { ErrorCode } from "./error-code.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { begin, receiveEvent } from "./receive/receive.ts";
import { isAccepting, request } from "./send/requests.ts";
import * as submit from "./send/submit.ts";
import { checkSettings, OUR_SETTINGS, type Settings } from "./settings.ts";
import type { Side, StreamId } from "./stream/id.ts";
import type { Transport, TransportEvent } from "./transport.ts";
import { nextDeadline, overdue } from "./waits.ts";

export type Options = {
  readonly side: Side;
  /** The connection that carries this one. */
  readonly transport: Transport;
  readonly settings?: Partial<Settings>;
  readonly limits?: Partial<Limits>;
  /** Client: the server's settings in an earlier connection. Requests leave at once, as early data of the transport, which others may repeat (rfc9114#10.9). */
  readonly remembered?: Settings;
  /** Server: nothing is sent before the handshake is complete, because it shows who the client is. */
  readonly awaitsClient?: boolean;
  /** A number that chooses a reserved setting and a reserved stream, so that peers keep ignoring them (rfc9114#7.2.8); none by default. */
  readonly grease?: number;
};

const SETTINGS = new Defaults<Settings>(OUR_SETTINGS);
const LIMITS = new Defaults<Limits>(DEFAULT_LIMITS);

/** One HTTP/3 connection without a transport, for either side (rfc9114). `contract.ts` says how to drive it. */
export class Connection implements Machine {
  readonly #e: Endpoint;

  /** Its SETTINGS leave once the transport is `established`. */
  constructor({ side, transport, settings: changes, limits, grease, remembered, awaitsClient = false }: Options, now: Instant) {
    const settings = SETTINGS.with(changes);
    checkSettings(settings);
    this.#e = new Endpoint(
      { side, transport, settings, limits: LIMITS.with(limits), awaitsClient, ...(grease !== undefined && { grease }) },
      now,
    );
    if (remembered === undefined) return;
    this.#e.peer = remembered;
    this.#e.promised = remembered;
    begin(this.#e);
  }

  receive(event: TransportEvent, now: Instant): readonly Event[] {
    const e = this.#e;
    e.now = now;
    if (!e.isOver) receiveEvent(e, event);
    return this.events();
  }
  tick(now: Instant): readonly Event[] {
    this.#e.now = now;
    overdue(this.#e);
    return this.events();
  }
  events(): readonly Event[] {
    settle(this.#e);
    return this.#e.drain();
  }
  get deadline(): Instant {
    return nextDeadline(this.#e);
  }
  get streams(): number {
    return this.#e.streams.size;
  }
  get accepting(): boolean {
    return isAccepting(this.#e);
  }

  request(fields: readonly Field[], end: boolean): { readonly stream: StreamId } | { readonly ticket: number } {
    return request(this.#e, fields, end);
  }
  interim(stream: StreamId, status: number, fields: readonly Field[]): void {
    submit.interim(this.#e, stream, { status, fields, end: false });
  }
  respond(stream: StreamId, status: number, fields: readonly Field[], end: boolean): void {
    submit.respond(this.#e, stream, { status, fields, end });
  }
  data(stream: StreamId, bytes: Uint8Array, end: boolean): boolean {
    return submit.data(this.#e, stream, bytes, end);
  }
  trailers(stream: StreamId, fields: readonly Field[]): void {
    submit.trailers(this.#e, stream, fields);
  }
  consumed(stream: StreamId, octets: number): void {
    if (octets === 0 || this.#e.isOver) return;
    this.#e.streams.find(stream)?.arrival?.consumed(octets);
    this.#e.transport.consumed(stream, octets);
  }
  reset(stream: StreamId, code: ErrorCode): void {
    submit.reset(this.#e, stream, code);
  }
  prioritize(stream: StreamId, priority: string): void {
    submit.prioritize(this.#e, stream, priority);
  }
  datagram(stream: StreamId, bytes: Uint8Array): boolean {
    return submit.datagram(this.#e, stream, bytes);
  }
  shutdown(): void {
    shutdown(this.#e);
  }
  abort(code: ErrorCode): void {
    if (this.#e.isOver) return;
    this.#e.transport.close(ErrorCode[code], "");
    end(this.#e, { is: "closed" });
  }
}
