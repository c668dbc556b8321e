import { after, NEVER, type Instant, type Writer } from "../../core/index.ts";
import * as settingsFrames from "../frame/settings.ts";
import { settingsFrame } from "./values.ts";
import { INITIAL_SETTINGS, type Settings } from "./table.ts";
import type { Side } from "../stream/id.ts";

/** A server cannot be pushed to, so it need not announce that (rfc9113#6.5.2). */
const INITIAL_BY_SERVER: Settings = { ...INITIAL_SETTINGS, enablePush: false };

type Announced = { readonly settings: Settings; readonly sentAt: Instant };

/** The settings of both sides of one connection. Ours hold only after the peer has acknowledged them (rfc9113#6.5.3). */
export class SettingsExchange {
  readonly #out: Writer;
  /** Our settings that hold. */
  local: Settings;
  /** Our settings as announced last, whether they hold already or not. */
  announced: Settings;
  /** Settings that we announced and the peer has not acknowledged, oldest first; undefined if there are none, which is usual. */
  #pending: Announced[] | undefined;
  peer: Settings = INITIAL_SETTINGS;
  /** The peer's first SETTINGS frame has arrived. */
  peerHasSpoken = false;

  constructor(side: Side, out: Writer) {
    this.#out = out;
    this.local = side === "client" ? INITIAL_SETTINGS : INITIAL_BY_SERVER;
    this.announced = this.local;
  }

  /**
   * How many streams the peer may have open: the most that it may believe in while changes are on their way. Before it has received any
   * settings from us, the number that we announced first (rfc9113#5.1.2).
   */
  get maxStreams(): number {
    const { maxConcurrentStreams } = this.local;
    if (this.#pending === undefined) return maxConcurrentStreams;
    return this.#pending.reduce(
      (most, { settings }) => Math.max(most, settings.maxConcurrentStreams),
      Number.isFinite(maxConcurrentStreams) ? maxConcurrentStreams : 0,
    );
  }
  /** Whether the deprecated priority signals have a meaning: neither side has renounced them (rfc9218#2.1). */
  get heedsWeights(): boolean {
    return !this.peer.noRfc7540Priorities && !this.announced.noRfc7540Priorities;
  }

  announce(next: Settings, now: Instant): void {
    settingsFrames.write(this.#out, { is: "SETTINGS", ack: false, settings: settingsFrame(this.announced, next) });
    this.announced = next;
    (this.#pending ??= []).push({ settings: next, sentAt: now });
  }
  /** The oldest of our pending settings hold from now on; undefined if there are none. */
  acknowledged(): { readonly before: Settings; readonly sentAt: Instant } | undefined {
    const oldest = this.#pending?.shift();
    if (oldest === undefined) return undefined;
    if (this.#pending?.length === 0) this.#pending = undefined;
    const before = this.local;
    this.local = oldest.settings;
    return { before, sentAt: oldest.sentAt };
  }
  /** Our settings hold from the start: they came with the request in HTTP/1.1 (rfc7540#3.2.1). */
  adopt(settings: Settings): void {
    this.local = settings;
  }
  /** When to stop waiting for an acknowledgement. */
  deadline(patienceMs: number): Instant {
    const oldest = this.#pending?.[0];
    return oldest === undefined ? NEVER : after(oldest.sentAt, patienceMs);
  }

  /** The peer has sent a SETTINGS frame; its values follow by `receive` if they are valid. */
  heard(): void {
    this.peerHasSpoken = true;
  }
  receive(settings: Settings): void {
    this.peer = settings;
  }
}
