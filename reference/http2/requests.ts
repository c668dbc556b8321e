import { Misuse, type Field } from "../core/index.ts";
import { Flag, FrameType } from "./frame/head.ts";
import { mustFit } from "./section-size.ts";
import { writeBlock } from "./send-block.ts";
import { Farewell, type Session } from "./session.ts";
import { CONNECTION, nextStreamId, type StreamId } from "./stream-id.ts";
import { State } from "./stream-state.ts";
import { Phase, Stream } from "./streams.ts";

type Waiting = { readonly ticket: number; readonly fields: readonly Field[]; readonly end: boolean };

/** The client's requests: a stream each, or a place in the queue while the server allows no more (rfc9113#5.1.2). */
export class Requests {
  readonly #session: Session;
  readonly #waiting: Waiting[] = [];
  #tickets = 0;

  constructor(session: Session) {
    this.#session = session;
    session.onRoom = () => this.#moveUp();
  }

  get accepting(): boolean {
    const s = this.#session;
    const isOver = s.closed || s.peerSaidGoodbye || s.farewell !== Farewell.none;
    return !isOver && nextStreamId("client", s.streams.lastByUs) !== undefined;
  }

  request(fields: readonly Field[], end: boolean): { readonly stream: StreamId } | { readonly ticket: number } {
    const s = this.#session;
    const { check } = s;
    if (!this.accepting) throw new Misuse("this connection takes no further requests: see `accepting`, and open another");
    const wrong = check.request(fields, s.peer.enableConnectProtocol);
    if (wrong !== undefined) throw new Misuse(`this request must not be sent: ${wrong}`);
    // A limit that sinks while the request waits is let be: it is advisory, and the answer will say 431 (rfc9113#10.5.1).
    mustFit(s, fields);
    if (end && check.contentLength > 0) throw new Misuse("content-length announces content, and there is none");
    if (this.#waiting.length === 0 && this.#hasRoom) return { stream: this.#open(fields, end) };
    if (this.#waiting.length >= s.limits.queuedRequests) throw new Misuse("too many requests wait already: see `queuedRequests`");
    this.#waiting.push({ ticket: ++this.#tickets, fields, end });
    return { ticket: this.#tickets };
  }

  get #hasRoom(): boolean {
    const s = this.#session;
    const max = s.peerHasSpoken ? s.peer.maxConcurrentStreams : s.limits.assumedStreams;
    return s.streams.openByUs < max;
  }

  /** Requests that wait get the streams that are free now, or learn that there will be none. */
  #moveUp(): void {
    const s = this.#session;
    while (this.#waiting.length > 0) {
      if (!this.accepting) {
        for (const { ticket } of this.#waiting.splice(0)) s.emit({ is: "unopened", ticket });
        return;
      }
      if (!this.#hasRoom) return;
      const { ticket, fields, end } = this.#waiting.shift()!;
      s.emit({ is: "opened", ticket, stream: this.#open(fields, end) });
    }
  }

  #open(fields: readonly Field[], end: boolean): StreamId {
    const s = this.#session;
    const { check } = s;
    const id = nextStreamId("client", s.streams.lastByUs)!;
    check.request(fields, true);
    const stream = new Stream(id, end ? State.halfClosedLocal : State.open, s.peer.initialWindowSize);
    stream.outgoing = end ? Phase.over : Phase.content;
    stream.isHead = check.method === "HEAD";
    stream.isConnect = check.method === "CONNECT";
    if (!stream.isConnect) stream.contentOwed = check.contentLength;
    if (s.announced.enablePush && s.speaksFor === undefined) (s.origins ??= new Set()).add(check.origin);
    s.streams.add(stream);
    s.setOut(stream, check.priority);
    writeBlock(s, FrameType.HEADERS, end ? Flag.END_STREAM : 0, id, CONNECTION, undefined, fields);
    return id;
  }
}
