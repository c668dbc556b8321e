import { DialledStage } from "../../harness/connection/stage.ts";
import { dialPatiently, HTTP1, HTTP2, type Target } from "../../harness/subject/transport.ts";
import type { Values } from "../../wire/http1/build.ts";
import type { Sight } from "../vocabulary.ts";
import { Connection } from "./connection.ts";
import type { Conversation } from "./conversation.ts";
import { Http2Front } from "./proxy-http2.ts";
import { proxyMonitor } from "./proxy-monitors.ts";
import { type Origin, OriginScene } from "./proxy-origin.ts";
import { isSeen, type View } from "./sights.ts";

/** Where a proxy accepts HTTP/1.1, and HTTP/2 if it speaks that. */
export type Fronts = { readonly http1: Target; readonly http2: Target };

/** The length of `{hidden}`, in octets. */
const HIDDEN = 256;
/** A complete request of that length, sent as content that a wrong reader would treat as a request. */
function hidden(path: string, authority: string): string {
  const start = `GET ${path}/hidden HTTP/1.1\r\nHost: ${authority}\r\nX-Padding: `;
  return `${start.padEnd(HIDDEN - 4, "a")}\r\n\r\n`;
}

/** What one performance of a case on a proxy works on: the client's connections, the origin's, and the transcript of both. */
export class Http1ProxyStage extends DialledStage<Sight, Connection> {
  readonly fronts: Fronts;
  readonly values: Values;
  readonly scene: OriginScene;
  front: Http2Front | undefined;

  /** `name` is the last part of its path, and no other performance on the same proxy has it. */
  constructor(fronts: Fronts, origin: Origin, { timeout, name }: { readonly timeout: number; readonly name: string }) {
    super(timeout);
    this.fronts = fronts;
    const { authority, path: root, scheme } = fronts.http1;
    const path = `${root.replace(/\/$/, "")}/touchstone-${name}`;
    this.values = { authority, scheme, path, hidden: hidden(path, authority) };
    this.scene = new OriginScene(this.values, this.recorder, () => this.poke());
    origin.begin(this.scene);
    this.afterwards(() => origin.end());
  }

  /** A connection that no step mentions. */
  async dial(on: number): Promise<Connection> {
    const socket = await dialPatiently(this.fronts.http1, this.timeout, HTTP1);
    return new Connection(socket, on, { recorder: this.recorder, waiting: this });
  }

  /** The connection in HTTP/2, after its handshake. `cut`: its preface is written in pieces of so many octets. */
  async http2(cut?: number): Promise<Http2Front> {
    if (this.front !== undefined) return this.front;
    const target = this.fronts.http2;
    const socket = await dialPatiently(target, this.timeout, HTTP2);
    const front = new Http2Front(socket, this.values, this.recorder, this);
    this.front = front;
    this.afterwards(() => front.drop());
    await front.open(this.timeout, cut);
    return front;
  }

  /** The connections of the client. */
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
      originEnded: (nth) => this.scene.hasEnded(nth),
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

  /** The subject has ended every connection of the client. */
  override get over(): boolean {
    const { conversations } = this;
    return conversations.length > 0 && conversations.every(({ ended }) => ended !== undefined);
  }
}
