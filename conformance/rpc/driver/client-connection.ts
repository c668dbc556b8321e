import { Http2End, type Transcript } from "../../wire/http2/end.ts";
import type { Accepted } from "../../harness/subject/client-run.ts";
import type { ReadFrame } from "../../wire/http2/read.ts";
import type { Section } from "../../wire/http2/sections.ts";
import { Answer, valueOf } from "./answers.ts";

/** The path of the good call behind all others: its service is one of its own, so that no service config is about it. */
export const FENCE_PATH = "/touchstone.conformance.v1.Fence/Unary";
/** Behind proxies the service has a name for each performance; its end is the same. */
const FENCE = /\.Fence\/Unary$/;

/** One request of the subject, as it arrived. */
export class Request extends Answer {
  readonly connection: ClientConnection;
  readonly stream: number;
  /** When its headers were whole, as `performance.now()` counts. */
  at = 0;

  constructor(connection: ClientConnection, stream: number) {
    super();
    this.connection = connection;
    this.stream = stream;
  }
  get path(): string | undefined {
    return valueOf(this.head?.fields ?? [], ":path");
  }
  get isFence(): boolean {
    return FENCE.test(this.path ?? "");
  }
}

/** One connection of the subject, with the requests on it. */
export class ClientConnection {
  readonly wire: Http2End;
  readonly socket: Accepted;
  /** Its number, from 1. */
  readonly on: number;
  /** The number of its server, from 1. */
  readonly server: number;
  /** When it came, as `performance.now()` counts. */
  readonly at = performance.now();
  readonly frames: ReadFrame[] = [];
  readonly requests = new Map<number, Request>();
  garbage: string | undefined;
  /** Streams on which we have ended our side, or reset. */
  readonly #done = new Set<number>();
  /** The most requests that were open at a time; and when one came after the client had acknowledged our SETTINGS. */
  mostOpen = 0;
  mostOpenKnowing = 0;
  #knows = false;

  constructor(
    socket: Accepted,
    { on, server = 1 }: { readonly on: number; readonly server?: number },
    watch: {
      readonly recorder: Transcript;
      readonly text: (value: string) => string;
      readonly arrived: (request: Request) => void;
      readonly poke: () => void;
    },
  ) {
    this.socket = socket;
    this.on = on;
    this.server = server;
    const { recorder, text, arrived, poke } = watch;
    this.wire = new Http2End(socket, {
      we: "server",
      transcript: recorder,
      text,
      on: {
        frame: (frame, section) => {
          this.frames.push(frame);
          const { isNew, request } = this.#take(frame, section);
          if (request !== undefined && isNew) arrived(request);
          poke();
        },
        sent: (frame) => {
          if (frame.type === "RST_STREAM" || frame.endStream === true) this.#done.add(frame.stream);
        },
        garbage: (words) => {
          this.garbage = words;
          poke();
        },
        ended: poke,
      },
    });
  }

  get isOver(): boolean {
    return this.wire.ended || this.garbage !== undefined;
  }
  /** The client has seen our SETTINGS. */
  get knows(): boolean {
    return this.#knows;
  }
  /** We have ended our side of the stream. */
  isDone(stream: number): boolean {
    return this.#done.has(stream);
  }

  #take(frame: ReadFrame, section: Section | undefined): { readonly isNew: boolean; readonly request?: Request } {
    if (frame.type === "SETTINGS" && frame.ack === true) this.#knows = true;
    if (frame.stream === 0 || frame.type === "WINDOW_UPDATE") return { isNew: false };
    const known = this.requests.get(frame.stream);
    const request = known ?? new Request(this, frame.stream);
    const had = request.head !== undefined;
    this.requests.set(frame.stream, request);
    request.take(frame, section);
    if (had || request.head === undefined) return { isNew: false, request };
    request.at = performance.now();
    const open = [...this.requests.values()].filter((one) => !this.isDone(one.stream) && one.reset === undefined);
    this.mostOpen = Math.max(this.mostOpen, open.length);
    if (this.#knows) this.mostOpenKnowing = Math.max(this.mostOpenKnowing, open.length);
    return { isNew: true, request };
  }
}
