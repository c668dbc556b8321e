import { after, type Instant, NEVER } from "../../core/index.ts";
import { readLoadReport } from "./load-report.ts";
import type { Address, ChildPolicy, Command, ConnectivityState, Pick } from "./policy.ts";
import { ReportedWeight, type WeightConfig } from "./reported-weight.ts";
import { Subchannel } from "./subchannel.ts";

/** A subchannel with its share of the calls. `owed` is what it has not had yet. */
type Share = {
  readonly subchannel: Subchannel;
  readonly reported: ReportedWeight;
  /** The weight that its address was given, and the one in use. */
  given: number;
  weight: number;
  owed: number;
  isExcluded: boolean;
  isHealthy: boolean;
};
const isOut = ({ isExcluded, isHealthy }: Share): boolean => isExcluded || !isHealthy;

/**
 * Keeps a connection to every address, and spreads the calls over them: evenly, or by weights, and never many in a row on one. The weights are
 * those that servers report (A58); until two of them have, those that the addresses were given.
 */
export class RoundRobin implements ChildPolicy {
  readonly #weights: WeightConfig | undefined;
  /** When weights are calculated next. */
  #weighAt: Instant = NEVER;
  readonly #random: () => number;
  readonly #shares = new Map<string, Share>();
  #ready: Share[] = [];
  #commands: Command[] = [];
  #why = "the name has no address";

  /**
   * @param weights Undefined if all addresses have the same share.
   * @param random A number from 0 to 1.
   */
  constructor(weights: WeightConfig | undefined, random: () => number) {
    this.#weights = weights;
    this.#random = random;
  }

  get state(): ConnectivityState {
    if (this.#ready.length > 0) return "READY";
    const all = [...this.#shares.values()];
    // An address that has failed counts as failed until it has a connection.
    return all.some((share) => !share.subchannel.hasFailed && !isOut(share)) ? "CONNECTING" : "TRANSIENT_FAILURE";
  }
  get deadline(): Instant {
    let at = this.#weighAt;
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
      const given = this.#weights === undefined ? 1 : weight;
      if (share === undefined)
        this.#shares.set(key, {
          subchannel: new Subchannel(key, this.#random),
          reported: new ReportedWeight(),
          given,
          weight: given,
          owed: 0,
          isExcluded: false,
          isHealthy: true,
        });
      else share.given = given;
    }
    if (addresses.length === 0) {
      this.#why = "the name has no address";
      this.#commands.push({ is: "resolve" });
    }
    this.#changed();
    this.#weigh(now);
    this.#connectAll(now);
  }
  wake(now: Instant): void {
    this.#connectAll(now);
  }
  connected(key: string, now: Instant): void {
    const share = this.#shares.get(key);
    if (share === undefined) return;
    share.subchannel.connected();
    share.reported.connected();
    this.#changed();
    this.#weigh(now);
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
  get reportsEveryMs(): number | undefined {
    return this.#weights?.outOfBandMs;
  }
  get reported(): ((key: string, report: Uint8Array, now: Instant) => void) | undefined {
    const weights = this.#weights;
    if (weights === undefined) return undefined;
    return (key, octets, now) => {
      const report = readLoadReport(octets);
      const reported = this.#shares.get(key)?.reported;
      if (report === undefined || reported === undefined) return;
      reported.report(report, weights, now);
      if (reported.isKnown && this.#weighAt === NEVER) this.#weighAt = after(now, weights.updateMs);
    };
  }
  tick(now: Instant): void {
    if (now >= this.#weighAt) this.#weigh(now);
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
  /** The weights of those that report, the mean of them for the others. With less than two of them the given ones count. */
  #weigh(now: Instant): void {
    const weights = this.#weights;
    if (weights === undefined) return;
    const shares = [...this.#shares.values()];
    const reported = new Map(this.#ready.map((share) => [share, share.reported.at(now, weights)]));
    const known = [...reported.values()].filter((weight) => weight > 0);
    const mean = known.reduce((sum, weight) => sum + weight, 0) / known.length;
    let isSame = true;
    for (const share of shares) {
      const weight = known.length < 2 ? share.given : reported.get(share) || mean;
      isSame &&= weight === share.weight;
      share.weight = weight;
    }
    // What is owed is measured in the weights before.
    if (!isSame) for (const share of this.#ready) share.owed = this.#random() * share.weight;
    this.#weighAt = shares.some(({ reported: { isKnown } }) => isKnown) ? after(now, weights.updateMs) : NEVER;
  }
  #connectAll(now: Instant): void {
    for (const { subchannel } of this.#shares.values()) {
      if (!subchannel.mayConnect(now)) continue;
      subchannel.connecting(now);
      this.#commands.push({ is: "connect", key: subchannel.key });
    }
  }
}
