import type { KeepaliveOptions } from "../../http2/index.ts";
import { Dialler } from "../client/dial.ts";
import type { ConnectOptions } from "../client/options.ts";
import type { ChannelKeepalive } from "./options.ts";

/** The shortest time without calls that existing clients permit, and how long they wait for an answer. */
const LEAST_KEEPALIVE_MS = 10_000;
const KEEPALIVE_TIMEOUT_MS = 20_000;

/** Opens the connections of a channel, which ask silent servers as often as the channel does now. */
export class KeepaliveDialler {
  readonly #name: string;
  readonly #options: ConnectOptions;
  #keepalive: KeepaliveOptions | undefined;
  #dialler: Dialler;

  constructor(name: string, options: ConnectOptions, keepalive: ChannelKeepalive | undefined) {
    this.#name = name;
    this.#options = options;
    if (keepalive !== undefined) {
      const { timeMs, timeoutMs = KEEPALIVE_TIMEOUT_MS, withoutCalls: withoutStreams = false } = keepalive;
      this.#keepalive = { timeMs: Math.max(timeMs, LEAST_KEEPALIVE_MS), timeoutMs, withoutStreams };
    }
    this.#dialler = this.#dialled();
  }

  #dialled(): Dialler {
    const { http2, alpn = ["h2"], ...others } = this.#options;
    const keepalive = this.#keepalive ?? http2?.keepalive;
    return new Dialler({ ...others, alpn, http2: { ...http2, ...(keepalive !== undefined && { keepalive }) } });
  }
  open(...to: Parameters<Dialler["open"]>): ReturnType<Dialler["open"]> {
    return this.#dialler.open(...to);
  }

  /** A server that permits fewer PINGs gets half as many. */
  askLess(): void {
    if (this.#keepalive === undefined) return;
    this.#keepalive = { ...this.#keepalive, timeMs: this.#keepalive.timeMs * 2 };
    this.#dialler = this.#dialled();
    console.error(`touchstone: ${this.#name} permits fewer PINGs: the channel asks every ${this.#keepalive.timeMs / 1_000} seconds now`);
  }
}
