import { field, latin1, type Field } from "../core/index.ts";
import { trimSpace } from "../http/index.ts";
import type { FaultName } from "./faults.ts";
import { Kind, kindOf, nameOf, type Name } from "./field-names.ts";
import type { Inbox } from "./inbox.ts";
import type { Leniency } from "./leniency.ts";
import { COLON, CR, HTAB, LF, LOWER, SP, VALUE } from "./octets.ts";

/** What a reader of lines says: more octets are needed; what was to be read is whole; the peer is wrong. */
export const Progress = { wait: 0, done: 1, wrong: 2 } as const;
export type Progress = (typeof Progress)[keyof typeof Progress];

/** Values up to this length are remembered, so that they hold little memory. */
const LONGEST_SEEN = 256;
const NO_FIELDS: Field[] = [];

/**
 * Reads a field section line by line, header or trailer (rfc9112#5). A line is judged when its end has come, so that the cut of the octets
 * makes no difference: by one pass over a line as it should be, else by `#judge`, which knows every way in which it can be wrong.
 */
export class FieldLines {
  /** What has been read; given away by `take`. */
  #fields: Field[] = NO_FIELDS;
  /** Octets that the section may still have, and lines. */
  #octetsLeft = 0;
  #linesLeft = 0;
  /** The fault of a section of too many octets. */
  #tooLarge: FaultName = "fieldsTooLarge";
  wrong: FaultName = "fieldsTooLarge";

  /** Where the first line of the kind stands among the fields; -1 where there is none. */
  host = -1;
  contentLength = -1;
  transferEncoding = -1;
  connection = -1;
  expect = -1;
  upgrade = -1;
  /** Kinds that have come more than once, a bit each. */
  repeated = 0;

  begin(octets: number, lines: number, tooLarge: FaultName): void {
    this.#fields = [];
    this.#octetsLeft = octets;
    this.#linesLeft = lines;
    this.#tooLarge = tooLarge;
    this.host = -1;
    this.contentLength = -1;
    this.transferEncoding = -1;
    this.connection = -1;
    this.expect = -1;
    this.upgrade = -1;
    this.repeated = 0;
  }
  get fields(): readonly Field[] {
    return this.#fields;
  }
  /** The fields, which are the caller's from now on. */
  take(): Field[] {
    const fields = this.#fields;
    this.#fields = NO_FIELDS;
    return fields;
  }
  isRepeated(kind: Kind): boolean {
    return (this.repeated & (1 << kind)) !== 0;
  }
  /** The value at a place told above. */
  value(place: number): string {
    return this.#fields[place]!.value;
  }
  /** All lines of a name as one list (rfc9110#5.2). */
  list(name: string, kind: Kind, first: number): string {
    if (!this.isRepeated(kind)) return this.#fields[first]!.value;
    return this.all(name).join(",");
  }
  all(name: string): string[] {
    return this.#fields.filter((line) => line.name === name).map(({ value }) => value);
  }

  /** Reads on as far as the octets go. After `done` the inbox stands behind the empty line. */
  read(inbox: Inbox, lenient: Leniency): Progress {
    const { octets, end } = inbox;
    const fields = this.#fields;
    let at = inbox.at;
    // The line has been looked at before: nothing new until it ends.
    if (inbox.searched > at && inbox.lineEnd() < 0) return end - at > this.#octetsLeft ? this.#fail(this.#tooLarge) : Progress.wait;
    for (;;) {
      if (octets[at] === CR && at + 1 < end && octets[at + 1] === LF) {
        // The empty line counts, as each of its octets does where it comes in two.
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
        const name = nameOf(octets, at, p, hash);
        p++;
        while (p < end && (octets[p] === SP || octets[p] === HTAB)) p++;
        const from = p;
        const { last } = name;
        let isLast = false;
        if (last !== undefined) {
          // What has been found lawful once need not be looked at again.
          const { lastOctets } = name;
          const stop = Math.min(end, from + lastOctets.length);
          while (p < stop && octets[p] === lastOctets[p - from]) p++;
          isLast = p === from + lastOctets.length && octets[p] === CR;
        }
        while (p < end && VALUE[octets[p]!] !== 0) p++;
        if (p + 1 < end && octets[p] === CR && octets[p + 1] === LF) {
          this.#octetsLeft -= p + 2 - at;
          if (this.#octetsLeft < 0) return this.#fail(this.#tooLarge);
          if (--this.#linesLeft < 0) return this.#fail("tooManyFields");
          if (isLast) fields.push(last!);
          else fields.push(remembered(name, octets, from, p));
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
      const progress = this.#judge(octets, at, lf, lenient);
      at = lf + 1;
      inbox.at = at;
      if (progress !== Progress.wait) return progress;
    }
  }

  /** A line that is not as it should be: tells what is wrong with it, or takes it as a leniency allows. `done` where it is the empty one. */
  #judge(octets: Uint8Array, from: number, lf: number, lenient: Leniency): Progress {
    const hasCr = lf > from && octets[lf - 1] === CR;
    if (!hasCr && !lenient.bareLf) return this.#fail("bareLf");
    const to = hasCr ? lf - 1 : lf;
    if (to === from) return Progress.done;
    let line = latin1(octets, from, to);
    if (line.includes("\r")) {
      if (!lenient.bareCr) return this.#fail("bareCr");
      line = line.replaceAll("\r", " ");
    }
    if (octets[from] === SP || octets[from] === HTAB) return this.#fold(line, lenient);
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
    this.#fields.push(field(lower, value));
    const kind = kindOf(lower);
    if (kind >= Kind.host) this.#mark(kind, this.#fields.length - 1);
    return Progress.wait;
  }

  #fold(line: string, lenient: Leniency): Progress {
    const before = this.#fields.at(-1);
    if (before === undefined) return this.#fail("spaceBeforeFields");
    if (!lenient.obsFold) return this.#fail("lineFolded");
    const more = trimSpace(line);
    if (!isAll(more, VALUE)) return this.#fail("fieldValueInvalid");
    this.#fields[this.#fields.length - 1] = field(before.name, trimSpace(`${before.value} ${more}`));
    return Progress.wait;
  }

  #mark(kind: Kind, place: number): void {
    switch (kind) {
      case Kind.host:
        if (this.host < 0) this.host = place;
        else this.repeated |= 1 << kind;
        return;
      case Kind.contentLength:
        if (this.contentLength < 0) this.contentLength = place;
        else this.repeated |= 1 << kind;
        return;
      case Kind.transferEncoding:
        if (this.transferEncoding < 0) this.transferEncoding = place;
        else this.repeated |= 1 << kind;
        return;
      case Kind.connection:
        if (this.connection < 0) this.connection = place;
        else this.repeated |= 1 << kind;
        return;
      case Kind.expect:
        if (this.expect < 0) this.expect = place;
        else this.repeated |= 1 << kind;
        return;
      case Kind.upgrade:
        if (this.upgrade < 0) this.upgrade = place;
        else this.repeated |= 1 << kind;
        return;
      default:
    }
  }

  #fail(name: FaultName): Progress {
    this.wrong = name;
    return Progress.wrong;
  }
}

/** The field of a line, without the white space after it; kept for the next line of that name, where it is a common one. */
function remembered(name: Name, octets: Uint8Array, from: number, end: number): Field {
  let to = end;
  while (to > from && (octets[to - 1] === SP || octets[to - 1] === HTAB)) to--;
  const made = field(name.text, latin1(octets, from, to));
  if (to - from <= LONGEST_SEEN && name.kind !== Kind.plain) {
    name.last = made;
    name.lastOctets = new Uint8Array(octets.subarray(from, to));
  }
  return made;
}

function isAll(text: string, table: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if (table[text.charCodeAt(i)] === 0) return false;
  return true;
}
