import { CLIENT_PREFACE, CONNECTION, FrameType, HEAD_LENGTH, readFrame, readHead, SettingId, type StreamId } from "../../../http2/index.ts";
import { isData, isLast, type Unit } from "./unit.ts";

/** Longer frames of a client are skipped: none is relevant here. */
const LONGEST = 1_024;
/** Streams with a window of their own; a client that updates more is flooding, which is the server's to handle. */
const MOST_STREAMS = 10_000;
const NOTHING = new Uint8Array(0);

/** The settings and windows of the other side, read from its frames without changing them. */
export class Windows {
  maxFrameSize = 16_384;
  #initial = 65_535;
  #connection = 65_535;
  /** The difference of a stream's window from the initial one. */
  readonly #streams = new Map<StreamId, number>();
  #held: Uint8Array = NOTHING;
  /** Octets to skip: a client's preface, then irrelevant payloads. */
  #skip: number;
  #hasStarted = false;
  readonly #isOfClient: boolean;
  /** The client does not speak HTTP/2. */
  #isLost = false;

  /** Of a client, or of a server. */
  constructor(of: "client" | "server") {
    this.#isOfClient = of === "client";
    this.#skip = this.#isOfClient ? CLIENT_PREFACE.length : 0;
  }

  /** Whether the octets so far are complete frames, so that one of ours can follow. */
  get isBetweenFrames(): boolean {
    return this.#hasStarted && !this.#isLost && this.#skip === 0 && this.#held.length === 0;
  }
  window(stream: StreamId): number {
    return Math.min(this.#connection, this.#initial + (this.#streams.get(stream) ?? 0));
  }

  received(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.#isLost) return;
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      // Only the first octet is checked: the server checks the rest.
      this.#isLost = this.#isOfClient && bytes[0] !== CLIENT_PREFACE[0];
      if (this.#isLost) return;
    }
    const input = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    let at = 0;
    while (at < input.length) {
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, input.length - at);
        this.#skip -= skipped;
        at += skipped;
        continue;
      }
      if (at + HEAD_LENGTH > input.length) break;
      const head = readHead(input, at);
      const isWanted = (head.type === FrameType.SETTINGS || head.type === FrameType.WINDOW_UPDATE) && head.length <= LONGEST;
      if (!isWanted) {
        this.#skip = HEAD_LENGTH + head.length;
        continue;
      }
      const end = at + HEAD_LENGTH + head.length;
      if (end > input.length) break;
      this.#read(readFrame(head, input.subarray(at + HEAD_LENGTH, end)));
      at = end;
    }
    this.#held = at === input.length ? NOTHING : input.slice(at);
  }
  sent(unit: Unit): void {
    if (isData(unit)) this.#raise(unit.stream, -unit.payload.length);
    if (isData(unit)) this.#connection -= unit.payload.length;
    if (isLast(unit)) this.#streams.delete(unit.stream);
  }

  #read(frame: ReturnType<typeof readFrame>): void {
    if (frame.is === "WINDOW_UPDATE") {
      if (frame.stream === CONNECTION) this.#connection += frame.increment;
      else this.#raise(frame.stream, frame.increment);
    } else if (frame.is === "SETTINGS") {
      for (const { id, value } of frame.settings) {
        if (id === SettingId.INITIAL_WINDOW_SIZE) this.#initial = value;
        else if (id === SettingId.MAX_FRAME_SIZE) this.maxFrameSize = Math.min(Math.max(value, 16_384), 0xff_ffff);
      }
    }
  }
  #raise(stream: StreamId, by: number): void {
    const before = this.#streams.get(stream);
    if (before !== undefined || this.#streams.size < MOST_STREAMS) this.#streams.set(stream, (before ?? 0) + by);
  }
}
