import { concatenated } from "../core/index.ts";
import type { HashName } from "./names.ts";
import type { Primitives, RunningHash } from "./primitives.ts";

const MESSAGE_HASH = 254;

/** The hash of all handshake messages so far (rfc8446#4.4.1). Before the suite is known, it keeps the messages. */
export class Transcript {
  readonly #primitives: Primitives;
  #waiting: Uint8Array[] = [];
  #running: { readonly name: HashName; readonly hash: RunningHash } | undefined;

  constructor(primitives: Primitives) {
    this.#primitives = primitives;
  }

  /** The whole message, head included. */
  add(message: Uint8Array): void {
    if (this.#running === undefined) this.#waiting.push(message);
    else this.#running.hash.update(message);
  }
  /** Fixes the hash, once the suite is known. */
  choose(name: HashName): void {
    if (this.#running !== undefined) return;
    const hash = this.#primitives.hash(name);
    for (const message of this.#waiting) hash.update(message);
    this.#running = { name, hash };
    this.#waiting = [];
  }
  /** Replaces the first ClientHello by its hash, before a HelloRetryRequest is added (rfc8446#4.4.1). */
  retry(name: HashName): void {
    this.choose(name);
    const first = this.digest();
    const hash = this.#primitives.hash(name);
    hash.update(concatenated([Uint8Array.of(MESSAGE_HASH, 0, 0, first.length), first]));
    this.#running = { name, hash };
  }
  digest(): Uint8Array {
    return this.#running?.hash.digest() ?? new Uint8Array(0);
  }
  /** The hash of everything so far and the start of a ClientHello, for a binder (rfc8446#4.2.11.2). */
  digestWith(name: HashName, start: Uint8Array): Uint8Array {
    const running = this.#running;
    if (running !== undefined) return running.hash.digestWith(start);
    const hash = this.#primitives.hash(name);
    for (const message of this.#waiting) hash.update(message);
    hash.update(start);
    return hash.digest();
  }
}
