import { Http3End, type Observed } from "../../wire/http3/end.ts";
import type { FieldSpec as Http3Field, CodeName } from "../../wire/http3/frame-spec.ts";
import type { ErrorName, FrameSpec } from "../../wire/http2/frame-spec.ts";
import type { ReadFrame } from "../../wire/http2/read.ts";
import { toHex } from "../../wire/octets.ts";
import type { Ending } from "../../wire/sockets.ts";
import { dialHttp3 } from "../../http3/driver/dial.ts";
import type { RpcEvents, RpcWire } from "./connection.ts";

/** What both versions have a code for (rfc9114#8.1, appendix A.4). */
const CODES: readonly (readonly [ErrorName, CodeName])[] = [
  ["NO_ERROR", "H3_NO_ERROR"],
  ["INTERNAL_ERROR", "H3_INTERNAL_ERROR"],
  ["REFUSED_STREAM", "H3_REQUEST_REJECTED"],
  ["CANCEL", "H3_REQUEST_CANCELLED"],
  ["CONNECT_ERROR", "H3_CONNECT_ERROR"],
  ["ENHANCE_YOUR_CALM", "H3_EXCESSIVE_LOAD"],
  ["HTTP_1_1_REQUIRED", "H3_VERSION_FALLBACK"],
];
const codeOf = (name: FrameSpec["code"]): CodeName | number =>
  typeof name === "number" ? name : (CODES.find(([one]) => one === name)?.[1] ?? "H3_GENERAL_PROTOCOL_ERROR");
const nameOf = (code: string): ErrorName => CODES.find(([, one]) => one === code)?.[0] ?? "PROTOCOL_ERROR";

const NOTHING = new Uint8Array(0);
/** How long to wait for permission to open a stream, and how often to ask, in milliseconds. */
const ROOM_MS = 2_000;
const ASK_MS = 20;

type Dialling = Omit<Parameters<typeof dialHttp3>[0], "saw" | "forget">;

/**
 * A connection in HTTP/3 for the steps of calls, which are written in frames that both versions share: HEADERS, DATA, and RST_STREAM for the two
 * ways of giving up a stream. Streams keep the numbers of the case; the cases about frames of HTTP/2 alone are not performed here (`over.ts`).
 */
export class Http3Wire implements RpcWire {
  readonly #on: RpcEvents;
  #wire: Http3End | undefined;
  /** Streams of QUIC by their numbers in the case, and back. */
  readonly #streams = new Map<number, number>();
  readonly #names = new Map<number, number>();
  readonly theirWindows = { connection: Number.POSITIVE_INFINITY, stream: () => Number.POSITIVE_INFINITY };
  /** Streams whose answer has ended, and those of which the peer wants no more before that. */
  readonly #over = new Set<number>();
  readonly #stopped = new Set<number>();
  readonly hasRoom = true;
  highestStream = 0;
  #hasAcknowledged = false;

  private constructor(on: RpcEvents) {
    this.#on = on;
  }
  static async dial(dialling: Dialling, on: RpcEvents): Promise<Http3Wire> {
    const made = new Http3Wire(on);
    made.#wire = await dialHttp3({ ...dialling, saw: (observed) => made.#saw(observed), forget: () => {} });
    return made;
  }

  get #end(): Http3End {
    if (this.#wire === undefined) throw new Error("no connection yet");
    return this.#wire;
  }
  get ended(): boolean {
    return this.#wire?.closed !== undefined;
  }
  get hasTheirSettings(): boolean {
    return this.#wire?.hasTheirSettings === true;
  }
  get theirSettings(): ReadonlyMap<string, number> {
    return this.#end.theirSettings;
  }

  /** Our own streams, with empty SETTINGS on the control stream. */
  preface(): undefined {
    for (const kind of ["control", "encoder", "decoder"] as const) {
      const stream = this.#end.open("unidirectional");
      if (stream === undefined) continue;
      this.#end.begin(stream, kind);
      if (kind === "control") this.#end.send(stream, [{ type: "SETTINGS" }]);
    }
    // They may have come before we were asked to begin.
    this.#greeted();
  }

  async send(frames: readonly FrameSpec[]): Promise<void> {
    for (const frame of frames) await this.#send(frame);
  }
  async #send({ type, stream: name, flags, fields, hex, block, data, code }: FrameSpec): Promise<void> {
    const stream = await this.#streamOf(Number(name));
    if (stream === undefined) return;
    const end = Array.isArray(flags) && flags.includes("END_STREAM");
    if (type === "RST_STREAM") {
      this.#end.reset(stream, codeOf(code));
      this.#end.stop(stream, codeOf(code));
    } else if (type === "HEADERS") {
      this.#end.send(stream, [{ type, fields: (fields ?? []).map(([one, value]): Http3Field => [one, value]) }], end);
    } else {
      const octets = hex ?? block;
      this.#end.send(
        stream,
        [{ type: "DATA", ...(octets === undefined ? {} : { hex: octets }), ...(data === undefined ? {} : { data }) }],
        end,
      );
    }
  }
  /** Opens the stream if it is new, as soon as the server permits it. */
  async #streamOf(name: number): Promise<number | undefined> {
    const known = this.#streams.get(name);
    if (known !== undefined) return known;
    for (let waited = 0; waited < ROOM_MS && !this.ended; waited += ASK_MS) {
      const stream = this.#end.open("bidirectional");
      if (stream !== undefined) {
        this.#streams.set(name, stream);
        this.#names.set(stream, name);
        this.highestStream = Math.max(this.highestStream, name);
        return stream;
      }
      await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    }
    return undefined;
  }
  /** All of it: the transport sends what its windows permit. */
  data(name: number, octets: Uint8Array, last = false): number {
    const stream = this.#streams.get(name);
    if (stream !== undefined) this.#end.send(stream, [{ type: "DATA", hex: toHex(octets) }], last);
    return octets.length;
  }
  /** The transport replenishes its windows by itself. */
  holdWindows(): void {}
  end(_how: Ending): void {
    this.#end.close("H3_NO_ERROR");
  }
  drop(): void {
    void this.#wire?.drop();
  }

  #saw(observed: Observed): void {
    if (observed.is === "closed") {
      if (observed.by === "peer") this.#frame(0, "GOAWAY", { code: nameOf(observed.code ?? "") });
      this.#on.ended?.("fin");
      return;
    }
    this.#greeted();
    const stream = this.#names.get(observed.stream);
    if (stream === undefined) return;
    if (observed.is === "reset") this.#frame(stream, "RST_STREAM", { code: nameOf(observed.code) });
    if (observed.is === "end") this.#finished(stream);
    if (observed.is === "stop" && observed.code === "H3_NO_ERROR") this.#unread(stream);
    if (observed.is !== "frame") return;
    const { type, payload } = observed.frame;
    if (type === "DATA") this.#frame(stream, "DATA", { data: payload });
    if (type !== "HEADERS") return;
    const { fields = [], problem } = observed;
    const read = this.#read(stream, "HEADERS", {});
    const whole = { of: "HEADERS", stream, fields, endStream: false, block: payload, ...(problem !== undefined && { problem }) } as const;
    this.#on.frame?.(read, whole);
  }
  #finished(stream: number): void {
    this.#over.add(stream);
    this.#on.finished?.(stream);
    if (this.#stopped.has(stream)) this.#unread(stream);
  }
  /** It wants no more of a request that it has answered: what RST_STREAM with NO_ERROR says after the answer in HTTP/2 (rfc9114#4.1). */
  #unread(stream: number): void {
    if (this.#over.has(stream)) this.#frame(stream, "RST_STREAM", { code: "NO_ERROR" });
    else this.#stopped.add(stream);
  }
  /** SETTINGS have no acknowledgement in HTTP/3 (rfc9114#7.2.4): the peer's own stand for it. */
  #greeted(): void {
    if (!this.hasTheirSettings || this.#hasAcknowledged) return;
    this.#hasAcknowledged = true;
    this.#frame(0, "SETTINGS", { ack: true });
  }
  #frame(stream: number, type: ReadFrame["type"], members: Partial<ReadFrame>): void {
    this.#on.frame?.(this.#read(stream, type, members), undefined);
  }
  #read(stream: number, type: ReadFrame["type"], members: Partial<ReadFrame>): ReadFrame {
    const payload = members.data ?? NOTHING;
    return { type, flags: 0, stream, reservedBit: false, length: payload.length, octets: payload, payload, ...members };
  }
}
