import { field, latin1, Misuse, type Field } from "../core/index.ts";
import { isAuthority, isFieldValue, isToken } from "../http/index.ts";
import { Kind, kindOf } from "./field-names.ts";
import { LOWER } from "./octets.ts";
import { textOctets } from "./text.ts";

const NOTHING = new Uint8Array(0);
/** Longer names and values are not remembered, which bounds the memory. */
const LONGEST_NAME = 64;
const LONGEST_VALUE = 256;
/** Fields whose values identify a person: lines of them that we send are not remembered. */
const SENSITIVE: ReadonlySet<string> = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie", "authentication-info"]);

/** A received field name; for a common one also its last value, since the same request comes again and again. */
export class KnownName {
  readonly text: string;
  readonly kind: Kind;
  readonly octets: Uint8Array;
  #value: string | undefined;
  #valueOctets: Uint8Array = NOTHING;

  constructor(text: string) {
    this.text = text;
    this.octets = textOctets(text);
    this.kind = kindOf(text);
  }

  /** The last value, and its octets; undefined if none is remembered. */
  get value(): string | undefined {
    return this.#value;
  }
  get valueOctets(): Uint8Array {
    return this.#valueOctets;
  }
  /** The field with the value in these octets; a common field's value is kept for the next line of that name. */
  field(octets: Uint8Array, from: number, to: number): Field {
    const value = latin1(octets, from, to);
    if (to - from <= LONGEST_VALUE && this.kind !== Kind.plain) {
      this.#value = value;
      this.#valueOctets = new Uint8Array(octets.subarray(from, to));
    }
    return field(this.text, value);
  }
}

/** A valid field line that we have sent, as octets. */
export class SentLine {
  readonly name: string;
  readonly value: string;
  readonly kind: Kind;
  readonly octets: Uint8Array;

  constructor(name: string, value: string) {
    this.name = name;
    this.value = value;
    this.kind = kindOf(name.toLowerCase());
    this.octets = textOctets(`${name}: ${value}\r\n`);
  }
}

/**
 * Remembers the targets, field names, values and lines of recent heads, so that a repeated one is compared instead of parsed. It holds immutable
 * strings and octets that never leave it, and finds only exact matches: sharing one among connections changes no result. A server gives
 * one to all its connections, since one each would be most of what an idle connection costs.
 */
export class HeadMemory {
  readonly #mask: number;
  /** Two entries whose hashes share a place displace each other. */
  readonly #names: (KnownName | undefined)[];
  readonly #lines: (SentLine | undefined)[];
  #target = "/";
  #authority = "";

  /** `places`, a power of two, is how many names and how many lines it can hold. */
  constructor(places = 64) {
    this.#mask = places - 1;
    this.#names = Array.from({ length: places });
    this.#lines = Array.from({ length: places });
  }

  /** A recent valid target. */
  get target(): string {
    return this.#target;
  }
  rememberTarget(target: string): void {
    if (target.length <= LONGEST_VALUE) this.#target = target;
  }
  /** As `isAuthority` of `reference/http`; connections repeat the same Host. */
  isAuthority(host: string): boolean {
    if (host === this.#authority) return true;
    if (!isAuthority(host)) return false;
    if (host.length <= LONGEST_VALUE) this.#authority = host;
    return true;
  }

  /** The name in `octets`, which are those of a token; `hash` is equal for equal names. */
  name(octets: Uint8Array, from: number, to: number, hash: number): KnownName {
    const place = (hash ^ (hash >>> 12)) & this.#mask;
    const found = this.#names[place];
    if (found !== undefined && isText(found.octets, octets, from, to)) return found;
    const name = new KnownName(latin1(octets, from, to).toLowerCase());
    if (to - from <= LONGEST_NAME) this.#names[place] = name;
    return name;
  }

  /** The line of a field to send; an invalid field is `Misuse`. */
  line({ name, value, sensitive }: Field): SentLine {
    const { length } = value;
    const last = length > 0 ? value.charCodeAt(length - 1) : 0;
    const place = (name.length * 31 + length * 7 + last + name.charCodeAt(0)) & this.#mask;
    const found = this.#lines[place];
    if (found !== undefined && found.value === value && found.name === name) return found;
    if (!isToken(name)) throw new Misuse(`${JSON.stringify(name)} is not a field name (rfc9110#5.1)`);
    if (!isFieldValue(value))
      throw new Misuse(`the value of ${name} must not be sent: it has control characters, or spaces around it (rfc9110#5.5)`);
    const made = new SentLine(name, value);
    if (length <= LONGEST_VALUE && !sensitive && !SENSITIVE.has(name.toLowerCase())) this.#lines[place] = made;
    return made;
  }
}

function isText(text: Uint8Array, octets: Uint8Array, from: number, to: number): boolean {
  const { length } = text;
  if (length !== to - from) return false;
  for (let i = 0; i < length; i++) if (text[i] !== LOWER[octets[from + i]!]) return false;
  return true;
}
