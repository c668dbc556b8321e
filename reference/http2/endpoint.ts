import { Output, type Instant, type Writer } from "../core/index.ts";
import { FieldCheck } from "../http/index.ts";
import { Decoder, Encoder } from "../hpack/index.ts";
import { Abuse } from "./abuse.ts";
import { Authority } from "./authority.ts";
import type { Event } from "./contract.ts";
import { Credit } from "./flow/credit.ts";
import { DataHead } from "./send/data-head.ts";
import type { HeaderBlock } from "./receive/header-block.ts";
import type { Limits } from "./limits.ts";
import { type PermittedPings, PingStrikes } from "./ping-strikes.ts";
import { Priorities } from "./send/priorities.ts";
import { Scheduler } from "./send/scheduler.ts";
import { SettingsExchange } from "./settings/exchange.ts";
import type { Settings } from "./settings/table.ts";
import { Shutdown } from "./shutdown.ts";
import { StallWatch } from "./flow/stall-watch.ts";
import type { Side, StreamId } from "./stream/id.ts";
import { Streams } from "./stream/streams.ts";

const NO_EVENTS: readonly Event[] = [];

/** How an endpoint is set up. `settings` are those that it will announce first. */
export type Setup = {
  readonly side: Side;
  readonly settings: Settings;
  readonly limits: Limits;
  readonly autoTune?: boolean | undefined;
  readonly permitPings?: PermittedPings | undefined;
  readonly speaksFor?: ((origin: string) => boolean) | undefined;
};

/**
 * The parts of one side of a connection. Each writes its own state, which others see as `Readonly` or not at all. What works across parts
 * are functions on an endpoint: `receive/` has one for each frame, `send/submit.ts` one for each action, and `endings.ts` those that end
 * streams and the connection.
 */
export class Endpoint {
  readonly side: Side;
  readonly limits: Limits;
  /** The time of the current input. */
  now: Instant;

  readonly output = new Output();
  /** Frames are written here. */
  readonly out: Writer = this.output.writer;
  readonly decoder: Decoder;
  readonly encoder: Encoder;
  readonly settings: Readonly<SettingsExchange>;
  readonly streams: Readonly<Streams>;
  readonly credit: Readonly<Credit>;
  readonly scheduler = new Scheduler();
  readonly shutdown: Readonly<Shutdown>;
  readonly abuse: Abuse;
  /** Present if PINGs are only permitted so often. */
  readonly pings: PingStrikes | undefined;

  /** A field block whose CONTINUATION is awaited. */
  block: HeaderBlock | undefined;
  /** Created when content first waits for credit. */
  stalls: StallWatch | undefined;

  readonly #speaksFor: ((origin: string) => boolean) | undefined;
  #events: Event[] | undefined;
  // Created when first used: idle connections are many.
  #priorities: Priorities | undefined;
  #authority: Authority | undefined;
  #check: FieldCheck | undefined;
  #dataHead: DataHead | undefined;
  #onRoom: (() => void) | undefined;

  constructor({ side, settings, limits, autoTune = false, permitPings, speaksFor }: Setup, now: Instant) {
    this.side = side;
    this.limits = limits;
    this.now = now;
    this.decoder = new Decoder({ maxListSize: settings.maxHeaderListSize, maxStringLength: limits.blockOctets });
    this.encoder = new Encoder({ tableSize: limits.encoderTable });
    this.settings = new SettingsExchange(side, this.out);
    this.streams = new Streams(side, limits.rememberedStreams);
    this.credit = new Credit(this.out, this.streams, autoTune ? limits.maxWindow : undefined);
    this.shutdown = new Shutdown(this.out);
    this.abuse = new Abuse(limits);
    this.pings = permitPings === undefined ? undefined : new PingStrikes(permitPings);
    this.#speaksFor = speaksFor;
  }

  emit(event: Event): void {
    if (this.#events === undefined) this.#events = [event];
    else this.#events.push(event);
  }
  /** The events since the last call. */
  drain(): readonly Event[] {
    const events = this.#events;
    if (events === undefined) return NO_EVENTS;
    this.#events = undefined;
    return events;
  }

  /** Calls `listener` whenever a stream has closed, or the peer may allow more streams. */
  listenForRoom(listener: () => void): void {
    this.#onRoom = listener;
  }
  madeRoom(): void {
    if (this.#onRoom !== undefined) this.#onRoom();
  }

  get priorities(): Priorities {
    return (this.#priorities ??= new Priorities(this.streams, this.scheduler, this.limits.rememberedStreams));
  }
  get authority(): Authority {
    return (this.#authority ??= new Authority(this.#speaksFor));
  }
  /** Judges the fields of one message at a time: read its results before any callback of the owner can run. */
  get check(): FieldCheck {
    return (this.#check ??= new FieldCheck());
  }
  /** The head of a DATA frame without END_STREAM and without its content; consecutive frames of one length share its bytes. */
  dataHead(length: number, stream: StreamId): Uint8Array {
    if (this.#dataHead === undefined || !this.#dataHead.fits(length, stream)) this.#dataHead = new DataHead(length, stream);
    return this.#dataHead.octets;
  }
}
