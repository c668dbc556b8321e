import type { Instant } from "../../core/index.ts";
import { ConnectionLife, Keepalive, type KeepaliveOptions, type LifeOptions, type Machine } from "../../http2/index.ts";
import { type Drive, now, type Timed, watch } from "../../io/index.ts";

/** What a steward watches, and how. */
export type Stewardship = { readonly keepalive?: KeepaliveOptions | undefined; readonly life?: LifeOptions | undefined };
/** The part of a connection that it sees. */
type Watched = {
  readonly machine: Machine;
  readonly drive: Pick<Drive, "heard" | "wake" | "destroy">;
};

const PING = new Uint8Array(8).fill(0x6b);

/** Watches one connection: whether its peer is alive, and how long it has lived. */
export class Steward implements Timed {
  readonly #of: Watched;
  readonly #keepalive: Keepalive | undefined;
  readonly #timeoutMs: number;
  readonly #life: ConnectionLife | undefined;

  constructor({ keepalive, life }: Stewardship, of: Watched) {
    this.#of = of;
    this.#keepalive = keepalive === undefined ? undefined : new Keepalive(keepalive, now());
    this.#timeoutMs = keepalive?.timeoutMs ?? 0;
    this.#life = life === undefined ? undefined : new ConnectionLife(life, now(), Math.random());
    watch.add(this);
  }

  get deadline(): Instant {
    const alive = this.#keepalive?.deadline;
    const ends = this.#life?.deadline;
    return alive !== undefined && (ends === undefined || alive < ends) ? alive : ends!;
  }
  due(at: Instant): void {
    this.#ask(at);
    const { machine, drive } = this.#of;
    const why = this.#life?.tick(at);
    if (why === undefined) return;
    if (why === "over") machine.abort("NO_ERROR");
    else machine.shutdown(why);
    drive.wake();
  }
  /** Streams may have begun or ended. */
  changed(): void {
    const at = now();
    this.#life?.streams(this.#of.machine.streams, at);
    this.#ask(at);
    watch.add(this);
  }
  /** The connection is gone. */
  dismiss(): void {
    watch.delete(this);
  }

  #ask(at: Instant): void {
    const { machine, drive } = this.#of;
    const what = this.#keepalive?.tick({ now: at, heard: drive.heard, streams: machine.streams });
    if (what === "dead") drive.destroy(new Error(`the peer has not answered a PING within ${this.#timeoutMs / 1_000} seconds`));
    else if (what === "ping") {
      machine.ping(PING);
      drive.wake();
    }
  }
}
