import { Misuse, type Field } from "../../core/index.ts";
import type { Endpoint } from "../endpoint.ts";
import { mustFit } from "./section-size.ts";
import { writeHeaders } from "./block.ts";
import { nextStreamId, type StreamId } from "../stream/id.ts";
import { Input } from "../stream/state.ts";
import { Stream } from "../stream/streams.ts";

type Waiting = { readonly ticket: number; readonly fields: readonly Field[]; readonly end: boolean };

/** The client's requests: each gets a stream, or a place in the queue while the server allows no more (rfc9113#5.1.2). */
export class Requests {
  readonly #e: Endpoint;
  readonly #waiting: Waiting[] = [];
  #tickets = 0;

  constructor(endpoint: Endpoint) {
    this.#e = endpoint;
    endpoint.listenForRoom(() => this.#moveUp());
  }

  get accepting(): boolean {
    return this.#e.shutdown.admitsOurs && nextStreamId("client", this.#e.streams.lastByUs) !== undefined;
  }

  request(fields: readonly Field[], end: boolean): { readonly stream: StreamId } | { readonly ticket: number } {
    const e = this.#e;
    const { check } = e;
    if (!this.accepting) throw new Misuse("this connection accepts no further requests: see `accepting`, and open another");
    const wrong = check.request(fields, e.settings.peer.enableConnectProtocol);
    if (wrong !== undefined) throw new Misuse(`this request must not be sent: ${wrong}`);
    // The server may lower its limit while the request waits. That is advisory: the answer will be 431 (rfc9113#10.5.1).
    mustFit(e, fields);
    if (end && check.contentLength > 0) throw new Misuse("content-length announces content, but there is none");
    if (this.#waiting.length === 0 && this.#hasRoom) return { stream: this.#open(fields, end) };
    if (this.#waiting.length >= e.limits.queuedRequests) throw new Misuse("too many requests wait already: see `queuedRequests`");
    this.#waiting.push({ ticket: ++this.#tickets, fields, end });
    return { ticket: this.#tickets };
  }

  get #hasRoom(): boolean {
    const { settings, limits, streams } = this.#e;
    return streams.openByUs < (settings.peerHasSpoken ? settings.peer.maxConcurrentStreams : limits.assumedStreams);
  }

  /** Waiting requests get the streams that are free now; if the connection accepts no more, they are reported as unopened. */
  #moveUp(): void {
    while (this.#waiting.length > 0) {
      if (!this.accepting) {
        for (const { ticket } of this.#waiting.splice(0)) this.#e.emit({ is: "unopened", ticket });
        return;
      }
      if (!this.#hasRoom) return;
      const { ticket, fields, end } = this.#waiting.shift()!;
      // The check has what it found in the request that was made last.
      this.#e.check.request(fields, true);
      this.#e.emit({ is: "opened", ticket, stream: this.#open(fields, end) });
    }
  }

  #open(fields: readonly Field[], end: boolean): StreamId {
    const e = this.#e;
    const { check, streams } = e;
    const id = nextStreamId("client", streams.lastByUs)!;
    const stream = new Stream(id, e.settings.peer.initialWindowSize);
    stream.hasSentHead = true;
    stream.isHead = check.method === "HEAD";
    stream.isConnect = check.method === "CONNECT";
    if (!stream.isConnect) stream.contentOwed = check.contentLength;
    if (e.settings.announced.enablePush) e.authority.add(check.origin);
    streams.advance(id, Input["send HEADERS"], stream);
    e.priorities.begin(stream, check.priority);
    writeHeaders(e, id, { fields, end });
    if (end) streams.advance(id, Input["send END_STREAM"], stream);
    return id;
  }
}
