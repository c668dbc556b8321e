import type { Socket } from "node:net";
import type { Recorder } from "../../../harness/connection/recorder.ts";
import { ResponseReader } from "../../../wire/http1/read.ts";
import { Http2End } from "../../../wire/http2/end.ts";
import { MAGIC } from "../../../wire/http2/numbers.ts";
import type { ReadField } from "../../../wire/http2/read.ts";
import { fromLatin1, join, printable, toLatin1 } from "../../../wire/octets.ts";
import { lacking, type RequestField } from "../../../wire/request-fields.ts";
import { Answer } from "../answers.ts";

/** The request of one call. */
export type Sent = {
  readonly verb: string;
  readonly target: string;
  readonly authority: string;
  readonly scheme: string;
  readonly fields: readonly ReadField[];
  /** The content, in the pieces in which it leaves. */
  readonly pieces: readonly Uint8Array[];
  /** More content follows. */
  readonly isOpen: boolean;
  /** A GET has none. */
  readonly hasContent: boolean;
};
/** What has arrived of its answer. */
export type Received = {
  readonly status: number | undefined;
  readonly fields: readonly ReadField[];
  readonly content: Uint8Array;
  /** The answer is whole. */
  readonly isWhole: boolean;
  /** Nothing more comes. */
  readonly isOver: boolean;
};

/** A connection with one call. It reads leniently. */
export interface Carrier {
  begin(sent: Sent, until: (test: () => boolean) => Promise<boolean>): Promise<void>;
  say(octets: Uint8Array, isLast: boolean): void;
  readonly received: Received;
  drop(): void;
}
type Events = { readonly recorder: Recorder; readonly poke: () => void; readonly fields: readonly RequestField[] };

const SHOWN = 200;

/** Over HTTP/1.1. Content that is known is announced by its length, any other is chunked. */
export class Http1Carrier implements Carrier {
  readonly #socket: Socket;
  readonly #events: Events;
  #verb = "POST";
  readonly #reader = new ResponseReader(() => this.#verb);
  #isEnded = false;

  constructor(socket: Socket, events: Events) {
    this.#socket = socket;
    this.#events = events;
    const ended = (how: "fin" | "reset"): void => {
      if (this.#isEnded) return;
      this.#isEnded = true;
      this.#reader.end(how);
      events.recorder.remark(how === "fin" ? "the subject closed the connection" : "the connection was reset");
      events.poke();
    };
    socket.on("data", (octets: Uint8Array) => {
      events.recorder.wire("<-", printable(toLatin1(octets), SHOWN), octets);
      this.#reader.push(octets);
      events.poke();
    });
    socket.on("end", () => ended("fin"));
    socket.on("error", () => ended("reset"));
    socket.on("close", () => ended("fin"));
  }

  begin({ verb, target, authority, fields, pieces, isOpen, hasContent }: Sent): Promise<void> {
    this.#verb = verb;
    const isChunked = hasContent && (isOpen || pieces.length > 1);
    const framing: ReadField[] = isChunked
      ? [["transfer-encoding", "chunked"]]
      : hasContent
        ? [["content-length", String(join(pieces).length)]]
        : [];
    const lines = [["host", authority] as const, ...fields, ...framing, ...lacking(fields, this.#events.fields)].map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const head = fromLatin1(`${verb} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`);
    if (!isChunked) this.#write(join([head, ...pieces]));
    else {
      this.#write(head);
      for (const [at, piece] of pieces.entries()) this.say(piece, !isOpen && at === pieces.length - 1);
    }
    return Promise.resolve();
  }
  say(octets: Uint8Array, isLast: boolean): void {
    const chunk = octets.length === 0 ? [] : [fromLatin1(`${octets.length.toString(16)}\r\n`), octets, fromLatin1("\r\n")];
    this.#write(join([...chunk, ...(isLast ? [fromLatin1("0\r\n\r\n")] : [])]));
  }
  #write(octets: Uint8Array): void {
    if (octets.length === 0 || !this.#socket.writable) return;
    this.#events.recorder.wire("->", printable(toLatin1(octets), SHOWN), octets);
    this.#socket.write(octets);
  }

  get received(): Received {
    const [answer] = this.#reader.responses;
    const isWhole = answer?.complete === true;
    return {
      status: answer?.status,
      fields: (answer?.fields ?? []).map(({ name, value }) => [name.toLowerCase(), value]),
      content: answer?.content ?? new Uint8Array(),
      isWhole,
      isOver: isWhole || this.#isEnded,
    };
  }
  drop(): void {
    this.#socket.removeAllListeners("data");
    this.#socket.destroy();
  }
}

const STREAM = 1;

/** Over HTTP/2 with prior knowledge or ALPN. */
export class Http2Carrier implements Carrier {
  readonly #wire: Http2End;
  readonly #answer = new Answer();
  #hasLeft = false;

  constructor(socket: Socket, { recorder, poke, fields }: Events) {
    this.#wire = new Http2End(socket, {
      we: "client",
      transcript: recorder,
      fields,
      on: {
        frame: (frame, section) => {
          if (frame.stream === STREAM && frame.type !== "WINDOW_UPDATE") this.#answer.take(frame, section);
          poke();
        },
        garbage: () => {
          this.#hasLeft = true;
          poke();
        },
        ended: () => {
          this.#hasLeft = true;
          poke();
        },
      },
    });
  }

  async begin(
    { verb, target, authority, scheme, fields, pieces, isOpen, hasContent }: Sent,
    until: (test: () => boolean) => Promise<boolean>,
  ): Promise<void> {
    await this.#wire.preface(MAGIC, { type: "SETTINGS", settings: [] });
    await until(() => this.#wire.hasTheirSettings || this.#hasLeft);
    const section: ReadField[] = [[":method", verb], [":scheme", scheme], [":path", target], [":authority", authority], ...fields];
    const flags = hasContent ? (["END_HEADERS"] as const) : (["END_HEADERS", "END_STREAM"] as const);
    await this.#wire.send([{ type: "HEADERS", stream: STREAM, flags, fields: section }]);
    if (!hasContent) return;
    for (const [at, piece] of pieces.entries()) {
      const isLast = !isOpen && at === pieces.length - 1;
      let from = 0;
      while (!this.#hasLeft && !this.#answer.isOver) {
        from += this.#wire.data(STREAM, piece.subarray(from), isLast);
        if (from >= piece.length) break;
        const { theirWindows } = this.#wire;
        const hasRoom = (): boolean => Math.min(theirWindows.connection, theirWindows.stream(STREAM)) > 0;
        if (!(await until(() => hasRoom() || this.#hasLeft || this.#answer.isOver))) return;
      }
    }
  }
  say(octets: Uint8Array, isLast: boolean): void {
    this.#wire.data(STREAM, octets, isLast);
  }

  get received(): Received {
    const { head, endedBy, reset } = this.#answer;
    const isWhole = head !== undefined && endedBy !== undefined && reset === undefined;
    return {
      status: head === undefined ? undefined : Number(Answer.statusOf(head)),
      fields: (head?.fields ?? []).filter(([name]) => !name.startsWith(":")),
      content: this.#answer.octets,
      isWhole: isWhole || (head !== undefined && endedBy !== undefined),
      isOver: this.#answer.isOver || this.#hasLeft,
    };
  }
  drop(): void {
    this.#wire.drop();
  }
}
