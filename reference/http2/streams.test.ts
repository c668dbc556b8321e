import { describe, expect, test } from "vitest";
import { id } from "./testing.ts";
import { Closed, State } from "./stream-state.ts";
import { Stream, Streams } from "./streams.ts";

const open = (number: number, state: State = State.open): Stream => new Stream(id(number), state, 65_535);

describe("streams of a server", () => {
  test("are idle until opened or passed over, on each side for itself", () => {
    const streams = new Streams("server", 4);
    streams.add(open(5));
    expect([1, 3, 5, 7].map((n) => streams.isIdle(id(n)))).toEqual([false, false, false, true]);
    expect([streams.isIdle(id(2)), streams.isOurs(id(2)), streams.isOurs(id(5))]).toEqual([true, true, false]);
    expect([streams.find(id(5))?.id, streams.find(id(3))]).toEqual([5, undefined]);
  });
  test("count by the side that began them, reserved ones apart until they begin", () => {
    const streams = new Streams("server", 4);
    const [one, two] = [open(1), open(2, State.reservedLocal)];
    streams.add(one);
    streams.add(two);
    expect([streams.openByPeer, streams.openByUs, streams.reserved]).toEqual([1, 0, 1]);
    streams.begin(two, State.halfClosedRemote);
    expect([streams.openByUs, streams.reserved]).toEqual([1, 0]);
    streams.close(one, Closed.ended);
    streams.close(two, Closed.ended);
    expect([streams.openByPeer, streams.openByUs, streams.reserved, streams.size, one.state]).toEqual([0, 0, 0, 0, State.closed]);
  });
  test("a reserved one that is closed is no longer counted as reserved; closing twice is as once", () => {
    const streams = new Streams("server", 4);
    const two = open(2, State.reservedLocal);
    streams.add(two);
    streams.close(two, Closed.resetByPeer);
    streams.close(two, Closed.ended);
    expect([streams.reserved, streams.openByUs, streams.howClosed(id(2))]).toEqual([0, 0, Closed.resetByPeer]);
  });
  test("one that is reset once more is remembered so, wherever the ring stands", () => {
    const streams = new Streams("server", 2);
    for (const number of [1, 3]) {
      streams.add(open(number));
      streams.close(streams.find(id(number))!, Closed.resetByPeer);
    }
    streams.closeAgain(id(3));
    streams.closeAgain(id(9));
    expect([3, 9, 1].map((n) => streams.howClosed(id(n)))).toEqual([Closed.resetByUs, Closed.resetByUs, Closed.forgotten]);
  });
  test("how they ended is remembered for the latest few; others are forgotten", () => {
    const streams = new Streams("server", 3);
    const ends = [Closed.ended, Closed.resetByPeer, Closed.resetByUs, Closed.ended];
    ends.forEach((how, at) => {
      const stream = open(at * 2 + 1);
      streams.add(stream);
      streams.close(stream, how);
    });
    expect([1, 3, 5, 7].map((n) => streams.howClosed(id(n)))).toEqual([
      Closed.forgotten,
      Closed.resetByPeer,
      Closed.resetByUs,
      Closed.ended,
    ]);
  });
});
