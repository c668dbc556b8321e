import { MAX_VARINT } from "../../core/index.ts";

/** Flow control of what we receive, for a stream or for the connection (rfc9000#4.1). */
export class ReceiveCredit {
  readonly #window: number;
  #limit: number;
  #received = 0;
  #consumed = 0;
  /** The limit that the peer was told last. */
  #announced: number;

  /** `window` is how many octets may wait for the application. */
  constructor(window: number) {
    this.#window = window;
    this.#limit = window;
    this.#announced = window;
  }

  get limit(): number {
    return this.#limit;
  }
  get received(): number {
    return this.#received;
  }
  /** Notes that octets arrived; false if the peer had no credit for them. */
  receive(octets: number): boolean {
    this.#received += octets;
    return this.#received <= this.#limit;
  }
  /** The application has got these octets, or nobody will want them. */
  consume(octets: number): void {
    this.#consumed += octets;
    if (this.#limit - this.#consumed < this.#window / 2) this.#limit = Math.min(this.#consumed + this.#window, MAX_VARINT);
  }
  /** Whether the peer does not know the limit. */
  get hasNews(): boolean {
    return this.#limit > this.#announced;
  }
  announce(): number {
    this.#announced = this.#limit;
    return this.#limit;
  }
  /** An announcement was lost. */
  lose(): void {
    this.#announced = Math.min(this.#announced, this.#limit - 1);
  }
}

/** Flow control of what we send (rfc9000#4.1). */
export class SendCredit {
  #limit: number;
  #used = 0;
  /** The limit that we have complained about last. */
  #blockedAt = -1;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get limit(): number {
    return this.#limit;
  }
  get left(): number {
    return this.#limit - this.#used;
  }
  use(octets: number): void {
    this.#used += octets;
  }
  /** Limits only rise: a lower one is late (rfc9000#4.1). */
  raise(limit: number): boolean {
    if (limit <= this.#limit) return false;
    this.#limit = limit;
    return true;
  }
  /** Begins again with a limit that may be lower; false if more is used than it allows. */
  restart(limit: number): boolean {
    this.#limit = limit;
    return this.#used <= limit;
  }
  /** The limit to complain about, once for each; undefined if there is credit. */
  blocked(): number | undefined {
    if (this.left > 0 || this.#blockedAt === this.#limit) return undefined;
    this.#blockedAt = this.#limit;
    return this.#limit;
  }
  /** A complaint was lost. */
  lose(): void {
    this.#blockedAt = -1;
  }
}
