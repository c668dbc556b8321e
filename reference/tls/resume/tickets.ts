import { instant, Reader, Writer, type Instant } from "../../core/index.ts";
import { sized16, sized24, sized8, u16, vector16, vector24, vector8 } from "../codec.ts";
import { SUITES, suiteOf, type SuiteName } from "../names.ts";
import type { Primitives } from "../primitives.ts";

/** What a server must know to resume a connection. It leaves sealed, as the ticket of the client (rfc8446#4.6.1). */
export type Ticket = {
  readonly psk: Uint8Array;
  readonly suite: SuiteName;
  readonly ageAdd: number;
  readonly issuedAt: Instant;
  readonly early: boolean;
  readonly alpn: string;
  readonly serverName: string | undefined;
  /** What the server wants to find again: 0-RTT data is taken only if it is still the same (rfc9001#4.6.3). */
  readonly context: Uint8Array;
  /** The chain of the client, as it was verified. */
  readonly chain: readonly Uint8Array[];
};

const HOUR = 3_600_000;
const VERSION = 1;
const NAME_OCTETS = 16;
const NONCE_OCTETS = 12;
/** A vector of 16 bits has to hold it, and the first flight of the client has to carry it. */
const MOST_OCTETS = 16_384;

type Key = { readonly name: Uint8Array; readonly key: Uint8Array; readonly since: Instant };
export type TicketOptions = {
  readonly primitives: Primitives;
  /** How long a ticket can be used; seven days at most (rfc8446#4.6.1). */
  readonly lifetimeMs?: number;
  /** How long a key seals new tickets. Whoever learns it can read the 0-RTT data of these tickets. */
  readonly keyMs?: number;
};

/** Seals and opens the tickets of one server, with keys that change and that nothing else has. */
export class Tickets {
  readonly lifetimeMs: number;
  readonly #primitives: Primitives;
  readonly #keyMs: number;
  /** The newest first. */
  #keys: Key[] = [];

  constructor({ primitives, lifetimeMs = 24 * HOUR, keyMs = 12 * HOUR }: TicketOptions) {
    this.#primitives = primitives;
    this.lifetimeMs = lifetimeMs;
    this.#keyMs = keyMs;
  }

  /** Undefined if the ticket would be too large, which only the chain of a client can cause. */
  seal(ticket: Ticket): Uint8Array | undefined {
    const plain = written(ticket);
    if (plain.length > MOST_OCTETS) return undefined;
    const { name, key } = this.#newest(ticket.issuedAt);
    const nonce = this.#primitives.random(new Uint8Array(NONCE_OCTETS));
    return new Writer()
      .bytes(name)
      .bytes(nonce)
      .bytes(this.#primitives.seal(key, nonce, plain))
      .handOver();
  }

  /** Undefined if it is not one of ours, or too old. */
  open(octets: Uint8Array, now: Instant): Ticket | undefined {
    const r = new Reader(octets);
    const name = r.view(NAME_OCTETS);
    const nonce = r.view(NONCE_OCTETS);
    const key = this.#keys.find((one) => this.#primitives.isEqual(one.name, name));
    if (r.short || key === undefined) return undefined;
    const plain = this.#primitives.open(key.key, nonce, r.rest());
    const ticket = plain && read(plain);
    if (ticket === undefined) return undefined;
    const age = now - ticket.issuedAt;
    return age >= -1 && age < this.lifetimeMs ? ticket : undefined;
  }

  #newest(now: Instant): Key {
    const [newest] = this.#keys;
    if (newest !== undefined && now - newest.since < this.#keyMs) return newest;
    const random = (length: number): Uint8Array => this.#primitives.random(new Uint8Array(length));
    const key = { name: random(NAME_OCTETS), key: random(32), since: now };
    this.#keys = [key, ...this.#keys.filter(({ since }) => now - since < this.#keyMs + this.lifetimeMs)];
    return key;
  }
}

function written({ psk, suite, ageAdd, issuedAt, early, alpn, serverName = "", context, chain }: Ticket): Uint8Array {
  const w = new Writer();
  const ms = Math.max(0, Math.round(issuedAt));
  w.u8(VERSION)
    .u16(SUITES[suite].id)
    .u32(ageAdd)
    .u16(Math.floor(ms / 2 ** 32))
    .u32(ms >>> 0)
    .u8(early ? 1 : 0);
  sized8(w, () => w.bytes(psk));
  for (const text of [alpn, serverName]) sized16(w, () => w.bytes(Buffer.from(text, "latin1")));
  sized16(w, () => w.bytes(context));
  for (const certificate of chain) sized24(w, () => w.bytes(certificate));
  return w.handOver();
}

function read(plain: Uint8Array): Ticket | undefined {
  const r = new Reader(plain);
  const version = r.u8();
  const suite = suiteOf(u16(r));
  const ageAdd = r.u32();
  const issuedAt = instant(u16(r) * 2 ** 32 + r.u32());
  const early = r.u8() === 1;
  const psk = vector8(r);
  const [alpn = "", serverName = ""] = [vector16(r), vector16(r)].map((octets) => Buffer.from(octets).toString("latin1"));
  const context = vector16(r);
  const chain: Uint8Array[] = [];
  while (r.left > 0) chain.push(vector24(r));
  if (r.short || version !== VERSION || suite === undefined) return undefined;
  return { psk, suite, ageAdd, issuedAt, early, alpn, serverName: serverName === "" ? undefined : serverName, context, chain };
}
