import { once } from "node:events";
import type { Recorder } from "../../../harness/connection/recorder.ts";
import type { Accepted } from "../../../harness/subject/client-run.ts";
import { RequestReader } from "../../../wire/http1/read.ts";
import { Http2End } from "../../../wire/http2/end.ts";
import { MAGIC } from "../../../wire/http2/numbers.ts";
import type { ReadField } from "../../../wire/http2/read.ts";
import { fromLatin1, join, printable, toLatin1 } from "../../../wire/octets.ts";
import { Answer, valueOf } from "../answers.ts";

/** One request as it has arrived so far, and the ways to answer it. */
export interface WebRequest {
  readonly verb: string;
  /** The path and its query. */
  readonly target: string;
  readonly fields: readonly ReadField[];
  readonly content: Uint8Array;
  /** All of it has come. */
  readonly isWhole: boolean;
  /** The client has reset it, or ended its connection. */
  readonly hasLeft: boolean;
  head(status: number, fields: readonly ReadField[]): void;
  say(octets: Uint8Array): Promise<void>;
  close(): void;
  /** Breaks the answer off. */
  drop(): void;
}
type Events = {
  readonly recorder: Recorder;
  readonly poke: () => void;
  readonly arrived: (request: WebRequest) => void;
  readonly until: (test: () => boolean) => Promise<boolean>;
};
/** A connection of the subject. */
export interface WebConnection {
  drop(): void;
}

/** The connection on a socket: the first octets decide the version of HTTP. */
export async function connectionOn(socket: Accepted, events: Events): Promise<WebConnection> {
  socket.on("error", () => {});
  const [first] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  socket.unshift(first);
  const isHttp2 = MAGIC.startsWith(first.toString("latin1", 0, MAGIC.length));
  const made = isHttp2 ? new Http2Connection(socket, events) : new Http1Connection(socket, events);
  socket.resume();
  return made;
}

const SHOWN = 200;

class Http1Connection implements WebConnection {
  readonly #socket: Accepted;
  readonly #events: Events;
  readonly #reader = new RequestReader();
  #count = 0;
  #isEnded = false;

  constructor(socket: Accepted, events: Events) {
    this.#socket = socket;
    this.#events = events;
    const { recorder, poke } = events;
    socket.on("data", (octets: Uint8Array) => {
      recorder.wire("<-", printable(toLatin1(octets), SHOWN), octets);
      this.#reader.push(octets);
      while (this.#count < this.#reader.requests.length) events.arrived(this.#request(this.#count++));
      poke();
    });
    const ended = (): void => {
      this.#isEnded = true;
      poke();
    };
    socket.on("end", ended);
    socket.on("close", ended);
  }

  #request(at: number): WebRequest {
    const read = () => this.#reader.requests[at]!;
    const isGone = (): boolean => this.#isEnded;
    return {
      verb: read().method,
      target: read().target,
      fields: read().fields.map(({ name, value }) => [name.toLowerCase(), value]),
      get content() {
        return read().content;
      },
      get isWhole() {
        return read().complete;
      },
      get hasLeft() {
        return isGone();
      },
      head: (status, fields) => {
        const lines = [...fields, ["transfer-encoding", "chunked"]].map(([name, value]) => `${name}: ${value}\r\n`).join("");
        this.#write(fromLatin1(`HTTP/1.1 ${status} Status\r\n${lines}\r\n`));
      },
      say: async (octets) => {
        if (octets.length > 0) this.#write(join([fromLatin1(`${octets.length.toString(16)}\r\n`), octets, fromLatin1("\r\n")]));
      },
      close: () => this.#write(fromLatin1("0\r\n\r\n")),
      drop: () => {
        this.#events.recorder.remark("we end the connection");
        this.#socket.end();
      },
    };
  }
  #write(octets: Uint8Array): void {
    if (!this.#socket.writable) return;
    this.#events.recorder.wire("->", printable(toLatin1(octets), SHOWN), octets);
    this.#socket.write(octets);
  }
  drop(): void {
    this.#socket.removeAllListeners("data");
    this.#socket.destroy();
  }
}

class Http2Connection implements WebConnection {
  readonly #wire: Http2End;
  readonly #events: Events;
  readonly #requests = new Map<number, Answer>();
  #isEnded = false;

  constructor(socket: Accepted, events: Events) {
    this.#events = events;
    const { recorder, poke, arrived } = events;
    const ended = (): void => {
      this.#isEnded = true;
      poke();
    };
    this.#wire = new Http2End(socket, {
      we: "server",
      transcript: recorder,
      on: {
        frame: (frame, section) => {
          if (frame.stream > 0 && frame.type !== "WINDOW_UPDATE") {
            const had = this.#requests.get(frame.stream);
            const request = had ?? new Answer();
            this.#requests.set(frame.stream, request);
            request.take(frame, section);
            if (had === undefined && request.head !== undefined) arrived(this.#request(frame.stream, request));
          }
          poke();
        },
        garbage: ended,
        ended,
      },
    });
    void this.#wire.send([{ type: "SETTINGS", settings: [] }]);
  }

  #request(stream: number, read: Answer): WebRequest {
    const fields = read.head?.fields ?? [];
    const wire = this.#wire;
    const isGone = (): boolean => this.#isEnded || read.reset !== undefined;
    return {
      verb: valueOf(fields, ":method") ?? "",
      target: valueOf(fields, ":path") ?? "",
      fields: fields.filter(([name]) => !name.startsWith(":")),
      get content() {
        return read.octets;
      },
      get isWhole() {
        return read.endedBy !== undefined;
      },
      get hasLeft() {
        return isGone();
      },
      head: (status, all) =>
        void wire.send([{ type: "HEADERS", stream, flags: ["END_HEADERS"], fields: [[":status", String(status)], ...all] }]),
      say: async (octets) => {
        for (let from = 0; from < octets.length && !isGone();) {
          from += wire.data(stream, octets.subarray(from));
          const hasRoom = (): boolean => Math.min(wire.theirWindows.connection, wire.theirWindows.stream(stream)) > 0;
          if (from < octets.length && !(await this.#events.until(() => hasRoom() || isGone()))) return;
        }
      },
      close: () => void wire.send([{ type: "DATA", stream, flags: ["END_STREAM"] }]),
      drop: () => void wire.send([{ type: "RST_STREAM", stream, code: "INTERNAL_ERROR" }]),
    };
  }
  drop(): void {
    this.#wire.drop();
  }
}
