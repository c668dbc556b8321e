import { describe, expect, test } from "vitest";
import { id } from "../testing.ts";
import { IGNORED, Input, State, type InputName, type StateName } from "./state.ts";
import { Stream, Streams } from "./streams.ts";

/** A new stream, moved by the inputs given. */
function begin(streams: Streams, number: number, ...inputs: readonly InputName[]): Stream {
  const stream = new Stream(id(number), 65_535);
  for (const input of inputs) streams.advance(stream.id, Input[input], stream);
  return stream;
}
const stateOf = (streams: Streams, number: number): StateName => Object.keys(State)[streams.stateOf(id(number))] as StateName;

describe("Streams of a server", () => {
  test("are idle until they are opened or skipped, on each side separately", () => {
    const streams = new Streams("server", 4);
    begin(streams, 5, "recv HEADERS");
    expect([1, 3, 5, 7].map((n) => streams.isIdle(id(n)))).toEqual([false, false, false, true]);
    expect([streams.isIdle(id(2)), streams.isOurs(id(2)), streams.isOurs(id(5))]).toEqual([true, true, false]);
    expect([streams.find(id(5))?.id, streams.find(id(3))]).toEqual([5, undefined]);
  });
  test("are counted by the side that began them, and as reserved until they begin", () => {
    const streams = new Streams("server", 4);
    const one = begin(streams, 1, "recv HEADERS");
    const two = begin(streams, 2, "send promise");
    expect([streams.openByPeer, streams.openByUs, streams.reserved]).toEqual([1, 0, 1]);
    streams.advance(two.id, Input["send HEADERS"], two);
    expect([streams.openByUs, streams.reserved]).toEqual([1, 0]);
    streams.advance(one.id, Input["send RST_STREAM"], one);
    streams.advance(two.id, Input["send END_STREAM"], two);
    expect([streams.openByPeer, streams.openByUs, streams.reserved, streams.size]).toEqual([0, 0, 0, 0]);
    expect([one.state, two.state]).toEqual([State.resetByUs, State.ended]);
  });
  test("a reserved stream that is reset is no longer counted", () => {
    const streams = new Streams("server", 4);
    begin(streams, 2, "send promise", "recv RST_STREAM");
    expect([streams.reserved, streams.openByUs, stateOf(streams, 2)]).toEqual([0, 0, "resetByPeer"]);
  });
  test("a stream that is refused at once is counted no more, and its identifier is used up", () => {
    const streams = new Streams("server", 4);
    begin(streams, 3, "recv HEADERS", "send RST_STREAM");
    expect([streams.openByPeer, streams.size, streams.lastByPeer, stateOf(streams, 3)]).toEqual([0, 0, 3, "resetByUs"]);
  });
  test("a stream excluded by our GOAWAY counts as reset by us", () => {
    const streams = new Streams("server", 4);
    streams.advance(id(3), Input["send GOAWAY"], undefined);
    expect([streams.openByPeer, streams.lastByPeer, stateOf(streams, 3)]).toEqual([0, 3, "resetByUs"]);
  });
  test("a closed stream that we reset is remembered as such, whether it was remembered or not", () => {
    const streams = new Streams("server", 2);
    for (const number of [1, 3]) begin(streams, number, "recv HEADERS", "recv RST_STREAM");
    begin(streams, 9, "recv HEADERS");
    for (const number of [3, 7]) streams.advance(id(number), Input["send RST_STREAM"], undefined);
    expect([3, 7, 1].map((n) => stateOf(streams, n))).toEqual(["resetByUs", "resetByUs", "forgotten"]);
    expect(streams.advance(id(3), Input["send RST_STREAM"], undefined)).toBe(IGNORED);
  });
  test("the last few that closed are remembered with their end, older ones are forgotten", () => {
    const streams = new Streams("server", 3);
    const ends: readonly (readonly InputName[])[] = [
      ["send END_STREAM", "recv END_STREAM"],
      ["recv RST_STREAM"],
      ["send RST_STREAM"],
      ["recv END_STREAM", "send END_STREAM"],
    ];
    ends.forEach((inputs, at) => begin(streams, at * 2 + 1, "recv HEADERS", ...inputs));
    expect([1, 3, 5, 7].map((n) => stateOf(streams, n))).toEqual(["forgotten", "resetByPeer", "resetByUs", "ended"]);
  });
});
