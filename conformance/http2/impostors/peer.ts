import type { Duplex } from "node:stream";
import { Windows } from "../../wire/http2/windows.ts";
import type { ErrorName, FrameSpec } from "../vocabulary.ts";
import { type BlockDecoder, blockDecoder } from "../../wire/hpack/field-block.ts";
import { build } from "../../wire/http2/build.ts";
import { Sections } from "../../wire/http2/sections.ts";
import { DEFAULTS, MAGIC } from "../../wire/http2/numbers.ts";
import { FrameCutter, type ReadField, readFrame, type ReadFrame } from "../../wire/http2/read.ts";
import { fromLatin1, join, toHex } from "../../wire/octets.ts";

/** A complete field section; without fields if its block was invalid. */
export type Fields = { readonly stream: number; readonly fields: readonly ReadField[]; readonly end: boolean; readonly problem?: string };

/** An action that replaces the normal one. */
export type Reaction = "ignore" | "close" | { readonly goaway: ErrorName } | { readonly reset: ErrorName };

/** A limit of the other side on content. */
export type Disregarded = "connection window" | "stream window" | "frame size";

/** One flaw. The base peer does everything else correctly, or leaves it unchecked. */
export type Flaw = {
  /** What this peer does wrong, in words. */
  readonly about: string;
  /** Called first for each received frame, with `fields` if the frame completes a section. */
  readonly meets?: (frame: ReadFrame, peer: Peer, fields: Fields | undefined) => Reaction | undefined;
  /** Rewrites each sent frame. */
  readonly sends?: (frame: FrameSpec, peer: Peer) => readonly FrameSpec[];
  /** Replaces the decoder of field blocks. */
  readonly decoder?: () => BlockDecoder;
  /** Never answers anything; or drops the connection on the first frame that is not SETTINGS. */
  readonly mute?: true;
  /** Settings of the first frame that differ from the base. */
  readonly settings?: NonNullable<FrameSpec["settings"]>;
  /** Accepts an invalid preface. */
  readonly anyMagic?: true;
  /** What it does not obey while it sends content. */
  readonly disregards?: Disregarded;
  /** Ends the connection when a read ends inside a frame. */
  readonly wholeReads?: true;
};

/**
 * The base of every HTTP/2 impostor: reads frames leniently, acknowledges SETTINGS, answers PING, keeps windows, and checks nothing.
 * `server.ts` and `client.ts` add what is specific to them.
 */
export abstract class Peer {
  readonly #socket: Duplex;
  readonly flaw: Flaw;
  readonly #in = new FrameCutter();
  #sections: Sections;
  #magic: Uint8Array[] = [];
  #magicLeft: number;
  #pending: { stream: number; left: Uint8Array; after: readonly FrameSpec[]; hasMore: boolean }[] = [];
  over = false;

  /** Our remaining windows. */
  readonly sendWindows = new Windows();
  /** The remaining windows of the other side. */
  readonly receiveWindows = new Windows();
  readonly theirs = new Map<string, number>();
  /** The numbers of received and of sent frames, by type. */
  readonly came = new Map<string, number>();
  readonly went: FrameSpec[] = [];
  /** Smaller table sizes that the other side has set since our last field block (rfc7541#4.2). */
  #owedSizes: number[] = [];
  #tableSize: number = DEFAULTS.tableSize;
  /** The largest frame that the other side has ever allowed, and one octet more. */
  #largestFrame: number = DEFAULTS.maxFrameSize + 1;
  /** Streams that the other side has opened. */
  readonly opened = new Set<number>();
  /** Streams that the other side has ended. */
  readonly finished = new Set<number>();

  constructor(socket: Duplex, flaw: Flaw, role: "server" | "client") {
    this.#socket = socket;
    this.flaw = flaw;
    this.#sections = this.#freshSections();
    this.#magicLeft = role === "server" ? MAGIC.length : 0;
    socket.on("data", (chunk: Uint8Array) => this.#receive(chunk));
    socket.on("end", () => this.ended());
    socket.on("error", () => this.ended());
    socket.on("close", () => this.ended());
  }

  /** Handles a frame that means something to only one role. */
  protected abstract take(frame: ReadFrame, fields: Fields | undefined): void;
  /** The other side has ended. */
  protected abstract ended(): void;

  /** Writes octets that are not frames. */
  raw(octets: Uint8Array): void {
    if (!this.over && this.#socket.writable) this.#socket.write(octets);
  }

  send(...frames: FrameSpec[]): void {
    if (this.flaw.mute === true) return;
    const octets = frames
      .map((frame) => this.#withSizes(frame))
      .flatMap((frame) => this.flaw.sends?.(frame, this) ?? [frame])
      .map((frame) => {
        this.went.push(frame);
        if (frame.type === "DATA" && typeof frame.stream === "number") this.sendWindows.use(frame.stream, build(frame, SETTING).length - 9);
        if (frame.type === "SETTINGS" || frame.type === "WINDOW_UPDATE") this.receiveWindows.grant(readFrame(build(frame, SETTING)));
        return build(frame, SETTING);
      });
    if (octets.length > 0) this.raw(join(octets));
  }

  /** Sends content within the windows of the other side; the rest waits for credit. `after` runs after it. Without it the content ends the stream, unless there is more. */
  content(stream: number, octets: Uint8Array, after: readonly FrameSpec[], hasMore = after.length > 0): void {
    this.#pending.push({ stream, left: octets, after, hasMore });
    this.#flush();
  }

  /** We have ended the stream ourselves. */
  hasEnded(stream: number): boolean {
    return this.went.some((frame) => frame.stream === stream && Array.isArray(frame.flags) && frame.flags.includes("END_STREAM"));
  }

  /** A setting of the other side, or its default. */
  setting(name: string, fallback: number): number {
    return this.theirs.get(name) ?? fallback;
  }

  react(reaction: Reaction, stream: number): void {
    if (reaction === "ignore") return;
    if (reaction === "close") this.close();
    else if ("goaway" in reaction) {
      this.send({ type: "GOAWAY", last: 0, code: reaction.goaway });
      this.close();
    } else {
      this.forget(stream);
      this.send({ type: "RST_STREAM", stream, code: reaction.reset });
    }
  }

  /** Ends the connection after everything is written. */
  close(): void {
    this.over = true;
    this.#socket.end();
  }
  destroy(): void {
    this.over = true;
    this.#socket.destroy();
  }
  /** Stops sending on a stream. */
  forget(stream: number): void {
    this.#pending = this.#pending.filter((one) => one.stream !== stream);
  }

  #receive(chunk: Uint8Array): void {
    let bytes = chunk;
    if (this.#magicLeft > 0) {
      const part = bytes.subarray(0, this.#magicLeft);
      this.#magic.push(part);
      this.#magicLeft -= part.length;
      bytes = bytes.subarray(part.length);
      if (this.#magicLeft > 0) return;
      if (this.flaw.anyMagic !== true && toHex(join(this.#magic)) !== toHex(fromLatin1(MAGIC))) return this.close();
    }
    for (const octets of this.#in.push(bytes)) if (!this.over) this.#frame(readFrame(octets));
    if (this.flaw.wholeReads === true && this.#in.pending > 0) this.close();
  }

  #frame(frame: ReadFrame): void {
    this.came.set(frame.type, (this.came.get(frame.type) ?? 0) + 1);
    const fields = this.#fields(frame);
    if (fields !== undefined) this.opened.add(fields.stream);
    const reaction = this.flaw.meets?.(frame, this, fields);
    if (reaction !== undefined) return this.react(reaction, frame.stream);
    this.sendWindows.grant(frame);
    if (frame.type === "SETTINGS" && frame.ack !== true) {
      for (const [name, value] of frame.settings ?? []) {
        this.theirs.set(name, value);
        if (name === "HEADER_TABLE_SIZE") this.#owe(value);
        if (name === "MAX_FRAME_SIZE") this.#largestFrame = Math.max(this.#largestFrame, value);
      }
      this.send({ type: "SETTINGS", flags: ["ACK"] });
    }
    if (frame.type === "PING" && frame.ack !== true) this.send({ type: "PING", flags: ["ACK"], hex: toHex(frame.payload) });
    if (frame.type === "DATA" && frame.length > 0) {
      this.receiveWindows.use(frame.stream, frame.length);
      this.send({ type: "WINDOW_UPDATE", increment: frame.length });
      if (frame.stream !== 0 && frame.endStream !== true)
        this.send({ type: "WINDOW_UPDATE", stream: frame.stream, increment: frame.length });
    }
    this.#flush();
    this.take(frame, fields);
    if ((frame.type === "DATA" && frame.endStream === true) || fields?.end === true) this.finished.add(frame.stream);
  }

  /** The section that a frame completes. An invalid block gives a section without fields, and resets the table. */
  #fields(frame: ReadFrame): Fields | undefined {
    const section = this.#sections.take(frame);
    if (section === undefined) return undefined;
    const { stream, fields, endStream: end, problem } = section;
    if (problem === undefined) return { stream, end, fields };
    this.#sections = this.#freshSections();
    return { stream, end, fields, problem };
  }
  #freshSections(): Sections {
    return new Sections((this.flaw.decoder ?? blockDecoder)());
  }

  /** We use no table, but must signal a smaller one: the smallest size, then the last. */
  #owe(size: number): void {
    const smallest = Math.min(size, ...this.#owedSizes);
    if (this.#owedSizes.length > 0 || size < this.#tableSize) this.#owedSizes = smallest === size ? [size] : [smallest, size];
    this.#tableSize = size;
  }
  #withSizes(frame: FrameSpec): FrameSpec {
    if (frame.fields === undefined || this.#owedSizes.length === 0) return frame;
    const tableSize = this.#owedSizes;
    this.#owedSizes = [];
    return { ...frame, tableSize };
  }

  #flush(): void {
    const waiting = [...this.#pending];
    for (const one of waiting) {
      for (;;) {
        const { disregards } = this.flaw;
        const { connection } = this.sendWindows;
        const stream = this.sendWindows.stream(one.stream);
        const limit = Math.min(
          disregards === "connection window" ? stream : connection,
          disregards === "stream window" ? connection : stream,
          disregards === "frame size" ? this.#largestFrame : DEFAULTS.maxFrameSize,
          one.left.length,
        );
        if (limit <= 0) break;
        const part = one.left.subarray(0, limit);
        one.left = one.left.subarray(limit);
        const last = one.left.length === 0 && !one.hasMore;
        this.send({ type: "DATA", stream: one.stream, hex: toHex(part), ...(last ? { flags: ["END_STREAM"] } : {}) });
      }
      if (one.left.length > 0) continue;
      this.#pending.splice(this.#pending.indexOf(one), 1);
      if (one.after.length > 0) this.send(...one.after);
    }
  }
}

const SETTING = { stream: (ref: unknown): number => Number(ref), text: (value: string): string => value };
