import { describe, expect, test } from "vitest";
import { ClientSide } from "./client-side.ts";
import { writeControl, type Control, type State } from "./protocol.ts";
import { octets, Witness } from "./testing.ts";

/** What a program asks of its side of the channel, and what it learns. */

const STATE: State = {
  type: "state",
  session: "s",
  run: "r1",
  agent: "here",
  from: 0,
  screen: 0,
  end: 0,
  input: 0,
  known: false,
  window: 100,
  cols: 80,
  rows: 24,
  clients: 1,
  owner: true,
};
const hear = (side: ClientSide, message: Control): ReturnType<ClientSide["text"]> => side.text(writeControl(message));
/** Connects, and hears a state. */
function begin(side: ClientSide, more: Partial<State> = {}) {
  const seen = new Witness();
  side.connected(seen);
  return { seen, event: hear(side, { ...STATE, ...more }) };
}
function attached(more: Partial<State> = {}, watches = false) {
  const side = new ClientSide("a", watches);
  return { side, ...begin(side, more) };
}
const sent = ({ messages }: Witness): unknown[] => messages.map((one) => (typeof one === "string" ? JSON.parse(one) : one.length));
function ask(side: ClientSide): void {
  side.resize(90, 30);
  side.start();
  side.own();
}

describe("what a client asks", () => {
  test("a size, a shell and the terminal, once it has its state", () => {
    const side = new ClientSide("a");
    expect(side.isOwner).toBe(false);
    ask(side);
    const before = new Witness();
    side.connected(before);
    ask(side);
    expect(before.messages).toEqual([]);
    hear(side, STATE);
    ask(side);
    expect(sent(before)).toEqual([{ type: "resize", cols: 90, rows: 30 }, { type: "start" }, { type: "own" }]);
    side.lost();
    ask(side);
    const after = new Witness();
    side.connected(after);
    ask(side);
    expect([before.messages.length, after.messages.length]).toEqual([3, 0]);
  });
  test.each([
    ["that wants to watch", attached({}, true)],
    ["that may only watch", attached({ window: 0 })],
  ])("nothing, by a client %s", (_, { side, seen }) => {
    ask(side);
    expect([side.watches, side.type(octets("x")), side.untaken, seen.messages]).toEqual([true, false, 0, []]);
  });
  test("a client that types may become one that watches: what it kept is dropped", () => {
    const { side } = attached({ window: 1 });
    side.type(octets("abc"));
    expect([side.untaken, side.watches]).toEqual([3, false]);
    side.lost();
    const { seen } = begin(side, { known: true, input: 1, window: 0 });
    expect([side.untaken, seen.messages, side.watches]).toEqual([0, [], true]);
    side.lost();
    const again = begin(side, { known: true, input: 0, window: 9 });
    expect([sent(again.seen), side.untaken, side.watches]).toEqual([[], 0, false]);
    side.type(octets("z"));
    expect(again.seen.shown).toBe("z");
  });
  test("typing: empty octets are nothing, and a mebioctet is kept", () => {
    const { side, seen } = attached({ window: 3 });
    expect([side.type(octets("")), side.type(octets("ab")), sent(seen)]).toEqual([true, true, [2]]);
    expect([side.type(new Uint8Array(1_048_575)), side.type(new Uint8Array(1_048_574)), side.type(octets("x"))]).toEqual([
      false,
      true,
      false,
    ]);
    expect([side.untaken, sent(seen)]).toEqual([1_048_576, [2, 1]]);
  });
  test("long input goes out in pieces of 16,384 octets", () => {
    const { side, seen } = attached({ window: 100_000 });
    side.type(new Uint8Array(40_000));
    expect(sent(seen)).toEqual([16_384, 16_384, 7_232]);
  });
  test("what is typed while there is no connection was never sent", () => {
    const { side } = attached();
    side.type(octets("ab"));
    side.lost();
    side.type(octets("cde"));
    const { seen, event } = begin(side, { known: false });
    expect([sent(seen), event]).toMatchObject([[3], { untyped: 2, isFresh: false }]);
  });
});

describe("what a client learns", () => {
  test("a state: whether output starts again, and what is lost or was not typed", () => {
    const { side, event } = attached({ from: 10, end: 10, owner: false });
    expect(event).toMatchObject({ is: "state", isFresh: true, lost: 0, untyped: 0, state: { from: 10 } });
    expect([side.received, side.isOwner]).toEqual([10, false]);
    side.binary(octets("hello"));
    expect(hear(side, { ...STATE, from: 15 })).toMatchObject({ is: "state", isFresh: false, lost: 0, untyped: 0, state: { from: 15 } });
    expect(side.isOwner).toBe(true);
    expect(hear(side, { ...STATE, from: 22 })).toMatchObject({ isFresh: false, lost: 7 });
    side.lost();
    expect(side.query).toBe("client=a&run=r1&from=22");
    expect(begin(side, { from: 25 }).event).toMatchObject({ isFresh: false, lost: 3, untyped: 0 });
    side.lost();
    expect(begin(side, { from: 25 }).event).toMatchObject({ isFresh: false, lost: 0 });
    side.lost();
    expect(begin(side, { from: 20 }).event).toMatchObject({ isFresh: true, lost: 0 });
    side.lost();
    expect(begin(side, { from: 30, screen: 1 }).event).toMatchObject({ isFresh: true, lost: 0 });
    side.lost();
    side.type(octets("ab"));
    expect(begin(side, { run: "r2", from: 99 }).event).toMatchObject({ isFresh: true, lost: 0, untyped: 2 });
    expect([side.received, side.untaken]).toEqual([99, 0]);
  });
  test("a state with another run on the same connection begins again", () => {
    const { side, seen } = attached();
    side.type(octets("ab"));
    expect(hear(side, { ...STATE, run: "r2", from: 3 })).toMatchObject({ isFresh: true, lost: 0, untyped: 2 });
    side.type(octets("c"));
    expect([sent(seen), side.received]).toEqual([[2, 1], 3]);
  });
  test("what was typed before the first state is typed there", () => {
    const side = new ClientSide("a");
    side.type(octets("ab"));
    const { seen, event } = begin(side, { input: 7 });
    expect([sent(seen), event]).toMatchObject([[2], { untyped: 0 }]);
    hear(side, { type: "ack", offset: 8 });
    expect(side.untaken).toBe(1);
  });
  test.each<readonly [Control, unknown]>([
    [
      { type: "resize", cols: 90, rows: 30 },
      { is: "resize", cols: 90, rows: 30 },
    ],
    [
      { type: "exit", code: 3, signal: 9, again: true },
      { is: "exit", code: 3, signal: 9, again: true },
    ],
    [
      { type: "error", code: "silent", message: "m" },
      { is: "error", code: "silent", message: "m" },
    ],
    [{ type: "ack", offset: 0 }, { is: "nothing" }],
    [{ type: "pong", id: 1 }, { is: "nothing" }],
    [{ type: "ping", id: 5 }, { is: "nothing" }],
  ])("%o", (message, event) => {
    const { side, seen } = attached();
    expect(hear(side, message)).toEqual(event);
    expect(sent(seen)).toEqual(message.type === "ping" ? [{ type: "pong", id: 5 }] : []);
  });
  test("what is wrong with a message", () => expect(new ClientSide("a").text("{")).toEqual({ is: "malformed", why: "it is not JSON" }));
});

describe("what a client has shown", () => {
  test("is acknowledged when nothing more waits, or after 16,384 octets, and once", () => {
    const { side, seen } = attached();
    expect([side.binary(new Uint8Array(16_000)), side.binary(new Uint8Array(4_000))]).toEqual([16_000, 20_000]);
    for (const offset of [16_000, 16_383, 16_384, 16_385, 20_000, 20_000, 3]) side.shown(offset);
    expect(sent(seen)).toEqual([16_384, 20_000].map((offset) => ({ type: "ack", offset })));
  });
  test("before the state is not acknowledged, and the screen is not counted", () => {
    const side = new ClientSide("a");
    const early = new Witness();
    side.connected(early);
    side.shown(4);
    const { seen } = begin(side, { from: 40, screen: 3 });
    expect([side.binary(octets("ab")), side.binary(octets("cde"))]).toEqual([40, 42]);
    side.shown(40);
    side.shown(42);
    expect([early.messages, sent(seen)]).toEqual([[], [{ type: "ack", offset: 42 }]]);
  });
});

test("a heartbeat: asks after three seconds without a message, and finds the hub dead four seconds later", () => {
  const side = new ClientSide("a");
  expect(side.beat(9_999)).toBe(false);
  const seen = new Witness();
  side.connected(seen, 1_000);
  side.heard(2_000.5);
  expect([side.beat(5_000), seen.messages]).toEqual([false, []]);
  expect([side.beat(5_000.6), sent(seen)]).toEqual([false, [{ type: "ping", id: 5_000 }]]);
  expect([side.beat(9_000.5), side.beat(9_000.7)]).toEqual([false, true]);
  side.lost();
  expect(side.beat(20_000)).toBe(false);
});
