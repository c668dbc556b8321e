import { expect, test } from "vitest";
import { instant, NEVER } from "../../core/index.ts";
import type { Address, Command } from "./policy.ts";
import { RoundRobin } from "./round-robin.ts";

const at = (key: string, weight = 1): Address => ({ key, family: 4, weight });
const text = (commands: readonly Command[]): string[] => commands.map((one) => (one.is === "resolve" ? "resolve" : `${one.is} ${one.key}`));
/** A policy with a connection to each address. */
function connected(addresses: readonly Address[], isWeighted = false): RoundRobin {
  const policy = new RoundRobin({ isWeighted }, () => 0);
  policy.update(addresses, instant(0));
  for (const { key } of addresses) policy.connected(key, instant(1));
  policy.take();
  return policy;
}
const picks = (policy: RoundRobin, count: number): string =>
  Array.from({ length: count }, () => policy.pick())
    .map((pick) => (pick.is === "connection" ? pick.key : pick.is))
    .join("");

test("all addresses are connected at once; calls wait for the first, then go to those that are there", () => {
  const policy = new RoundRobin({ isWeighted: false }, () => 0);
  policy.update([at("a"), at("b")], instant(0));
  expect([policy.state, text(policy.take()), policy.pick()]).toEqual(["CONNECTING", ["connect a", "connect b"], { is: "wait" }]);
  policy.connected("b", instant(1));
  expect([policy.state, picks(policy, 3)]).toEqual(["READY", "bbb"]);
});
test("calls go round", () => {
  expect(picks(connected([at("a", 5), at("b"), at("c")]), 9)).toBe("abcabcabc");
});
test("by weight, spread out", () => {
  expect(picks(connected([at("a", 5), at("b", 1), at("c", 1)], true), 7)).toBe("aabacaa");
});
test("an address that fails is tried again by its back-off, and counts as failed until it has a connection", () => {
  const policy = connected([at("a")]);
  policy.lost("a", instant(10));
  expect([policy.state, text(policy.take())]).toEqual(["CONNECTING", ["resolve", "connect a"]]);
  policy.failed("a", "no", instant(20));
  expect([policy.state, policy.pick(), text(policy.take())]).toEqual(["TRANSIENT_FAILURE", { is: "fail", why: "no" }, ["resolve"]]);
  const { deadline } = policy;
  expect(deadline).toBe(810);
  policy.tick(deadline);
  expect([policy.state, text(policy.take()), policy.deadline]).toEqual(["TRANSIENT_FAILURE", ["connect a"], NEVER]);
  policy.connected("a", instant(900));
  expect(policy.state).toBe("READY");
});
test("new addresses join, old ones are dropped", () => {
  const policy = connected([at("a"), at("b")]);
  policy.update([at("b"), at("c")], instant(5));
  expect(text(policy.take())).toEqual(["drop a", "connect c"]);
  policy.connected("c", instant(6));
  expect([...new Set(picks(policy, 4))].toSorted()).toEqual(["b", "c"]);
  policy.update([], instant(7));
  expect([policy.state, policy.pick()]).toEqual(["TRANSIENT_FAILURE", { is: "fail", why: "the name has no address" }]);
});
test("when an address is left out, the others take turns from the next call on", () => {
  const policy = connected([at("a"), at("b"), at("c")]);
  for (let count = 0; count < 3; count++) {
    picks(policy, 1);
    policy.exclude("b", true);
    expect(["acac", "caca"]).toContain(picks(policy, 4));
    policy.exclude("b", false);
    expect([...picks(policy, 3)].toSorted().join("")).toBe("abc");
  }
});
