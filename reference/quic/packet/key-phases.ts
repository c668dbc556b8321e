import { NEVER, type Instant } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { KEY_PHASE, type Keys } from "./keys.ts";
import type { fullNumber } from "./number.ts";
import { SUITES } from "./suites.ts";

export type Opened = { readonly number: number; readonly payload: Uint8Array; readonly first: number };

/**
 * The keys of 1-RTT packets and their updates (rfc9001#6). Old keys stay for a while, because packets are reordered; the next ones are
 * prepared before a packet needs them, so that an update takes no longer than any other packet (rfc9001#6.3).
 */
export class KeyPhases {
  #phase: 0 | 1 = 0;
  #write: Keys;
  #read: Keys;
  #next: Keys | undefined;
  #previous: Keys | undefined;
  #previousUntil: Instant = NEVER;
  /** The lowest number that was received in the current phase. */
  #firstReceived: number | undefined;
  /** The lowest number that was sent in the current phase. */
  #firstSent: number | undefined;
  /** The peer has acknowledged a packet of the current phase: only then may another update begin (rfc9001#6.1). */
  #isConfirmed = false;
  #sealed = 0;
  readonly #most: number;

  /** `most`: packets of one key, after which an update is due. */
  constructor(read: Keys, write: Keys, most = Number.POSITIVE_INFINITY) {
    this.#read = read;
    this.#write = write;
    this.#most = most;
  }

  get phase(): 0 | 1 {
    return this.#phase;
  }
  /** The keys for the next packet to send; every call counts one packet. */
  forSending(number: number): Keys {
    this.#firstSent ??= number;
    this.#sealed++;
    return this.#write;
  }
  /** Whether the keys have protected so many packets that an update is due (rfc9001#6.6). */
  get isWorn(): boolean {
    return this.#sealed >= Math.min(this.#most, SUITES[this.#write.suite].confidentialityLimit / 2);
  }
  get isExhausted(): boolean {
    return this.#sealed >= SUITES[this.#write.suite].confidentialityLimit;
  }

  /** The peer has acknowledged this packet. */
  acknowledged(number: number): void {
    if (this.#firstSent !== undefined && number >= this.#firstSent) this.#isConfirmed = true;
  }
  get mayUpdate(): boolean {
    return this.#isConfirmed;
  }
  /** Begins a phase on our own account. The old read keys stay until the peer follows. */
  update(): void {
    this.#rotate(NEVER);
  }

  /** Opens a packet. `keepMs` is how long packets of the phase before may still arrive: three times the probe timeout (rfc9001#6.5). */
  open(
    packet: Uint8Array,
    numberAt: number,
    context: { readonly decode: Decode; readonly now: Instant; readonly keepUntil: Instant },
  ): Opened | Fault {
    const { decode, now, keepUntil } = context;
    const head = this.#read.unmask(packet, numberAt);
    if (head === undefined) return fault("packetTooShortToSample");
    const number = decode(head.number, head.length);
    if (this.#previous !== undefined && now >= this.#previousUntil) this.#previous = undefined;
    const first = head.header[0]!;
    const phase = (first & KEY_PHASE) === 0 ? 0 : 1;
    if (phase === this.#phase) {
      const payload = this.#read.open(packet, head.header, number);
      if (payload === undefined) return fault("packetUndecryptable");
      this.#received(number, keepUntil);
      return { number, payload, first };
    }
    const isOld = this.#firstReceived === undefined || number < this.#firstReceived;
    if (this.#previous !== undefined) {
      const payload = this.#previous.open(packet, head.header, number);
      if (payload !== undefined) return isOld ? { number, payload, first } : fault("keyUpdateBackwards");
    }
    // Before the first packet of our own update is answered, the other phase bit means the phase before.
    if (isOld) return fault("packetUndecryptable");
    this.#next ??= this.#read.next();
    const payload = this.#next.open(packet, head.header, number);
    if (payload === undefined) return fault("packetUndecryptable");
    // A peer may update again only after it has seen a packet of ours in this phase (rfc9001#6.2).
    if (this.#firstSent === undefined) return fault("keyUpdateTooEarly");
    this.#rotate(keepUntil);
    this.#received(number, keepUntil);
    return { number, payload, first };
  }

  #received(number: number, keepUntil: Instant): void {
    if (this.#firstReceived === undefined) this.#previousUntil = keepUntil;
    if (this.#firstReceived === undefined || number < this.#firstReceived) this.#firstReceived = number;
  }
  #rotate(previousUntil: Instant): void {
    this.#previous = this.#read;
    this.#previousUntil = previousUntil;
    this.#read = this.#next ?? this.#read.next();
    this.#next = this.#read.next();
    this.#write = this.#write.next();
    this.#phase = this.#phase === 0 ? 1 : 0;
    this.#firstReceived = undefined;
    this.#firstSent = undefined;
    this.#isConfirmed = false;
    this.#sealed = 0;
  }
}

/** Completes a truncated packet number. */
export type Decode = (truncated: number, length: Parameters<typeof fullNumber>[1]) => number;
