import type { Field } from "../core/index.ts";
import { isFieldValue, isLowerToken, isScheme, isTarget, isToken, parseDecimal } from "./field-syntax.ts";
import { parseStatus } from "./status.ts";
import { isAuthority, isHostAndPort, originOf, sameAuthority } from "./target.ts";

/** What makes a message malformed in HTTP/2 and HTTP/3 (rfc9113#8, rfc9114#4). Each version adds its error code and section. */
export type Malformed =
  | "fieldNameInvalid"
  | "fieldValueInvalid"
  | "fieldConnectionSpecific"
  | "teNotTrailers"
  | "contentLengthInvalid"
  | "pseudoFieldUnknown"
  | "pseudoFieldLate"
  | "pseudoFieldTwice"
  | "pseudoFieldMissing"
  | "pseudoFieldInTrailers"
  | "methodInvalid"
  | "schemeInvalid"
  | "authorityInvalid"
  | "authorityWithUserinfo"
  | "authorityMissing"
  | "hostDiffers"
  | "pathInvalid"
  | "connectMalformed"
  | "protocolNotEnabled"
  | "protocolWithoutConnect"
  | "statusMissing"
  | "statusInvalid";

/** How a regular field is checked by its name; the characters of an unlisted name are checked as well. */
const PLAIN = 0;
const FORBIDDEN = 1;
const TE = 2;
const CONTENT_LENGTH = 3;
const COOKIE = 4;
const HOST = 5;
const PRIORITY = 6;
const NAMES: ReadonlyMap<string, number> = new Map<string, number>([
  ...["connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade"].map((name) => [name, FORBIDDEN] as const),
  ["te", TE],
  ["content-length", CONTENT_LENGTH],
  ["cookie", COOKIE],
  ["host", HOST],
  ["priority", PRIORITY],
  ...["accept", "accept-encoding", "accept-language", "content-type", "user-agent", "referer", "date", "server", "cache-control"].map(
    (name) => [name, PLAIN] as const,
  ),
]);

/** How many well-formed fields a connection remembers at first and at most, powers of two, and the longest value among them. */
const FIRST_PLACES = 16;
const MOST_PLACES = 128;
const LONGEST_SEEN = 512;

const placeOf = ({ name, value }: Field, places: number): number => (name.length * 31 + value.length) & (places - 1);

/**
 * Reads the field section of a message once, and keeps what the protocol needs from it. Each connection has its own instance, which serves
 * one message after the other: its members describe the last one read, and mean nothing after a refusal. A callback of the connection's
 * owner may cause the next reading, so read them before it runs.
 */
export class FieldCheck {
  method = "";
  status = 0;
  /** Extended CONNECT (rfc8441#4). */
  protocol: string | undefined;
  /** The value of the Priority field (rfc9218#5). */
  priority: string | undefined;
  /** -1 without content-length. */
  contentLength = -1;
  /** The number of `cookie` lines; several are to be joined (rfc9113#8.2.3). */
  crumbs = 0;

  /**
   * Well-formed fields and the kinds of their names. A field that a compression table repeats is the same object, so that one comparison
   * replaces the check of its characters. Fields with similar lengths share a place.
   */
  #seen: (Field | undefined)[] = Array.from({ length: FIRST_PLACES });
  #kinds = new Uint8Array(FIRST_PLACES);
  /** The last valid authority: a connection repeats it. */
  #goodAuthority: string | undefined;

  #scheme: string | undefined;
  #authority: string | undefined;
  #path: string | undefined;
  #host: string | undefined;

  /** A request, perhaps a promised one. `extended`: this side has enabled `:protocol` (rfc8441#3). */
  request(fields: readonly Field[], extended: boolean): Malformed | undefined {
    this.#clear();
    const count = fields.length;
    let at = 0;
    for (; at < count; at++) {
      const { name, value } = fields[at]!;
      if (name.charCodeAt(0) !== 0x3a) break;
      const wrong = this.#pseudo(name, value, extended);
      if (wrong !== undefined) return wrong;
    }
    for (; at < count; at++) {
      const wrong = this.#regular(fields[at]!, true);
      if (wrong !== undefined) return wrong;
    }
    return this.#target();
  }

  /** The origin of the request in normal form; empty without scheme or authority. */
  get origin(): string {
    const authority = this.#authority ?? this.#host;
    return this.#scheme === undefined || authority === undefined ? "" : originOf(this.#scheme, authority);
  }

  response(fields: readonly Field[]): Malformed | undefined {
    this.#clear();
    const count = fields.length;
    let at = 0;
    for (; at < count; at++) {
      const { name, value } = fields[at]!;
      if (name.charCodeAt(0) !== 0x3a) break;
      if (name !== ":status") return "pseudoFieldUnknown";
      if (this.status !== 0) return "pseudoFieldTwice";
      const status = parseStatus(value);
      if (status === undefined) return "statusInvalid";
      this.status = status;
    }
    for (; at < count; at++) {
      const wrong = this.#regular(fields[at]!, false);
      if (wrong !== undefined) return wrong;
    }
    return this.status === 0 ? "statusMissing" : undefined;
  }

  trailers(fields: readonly Field[]): Malformed | undefined {
    this.#clear();
    for (const line of fields) {
      if (line.name.charCodeAt(0) === 0x3a) return "pseudoFieldInTrailers";
      const wrong = this.#regular(line, false);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }

  #clear(): void {
    this.method = "";
    this.status = 0;
    this.protocol = undefined;
    this.priority = undefined;
    this.contentLength = -1;
    this.crumbs = 0;
    this.#scheme = undefined;
    this.#authority = undefined;
    this.#path = undefined;
    this.#host = undefined;
  }

  #pseudo(name: string, value: string, extended: boolean): Malformed | undefined {
    switch (name) {
      case ":method":
        if (this.method !== "") return "pseudoFieldTwice";
        if (value !== "GET" && value !== "POST" && !isToken(value)) return "methodInvalid";
        this.method = value;
        return undefined;
      case ":scheme":
        if (this.#scheme !== undefined) return "pseudoFieldTwice";
        if (!isScheme(value)) return "schemeInvalid";
        this.#scheme = value;
        return undefined;
      case ":authority":
        if (this.#authority !== undefined) return "pseudoFieldTwice";
        this.#authority = value;
        return undefined;
      case ":path":
        if (this.#path !== undefined) return "pseudoFieldTwice";
        this.#path = value;
        return undefined;
      case ":protocol":
        if (!extended) return "protocolNotEnabled";
        if (this.protocol !== undefined) return "pseudoFieldTwice";
        if (!isToken(value)) return "fieldValueInvalid";
        this.protocol = value;
        return undefined;
      default:
        return "pseudoFieldUnknown";
    }
  }

  #regular(line: Field, isRequest: boolean): Malformed | undefined {
    const { name, value } = line;
    const place = placeOf(line, this.#seen.length);
    if (this.#seen[place] === line) {
      const known = this.#kinds[place]!;
      return known === PLAIN ? undefined : this.#special(known, value, isRequest);
    }
    let kind = NAMES.get(name);
    if (kind === undefined) {
      if (name.charCodeAt(0) === 0x3a) return "pseudoFieldLate";
      if (!isLowerToken(name)) return "fieldNameInvalid";
      kind = PLAIN;
    }
    if (!isFieldValue(value)) return "fieldValueInvalid";
    if (value.length <= LONGEST_SEEN) this.#remember(line, kind);
    return kind === PLAIN ? undefined : this.#special(kind, value, isRequest);
  }

  /** Doubles the places when two fields want the same one. */
  #remember(line: Field, kind: number): void {
    let place = placeOf(line, this.#seen.length);
    if (this.#seen[place] !== undefined && this.#seen.length < MOST_PLACES) {
      this.#grow(this.#seen.length * 2);
      place = placeOf(line, this.#seen.length);
    }
    this.#seen[place] = line;
    this.#kinds[place] = kind;
  }
  #grow(places: number): void {
    const [seen, kinds] = [this.#seen, this.#kinds];
    this.#seen = Array.from({ length: places });
    this.#kinds = new Uint8Array(places);
    for (const [at, line] of seen.entries()) {
      if (line === undefined) continue;
      const place = placeOf(line, places);
      this.#seen[place] = line;
      this.#kinds[place] = kinds[at]!;
    }
  }

  #special(kind: number, value: string, isRequest: boolean): Malformed | undefined {
    switch (kind) {
      case FORBIDDEN:
        return "fieldConnectionSpecific";
      case TE:
        // Only requests may have TE (rfc9113#8.2.2).
        return isRequest && value.toLowerCase() === "trailers" ? undefined : "teNotTrailers";
      case CONTENT_LENGTH: {
        const length = parseDecimal(value);
        if (length < 0 || (this.contentLength >= 0 && this.contentLength !== length)) return "contentLengthInvalid";
        this.contentLength = length;
        return undefined;
      }
      case COOKIE:
        this.crumbs++;
        return undefined;
      case HOST:
        if (isRequest && this.#host !== undefined && this.#host !== value) return "hostDiffers";
        this.#host = value;
        return undefined;
      case PRIORITY:
        this.priority = this.priority === undefined ? value : `${this.priority}, ${value}`;
        return undefined;
      default:
        return undefined;
    }
  }

  /** Checks the pseudo-fields together: which are required, and what they may contain (rfc9113#8.3.1, #8.5, rfc8441#4). */
  #target(): Malformed | undefined {
    if (this.method === "") return "pseudoFieldMissing";
    const authority = this.#authority;
    if (this.method === "CONNECT" && this.protocol === undefined) {
      if (this.#scheme !== undefined || this.#path !== undefined) return "connectMalformed";
      return authority !== undefined && isHostAndPort(authority) ? undefined : "connectMalformed";
    }
    if (this.protocol !== undefined && this.method !== "CONNECT") return "protocolWithoutConnect";
    const scheme = this.#scheme;
    const path = this.#path;
    if (scheme === undefined || path === undefined) return "pseudoFieldMissing";
    const isHttp = scheme === "https" || scheme === "http" || /^https?$/i.test(scheme);
    if (authority !== undefined && authority !== this.#goodAuthority) {
      if (isAuthority(authority)) this.#goodAuthority = authority;
      else return isHttp && authority.includes("@") ? "authorityWithUserinfo" : "authorityInvalid";
    }
    if (authority === undefined && this.#host === undefined) {
      if (isHttp) return "authorityMissing";
    } else if (isHttp && (authority === "" || this.#host === "")) return "authorityMissing";
    if (authority !== undefined && this.#host !== undefined && !sameAuthority(authority, this.#host, scheme)) return "hostDiffers";
    if (!isTarget(path)) return "pathInvalid";
    if (isHttp && path.charCodeAt(0) !== 0x2f && !(path === "*" && this.method === "OPTIONS")) return "pathInvalid";
    return undefined;
  }
}

/** Joins all `cookie` lines at the place of the first (rfc9113#8.2.3). */
export function joinCrumbs(fields: readonly Field[]): Field[] {
  const joined: Field[] = [];
  let place = -1;
  for (const line of fields) {
    if (line.name !== "cookie") joined.push(line);
    else if (place < 0) {
      place = joined.length;
      joined.push(line);
    } else {
      const before = joined[place]!;
      joined[place] = { name: "cookie", value: `${before.value}; ${line.value}`, sensitive: before.sensitive || line.sensitive };
    }
  }
  return joined;
}
