import type { Socket } from "node:net";
import type { Recorder } from "../../harness/connection/recorder.ts";
import type { Waiting } from "../../harness/connection/waiting.ts";
import { fill, type Values } from "../../wire/http1/build.ts";
import type { ReadRequest, ReadResponse } from "../../wire/http1/read.ts";
import { Http2End } from "../../wire/http2/end.ts";
import type { FrameSpec } from "../../wire/http2/frame-spec.ts";
import { DEFAULTS, MAGIC } from "../../wire/http2/numbers.ts";
import type { ReadFrame } from "../../wire/http2/read.ts";
import type { Ending } from "../../wire/sockets.ts";
import type { Conversation } from "./conversation.ts";
import { Http2Responses } from "./http2-responses.ts";

/** A window that no case fills, so that flow control never blocks the proxy. */
const WINDOW = 0x7fff_ffff;

/** The client side of a proxy over HTTP/2: it sends the frames of the case, and reads the responses, one per stream. */
export class Http2Front implements Conversation {
  readonly #wire: Http2End;
  readonly #waiting: Waiting;
  readonly #values: Values;
  readonly #methods = new Map<number, string>();
  readonly #responses = new Http2Responses((stream) => this.#methods.get(stream) ?? "GET");
  /** Streams of the fence: their answers are not part of the case. */
  readonly #apart = new Set<number>();
  readonly #sentWhole = new Set<number>();
  #acknowledged = false;
  readonly resets: number[] = [];
  goaway = false;
  ended: "fin" | "reset" | undefined;
  endedByUs = false;
  readonly garbage = [];
  readonly tunnel = new Uint8Array();
  readonly upgraded = undefined;
  readonly sent: readonly ReadRequest[] = [];

  constructor(socket: Socket, values: Values, recorder: Recorder, waiting: Waiting) {
    this.#values = values;
    this.#waiting = waiting;
    this.#wire = new Http2End(socket, {
      we: "client",
      transcript: recorder,
      text: (value) => fill(value, values),
      replenishAfter: Number.POSITIVE_INFINITY,
      on: {
        frame: (frame, section) => {
          this.#take(frame);
          this.#responses.take(frame, section);
          this.#waiting.poke();
        },
        garbage: () => this.#end("fin"),
        ended: (how) => this.#end(how),
      },
    });
  }

  /** Final responses in the order of their streams. */
  get responses(): readonly ReadResponse[] {
    return this.#ofCase(this.#responses.final);
  }
  /** Interim responses on streams that have no final one. */
  get interim(): readonly ReadResponse[] {
    return this.#ofCase(this.#responses.interim).flat();
  }
  #ofCase<T>(all: ReadonlyMap<number, T>): T[] {
    const streams = [...all.keys()].filter((stream) => !this.#apart.has(stream)).sort((a, b) => a - b);
    return streams.flatMap((stream) => all.get(stream) ?? []);
  }

  /** Sends the preface and SETTINGS, in pieces of `cut` octets if given; true when SETTINGS have come and ours are acknowledged. */
  async open(timeout: number, cut?: number): Promise<boolean> {
    const settings = [
      ["ENABLE_PUSH", 0],
      ["INITIAL_WINDOW_SIZE", WINDOW],
    ] as const;
    await this.#wire.preface(MAGIC, { type: "SETTINGS", settings }, cut);
    this.send([{ type: "WINDOW_UPDATE", increment: WINDOW - DEFAULTS.window }]);
    const isOpen = (): boolean => this.#acknowledged && this.#wire.hasTheirSettings;
    await this.#waiting.until(() => isOpen() || this.ended !== undefined, timeout);
    return isOpen();
  }

  /** It announces that it accepts extended CONNECT (rfc8441#3). */
  get hasExtendedConnect(): boolean {
    return this.#wire.theirSettings.get("ENABLE_CONNECT_PROTOCOL") === 1;
  }

  send(frames: readonly FrameSpec[]): void {
    for (const { stream, flags, fields } of frames) {
      if (typeof stream !== "number") continue;
      if (Array.isArray(flags) && flags.includes("END_STREAM")) this.#sentWhole.add(stream);
      const method = fields?.find(([name]) => name === ":method")?.[1];
      if (method !== undefined) this.#methods.set(stream, method);
    }
    if (this.ended !== undefined || this.endedByUs) return;
    void this.#wire.send(frames.map((spec) => (typeof spec.data === "string" ? { ...spec, data: fill(spec.data, this.#values) } : spec)));
  }

  /** Sends a request of the fence on a new stream, and returns that stream. */
  ask(path: string): number {
    const stream = this.#wire.highestStream + (this.#wire.highestStream % 2 === 0 ? 1 : 2);
    this.#apart.add(stream);
    const fields = [
      [":method", "GET"],
      [":scheme", "{scheme}"],
      [":authority", "{authority}"],
      [":path", path],
    ] as const;
    this.send([{ type: "HEADERS", stream, flags: ["END_STREAM", "END_HEADERS"], fields }]);
    return stream;
  }
  responseOn(stream: number): ReadResponse | undefined {
    return this.#responses.final.get(stream);
  }

  /** It was answered to the end, or reset. */
  isConcluded(stream: number): boolean {
    return this.resets.includes(stream) || this.responseOn(stream)?.complete === true;
  }
  /** Streams whose requests were sent to the end and are neither answered nor reset. */
  get unconcluded(): number[] {
    return [...this.#sentWhole].filter((stream) => !this.isConcluded(stream));
  }

  end(how: Ending): void {
    if (this.endedByUs) return;
    this.endedByUs = true;
    this.#wire.end(how);
  }

  /** After the case: nothing more is recorded. */
  drop(): void {
    this.#wire.drop();
  }

  #take(frame: ReadFrame): void {
    if (frame.type === "SETTINGS" && frame.ack === true) this.#acknowledged = true;
    if (frame.type === "GOAWAY") this.goaway ||= frame.code !== "NO_ERROR";
    if (frame.type === "RST_STREAM") this.resets.push(frame.stream);
  }

  #end(how: "fin" | "reset"): void {
    this.ended ??= how;
    this.#waiting.poke();
  }
}
