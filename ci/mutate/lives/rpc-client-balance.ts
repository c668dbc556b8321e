import { after, instant, type Instant, NEVER } from "../../../reference/core/index.ts";
import { LOAD_REPORT } from "../../../reference/rpc/balance/load-report.ts";
import { ConnectionGroup, OutlierDetection, PickFirst, type Policy, Resolution, RoundRobin } from "../../../reference/rpc/index.ts";
import type { Chance } from "./chance.ts";

/** Balancing policies with an owner that connects, fails and loses as chance says, in virtual time. */

const KEYS = ["a", "b", "c", "d", "e", "f"] as const;

function policyOf(chance: Chance, random: () => number): Policy {
  const weights = chance.once(3)
    ? undefined
    : {
        outOfBandMs: chance.once(12) ? 1_000 : undefined,
        blackoutMs: chance.one([0, 0, 500, 10_000]),
        expirationMs: chance.one([1_000, 5_000, 180_000]),
        updateMs: chance.one([100, 1_000]),
        errorPenalty: chance.one([0, 1, 3]),
      };
  const child = chance.once(3) ? new PickFirst({ shuffleAddressList: chance.once(2) }, random) : new RoundRobin(weights, random);
  if (!chance.once(3)) return child;
  const ejection = () => ({
    enforcementPercent: chance.one([0, 50, 100, 100]),
    minimumHosts: chance.between(0, 3),
    requestVolume: chance.between(0, 4),
  });
  const config = {
    intervalMs: chance.one([0, 1_000, 10_000]),
    baseEjectionMs: chance.one([1_000, 3_000, 30_000]),
    maxEjectionMs: chance.one([1_000, 4_000, 300_000]),
    maxEjectionPercent: chance.one([0, 10, 34, 50, 100]),
    ...(chance.once(2) && { successRate: { stdevFactor: chance.one([0, 500, 1_900]), ...ejection() } }),
    ...(!chance.once(3) && { failurePercentage: { threshold: chance.one([0, 49, 50, 85, 100]), ...ejection() } }),
  };
  return new OutlierDetection(config, child, random);
}

export function balanceScene(chance: Chance): string {
  const lines: string[] = [];
  const random = (): number => chance.below(1_000) / 1_000;
  const policy = policyOf(chance, random);
  const connecting = new Set<string>();
  const ready = new Set<string>();
  let now = instant(0);
  const show = (what: string): void => {
    const commands = policy.take().map((one) => {
      if (one.is === "resolve") return "resolve";
      if (one.is === "connect") connecting.add(one.key);
      else if (!connecting.delete(one.key)) ready.delete(one.key);
      return `${one.is} ${one.key}`;
    });
    const picks = Array.from({ length: chance.between(1, 6) }, () => policy.pick()).map((pick) =>
      pick.is === "connection" ? pick.key : pick.is === "fail" ? pick.why : "-",
    );
    lines.push(`${now} ${what}: ${commands.join(", ")}; ${policy.state}, ${policy.deadline}, ${picks.join("")}`);
  };
  const update = (): void => {
    const addresses = KEYS.filter(() => !chance.once(3)).map((key) => ({
      key,
      family: chance.one([4, 4, 6, 0] as const),
      ...(chance.once(3) && { weight: chance.between(1, 5) }),
    }));
    policy.update(addresses, now);
    show(`update ${addresses.map(({ key, family }) => `${key}${family}`).join("")}`);
  };
  const key = (from: ReadonlySet<string>): string => (chance.once(20) ? chance.one(KEYS) : (chance.any([...from]) ?? chance.one(KEYS)));
  const pass = (until: Instant): void => {
    for (let ticks = 0; policy.deadline <= until && ticks < 60; ticks++) {
      now = instant(Math.max(now, policy.deadline));
      policy.tick(now);
      show("tick");
    }
    now = instant(Math.max(now, until));
  };
  update();
  const deeds = {
    update,
    wake: () => {
      policy.wake(now);
      show("wake");
    },
    connected: () => {
      const one = key(connecting);
      connecting.delete(one);
      ready.add(one);
      policy.connected(one, now);
      show(`connected ${one}`);
    },
    failed: () => {
      const one = key(connecting);
      connecting.delete(one);
      policy.failed(one, `why ${one}`, now);
      show(`failed ${one}`);
    },
    lost: () => {
      const one = key(ready);
      ready.delete(one);
      policy.lost(one, now);
      show(`lost ${one}`);
    },
    calls: () => {
      const ends: string[] = [];
      for (let count = chance.between(1, 12); count > 0; count--) {
        const one = key(ready);
        const isGood = !chance.once(one === "a" ? 2 : 5);
        policy.ended?.(one, isGood);
        ends.push(`${one}${isGood ? "+" : "-"}`);
      }
      show(`calls ${ends.join("")}`);
    },
    report: () => {
      const one = key(ready);
      const load = {
        cpuUtilization: chance.one([0, 0.25, 0.5, 1]),
        applicationUtilization: chance.one([0, 0, 0.1]),
        rpsFractional: chance.one([0, 100, 200, 400, -1, Infinity]),
        eps: chance.one([0, 10, 100, -300]),
      };
      policy.reported?.(one, chance.once(20) ? Uint8Array.of(0xff) : LOAD_REPORT.encode(load), now);
      show(`report ${one} ${Object.values(load).join()}`);
    },
    healthy: () => {
      const one = key(ready);
      const isHealthy = chance.once(2);
      policy.healthy?.(one, isHealthy);
      show(`healthy ${one} ${isHealthy}`);
    },
    tick: () => {
      policy.tick(now);
      show("early tick");
    },
    pass: () => pass(after(now, chance.one([1, 99, 100, 250, 800, 1_000, 1_300, 5_000, 31_000]))),
  };
  for (let step = chance.between(10, 40); step > 0; step--)
    deeds[
      chance.weighed({ update: 1, wake: 3, connected: 8, failed: 3, lost: 1.5, calls: 5, report: 4, healthy: 0.7, tick: 0.5, pass: 6 })
    ]();
  return lines.join("\n");
}

export function groupScene(chance: Chance): string {
  const most = chance.between(1, 4);
  const group = new ConnectionGroup<number>(most, () => chance.below(1_000) / 1_000);
  const full = new Set<number>();
  const lines: string[] = [`most ${most}`];
  let now = instant(0);
  let count = 0;
  for (let step = chance.between(6, 30); step > 0; step--) {
    const what = chance.weighed({ add: 2, remove: 1, failed: 2, fill: 2, free: 1, grow: 4, pass: 3 });
    if (what === "add") group.add(++count);
    else if (what === "remove") group.remove(chance.between(0, count));
    else if (what === "failed") group.failed(now);
    else if (what === "fill") full.add(chance.between(1, count));
    else if (what === "free") full.clear();
    else if (what === "pass") now = after(now, chance.one([1, 100, 800, 1_000, 1_600, 4_000]));
    const grows = what === "grow" ? ` ${group.grow(now)}` : "";
    lines.push(`${now} ${what}${grows}: ${group.all.join()} ${group.deadline} ${group.choose((one) => !full.has(one))}`);
  }
  return lines.join("\n");
}

export function resolutionScene(chance: Chance): string {
  const begin = instant(chance.below(5));
  const apart = chance.one([undefined, 0, 50, 5_000]);
  const resolution = new Resolution(begin, () => chance.below(1_000) / 1_000, apart);
  const lines: string[] = [`${apart}`];
  let now = begin;
  for (let step = chance.between(6, 24); step > 0; step--) {
    const what = chance.weighed({ want: 3, take: 5, good: 2, bad: 2, pass: 3 });
    if (what === "want") resolution.want();
    else if (what === "good" || what === "bad") resolution.done(what === "good", now);
    else if (what === "pass")
      now = chance.once(3) && resolution.deadline !== NEVER ? resolution.deadline : after(now, chance.one([1, 50, 800, 2_000, 30_000]));
    const takes = what === "take" ? ` ${resolution.take(now)}` : "";
    lines.push(`${now} ${what}${takes}: ${resolution.deadline}`);
  }
  return lines.join("\n");
}
