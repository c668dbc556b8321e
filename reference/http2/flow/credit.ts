import type { Instant, Writer } from "../../core/index.ts";
import { AutoTune } from "./refill.ts";
import { INITIAL_WINDOW, ReceiveWindow, widen } from "./window.ts";
import * as windowUpdate from "../frame/window-update.ts";
import { CONNECTION, type StreamId } from "../stream/id.ts";
import { Input, State } from "../stream/state.ts";
import type { Stream, Streams } from "../stream/streams.ts";

/** Flow control of one connection (rfc9113#6.9): its two windows, and the credit that goes back to the peer. */
export class Credit {
  readonly #out: Writer;
  readonly #streams: Readonly<Streams>;
  readonly #inbound = new ReceiveWindow(INITIAL_WINDOW);
  readonly #tune: AutoTune | undefined;
  /** Bytes of content that the connection may still send. */
  toSend = INITIAL_WINDOW;

  /** With `maxTuned` receive windows grow to fit the path, up to that size. */
  constructor(out: Writer, streams: Readonly<Streams>, maxTuned: number | undefined) {
    this.#out = out;
    this.#streams = streams;
    this.#tune = maxTuned === undefined ? undefined : new AutoTune(maxTuned);
  }

  /** Content leaves: it uses both windows. */
  spend(stream: Stream, octets: number): void {
    stream.sendWindow -= octets;
    this.toSend -= octets;
  }
  /** The peer's credit for the connection; false if the window would exceed its maximum (rfc9113#6.9.1). */
  widen(increment: number): boolean {
    const window = widen(this.toSend, increment);
    if (window === undefined) return false;
    this.toSend = window;
    return true;
  }

  /** Raises the connection's receive window, which begins at 65,535 whatever the settings (rfc9113#6.9.2). */
  open(size: number): void {
    const increment = size - INITIAL_WINDOW;
    if (increment <= 0) return;
    this.#inbound.shift(increment);
    windowUpdate.write(this.#out, { is: "WINDOW_UPDATE", stream: CONNECTION, increment });
  }
  /** Content arrives; false if the peer had no credit for it on the connection. */
  take(octets: number): boolean {
    return this.#inbound.take(octets);
  }
  /** Content has been consumed: credit for the connection. */
  give(octets: number, now: Instant): void {
    this.#refill(this.#inbound, { id: CONNECTION, octets, now });
  }
  /** Content has been consumed: credit for its stream, unless the peer has nothing more to send. */
  giveStream(stream: Stream, octets: number, now: Instant): void {
    const verdict = this.#streams.advance(stream.id, Input["send WINDOW_UPDATE"], stream);
    if (verdict >= State.idle && stream.inbound !== undefined) this.#refill(stream.inbound, { id: stream.id, octets, now });
  }
  /** A round trip was measured. */
  sample(ms: number): void {
    this.#tune?.sample(ms);
  }

  #refill(window: ReceiveWindow, { id, octets, now }: { readonly id: StreamId; readonly octets: number; readonly now: Instant }): void {
    let increment = window.give(octets);
    if (increment === 0) return;
    if (this.#tune !== undefined) increment += this.#tune.refill(window, now);
    windowUpdate.write(this.#out, { is: "WINDOW_UPDATE", stream: id, increment });
  }
}
