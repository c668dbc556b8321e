import { after, NEVER, type Instant } from "../../core/index.ts";
import { sameOctets } from "../connection-id.ts";
import { BASE_DATAGRAM } from "../recovery/newreno.ts";
import { SizeSearch } from "./size-search.ts";

/** Where datagrams go, and come from. */
export type Address = { readonly host: string; readonly port: number };
export const sameAddress = (a: Address, b: Address): boolean => a.port === b.port && a.host === b.host;

/** How many times more octets may be sent than were received, before the address is validated (rfc9000#8.1). */
const AMPLIFICATION = 3;
/** Challenges of one validation that are remembered: any of them may be answered. */
const MAX_CHALLENGES = 3;

/** One address of the peer: whether it is the peer's, and what may be sent there (rfc9000#8). */
export class Path {
  readonly remote: Address;
  readonly sizes: SizeSearch;
  #isValidated: boolean;
  #received = 0;
  #sent = 0;
  #challenges: Uint8Array[] = [];
  #wantsChallenge = false;
  /** When the validation has failed, or the next challenge is due. */
  #failsAt: Instant = NEVER;
  #retryAt: Instant = NEVER;

  /** `largest` is the largest datagram that the way out takes without cutting it. */
  constructor(remote: Address, isValidated: boolean, largest: (remote: Address) => number = () => BASE_DATAGRAM) {
    this.remote = remote;
    this.sizes = new SizeSearch(largest(remote));
    this.#isValidated = isValidated;
  }

  get isValidated(): boolean {
    return this.#isValidated;
  }
  received(octets: number): void {
    this.#received += octets;
  }
  sent(octets: number): void {
    this.#sent += octets;
  }
  /** Octets that may be sent now (rfc9000#8.1). */
  get room(): number {
    return this.#isValidated ? Number.POSITIVE_INFINITY : Math.max(0, AMPLIFICATION * this.#received - this.#sent);
  }
  validate(): void {
    this.#isValidated = true;
    this.#challenges = [];
    this.#wantsChallenge = false;
    this.#failsAt = NEVER;
    this.#retryAt = NEVER;
  }

  /** Asks the peer to prove that it receives there, until `timeoutMs` have passed (rfc9000#8.2.4). */
  challenge(now: Instant, timeoutMs: number): void {
    this.#wantsChallenge = true;
    this.#failsAt = after(now, timeoutMs);
  }
  get wantsChallenge(): boolean {
    return this.#wantsChallenge;
  }
  /** A challenge leaves; the next follows if there is no answer. */
  challenged(data: Uint8Array, now: Instant, retryMs: number): void {
    this.#wantsChallenge = false;
    this.#challenges = [...this.#challenges.slice(1 - MAX_CHALLENGES), data];
    this.#retryAt = after(now, retryMs);
  }
  /** Whether PATH_RESPONSE answers one of ours. */
  answers(data: Uint8Array): boolean {
    return this.#challenges.some((one) => sameOctets(one, data));
  }
  get deadline(): Instant {
    return this.#retryAt < this.#failsAt ? this.#retryAt : this.#failsAt;
  }
  /** Whether the validation has failed by now. */
  tick(now: Instant): boolean {
    if (now >= this.#failsAt) return true;
    if (now < this.#retryAt) return false;
    this.#retryAt = NEVER;
    this.#wantsChallenge = true;
    return false;
  }
}
