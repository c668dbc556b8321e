import { field, latin1, type Field } from "../core/index.ts";
import { trimSpace } from "../http/index.ts";
import type { FaultName } from "./faults.ts";
import { Kind, kindOf } from "./field-names.ts";
import type { HeadMemory } from "./head-memory.ts";
import type { Inbox } from "./inbox.ts";
import type { Leniency } from "./leniency.ts";
import { COLON, CR, HTAB, LF, LOWER, SP, VALUE } from "./octets.ts";

/** The result of reading: more octets are needed, what was read is complete, or the peer is wrong. */
export const Progress = { wait: 0, done: 1, wrong: 2 } as const;
export type Progress = (typeof Progress)[keyof typeof Progress];

/**
 * Reads a header or trailer section line by line (rfc9112#5). It judges a line once its end has arrived, so that the cut of the octets
 * makes no difference: a regular line in one pass, every other line by `#judge`.
 */
export class FieldLines {
  readonly #lenient: Leniency;
  readonly #memory: HeadMemory;
  #fields: Field[] | undefined;
  /** Octets and lines that the section may still have. */
  #octetsLeft = 0;
  #linesLeft = 0;
  /** The fault of a section with too many octets. */
  #tooLarge: FaultName = "fieldsTooLarge";
  #wrong: FaultName = "fieldsTooLarge";

  /** The index of the first line of each kind; -1 without one. */
  host = -1;
  contentLength = -1;
  transferEncoding = -1;
  connection = -1;
  expect = -1;
  upgrade = -1;
  /** Kinds with more than one line, a bit each. */
  #repeated = 0;

  constructor(lenient: Leniency, memory: HeadMemory) {
    this.#lenient = lenient;
    this.#memory = memory;
  }

  /** The fault, after `Progress.wrong`. */
  get wrong(): FaultName {
    return this.#wrong;
  }
  begin(octets: number, lines: number, tooLarge: FaultName): void {
    this.#fields = undefined;
    this.#octetsLeft = octets;
    this.#linesLeft = lines;
    this.#tooLarge = tooLarge;
    this.host = -1;
    this.contentLength = -1;
    this.transferEncoding = -1;
    this.connection = -1;
    this.expect = -1;
    this.upgrade = -1;
    this.#repeated = 0;
  }
  /** Gives the fields away: they are the caller's. */
  take(): Field[] {
    const fields = this.#fields ?? [];
    this.#fields = undefined;
    return fields;
  }
  isRepeated(kind: Kind): boolean {
    return (this.#repeated & (1 << kind)) !== 0;
  }
  /** The value of the line at one of the indices above. */
  value(place: number): string {
    return this.#fields?.[place]?.value ?? "";
  }
  /** The values of all lines of a name as one list (rfc9110#5.2). */
  list(name: string, kind: Kind, first: number): string {
    if (!this.isRepeated(kind) || this.#fields === undefined) return this.value(first);
    return this.#fields
      .filter((line) => line.name === name)
      .map(({ value }) => value)
      .join(",");
  }

  /** Reads as far as the octets go. After `done` the inbox is past the empty line. */
  read(inbox: Inbox): Progress {
    const { octets, end } = inbox;
    const fields = (this.#fields ??= []);
    let at = inbox.at;
    // This line was scanned before, and has still not ended.
    if (inbox.searched > at && inbox.lineEnd() < 0) return end - at > this.#octetsLeft ? this.#fail(this.#tooLarge) : Progress.wait;
    for (;;) {
      if (octets[at] === CR && at + 1 < end && octets[at + 1] === LF) {
        // The empty line counts too, whether or not its two octets arrive together.
        this.#octetsLeft -= 2;
        if (this.#octetsLeft < 0) return this.#fail(this.#tooLarge);
        inbox.at = at + 2;
        return Progress.done;
      }
      let p = at;
      let hash = 0;
      while (p < end) {
        const lower = LOWER[octets[p]!]!;
        if (lower === 0) break;
        hash = (Math.imul(hash, 31) + lower) | 0;
        p++;
      }
      if (p < end && octets[p] === COLON && p > at) {
        const name = this.#memory.name(octets, at, p, hash);
        p++;
        while (p < end && (octets[p] === SP || octets[p] === HTAB)) p++;
        const from = p;
        const { value } = name;
        let isSame = false;
        if (value !== undefined) {
          // A value that is equal to a valid one is valid.
          const { valueOctets } = name;
          const stop = Math.min(end, from + valueOctets.length);
          while (p < stop && octets[p] === valueOctets[p - from]) p++;
          isSame = p === from + valueOctets.length && octets[p] === CR;
        }
        while (p < end && VALUE[octets[p]!] !== 0) p++;
        if (p + 1 < end && octets[p] === CR && octets[p + 1] === LF) {
          this.#octetsLeft -= p + 2 - at;
          if (this.#octetsLeft < 0) return this.#fail(this.#tooLarge);
          if (--this.#linesLeft < 0) return this.#fail("tooManyFields");
          fields.push(value !== undefined && isSame ? field(name.text, value) : name.field(octets, from, trimEnd(octets, from, p)));
          if (name.kind >= Kind.host) this.#mark(name.kind, fields.length - 1);
          at = p + 2;
          continue;
        }
      }
      inbox.at = at;
      const lf = inbox.lineEnd();
      const size = (lf < 0 ? end : lf + 1) - at;
      if (size > this.#octetsLeft) return this.#fail(this.#tooLarge);
      if (lf < 0) return Progress.wait;
      this.#octetsLeft -= size;
      const progress = this.#judge(fields, octets, at, lf);
      at = lf + 1;
      inbox.at = at;
      if (progress !== Progress.wait) return progress;
    }
  }

  /** An irregular line: finds its fault, or accepts it as a leniency allows. `done` if it is the empty line. */
  #judge(fields: Field[], octets: Uint8Array, from: number, lf: number): Progress {
    const lenient = this.#lenient;
    const hasCr = lf > from && octets[lf - 1] === CR;
    if (!hasCr && !lenient.bareLf) return this.#fail("bareLf");
    const to = hasCr ? lf - 1 : lf;
    if (to === from) return Progress.done;
    let line = latin1(octets, from, to);
    if (line.includes("\r")) {
      if (!lenient.bareCr) return this.#fail("bareCr");
      line = line.replaceAll("\r", " ");
    }
    if (octets[from] === SP || octets[from] === HTAB) return this.#fold(fields, line);
    const colon = line.indexOf(":");
    if (colon < 0) return this.#fail("colonMissing");
    const name = line.slice(0, colon);
    const trimmed = name.replace(/[ \t]+$/, "");
    if (trimmed.length !== name.length && !lenient.spaceBeforeColon) return this.#fail("spaceBeforeColon");
    if (!isAll(trimmed, LOWER) || trimmed === "") return this.#fail("fieldNameInvalid");
    const value = trimSpace(line.slice(colon + 1));
    if (!isAll(value, VALUE)) return this.#fail("fieldValueInvalid");
    if (--this.#linesLeft < 0) return this.#fail("tooManyFields");
    const lower = trimmed.toLowerCase();
    fields.push(field(lower, value));
    const kind = kindOf(lower);
    if (kind >= Kind.host) this.#mark(kind, fields.length - 1);
    return Progress.wait;
  }

  #fold(fields: Field[], line: string): Progress {
    const before = fields.at(-1);
    if (before === undefined) return this.#fail("spaceBeforeFields");
    if (!this.#lenient.obsFold) return this.#fail("lineFolded");
    const more = trimSpace(line);
    if (!isAll(more, VALUE)) return this.#fail("fieldValueInvalid");
    fields[fields.length - 1] = field(before.name, trimSpace(`${before.value} ${more}`));
    return Progress.wait;
  }

  #mark(kind: Kind, place: number): void {
    switch (kind) {
      case Kind.host:
        if (this.host < 0) this.host = place;
        else this.#repeated |= 1 << kind;
        return;
      case Kind.contentLength:
        if (this.contentLength < 0) this.contentLength = place;
        else this.#repeated |= 1 << kind;
        return;
      case Kind.transferEncoding:
        if (this.transferEncoding < 0) this.transferEncoding = place;
        else this.#repeated |= 1 << kind;
        return;
      case Kind.connection:
        if (this.connection < 0) this.connection = place;
        else this.#repeated |= 1 << kind;
        return;
      case Kind.expect:
        if (this.expect < 0) this.expect = place;
        else this.#repeated |= 1 << kind;
        return;
      case Kind.upgrade:
        if (this.upgrade < 0) this.upgrade = place;
        else this.#repeated |= 1 << kind;
        return;
      default:
    }
  }

  #fail(name: FaultName): Progress {
    this.#wrong = name;
    return Progress.wrong;
  }
}

/** Where the value ends without the white space after it. */
function trimEnd(octets: Uint8Array, from: number, end: number): number {
  let to = end;
  while (to > from && (octets[to - 1] === SP || octets[to - 1] === HTAB)) to--;
  return to;
}

function isAll(text: string, table: ArrayLike<number>): boolean {
  for (let i = 0; i < text.length; i++) if (table[text.charCodeAt(i)] === 0) return false;
  return true;
}
