import { type Instant, NEVER } from "../../core/index.ts";
import type { Address, ChildPolicy, Command, ConnectivityState, Pick } from "./policy.ts";
import { Subchannel } from "./subchannel.ts";

/** A subchannel with its share of the calls. `owed` is what it has not had yet. */
type Share = { readonly subchannel: Subchannel; weight: number; owed: number; isExcluded: boolean; isHealthy: boolean };
const isOut = ({ isExcluded, isHealthy }: Share): boolean => isExcluded || !isHealthy;

/** Keeps a connection to every address, and spreads the calls over them: evenly, or by their weights, and never many in a row on one. */
export class RoundRobin implements ChildPolicy {
  readonly #isWeighted: boolean;
  readonly #random: () => number;
  readonly #shares = new Map<string, Share>();
  #ready: Share[] = [];
  #commands: Command[] = [];
  #why = "the name has no address";

  /** @param random A number from 0 to 1. */
  constructor({ isWeighted }: { readonly isWeighted: boolean }, random: () => number) {
    this.#isWeighted = isWeighted;
    this.#random = random;
  }

  get state(): ConnectivityState {
    if (this.#ready.length > 0) return "READY";
    const all = [...this.#shares.values()];
    // An address that has failed counts as failed until it has a connection.
    return all.some((share) => !share.subchannel.hasFailed && !isOut(share)) ? "CONNECTING" : "TRANSIENT_FAILURE";
  }
  get deadline(): Instant {
    let at = NEVER;
    for (const { subchannel } of this.#shares.values()) if (subchannel.retryAt < at) at = subchannel.retryAt;
    return at;
  }

  update(addresses: readonly Address[], now: Instant): void {
    const wanted = new Map(addresses.map((address) => [address.key, address]));
    for (const [key, { subchannel }] of this.#shares) {
      if (wanted.has(key)) continue;
      this.#shares.delete(key);
      if (subchannel.state === "CONNECTING" || subchannel.state === "READY") this.#commands.push({ is: "drop", key });
    }
    for (const { key, weight = 1 } of addresses) {
      const share = this.#shares.get(key);
      const counted = this.#isWeighted ? weight : 1;
      if (share === undefined)
        this.#shares.set(key, {
          subchannel: new Subchannel(key, this.#random),
          weight: counted,
          owed: 0,
          isExcluded: false,
          isHealthy: true,
        });
      else share.weight = counted;
    }
    if (addresses.length === 0) {
      this.#why = "the name has no address";
      this.#commands.push({ is: "resolve" });
    }
    this.#changed();
    this.#connectAll(now);
  }
  wake(now: Instant): void {
    this.#connectAll(now);
  }
  connected(key: string, _now: Instant): void {
    const share = this.#shares.get(key);
    if (share === undefined) return;
    share.subchannel.connected();
    this.#changed();
  }
  failed(key: string, why: string, now: Instant): void {
    const share = this.#shares.get(key);
    if (share === undefined) return;
    share.subchannel.failed(why, now);
    this.#why = why;
    this.#commands.push({ is: "resolve" });
    this.#changed();
  }
  lost(key: string, now: Instant): void {
    const share = this.#shares.get(key);
    if (share === undefined || share.subchannel.state !== "READY") return;
    share.subchannel.idle();
    this.#commands.push({ is: "resolve" });
    this.#changed();
    this.#connectAll(now);
  }
  /** A connection that is excluded counts as failed; it stays, and has its share again at once when it is not excluded any more. */
  exclude(key: string, isExcluded: boolean): void {
    const share = this.#shares.get(key);
    if (share === undefined) return;
    if (isExcluded) this.#why = "too many calls to the addresses that have a connection have failed";
    this.#setOut(share, { isExcluded });
  }
  /** The same for a server that says that it is not healthy. */
  healthy(key: string, isHealthy: boolean): void {
    const share = this.#shares.get(key);
    if (share === undefined) return;
    if (!isHealthy) this.#why = "the servers that have a connection are not healthy";
    this.#setOut(share, { isHealthy });
  }
  #setOut(share: Share, change: { readonly isExcluded?: boolean; readonly isHealthy?: boolean }): void {
    Object.assign(share, change);
    this.#changed();
  }
  tick(now: Instant): void {
    this.#connectAll(now);
  }

  /** The address that is owed most. Each pick gives all their weights, and takes the sum from the one it chooses. */
  pick(): Pick {
    if (this.#ready.length === 0) return this.state === "CONNECTING" ? { is: "wait" } : { is: "fail", why: this.#why };
    let total = 0;
    let best = this.#ready[0]!;
    for (const share of this.#ready) {
      total += share.weight;
      share.owed += share.weight;
      if (share.owed > best.owed) best = share;
    }
    best.owed -= total;
    return { is: "connection", key: best.subchannel.key };
  }
  take(): readonly Command[] {
    const commands = this.#commands;
    this.#commands = [];
    return commands;
  }

  /** With other connections the turns begin anew: what was owed among those before would give one of these two calls in a row. */
  #changed(): void {
    const ready = [...this.#shares.values()].filter((share) => share.subchannel.state === "READY" && !isOut(share));
    const isSame = ready.length === this.#ready.length && ready.every((share, at) => share === this.#ready[at]);
    this.#ready = ready;
    // Clients that start together do not all begin with the same address.
    if (!isSame) for (const share of ready) share.owed = this.#random() * share.weight;
  }
  #connectAll(now: Instant): void {
    for (const { subchannel } of this.#shares.values()) {
      if (!subchannel.mayConnect(now)) continue;
      subchannel.connecting(now);
      this.#commands.push({ is: "connect", key: subchannel.key });
    }
  }
}
