import { Stage } from "../../../harness/connection/stage.ts";
import { dialPatiently, HTTP1, HTTP2, type Target } from "../../../harness/subject/transport.ts";
import type { Fate } from "../../../wire/rpc/contract.ts";
import type { WebDialect } from "../../../wire/rpc/web-forms.ts";
import type { Version, WebSight } from "../../web-vocabulary.ts";
import { type Asked, readAnswer, type WebAnswer } from "./answer.ts";
import { type Carrier, Http1Carrier, Http2Carrier } from "./carrier.ts";
import { isSeen } from "./sights.ts";
import type { WebView } from "./view.ts";

/** A call on its own connection. */
export class WebCall {
  readonly carrier: Carrier;
  readonly asked: Asked;
  #read: { readonly octets: number; readonly isOver: boolean; readonly answer: WebAnswer } | undefined;

  constructor(carrier: Carrier, asked: Asked) {
    this.carrier = carrier;
    this.asked = asked;
  }

  /** What has arrived so far. */
  get answer(): WebAnswer {
    const { received } = this.carrier;
    const { length: octets } = received.content;
    const before = this.#read;
    if (before === undefined || before.octets !== octets || before.isOver !== received.isOver || before.answer.http === undefined)
      this.#read = { octets, isOver: received.isOver, answer: readAnswer(received, this.asked) };
    return this.#read!.answer;
  }
}

export type WebStageOptions = { readonly timeout: number; readonly dialect: WebDialect; readonly token: string };

/** One performance: the calls of a case, each with its connection. */
export class WebStage extends Stage<WebSight> implements WebView {
  readonly target: Target;
  readonly dialect: WebDialect;
  /** Names of calls are unique in a run. */
  readonly token: string;
  readonly calls = new Map<number, WebCall>();
  version: Version = "http1";
  fate: Fate | undefined;

  constructor(target: Target, { timeout, dialect, token }: WebStageOptions) {
    super(timeout);
    this.target = target;
    this.dialect = dialect;
    this.token = token;
  }

  /** A new connection of the version of the case. */
  async carrier(): Promise<Carrier> {
    const isHttp2 = this.version === "http2";
    const socket = await dialPatiently(this.target, this.timeout, isHttp2 ? HTTP2 : HTTP1);
    const events = { recorder: this.recorder, poke: () => this.poke(), fields: this.target.fields };
    const made = isHttp2 ? new Http2Carrier(socket, events) : new Http1Carrier(socket, events);
    this.afterwards(() => made.drop());
    return made;
  }

  readonly text = (value: string): string => value.replaceAll("{run}", this.token);

  /** Whether every call has ended. */
  get over(): boolean {
    return this.calls.size > 0 && [...this.calls.values()].every(({ carrier }) => carrier.received.isOver);
  }
  sees(sight: WebSight): boolean {
    return isSeen(sight, this);
  }
}
