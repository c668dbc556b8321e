import { expect, test } from "vitest";
import { instant, NEVER } from "../../core/index.ts";
import { interleaved, shuffled } from "./order.ts";
import { PickFirst } from "./pick-first.ts";
import type { Address, Command } from "./policy.ts";

const at = (key: string, family: 0 | 4 | 6 = 4): Address => ({ key, family });
const text = (commands: readonly Command[]): string[] => commands.map((one) => (one.is === "resolve" ? "resolve" : `${one.is} ${one.key}`));
const A_B_C = [at("a"), at("b"), at("c")];

/** A policy with addresses, woken at 0; random numbers are 0.5, so waits are exact. */
function woken(addresses: readonly Address[] = A_B_C): PickFirst {
  const policy = new PickFirst({}, () => 0.5);
  policy.update(addresses, instant(0));
  expect([policy.state, text(policy.take()), policy.deadline]).toEqual(["IDLE", [], NEVER]);
  policy.wake(instant(0));
  return policy;
}

test("addresses are tried a quarter of a second apart; the first with a connection wins, and the others are dropped", () => {
  const policy = woken();
  expect([policy.state, policy.pick(), text(policy.take()), policy.deadline]).toEqual(["CONNECTING", { is: "wait" }, ["connect a"], 250]);
  policy.tick(instant(249));
  expect(text(policy.take())).toEqual([]);
  policy.tick(instant(250));
  expect([text(policy.take()), policy.deadline]).toEqual([["connect b"], 500]);
  policy.connected("b", instant(300));
  expect([policy.state, policy.pick(), text(policy.take()), policy.deadline]).toEqual([
    "READY",
    { is: "connection", key: "b" },
    ["drop a"],
    NEVER,
  ]);
});

test("a failure tries the next address at once; when all have failed, calls fail, and the name is looked up again", () => {
  const policy = woken();
  policy.failed("a", "no a", instant(10));
  policy.failed("b", "no b", instant(20));
  expect([policy.state, text(policy.take())]).toEqual(["CONNECTING", ["connect a", "connect b", "connect c"]]);
  policy.failed("c", "no c", instant(30));
  expect([policy.state, policy.pick(), text(policy.take())]).toEqual(["TRANSIENT_FAILURE", { is: "fail", why: "no c" }, ["resolve"]]);
});

test("after that, each address is tried again by its own back-off, and the state stays until a connection stands", () => {
  const policy = woken([at("a"), at("b")]);
  policy.failed("a", "no", instant(10));
  policy.failed("b", "no", instant(20));
  policy.take();
  expect(policy.deadline).toBe(1_000);
  policy.tick(instant(1_000));
  policy.tick(instant(1_010));
  expect([text(policy.take()), policy.state]).toEqual([["connect a", "connect b"], "TRANSIENT_FAILURE"]);
  policy.failed("a", "still", instant(1_100));
  expect([text(policy.take()), policy.deadline]).toEqual([[], 2_600]);
  policy.failed("b", "still", instant(1_100));
  expect(text(policy.take())).toEqual(["resolve"]);
  policy.tick(instant(2_600));
  policy.connected("a", instant(2_700));
  expect(policy.state).toBe("READY");
});

test("an address that is still connecting when the pass is over may succeed", () => {
  const policy = woken([at("a"), at("b")]);
  policy.tick(instant(250));
  policy.failed("b", "no", instant(300));
  expect(policy.state).toBe("CONNECTING");
  policy.connected("a", instant(5_000));
  expect(policy.state).toBe("READY");
});

test("a connection that is lost leaves the channel idle until a call comes", () => {
  const policy = woken([at("a")]);
  policy.connected("a", instant(1));
  policy.take();
  policy.lost("a", instant(50));
  expect([policy.state, text(policy.take()), policy.deadline, policy.pick()]).toEqual(["IDLE", ["resolve"], NEVER, { is: "wait" }]);
  policy.wake(instant(60));
  expect(text(policy.take())).toEqual(["connect a"]);
});

test("new addresses: the connection stays if its address does; otherwise it is dropped", () => {
  const policy = woken([at("a")]);
  policy.connected("a", instant(1));
  policy.take();
  policy.update([at("b"), at("a")], instant(2));
  expect([policy.state, text(policy.take())]).toEqual(["READY", []]);
  policy.update([at("b")], instant(3));
  expect([policy.state, text(policy.take())]).toEqual(["IDLE", ["drop a"]]);
});

test("new addresses while none answers are tried at once", () => {
  const policy = woken([at("a")]);
  policy.failed("a", "no", instant(1));
  policy.update([at("b")], instant(2));
  expect([policy.state, text(policy.take())]).toEqual(["TRANSIENT_FAILURE", ["connect a", "resolve", "connect b"]]);
});

test("without an address calls fail", () => {
  const policy = new PickFirst({}, () => 0.5);
  policy.update([], instant(0));
  expect([policy.state, policy.pick()]).toEqual(["TRANSIENT_FAILURE", { is: "fail", why: "the name has no address" }]);
});

test("families take turns, the first one's first", () => {
  expect(interleaved([at("1", 6), at("2", 6), at("3", 6), at("4"), at("5")]).map(({ key }) => key)).toEqual(["1", "4", "2", "5", "3"]);
  expect(interleaved([])).toEqual([]);
});

test("shuffleAddressList: any order", () => {
  const policy = new PickFirst({ shuffleAddressList: true }, () => 0);
  policy.update(A_B_C, instant(0));
  policy.wake(instant(0));
  expect(text(policy.take())).toEqual(["connect b"]);
  expect(shuffled([1, 2, 3], () => 0.999)).toEqual([1, 2, 3]);
});

test("calls fail with the reason of the address that was passed over last", () => {
  const policy = woken([at("a"), at("b")]);
  policy.failed("a", "no a", instant(10));
  policy.failed("b", "no b", instant(20));
  expect(policy.pick()).toEqual({ is: "fail", why: "no b" });
  policy.update([at("a")], instant(30));
  expect(policy.pick()).toEqual({ is: "fail", why: "no a" });
});
