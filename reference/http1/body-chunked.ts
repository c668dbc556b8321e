import { latin1 } from "../core/index.ts";
import { isParameters } from "../http/index.ts";
import type { Body, ContentSink } from "./content.ts";
import type { Exchange } from "./exchange.ts";
import type { FaultName } from "./faults.ts";
import { FieldLines, Progress } from "./field-lines.ts";
import type { HeadMemory } from "./head-memory.ts";
import type { Inbox } from "./inbox.ts";
import type { Leniency } from "./leniency.ts";
import type { Limits } from "./limits.ts";
import { CR, HEX, LF } from "./octets.ts";

const NOTHING = new Uint8Array(0);
/** The most hexadecimal digits of a chunk size, leading zeros included: those of 64 bits. */
const MOST_DIGITS = 16;
/** Most sizes have at most this many digits. */
const FEW_DIGITS = 8;
/** A shorter chunk counts as tiny. */
const TINY = 16;

/** Fields that are dropped from trailers, since framing, routing or the connection depend on them (rfc9110#6.5.1). */
const NOT_IN_TRAILERS: ReadonlySet<string> = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-range",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "max-forwards",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const At = { size: 0, data: 1, dataEnd: 2, trailers: 3 } as const;
type At = (typeof At)[keyof typeof At];

/** Content in chunks, and the trailer section after them (rfc9112#7.1). */
export class ChunkedBody implements Body {
  readonly exchange: Exchange;
  readonly left = Number.POSITIVE_INFINITY;
  #wrong: FaultName = "chunkSizeInvalid";

  readonly #limits: Limits;
  readonly #lenient: Leniency;
  readonly #memory: HeadMemory;
  /** The trailer section, once it has begun. */
  #lines: FieldLines | undefined;
  #at: At = At.size;
  /** Octets of the current chunk still to come. */
  #chunk = 0;
  #contentLeft: number;
  #extensionLeft: number;
  #tinyLeft: number;

  constructor(exchange: Exchange, memory: HeadMemory, limits: Limits, lenient: Leniency) {
    this.exchange = exchange;
    this.#memory = memory;
    this.#limits = limits;
    this.#lenient = lenient;
    this.#contentLeft = limits.contentOctets;
    this.#extensionLeft = limits.chunkExtensionOctets;
    this.#tinyLeft = limits.tinyChunks;
  }

  /** The fault, after `Progress.wrong`. */
  get wrong(): FaultName {
    return this.#wrong;
  }
  read(inbox: Inbox, to: ContentSink): Progress {
    for (;;) {
      let progress: Progress;
      switch (this.#at) {
        case At.size:
          progress = this.#readSize(inbox);
          break;
        case At.data:
          progress = this.#readData(inbox, to);
          break;
        case At.dataEnd:
          progress = this.#readDataEnd(inbox);
          break;
        default:
          return this.#readTrailers(inbox, to);
      }
      if (progress !== Progress.done) return progress;
    }
  }

  /** Reads a size and its line end in one pass, and leaves every other line to `#judgeSize`. */
  #readSize(inbox: Inbox): Progress {
    const { octets, at, end } = inbox;
    let size = 0;
    let p = at;
    for (; p < end && p < at + FEW_DIGITS; p++) {
      const digit = HEX[octets[p]!]!;
      if (digit === 255) break;
      size = size * 16 + digit;
    }
    if (p > at && p + 1 < end && octets[p] === CR && octets[p + 1] === LF) {
      inbox.at = p + 2;
      return this.#begin(size);
    }
    const lf = inbox.lineEnd();
    if ((lf < 0 ? end : lf + 1) - at > this.#extensionLeft + MOST_DIGITS + 2) return this.#fail("chunkExtensionsTooLong");
    if (lf < 0) return Progress.wait;
    inbox.at = lf + 1;
    return this.#judgeSize(octets, at, lf);
  }

  #judgeSize(octets: Uint8Array, from: number, lf: number): Progress {
    const hasCr = lf > from && octets[lf - 1] === CR;
    if (!hasCr && !this.#lenient.bareLf) return this.#fail("bareLf");
    let line = latin1(octets, from, hasCr ? lf - 1 : lf);
    if (line.includes("\r")) {
      if (!this.#lenient.bareCr) return this.#fail("bareCr");
      line = line.replaceAll("\r", " ");
    }
    let digits = 0;
    let size = 0;
    for (; digits < line.length; digits++) {
      const code = line.charCodeAt(digits);
      const digit = code < 256 ? HEX[code]! : 255;
      if (digit === 255) break;
      size = size * 16 + digit;
    }
    if (digits === 0 || digits > MOST_DIGITS || size > Number.MAX_SAFE_INTEGER) return this.#fail("chunkSizeInvalid");
    let rest = line.slice(digits);
    if (this.#lenient.spaceAfterChunkSize) rest = rest.replace(/[ \t]+$/, "");
    if (rest === "") return this.#begin(size);
    // Without a semicolon this is not an extension but a bad size.
    if (!/^[ \t]*;/.test(rest)) return this.#fail("chunkSizeInvalid");
    if (!isParameters(rest)) return this.#fail("chunkExtensionInvalid");
    this.#extensionLeft -= rest.length;
    if (this.#extensionLeft < 0) return this.#fail("chunkExtensionsTooLong");
    return this.#begin(size);
  }

  #begin(size: number): Progress {
    this.#chunk = size;
    if (size === 0) {
      this.#lines = new FieldLines(this.#lenient, this.#memory);
      this.#lines.begin(this.#limits.trailerOctets, this.#limits.fields, "trailersTooLarge");
      this.#at = At.trailers;
      return Progress.done;
    }
    this.#contentLeft -= size;
    if (this.#contentLeft < 0) return this.#fail("contentTooLarge");
    if (size < TINY && --this.#tinyLeft < 0) return this.#fail("tooManyTinyChunks");
    this.#at = At.data;
    return Progress.done;
  }

  #readData(inbox: Inbox, to: ContentSink): Progress {
    const { octets, at, end } = inbox;
    const count = Math.min(this.#chunk, end - at);
    if (count === 0) return Progress.wait;
    this.#chunk -= count;
    inbox.at = at + count;
    if (this.#chunk === 0) this.#at = At.dataEnd;
    to.content(this.exchange, octets.subarray(at, at + count), false);
    return Progress.done;
  }

  #readDataEnd(inbox: Inbox): Progress {
    const { octets, at, end } = inbox;
    if (at === end) return Progress.wait;
    let last = at;
    if (octets[at] === CR) last++;
    else if (!this.#lenient.bareLf) return this.#fail("chunkNotEnded");
    if (last === end) return Progress.wait;
    if (octets[last] !== LF) return this.#fail("chunkNotEnded");
    inbox.at = last + 1;
    this.#at = At.size;
    return Progress.done;
  }

  #readTrailers(inbox: Inbox, to: ContentSink): Progress {
    const lines = this.#lines;
    if (lines === undefined) return Progress.wait;
    const progress = lines.read(inbox);
    if (progress === Progress.wrong) return this.#fail(lines.wrong);
    if (progress === Progress.wait) return Progress.wait;
    const fields = lines.take();
    const kept = fields.length === 0 ? fields : fields.filter(({ name }) => !NOT_IN_TRAILERS.has(name));
    if (kept.length > 0) to.trailers(this.exchange, kept);
    else to.content(this.exchange, NOTHING, true);
    return Progress.done;
  }

  #fail(name: FaultName): Progress {
    this.#wrong = name;
    return Progress.wrong;
  }
}
