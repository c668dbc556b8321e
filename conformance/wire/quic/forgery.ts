import { createHash } from "node:crypto";
import { TLS_PRIMITIVES } from "../../../reference/io/index.ts";
import type { Machine } from "../../../reference/tls/index.ts";
import { fromHex, join, toHex } from "../octets.ts";
import { editExtensions, type ExtensionsSpec, message, prefixed } from "./hello.ts";

/** Messages of a TLS server, legal or not (rfc8446#4). */

export const MESSAGE_TYPES = {
  ClientHello: 1,
  ServerHello: 2,
  EncryptedExtensions: 8,
  Certificate: 11,
  CertificateVerify: 15,
  Finished: 20,
} as const;
export type MessageName = keyof typeof MESSAGE_TYPES;

/** What to change in the messages of a server. Its signature and its Finished are those of the changed messages. */
export type ForgerySpec = {
  /** ServerHello: version, session ID, suite and compression in hex, and its extensions. */
  readonly hello?: ExtensionsSpec & {
    readonly version?: string;
    readonly session?: string;
    readonly suite?: string;
    readonly compression?: string;
  };
  /** EncryptedExtensions. */
  readonly extensions?: ExtensionsSpec;
  /** The last octet of this message is another. */
  readonly corrupt?: MessageName;
  readonly without?: MessageName;
  /** A message twice. */
  readonly twice?: MessageName;
  /** So many HelloRetryRequest messages come first; they ask for a cookie, or have these extensions in hex. */
  readonly retries?: number;
  readonly retryWith?: string;
};

type TlsPrimitives = typeof TLS_PRIMITIVES;
/** Changes of what leaves and what comes, message by message. */
export type Forging = {
  readonly sends?: (octets: Uint8Array) => Uint8Array;
  /** What our machine reads in place of a message of the peer. */
  readonly reads?: (octets: Uint8Array) => Uint8Array;
  /** HelloRetryRequest messages before the machine of a server reads a ClientHello. */
  readonly retries?: readonly Uint8Array[];
  /** Whether a wrong Finished is taken as right. */
  readonly credulous?: true;
};

/** A handshake whose messages are others on the wire than in our machine. Its transcript is that of the wire. */
export class Forged implements Machine {
  readonly #machine: Machine;
  readonly #forging: Forging;
  /** Messages of the peer as they came, by what the machine read. */
  readonly #came = new Map<string, Uint8Array>();
  readonly #partial = new Map<string, Uint8Array>();
  /** What comes before the first message in the transcript. */
  #before: Uint8Array[] = [];
  #retries: Uint8Array[];
  #own: { readonly level: "initial"; readonly octets: Uint8Array }[] = [];

  constructor(make: (primitives: TlsPrimitives) => Machine, forging: Forging, primitives: TlsPrimitives = TLS_PRIMITIVES) {
    this.#forging = forging;
    this.#retries = [...(forging.retries ?? [])];
    const { hash, isEqual } = primitives;
    this.#machine = make({
      ...primitives,
      isEqual: forging.credulous === true ? () => true : isEqual,
      hash: (name) => {
        const running = hash(name);
        return {
          update: (octets) => running.update(this.#onTheWire(octets)),
          digest: () => running.digest(),
          digestWith: (octets) => running.digestWith(octets),
        };
      },
    });
  }

  #onTheWire(octets: Uint8Array): Uint8Array {
    const came = this.#came.get(toHex(octets));
    if (came === undefined) return this.#forging.sends?.(octets) ?? octets;
    return join([...this.#before.splice(0), came]);
  }

  receive: Machine["receive"] = (level, octets, now) => {
    const waiting = join([this.#partial.get(level) ?? new Uint8Array(0), octets]);
    const messages = messagesIn(waiting);
    this.#partial.set(level, waiting.slice(messages.reduce((sum, { length }) => sum + length, 0)));
    const events = messages.flatMap((one) => {
      const retry = level === "initial" ? this.#retries.shift() : undefined;
      if (retry !== undefined) return this.#asksAgain(one, retry);
      const read = this.#forging.reads?.(one) ?? one;
      this.#came.set(toHex(read), one);
      return this.#machine.receive(level, read, now);
    });
    return events;
  };
  /** Sends a HelloRetryRequest; the transcript begins with the hash of the first ClientHello (rfc8446#4.4.1). */
  #asksAgain(hello: Uint8Array, retry: Uint8Array): [] {
    if (this.#before.length === 0) this.#before.push(message(254, createHash("sha256").update(hello).digest()));
    else this.#before.push(hello);
    this.#before.push(retry);
    this.#own.push({ level: "initial", octets: retry });
    return [];
  }

  events: Machine["events"] = () => this.#machine.events();
  take: Machine["take"] = () => [
    ...this.#own.splice(0),
    ...this.#machine.take().map(({ level, octets }) => {
      const sent = messagesIn(octets).map((one) => this.#forging.sends?.(one) ?? one);
      return { level, octets: join([new Uint8Array(0), ...sent]) };
    }),
  ];
  exported: Machine["exported"] = (label, context, length) => this.#machine.exported(label, context, length);
}

/** The whole messages at the start of these octets. */
function messagesIn(octets: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = 0; at + 4 <= octets.length;) {
    const [, high = 0, middle = 0, low = 0] = octets.subarray(at, at + 4);
    const end = at + 4 + ((high << 16) | (middle << 8) | low);
    if (end > octets.length) break;
    found.push(octets.slice(at, end));
    at = end;
  }
  return found;
}

const RETRY_RANDOM = "cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c";
const SUITE = "1301";
const VERSION = "002b00020304";
const cookie = (nth: number): string => `002c000400020${nth}00`;
/** A HelloRetryRequest with these extensions in hex (rfc8446#4.1.4). */
const retryRequest = (extensions: string): Uint8Array =>
  message(MESSAGE_TYPES.ServerHello, join([fromHex(`0303${RETRY_RANDOM}00${SUITE}00`), prefixed(fromHex(VERSION + extensions), 2)]));

/** The changes that a case asks for. */
export function forgingOf({ hello, extensions, corrupt, without, twice, retries = 0, retryWith }: ForgerySpec): Forging {
  const is = ([type]: Uint8Array, name: MessageName | undefined): boolean => name !== undefined && type === MESSAGE_TYPES[name];
  return {
    retries: Array.from({ length: retries }, (_, nth) => retryRequest(retryWith ?? cookie(nth))),
    sends: (octets) => {
      if (is(octets, without)) return new Uint8Array(0);
      if (is(octets, twice)) return join([octets, octets]);
      if (is(octets, corrupt)) return Uint8Array.from(octets, (octet, at) => (at === octets.length - 1 ? octet ^ 0xff : octet));
      if (hello !== undefined && is(octets, "ServerHello")) return editServerHello(octets, hello);
      if (extensions === undefined || !is(octets, "EncryptedExtensions")) return octets;
      return message(MESSAGE_TYPES.EncryptedExtensions, editExtensions(octets.subarray(6), extensions));
    },
  };
}

/** A ServerHello with these changes (rfc8446#4.1.3). */
export function editServerHello(octets: Uint8Array, spec: NonNullable<ForgerySpec["hello"]>): Uint8Array {
  const sessionEnd = 39 + (octets[38] ?? 0);
  const or = (hex: string | undefined, from: number, to: number): Uint8Array =>
    hex === undefined ? octets.subarray(from, to) : fromHex(hex);
  return message(
    MESSAGE_TYPES.ServerHello,
    join([
      or(spec.version, 4, 6),
      octets.subarray(6, 38),
      prefixed(or(spec.session, 39, sessionEnd), 1),
      or(spec.suite, sessionEnd, sessionEnd + 2),
      or(spec.compression, sessionEnd + 2, sessionEnd + 3),
      editExtensions(octets.subarray(sessionEnd + 5), spec),
    ]),
  );
}
