import { Recorder } from "../../harness/recorder.ts";
import { dialPatiently, HTTP1, HTTP2, type Target } from "../../harness/transport.ts";
import { Waiting } from "../../harness/waiting.ts";
import type { Values } from "../../wire/http1.ts";
import type { Sight } from "../vocabulary.ts";
import { Connection, type Conversation } from "./connection.ts";
import { Http2Front } from "./proxy-http2.ts";
import { proxyMonitor } from "./proxy-monitors.ts";
import { type Origin, OriginScene } from "./proxy-origin.ts";
import { isSeen, type View } from "./sights.ts";

/** Where a proxy is reached: in HTTP/1.1, and where it speaks HTTP/2, if it does. */
export type Fronts = { readonly http1: Target; readonly http2: Target };

let performances = 0;
/** Tells the performances of this process from those of another that the same proxy has served. */
const RUN = process.pid.toString(36);

/** The length of `{hidden}`, in octets. */
const HIDDEN = 256;
/** A whole request, padded to that length, for content that somebody might take for one. */
function hidden(path: string, authority: string): string {
  const start = `GET ${path}/hidden HTTP/1.1\r\nHost: ${authority}\r\nX-Padding: `;
  return `${start.padEnd(HIDDEN - 4, "a")}\r\n\r\n`;
}

/** What one performance of a case on a proxy works on: the client's connections, the origin's, and the transcript of both. */
export class ProxyStage extends Waiting {
  readonly fronts: Fronts;
  readonly timeout: number;
  readonly values: Values;
  readonly recorder = new Recorder();
  readonly connections = new Map<number, Connection>();
  readonly scene: OriginScene;
  readonly #origin: Origin;
  front: Http2Front | undefined;
  /** The connection that a step last spoke of. */
  last = 1;
  /** The fence came back as it should, on the connection of the case. */
  fenced = false;

  constructor(fronts: Fronts, origin: Origin, timeout: number) {
    super();
    this.fronts = fronts;
    this.timeout = timeout;
    this.#origin = origin;
    performances += 1;
    const { authority, path: root, scheme } = fronts.http1;
    const path = `${root.replace(/\/$/, "")}/touchstone-${RUN}-${performances}`;
    this.values = { authority, scheme, path, hidden: hidden(path, authority) };
    this.scene = new OriginScene(this.values, this.recorder, () => this.poke());
    origin.begin(this.scene);
  }

  /** The connection of this number, opened when it is first spoken of. */
  async connection(on: number): Promise<Connection> {
    this.last = on;
    const there = this.connections.get(on);
    if (there !== undefined) return there;
    const made = await this.dial(on);
    this.connections.set(on, made);
    return made;
  }

  /** A connection that no step knows of. */
  async dial(on: number): Promise<Connection> {
    const socket = await dialPatiently(this.fronts.http1, this.timeout, HTTP1);
    return new Connection(socket, on, { recorder: this.recorder, waiting: this });
  }

  /** The connection in HTTP/2, its handshake done. */
  async http2(): Promise<Http2Front> {
    if (this.front !== undefined) return this.front;
    const target = this.fronts.http2;
    const socket = await dialPatiently(target, this.timeout, HTTP2);
    const front = new Http2Front(socket, this.values, this.recorder, this);
    this.front = front;
    await front.open(this.timeout);
    return front;
  }

  /** What was said on the client's side. */
  get conversations(): Conversation[] {
    return this.front === undefined ? [...this.connections.values()] : [this.front];
  }

  get view(): View {
    const { front } = this;
    return {
      conversation: (on) => (on === 1 && front !== undefined ? front : this.connections.get(on)),
      conversations: this.conversations,
      requests: this.scene.requests,
      originOctets: this.scene.octets,
      values: this.values,
      like: { path: 200 },
      fenced: this.fenced,
      monitor: (name) => proxyMonitor(name, this.scene, this.conversations),
      ...(front === undefined ? {} : { resets: front.resets, goaway: front.goaway }),
    };
  }

  sees(sight: Sight): boolean {
    return isSeen(sight, this.view);
  }

  /** Every connection of the client has been ended by the subject. */
  get over(): boolean {
    const { conversations } = this;
    return conversations.length > 0 && conversations.every(({ ended }) => ended !== undefined);
  }

  drop(): void {
    for (const connection of this.connections.values()) connection.drop();
    this.front?.drop();
    this.#origin.end();
  }
}
