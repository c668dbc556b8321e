import { Stage } from "../../harness/connection/stage.ts";
import { dialPatiently, type Target } from "../../harness/subject/transport.ts";
import type { DialectName } from "../../../vectors/rpc/question.ts";
import { Http2End } from "../../wire/http2/end.ts";
import type { FieldSpec } from "../../wire/http2/frame-spec.ts";
import { MAGIC } from "../../wire/http2/numbers.ts";
import { type Answer, valueOf } from "./answers.ts";
import type { OriginMood, Sight } from "../proxy-vocabulary.ts";
import { answerWell } from "./client-answers.ts";
import type { Request } from "./client-connection.ts";
import { Http2Connection } from "./connection.ts";
import type { Origin, OriginScene } from "./proxy-origin.ts";
import { isSeen } from "./proxy-sights.ts";

export type ProxyStageOptions = {
  readonly timeout: number;
  readonly dialect: DialectName;
  /** No other performance on the same proxy has it. */
  readonly name: string;
};

/** More octets of a request than this end the connections of the origin after the case. */
const KEPT_OCTETS = 1_000_000;

/** One performance: the connection of the client, and the requests that reach the origin because of it. */
export class RpcProxyStage extends Stage<Sight> implements OriginScene {
  readonly target: Target;
  readonly dialect: DialectName;
  readonly name: string;
  readonly #origin: Origin;
  #front: Http2Connection | undefined;
  /** The streams of the client by the number of the call. */
  readonly calls = new Map<number, number>();
  /** In the order of their arrival, without the good ones behind the case. */
  readonly requests: Request[] = [];
  /** Requests that steps mention: all others are answered well at once. */
  readonly mentioned = new Set<number>();
  /** How many octets of a flood were written. */
  taken: number | undefined;
  readonly lowest = { client: 0, origin: 0 };
  /** We have ended the connection of the client. */
  hasLeft = false;
  /** Why the origin cannot read what the proxy sends. */
  notHttp2: string | undefined;
  /** The connections of the origin are not fit for another case. */
  #isSpoilt = false;
  /** It meets the proxy in another way than usual. */
  #isMoody = false;

  constructor(target: Target, origin: Origin, { timeout, dialect, name }: ProxyStageOptions) {
    super(timeout);
    this.target = target;
    this.#origin = origin;
    this.dialect = dialect;
    this.name = name;
    origin.begin(this);
    this.afterwards(() => this.#tidy());
  }

  /** Connects as the client, with the handshake; returns why that did not work. */
  async greet(): Promise<string | undefined> {
    const front = await this.#dial();
    this.#front = front;
    return shakeHands(front, this);
  }
  /** Another connection of a client, after the case; or why there is none. */
  async greetAnew(): Promise<Http2Connection | string> {
    const made = await this.#dial();
    return (await shakeHands(made, this)) ?? made;
  }
  async #dial(): Promise<Http2Connection> {
    const socket = await dialPatiently(this.target, this.timeout);
    const made = new Http2Connection(() => this.poke());
    made.on(new Http2End(socket, { we: "client", transcript: this.recorder, text: this.text, on: made.events }));
    this.afterwards(() => made.drop());
    return made;
  }

  get front(): Http2Connection {
    if (this.#front === undefined) throw new Error("no connection yet");
    return this.#front;
  }
  get over(): boolean {
    return this.#front?.ended !== undefined;
  }
  /** What has come of a call. */
  answer(call = 1): Answer | undefined {
    const stream = this.calls.get(call);
    return stream === undefined ? undefined : this.front.answer(stream);
  }
  sees(sight: Sight): boolean {
    return isSeen(sight, this);
  }

  override poke(): void {
    const left = ({ ourWindows }: Http2End, stream: number): number => Math.min(ourWindows.connection, ourWindows.stream(stream));
    for (const stream of this.calls.values()) this.lowest.client = Math.min(this.lowest.client, left(this.front.wire, stream));
    for (const { connection, stream } of this.requests) this.lowest.origin = Math.min(this.lowest.origin, left(connection.wire, stream));
    super.poke();
  }

  readonly transcript = this.recorder;
  readonly text = (value: string): string =>
    value.includes("{")
      ? value
          .replaceAll("{authority}", this.target.authority)
          .replaceAll("{scheme}", this.target.scheme)
          .replaceAll("{rpc}", this.dialect)
          .replaceAll("{path}", `${this.service}/Call`)
      : value;
  readonly fields = (fields: readonly FieldSpec[]): FieldSpec[] =>
    fields.map(([name, value, form]) => (form === undefined ? [this.text(name), value] : [this.text(name), value, form]));
  get service(): string {
    return `/touchstone.${this.name}`;
  }
  get fencePath(): string {
    return `${this.service}.Fence/Unary`;
  }

  /** Requests of earlier performances are answered, and are not part of this one. */
  arrived(request: Request): void {
    const isOurs = valueOf(request.head?.fields ?? [], ":path")?.startsWith(`${this.service}/`) === true;
    if (isOurs) this.requests.push(request);
    if (isOurs && this.mentioned.has(this.requests.length)) return;
    void answerWell(request, this);
  }
  garbage(words: string): void {
    this.notHttp2 ??= words;
  }
  /** After the case the connections of the origin end. */
  spoil(): void {
    this.#isSpoilt = true;
  }
  async become(mood: OriginMood): Promise<void> {
    this.#isMoody = true;
    await this.#origin.become(mood);
  }
  /** The origin is again as before the case. */
  async recover(): Promise<void> {
    if (this.#isMoody) await this.#origin.become({});
    this.#isMoody = false;
  }

  async #tidy(): Promise<void> {
    const octets = this.requests.reduce((sum, one) => sum + one.octets.length, 0);
    if (this.#isMoody || this.#isSpoilt || octets > KEPT_OCTETS) await this.#origin.become({});
  }
}

async function shakeHands({ wire, frames }: Http2Connection, stage: RpcProxyStage): Promise<string | undefined> {
  await wire.preface(MAGIC, { type: "SETTINGS", settings: [["ENABLE_PUSH", 0]] });
  const isDone = (): boolean => wire.hasTheirSettings && frames.some(({ type, ack }) => type === "SETTINGS" && ack === true);
  await stage.until(() => isDone() || wire.ended, stage.timeout);
  return isDone() ? undefined : "the HTTP/2 handshake was not completed";
}
