import { instant, type Instant, NEVER } from "../../reference/core/index.ts";
import { LOAD_REPORT } from "../../reference/rpc/balance/load-report.ts";
import { OutlierDetection, PickFirst, type Policy, RoundRobin } from "../../reference/rpc/index.ts";
import type { Target } from "../lib/target.ts";

const KEYS = ["a", "b", "c", "d", "e"] as const;
/** Takes out every address whose only call since the last time was bad. */
const JUDGING = {
  intervalMs: 5_000,
  baseEjectionMs: 10_000,
  maxEjectionMs: 20_000,
  maxEjectionPercent: 100,
  failurePercentage: { threshold: 50, enforcementPercent: 80, minimumHosts: 1, requestVolume: 1 },
};
const WEIGHTS = { outOfBandMs: undefined, blackoutMs: 1_000, expirationMs: 20_000, updateMs: 500, errorPenalty: 1 };
/** The shortest wait between two attempts at one address: a second less a fifth. */
const LEAST_MS = 800;

/** The owner of a policy with virtual time: it connects, fails and loses connections as the input says. */
class Owner {
  readonly policy: Policy;
  readonly isFirst: boolean;
  /** Whether addresses with connections may be left out. */
  readonly isJudging: boolean;
  now: Instant = instant(0);
  #addresses: readonly string[] = [];
  readonly #connecting = new Set<string>();
  readonly #ready = new Set<string>();
  readonly #begunAt = new Map<string, number>();
  readonly #failedLast = new Set<string>();

  constructor(isFirst: boolean, isJudging: boolean, random: () => number) {
    this.isFirst = isFirst;
    this.isJudging = isJudging;
    const child = isFirst ? new PickFirst({}, random) : new RoundRobin(WEIGHTS, random);
    this.policy = isJudging ? new OutlierDetection(JUDGING, child, random) : child;
  }

  update(mask: number): void {
    const before = this.#addresses;
    this.#addresses = KEYS.filter((_, at) => (mask & (1 << at)) !== 0);
    for (const key of before) if (!this.#addresses.includes(key)) this.#failedLast.delete(key);
    this.policy.update(
      this.#addresses.map((key, at) => ({ key, family: at % 2 === 0 ? 4 : 6, weight: at + 1 })),
      this.now,
    );
    this.obey();
  }
  wake(): void {
    this.policy.wake(this.now);
    this.obey();
  }
  succeed(which: number): void {
    const key = nth(this.#connecting, which);
    if (key === undefined) return;
    this.#connecting.delete(key);
    this.#ready.add(key);
    this.#failedLast.delete(key);
    this.policy.connected(key, this.now);
    this.obey();
  }
  fail(which: number): void {
    const key = nth(this.#connecting, which);
    if (key === undefined) return;
    this.#connecting.delete(key);
    this.#failedLast.add(key);
    this.policy.failed(key, key, this.now);
    this.obey();
  }
  lose(which: number): void {
    const key = nth(this.#ready, which);
    if (key === undefined) return;
    this.#ready.delete(key);
    this.policy.lost(key, this.now);
    this.obey();
  }
  /** A call on each connection ends, with a status that a bit of `good` says, and a report of its load. */
  end(good: number): void {
    for (const [at, key] of [...this.#ready].entries()) {
      this.policy.ended?.(key, (good & (1 << at)) !== 0);
      this.policy.reported?.(key, LOAD_REPORT.encode({ cpuUtilization: 0.5, rpsFractional: good >> at, eps: at }), this.now);
    }
  }
  wait(ms: number): void {
    const until = this.now + ms;
    for (let rounds = 0; this.policy.deadline <= until; rounds++) {
      if (rounds > 10_000) throw new Error("the deadline does not move on");
      this.now = instant(Math.max(this.now, this.policy.deadline));
      this.policy.tick(this.now);
      this.obey();
    }
    this.now = instant(until);
  }

  obey(): void {
    for (const command of this.policy.take()) {
      if (command.is === "resolve") continue;
      const { key } = command;
      if (command.is === "drop") {
        // Its back-off is forgotten with it.
        this.#failedLast.delete(key);
        if (!this.#connecting.delete(key) && !this.#ready.delete(key)) throw new Error(`${key} is dropped, and is not there`);
        continue;
      }
      if (this.#connecting.has(key) || this.#ready.has(key)) throw new Error(`${key} is connected twice`);
      if (!this.#addresses.includes(key)) throw new Error(`${key} is connected, and is no address`);
      const apart = this.now - (this.#begunAt.get(key) ?? -LEAST_MS);
      if (this.#failedLast.has(key) && apart < LEAST_MS) throw new Error(`${key} is tried again after ${apart} ms`);
      this.#begunAt.set(key, this.now);
      this.#connecting.add(key);
    }
    this.judge();
  }
  judge(): void {
    const { state } = this.policy;
    const pick = this.policy.pick();
    if (pick.is === "connection" && !this.#ready.has(pick.key)) throw new Error(`a call goes to ${pick.key}, which has no connection`);
    if ((state === "READY") !== (pick.is === "connection")) throw new Error(`${state}, and a call ${pick.is}`);
    const mayBeOut = this.isJudging && !this.isFirst && this.#addresses.length > 0;
    if (state === "READY" ? this.#ready.size === 0 : this.#ready.size > 0 && !mayBeOut)
      throw new Error(`${state} with ${this.#ready.size} connections`);
    if (this.isFirst && this.#ready.size > 1) throw new Error("pick_first has several connections");
    const isStuck = this.#connecting.size === 0 && this.#ready.size === 0 && this.policy.deadline === NEVER;
    if (isStuck && state !== "IDLE" && this.#addresses.length > 0) throw new Error(`${state}, and nothing follows`);
    const mayFail = this.#addresses.every((key) => !this.#ready.has(key));
    if (state === "TRANSIENT_FAILURE" && !mayFail && !mayBeOut) throw new Error("calls fail beside a connection");
  }
}
const nth = (set: ReadonlySet<string>, which: number): string | undefined => [...set][which % Math.max(1, set.size)];

/** Any life of a balancing policy, in virtual time: what it commands and what it picks agree with a model of its connections. */
export const target: Target = {
  name: "rpc/balance",
  about: "a balancing policy commands only what is possible, never retries early, never gets stuck, and picks only connections that stand",
  run(input) {
    const [how = 0, seed = 0] = input;
    let draw = seed;
    const random = (): number => (draw = (draw * 73 + 41) % 256) / 256;
    const owner = new Owner((how & 1) === 0, (how & 0x40) !== 0, random);
    owner.update((how >> 1) & 0x1f);
    for (let at = 2; at + 1 < input.length; at += 2) {
      const value = input[at + 1]!;
      switch (input[at]! % 7) {
        case 0:
          owner.update(value & 0x1f);
          break;
        case 1:
          owner.wake();
          break;
        case 2:
          owner.succeed(value);
          break;
        case 3:
          owner.fail(value);
          break;
        case 4:
          owner.lose(value);
          break;
        case 5:
          owner.end(value);
          owner.wait(value);
          break;
        default:
          owner.wait(value * 1_000);
      }
    }
  },
  seeds: [
    "3e0001000501020004000100",
    "3f0001000200030005ff0601",
    "3e0001000300030003000300060206020200",
    "1f0703000300060a02000400001f0200",
    "7e000100020002000200050005ff0600050005ff0400",
  ].map((hex) => new Uint8Array(Buffer.from(hex, "hex"))),
  dictionary: ["0100", "0200", "0300", "0400", "06ff", "05fa"].map((hex) => new Uint8Array(Buffer.from(hex, "hex"))),
  maxLength: 200,
};
