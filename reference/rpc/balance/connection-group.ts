import { after, type Instant, NEVER } from "../../core/index.ts";
import { Backoff, CONNECTION_BACKOFF } from "../backoff.ts";

/**
 * The connections to one address, the oldest first: which one a call takes, and when another one is opened because those that stand have no
 * room (A105#picking-a-connection-for-each-rpc). It performs no I/O: the owner connects when `grow` says so, and reports the result.
 */
export class ConnectionGroup<Connection> {
  readonly #most: number;
  readonly #backoff: Backoff;
  readonly #connections: Connection[] = [];
  /** When the attempt for a further connection began; undefined if there is none in flight. */
  #begunAt: Instant | undefined;
  /** Before that no further attempt begins. */
  #notBefore: Instant = NEVER;

  /**
   * @param most The most connections; 1 leaves it to the connection to queue calls.
   * @param random A number from 0 to 1.
   */
  constructor(most: number, random: () => number) {
    this.#most = most;
    this.#backoff = new Backoff(CONNECTION_BACKOFF, random);
  }

  get all(): readonly Connection[] {
    return this.#connections;
  }
  /** When calls that wait are looked at again after a failed attempt; `NEVER` if none has failed. */
  get deadline(): Instant {
    return this.#notBefore;
  }

  add(connection: Connection): void {
    this.#connections.push(connection);
    this.#begunAt = undefined;
    this.#notBefore = NEVER;
    this.#backoff.succeeded();
  }
  /** A connection has ended, or takes no further calls. */
  remove(connection: Connection): void {
    const at = this.#connections.indexOf(connection);
    if (at >= 0) this.#connections.splice(at, 1);
  }
  /** The attempt for a further connection has failed. */
  failed(now: Instant): void {
    this.#notBefore = after(this.#begunAt ?? now, this.#backoff.failed());
    this.#begunAt = undefined;
  }

  /** The oldest connection with room for a call. */
  choose(hasRoom: (connection: Connection) => boolean): Connection | undefined {
    return this.#most === 1 ? this.#connections[0] : this.#connections.find(hasRoom);
  }
  /** Whether a further connection is to be opened now: there is a call without room. One attempt at a time. */
  grow(now: Instant): boolean {
    const isWaiting = this.#notBefore !== NEVER && now < this.#notBefore;
    if (this.#begunAt !== undefined || isWaiting || this.#connections.length === 0 || this.#connections.length >= this.#most) return false;
    this.#begunAt = now;
    this.#notBefore = NEVER;
    return true;
  }
}
