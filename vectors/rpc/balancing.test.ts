import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Instant, instant, NEVER } from "../../reference/core/index.ts";
import { readLoadBalancing } from "../../reference/rpc/balance/config.ts";
import { PickFirst } from "../../reference/rpc/balance/pick-first.ts";
import type { ChildPolicy, Command, ConnectivityState } from "../../reference/rpc/balance/policy.ts";
import { RoundRobin } from "../../reference/rpc/balance/round-robin.ts";
import { linter } from "../lint.ts";
import { BALANCING, balancingOf } from "./make.ts";
import type { BalancingStep, BalancingVector } from "./source/balancing-steps.ts";

function policyOf({ policy, random }: Omit<BalancingVector, "id">): ChildPolicy {
  const draws = [...(random?.draws ?? [])];
  const draw = (): number => draws.shift() ?? random?.otherwise ?? 0.5;
  const read = readLoadBalancing([policy]);
  if (read.is === "pick_first") return new PickFirst(read, draw);
  return new RoundRobin(read.is === "weighted_round_robin" ? read.weights : undefined, draw);
}

/** What the policy does with one event; calls also wake it, as their owner does. */
function performed(policy: ChildPolicy, step: BalancingStep, now: Instant): BalancingStep["goes"] {
  const { is, key = "", addresses = [], calls = 1, report = "" } = step;
  if (is === "addresses") policy.update(addresses, now);
  else if (is === "connected") policy.connected(key, now);
  else if (is === "failed") policy.failed(key, "no connection", now);
  else if (is === "lost") policy.lost(key, now);
  else if (is === "ejected" || is === "returned") policy.exclude(key, is === "ejected");
  else if (is === "healthy" || is === "unhealthy") policy.healthy?.(key, is === "healthy");
  else if (is === "report") policy.reported?.(key, Buffer.from(report, "hex"), now);
  else if (is === "time") policy.tick(now);
  else {
    policy.wake(now);
    const picks = Array.from({ length: calls }, () => policy.pick());
    const [first] = picks;
    return first?.is === "connection" ? picks.map((pick) => (pick.is === "connection" ? pick.key : pick.is)) : (first?.is ?? "wait");
  }
  return undefined;
}
const keysOf = (commands: readonly Command[], is: "connect" | "drop"): readonly string[] =>
  commands.flatMap((command) => (command.is === is ? [command.key] : []));
/** Times are sums of fractions: thousandths of a millisecond do not matter. */
const rounded = (ms: number): number => Math.round(ms * 1_000) / 1_000;

/** The steps with what our policy makes of them. */
function livedBy(vector: Omit<BalancingVector, "id">): readonly BalancingStep[] {
  const policy = policyOf(vector);
  let before: ConnectivityState = "IDLE";
  return vector.steps.map((step) => {
    const { connects: _c, drops: _d, resolves: _r, goes: _g, state: _s, next: _n, ...given } = step;
    const goes = performed(policy, step, instant(step.at));
    const commands = policy.take();
    const [connects, drops] = [keysOf(commands, "connect"), keysOf(commands, "drop")];
    const { state, deadline } = policy;
    const isOther = state !== before;
    before = state;
    return {
      ...given,
      ...(goes !== undefined && { goes }),
      ...(connects.length > 0 && { connects }),
      ...(drops.length > 0 && { drops }),
      ...(commands.some((command) => command.is === "resolve") && { resolves: true as const }),
      ...(isOther && { state: state as NonNullable<BalancingStep["state"]> }),
      ...(deadline !== NEVER && { next: rounded(deadline) }),
    };
  });
}

test.each(Object.entries(BALANCING))("%s: the file is as its source makes it, valid, and names are unique", (name, source) => {
  expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8")).toBe(balancingOf(source));
  expect(linter()(`rpc/${name}`)).toEqual([]);
  expect(new Set(source.vectors.map((vector) => vector.name)).size).toBe(source.vectors.length);
});

describe.each(Object.entries(BALANCING))("our policies: %s", (_, { vectors }) => {
  test.each(vectors)("$note", (vector) => {
    expect(livedBy(vector)).toEqual(vector.steps);
  });
});
