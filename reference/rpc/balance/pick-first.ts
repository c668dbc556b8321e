import { after, type Instant, NEVER } from "../../core/index.ts";
import { interleaved, shuffled } from "./order.ts";
import type { Address, ChildPolicy, Command, ConnectivityState, Pick } from "./policy.ts";
import { Subchannel } from "./subchannel.ts";

export type PickFirstOptions = {
  /** Whether each list of addresses is shuffled, so that clients do not all choose the first one. */
  readonly shuffleAddressList?: boolean;
};

/** How long an attempt has for itself before the next address is tried beside it. */
const ALONE_MS = 250;

/** Keeps one connection: to the first address that accepts one. The attempts overlap, so that a dead address costs a quarter of a second. */
export class PickFirst implements ChildPolicy {
  readonly #options: PickFirstOptions;
  readonly #random: () => number;
  #subchannels: Subchannel[] = [];
  /** The one that has a connection. */
  #selected: Subchannel | undefined;
  #state: ConnectivityState = "IDLE";
  /** The next address of a pass over all of them; undefined when there is no pass. */
  #next: number | undefined;
  #nextAt: Instant = NEVER;
  /** Some address has not failed since the pass began: until it has, no other one is tried a second time. */
  #isPassing = false;
  /** The addresses that have failed since all of them had. */
  readonly #failed = new Set<Subchannel>();
  #commands: Command[] = [];
  #why = "the name has no address";

  /** @param random A number from 0 to 1. */
  constructor(options: PickFirstOptions, random: () => number) {
    this.#options = options;
    this.#random = random;
  }

  get state(): ConnectivityState {
    return this.#state;
  }
  get deadline(): Instant {
    if (this.#selected !== undefined || this.#state === "IDLE") return NEVER;
    const retries = this.#isPassing ? [] : this.#subchannels.map(({ retryAt }) => retryAt);
    return [this.#nextAt, ...retries].reduce((one, other) => (one < other ? one : other), NEVER);
  }

  update(addresses: readonly Address[], now: Instant): void {
    const known = new Map(this.#subchannels.map((one) => [one.key, one]));
    const list = interleaved(this.#options.shuffleAddressList === true ? shuffled(addresses, this.#random) : addresses);
    this.#subchannels = list.map(({ key }) => {
      const one = known.get(key) ?? new Subchannel(key, this.#random);
      known.delete(key);
      return one;
    });
    for (const gone of known.values()) this.#drop(gone);
    if (this.#selected !== undefined) {
      if (this.#subchannels.includes(this.#selected)) return;
      this.#selected = undefined;
      this.#state = "IDLE";
    }
    if (list.length === 0) return this.#isOver("the name has no address");
    // One that has failed stays so until a connection stands.
    if (this.#state !== "IDLE") this.#pass(now);
    return undefined;
  }
  wake(now: Instant): void {
    if (this.#state !== "IDLE" || this.#subchannels.length === 0) return;
    this.#state = "CONNECTING";
    this.#pass(now);
  }

  connected(key: string, _now: Instant): void {
    const winner = this.#find(key);
    if (winner === undefined) return;
    if (this.#selected !== undefined) return this.#drop(winner);
    winner.connected();
    this.#selected = winner;
    this.#state = "READY";
    this.#endPass();
    this.#failed.clear();
    for (const other of this.#subchannels) if (other !== winner) this.#drop(other);
    return undefined;
  }
  failed(key: string, why: string, now: Instant): void {
    const one = this.#find(key);
    if (one === undefined || one.state !== "CONNECTING") return;
    one.failed(why, now);
    this.#why = why;
    this.#failed.add(one);
    if (this.#next === undefined) this.#judge();
    else this.#try(now);
  }
  lost(key: string, _now: Instant): void {
    const one = this.#find(key);
    if (one === undefined || one !== this.#selected) return;
    one.idle();
    this.#selected = undefined;
    this.#state = "IDLE";
    this.#commands.push({ is: "resolve" });
  }

  tick(now: Instant): void {
    if (this.#selected !== undefined || this.#state === "IDLE") return;
    if (now >= this.#nextAt) this.#try(now);
    // After a pass each address is tried again by itself.
    else if (!this.#isPassing) for (const one of this.#subchannels) if (one.mayConnect(now)) this.#connect(one, now);
  }

  /** There is one connection, and no other place for its calls: nothing is excluded (A61#generic-health-reporting-mechanism). */
  exclude(): void {}

  pick(): Pick {
    if (this.#selected !== undefined) return { is: "connection", key: this.#selected.key };
    return this.#state === "TRANSIENT_FAILURE" ? { is: "fail", why: this.#why } : { is: "wait" };
  }
  take(): readonly Command[] {
    const commands = this.#commands;
    this.#commands = [];
    return commands;
  }

  #find(key: string): Subchannel | undefined {
    return this.#subchannels.find((one) => one.key === key);
  }
  #drop(one: Subchannel): void {
    if (one.state === "CONNECTING" || one.state === "READY") this.#commands.push({ is: "drop", key: one.key });
    if (one.state !== "TRANSIENT_FAILURE") one.idle();
  }
  #connect(one: Subchannel, now: Instant): void {
    one.connecting(now);
    this.#commands.push({ is: "connect", key: one.key });
  }

  #pass(now: Instant): void {
    this.#next = 0;
    this.#isPassing = true;
    this.#failed.clear();
    this.#try(now);
  }
  #endPass(): void {
    this.#next = undefined;
    this.#nextAt = NEVER;
  }
  /** The next address of the pass. One whose time to be tried again has not come counts as failed. */
  #try(now: Instant): void {
    const all = this.#subchannels;
    let at = this.#next ?? all.length;
    for (let isTrying = false; !isTrying && at < all.length; at++) {
      const one = all[at]!;
      if (one.mayConnect(now)) this.#connect(one, now);
      isTrying = one.state === "CONNECTING";
      if (isTrying) continue;
      this.#why = one.why;
      this.#failed.add(one);
    }
    if (at >= all.length) this.#endPass();
    else {
      this.#next = at;
      this.#nextAt = after(now, ALONE_MS);
    }
    this.#judge();
  }
  /** All addresses have failed since the last time: there is no connection, and they may have changed. */
  #judge(): void {
    if (!this.#subchannels.every((one) => this.#failed.has(one))) return;
    this.#isOver(this.#why);
  }
  #isOver(why: string): void {
    this.#endPass();
    this.#isPassing = false;
    this.#failed.clear();
    this.#why = why;
    this.#state = "TRANSIENT_FAILURE";
    this.#commands.push({ is: "resolve" });
  }
}
