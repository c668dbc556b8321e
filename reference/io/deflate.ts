import { constants, createDeflateRaw, createInflateRaw, type DeflateRaw, deflateRawSync, type InflateRaw, inflateRawSync } from "node:zlib";
import type { Deflater, Engine, Inflater } from "../websocket/index.ts";
import { History } from "./deflate-history.ts";

/**
 * Raw DEFLATE for permessage-deflate (rfc7692#7.2) with Node's zlib, synchronous and bounded. For a message of 64 octets a kept zlib stream
 * costs 0.7 µs and keeps its window; `deflateRawSync` with the window as dictionary costs 38 µs, since it creates a stream each time. A kept
 * stream is synchronous only through its handle, which Node does not document: if the handle differs from what this code expects, the
 * documented functions take over.
 */

export type EngineOptions = {
  /** From 1, fast, to 9, small. The default takes half the time of zlib's own default, 6, for a tenth more octets. */
  readonly level?: number;
  /** The memory of a sender's state, from 1 to 9; 8 is 256 KiB. */
  readonly memLevel?: number;
  /** False: uses the documented functions alone. */
  readonly keepsStreams?: boolean;
};
type Settings = { readonly level: number; readonly memLevel: number };

const LEVEL = 3;
const MEM_LEVEL = 8;

/** The octets that a sender omits at the end of a message (rfc7692#7.2.1). */
const TAIL = Uint8Array.of(0, 0, 0xff, 0xff);
const NOTHING = new Uint8Array(0);
/** An empty message: the head of a stored block (rfc7692#7.2.3.6). */
const EMPTY = Uint8Array.of(0);
/** Final blocks in one message: after each a new stream begins, which is expensive (rfc7692#7.2.3.4). */
const MOST_FINALS = 64;
/** Octets of output of one zlib step at most; output is copied from this buffer. */
const scratch = Buffer.allocUnsafeSlow(131_072);

/** The stream's own buffer, unused here: the smallest size that zlib allows. */
const CHUNK = constants.Z_MIN_CHUNK;

/** The internals of Node's zlib streams. `writeSync` stores the remaining output and input lengths in `_writeState`. */
type Stream = {
  readonly _handle: {
    writeSync(flush: number, input: Uint8Array, from: number, length: number, out: Uint8Array, outFrom: number, outLength: number): void;
  };
  readonly _writeState: Uint32Array;
  reset(): void;
  close(): void;
};

/** Node's types leave out the internals: `canKeep` checks whether they are there. */
const internals = (stream: InflateRaw | DeflateRaw): Stream => stream as unknown as Stream;

/** Inflates with a kept stream. It remembers its last output, as the dictionary of a new stream after a final block. */
class KeptInflater implements Inflater {
  readonly #windowBits: number;
  readonly #takeover: boolean;
  readonly #history: History;
  #stream: Stream;
  #failed = false;
  #finals = 0;

  constructor(windowBits: number, takeover: boolean) {
    this.#windowBits = windowBits;
    this.#takeover = takeover;
    this.#history = new History(windowBits);
    this.#stream = this.#open();
  }
  #open(): Stream {
    const dictionary = this.#history.length === 0 ? {} : { dictionary: this.#history.octets() };
    const stream = internals(createInflateRaw({ windowBits: this.#windowBits, chunkSize: CHUNK, ...dictionary }));
    // Otherwise the stream would report its error as an event, which has no listener.
    Object.assign(stream._handle, {
      onerror: () => {
        this.#failed = true;
      },
    });
    return stream;
  }

  inflate(octets: Uint8Array, end: boolean, limit: number): Uint8Array | "corrupt" | "large" {
    const pieces: Uint8Array[] = [];
    let room = limit;
    for (const input of end ? [octets, TAIL] : [octets]) {
      const left = this.#feed(input, pieces, room);
      if (typeof left === "string") return left;
      room = left;
    }
    if (end) this.#settle();
    return pieces.length === 1 ? pieces[0]! : pieces.length === 0 ? NOTHING : Buffer.concat(pieces);
  }
  /** A message has ended. */
  #settle(): void {
    const isSuccessor = this.#finals > 0;
    this.#finals = 0;
    if (this.#takeover) return;
    this.#history.clear();
    if (!isSuccessor) return this.#stream.reset();
    // A stream with a dictionary keeps it across a reset: the next message, perhaps of another connection, would see this one.
    this.#stream.close();
    this.#stream = this.#open();
    return undefined;
  }
  /** The remaining room. */
  #feed(input: Uint8Array, pieces: Uint8Array[], limit: number): number | "corrupt" | "large" {
    let at = 0;
    let room = limit;
    for (;;) {
      const { _handle: handle, _writeState: state } = this.#stream;
      handle.writeSync(constants.Z_SYNC_FLUSH, input, at, input.length - at, scratch, 0, scratch.length);
      if (this.#failed) return "corrupt";
      const given = scratch.length - state[0]!;
      at = input.length - state[1]!;
      if (given > room) return "large";
      if (given > 0) {
        const piece = Buffer.from(scratch.subarray(0, given));
        pieces.push(piece);
        this.#history.push(piece);
        room -= given;
      }
      if (state[0] === 0) continue;
      if (at === input.length) return room;
      // There is room, and zlib leaves input unread: the sender has ended its stream and begins another.
      if (++this.#finals > MOST_FINALS) return "corrupt";
      this.#stream.close();
      this.#stream = this.#open();
    }
  }
  close(): void {
    this.#stream.close();
  }
}

class KeptDeflater implements Deflater {
  readonly #stream: Stream;
  readonly #takeover: boolean;

  constructor(windowBits: number, takeover: boolean, settings: Settings) {
    this.#takeover = takeover;
    this.#stream = internals(createDeflateRaw({ windowBits, chunkSize: CHUNK, ...settings }));
  }
  deflate(octets: Uint8Array, end: boolean): Uint8Array {
    const { _handle: handle, _writeState: state } = this.#stream;
    const pieces: Uint8Array[] = [];
    let at = 0;
    do {
      handle.writeSync(constants.Z_SYNC_FLUSH, octets, at, octets.length - at, scratch, 0, scratch.length);
      at = octets.length - state[1]!;
      pieces.push(Buffer.from(scratch.subarray(0, scratch.length - state[0]!)));
    } while (state[0] === 0);
    if (end && !this.#takeover) this.#stream.reset();
    return flushed(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces), end);
  }
  close(): void {
    this.#stream.close();
  }
}
/** Removes the implicit octets; zlib writes nothing if there was no input since the last flush. */
function flushed(octets: Uint8Array, end: boolean): Uint8Array {
  if (!end) return octets;
  return octets.length < TAIL.length ? EMPTY : octets.subarray(0, octets.length - TAIL.length);
}

/** The same with the documented functions: input is kept until the message is complete, or until part of it can be decoded. */
class PlainInflater implements Inflater {
  readonly #windowBits: number;
  readonly #takeover: boolean;
  readonly #history: History;
  #parts: Uint8Array[] = [];

  constructor(windowBits: number, takeover: boolean) {
    this.#windowBits = windowBits;
    this.#takeover = takeover;
    this.#history = new History(windowBits);
  }
  inflate(octets: Uint8Array, end: boolean, limit: number): Uint8Array | "corrupt" | "large" {
    this.#parts.push(Buffer.from(octets));
    if (!end) return NOTHING;
    let input = Buffer.concat([...this.#parts, TAIL]);
    this.#parts = [];
    const pieces: Buffer[] = [];
    let room = limit;
    for (let finals = 0; input.length > 0; finals++) {
      if (finals > MOST_FINALS) return "corrupt";
      const dictionary = this.#history.length === 0 ? {} : { dictionary: this.#history.octets() };
      const settings = {
        windowBits: this.#windowBits,
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: room + 1,
        info: true,
        ...dictionary,
      };
      let inflated: { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };
      try {
        // The types do not know `info`, which returns the engine beside the output.
        inflated = inflateRawSync(input, settings) as unknown as typeof inflated;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? "large" : "corrupt";
      }
      room -= inflated.buffer.length;
      if (room < 0) return "large";
      pieces.push(inflated.buffer);
      this.#history.push(inflated.buffer);
      input = input.subarray(inflated.engine.bytesWritten);
    }
    if (!this.#takeover) this.#history.clear();
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }
  close(): void {
    this.#parts = [];
  }
}

class PlainDeflater implements Deflater {
  readonly #windowBits: number;
  readonly #takeover: boolean;
  readonly #settings: Settings;
  readonly #history: History;

  constructor(windowBits: number, takeover: boolean, settings: Settings) {
    this.#windowBits = windowBits;
    this.#takeover = takeover;
    this.#settings = settings;
    this.#history = new History(windowBits);
  }
  deflate(octets: Uint8Array, end: boolean): Uint8Array {
    const dictionary = this.#history.length === 0 ? {} : { dictionary: this.#history.octets() };
    const given = deflateRawSync(octets, {
      windowBits: this.#windowBits,
      finishFlush: constants.Z_SYNC_FLUSH,
      ...this.#settings,
      ...dictionary,
    });
    if (end && !this.#takeover) this.#history.clear();
    else this.#history.push(octets);
    return flushed(given, end);
  }
  close(): void {
    this.#history.clear();
  }
}

/** Streams without context takeover are independent after each message: a few of them serve all connections. */
function shared<Kept extends { close(): void }>(
  make: (windowBits: number) => Kept,
): { take(bits: number): Kept; give(bits: number, kept: Kept): void } {
  const idle: Kept[][] = [];
  return {
    take: (bits) => idle[bits]?.pop() ?? make(bits),
    give(bits, kept) {
      const list = (idle[bits] ??= []);
      if (list.length < MOST_IDLE) list.push(kept);
      else kept.close();
    },
  };
}
const MOST_IDLE = 4;

/** Whether Node's streams have the internals used here. */
function canKeep(): boolean {
  try {
    const stream: Partial<Stream> = internals(createInflateRaw());
    const isKnown = typeof stream._handle?.writeSync === "function" && stream._writeState instanceof Uint32Array;
    stream.close?.();
    return isKnown;
  } catch {
    return false;
  }
}

/** Makes the compression of connections. One engine serves any number of them. */
export function deflateEngine({ level = LEVEL, memLevel = MEM_LEVEL, keepsStreams = true }: EngineOptions = {}): Engine {
  const settings = { level, memLevel };
  if (!keepsStreams || !canKeep()) {
    return {
      inflater: (bits, takeover) => new PlainInflater(bits, takeover),
      deflater: (bits, takeover) => new PlainDeflater(bits, takeover, settings),
    };
  }
  const inflaters = shared((bits) => new KeptInflater(bits, false));
  const deflaters = shared((bits) => new KeptDeflater(bits, false, settings));
  return {
    inflater(bits, takeover) {
      if (takeover) return new KeptInflater(bits, true);
      let own: KeptInflater | undefined;
      return {
        inflate(octets, end, limit) {
          own ??= inflaters.take(bits);
          const given = own.inflate(octets, end, limit);
          if (end && typeof given !== "string") {
            inflaters.give(bits, own);
            own = undefined;
          }
          return given;
        },
        close: () => own?.close(),
      };
    },
    deflater(bits, takeover) {
      if (takeover) return new KeptDeflater(bits, true, settings);
      let own: KeptDeflater | undefined;
      return {
        deflate(octets, end) {
          own ??= deflaters.take(bits);
          const given = own.deflate(octets, end);
          if (end) {
            deflaters.give(bits, own);
            own = undefined;
          }
          return given;
        },
        close: () => own?.close(),
      };
    },
  };
}
