import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Misuse } from "../../core/index.ts";
import { DEFAULT_PARAMETERS } from "../params.ts";
import { streamId } from "../stream-id.ts";
import { octets, pattern } from "../testing.ts";
import { ReceiveCredit, SendCredit } from "./credit.ts";
import { RecvStream } from "./recv-stream.ts";
import { SendStream } from "./send-stream.ts";
import { Streams, type Windows } from "./streams.ts";

const WINDOWS: Windows = {
  connection: 1000,
  bidirectionalLocal: 100,
  bidirectionalRemote: 200,
  unidirectional: 300,
  streams: { bidirectional: 2, unidirectional: 1 },
};
const MISPLACED = { unopened: "streamOnUnopened", wrongWay: "streamOnSendOnly" } as const;
const PARAMETERS = {
  ...DEFAULT_PARAMETERS,
  initial_max_data: 50,
  initial_max_stream_data_bidi_local: 10,
  initial_max_stream_data_bidi_remote: 20,
  initial_max_stream_data_uni: 30,
  initial_max_streams_bidi: 1,
  initial_max_streams_uni: 2,
};

describe("a receiving part", () => {
  const rig = (window = 100, all = 1000) => {
    const connection = new ReceiveCredit(all);
    const stream = new RecvStream(streamId(0), window);
    const receive = (offset: number, length: number, fin = false) =>
      stream.receive({ offset, data: pattern(offset, length), fin }, connection)?.name;
    return { connection, stream, receive };
  };

  test("gives out octets in order, and the end with the last", () => {
    const { stream, receive } = rig();
    receive(5, 5, true);
    expect([stream.pull(), stream.state, stream.isOpen]).toEqual([undefined, "sizeKnown", false]);
    receive(0, 5);
    expect([stream.pull(), stream.state]).toEqual([{ octets: pattern(0, 5), end: false }, "dataRecvd"]);
    expect([stream.pull(), stream.pull(), stream.isDone]).toEqual([{ octets: pattern(5, 5), end: true }, undefined, true]);
  });

  test("an end without octets is an arrival of its own", () => {
    const { stream, receive } = rig();
    receive(0, 3);
    stream.pull();
    receive(3, 0, true);
    expect([stream.pull(), stream.state]).toEqual([{ octets: octets(0), end: true }, "dataRead"]);
  });

  test.each([
    [
      "another end",
      [
        [0, 5, true],
        [0, 6, true],
      ],
      "finalSizeChanged",
    ],
    [
      "octets after the end",
      [
        [0, 5, true],
        [5, 1, false],
      ],
      "dataBeyondFinalSize",
    ],
    [
      "an end before octets",
      [
        [0, 5, false],
        [0, 4, true],
      ],
      "finalSizeBelowData",
    ],
    ["octets beyond the limit of the stream", [[100, 1, false]], "dataBeyondStreamLimit"],
    [
      "octets beyond the limit, after a gap",
      [
        [99, 1, false],
        [100, 1, false],
      ],
      "dataBeyondStreamLimit",
    ],
  ] as const)("%s is refused", (_, frames, name) => {
    const { receive } = rig();
    expect(frames.map(([offset, length, fin]) => receive(offset, length, fin)).at(-1)).toBe(name);
  });

  test("octets beyond the limit of the connection are refused", () => {
    const { receive } = rig(100, 50);
    expect([receive(0, 50), receive(0, 50), receive(50, 1)]).toEqual([undefined, undefined, "dataBeyondConnectionLimit"]);
  });

  test("the end is checked after everything was read, too", () => {
    const { stream, receive, connection } = rig();
    receive(0, 5, true);
    stream.pull();
    expect([receive(0, 5, true), receive(5, 1), stream.reset(1, 4, connection)?.name]).toEqual([
      undefined,
      "dataBeyondFinalSize",
      "finalSizeChanged",
    ]);
  });

  test("a reset replaces what was not read, and its octets count as read for the connection", () => {
    const { stream, receive, connection } = rig();
    receive(10, 5);
    expect(stream.reset(7, 60, connection)).toBeUndefined();
    expect([stream.pull(), stream.pullReset(), stream.pullReset(), stream.isDone]).toEqual([undefined, 7, undefined, true]);
    expect([connection.received, connection.hasNews]).toEqual([60, false]);
    expect(rig().stream.reset(7, 101, connection)).toMatchObject({ name: "dataBeyondStreamLimit" });
  });

  test("a reset after everything arrived changes nothing", () => {
    const { stream, receive, connection } = rig();
    receive(0, 5, true);
    expect(stream.reset(7, 5, connection)).toBeUndefined();
    expect([stream.pull(), stream.pullReset()]).toEqual([{ octets: pattern(0, 5), end: true }, undefined]);
  });

  test("after stop nothing is kept or given out, and the connection gets its credit back", () => {
    const { stream, receive, connection } = rig(100, 100);
    receive(0, 10);
    stream.stop(9, connection);
    expect(stream.wantsStop).toBe(9);
    stream.stopSent(true);
    receive(20, 40);
    expect([stream.wantsStop, stream.pull(), stream.waiting, connection.hasNews, connection.limit]).toEqual([
      undefined,
      undefined,
      0,
      true,
      160,
    ]);
    expect([receive(60, 0, true), stream.isDone]).toEqual([undefined, true]);
  });
});

describe("credit", () => {
  test("is raised when half of the window is read, announced once, and again after a loss", () => {
    const credit = new ReceiveCredit(100);
    credit.receive(60);
    credit.consume(50);
    expect([credit.hasNews, credit.limit]).toEqual([false, 100]);
    credit.consume(10);
    expect([credit.hasNews, credit.announce(), credit.hasNews]).toEqual([true, 160, false]);
    credit.lose();
    expect(credit.hasNews).toBe(true);
  });

  test("is complained about once for each limit", () => {
    const credit = new SendCredit(10);
    expect(credit.blocked()).toBeUndefined();
    credit.use(10);
    expect([credit.blocked(), credit.blocked(), credit.raise(10), credit.raise(20), credit.left]).toEqual([10, undefined, false, true, 10]);
    credit.use(10);
    expect(credit.blocked()).toBe(20);
    credit.lose();
    expect(credit.blocked()).toBe(20);
  });
});

describe("a sending part", () => {
  test("sends within both limits, and the end with its last octets", () => {
    const [stream, connection] = [new SendStream(streamId(0), 5), new SendCredit(8)];
    stream.write(pattern(0, 10), true);
    expect(stream.take(100, connection)).toEqual({ offset: 0, data: pattern(0, 5), fin: false });
    expect([stream.wants(connection), stream.blocked(), stream.unsent]).toEqual([false, 5, 5]);
    stream.credit.raise(50);
    expect([stream.take(100, connection)?.data.length, stream.wants(connection), connection.blocked()]).toEqual([3, false, 8]);
    connection.raise(50);
    expect(stream.take(100, connection)).toEqual({ offset: 8, data: pattern(8, 2), fin: true });
    expect([stream.state, stream.wants(connection)]).toEqual(["dataSent", false]);
    stream.acknowledged(0, 10, true);
    expect(stream.state).toBe("dataRecvd");
    expect(() => stream.write(octets(1), false)).toThrow(Misuse);
  });

  test("the end alone needs no credit, and is sent again if it is lost", () => {
    const [stream, connection] = [new SendStream(streamId(0), 0), new SendCredit(0)];
    stream.write(octets(0), true);
    expect([stream.wants(connection), stream.take(0, connection)]).toEqual([true, { offset: 0, data: octets(0), fin: true }]);
    expect(stream.wants(connection)).toBe(false);
    stream.lost(0, 0, true);
    expect(stream.take(9, connection)).toEqual({ offset: 0, data: octets(0), fin: true });
    stream.acknowledged(0, 0, true);
    expect(stream.isDone).toBe(true);
  });

  test("a reset says how many octets were sent, once, and again after a loss", () => {
    const [stream, connection] = [new SendStream(streamId(0), 100), new SendCredit(100)];
    stream.write(pattern(0, 10), false);
    stream.take(4, connection);
    expect([stream.reset(3), stream.reset(4), stream.wantsReset, stream.wants(connection), stream.waiting]).toEqual([
      true,
      false,
      { code: 3, finalSize: 4 },
      false,
      0,
    ]);
    stream.resetSent(true);
    expect(stream.wantsReset).toBeUndefined();
    stream.resetSent(false);
    expect(stream.wantsReset).toEqual({ code: 3, finalSize: 4 });
    stream.acknowledged(0, 4, false);
    stream.lost(0, 4, false);
    stream.resetAcknowledged();
    expect([stream.state, stream.take(9, connection), stream.reset(1)]).toEqual(["resetRecvd", undefined, false]);
  });
});

describe("streams", () => {
  test("a frame opens its stream and all before it, up to the limit", () => {
    const streams = new Streams("server", WINDOWS);
    const got = streams.forFrame(streamId(4), "recv", MISPLACED, 8);
    expect("opened" in got && got.opened.map(({ id }) => id)).toEqual([0, 4]);
    expect(streams.forFrame(streamId(8), "recv", MISPLACED, 8)).toMatchObject({ name: "tooManyStreams" });
    expect(streams.forFrame(streamId(6), "recv", MISPLACED, 8)).toMatchObject({ name: "tooManyStreams" });
    expect(streams.forFrame(streamId(1), "recv", MISPLACED, 8)).toMatchObject({ name: "streamOnUnopened" });
    expect(streams.forFrame(streamId(3), "recv", MISPLACED, 8)).toMatchObject({ name: "streamOnSendOnly" });
    expect([streams.find(streamId(4))?.recv?.credit.limit, streams.size]).toEqual([200, 2]);
  });

  test("ours wait for the peer's limits", () => {
    const streams = new Streams("client", WINDOWS);
    expect([streams.open("bidirectional"), streams.streamsBlocked("bidirectional"), streams.streamsBlocked("bidirectional")]).toEqual([
      undefined,
      0,
      undefined,
    ]);
    streams.accept(PARAMETERS);
    const [bidi, uni] = [streams.open("bidirectional")!, streams.open("unidirectional")!];
    expect([bidi.id, bidi.send?.credit.limit, bidi.recv?.credit.limit, uni.id, uni.send?.credit.limit, uni.recv]).toEqual([
      0,
      20,
      100,
      2,
      30,
      undefined,
    ]);
    expect([streams.mayOpen("bidirectional"), streams.mayOpen("unidirectional"), streams.sendCredit.limit]).toEqual([false, true, 50]);
    expect([streams.raiseStreams("bidirectional", 1), streams.raiseStreams("bidirectional", 2), streams.open("bidirectional")?.id]).toEqual(
      [false, true, 4],
    );
  });

  test("a stream that is done makes room for another, announced at half of the window", () => {
    const streams = new Streams("server", WINDOWS);
    const { receiveCredit } = streams;
    streams.forFrame(streamId(0), "recv", MISPLACED, 8);
    const { recv, send } = streams.find(streamId(0))!;
    recv!.receive({ offset: 0, data: octets(0), fin: true }, receiveCredit);
    recv!.pull();
    expect([streams.forgetIfDone(streamId(0)), streams.streamNews("bidirectional")]).toEqual([false, undefined]);
    send!.reset(0);
    send!.resetAcknowledged();
    expect([streams.forgetIfDone(streamId(0)), streams.streamNews("bidirectional"), streams.size]).toEqual([true, 3, 0]);
    streams.announceStreams("bidirectional");
    expect(streams.streamNews("bidirectional")).toBeUndefined();
    streams.loseStreams("bidirectional");
    expect(streams.streamNews("bidirectional")).toBe(3);
    expect(streams.forFrame(streamId(0), "recv", MISPLACED, 8)).toEqual({ stream: undefined, opened: [] });
  });

  test("turns go round", () => {
    const streams = new Streams("client", WINDOWS);
    for (const id of [0, 4, 8]) streams.touch(streamId(id));
    streams.rotate(streamId(0));
    streams.rest(streamId(8));
    expect([...streams.queue, ...streams.all]).toEqual([4, 0]);
  });

  test("two parts agree whatever is lost, repeated and reordered", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom("send", "arrive", "repeat", "lose"), fc.nat(50)), { maxLength: 80 }),
        fc.nat(400),
        (steps, size) => {
          const [out, inn] = [new SendStream(streamId(0), 60), new RecvStream(streamId(0), 60)];
          const [sendCredit, receiveCredit] = [new SendCredit(80), new ReceiveCredit(80)];
          out.write(pattern(0, size), true);
          const flying: { offset: number; data: Uint8Array; fin: boolean }[] = [];
          let read = 0;
          const arrive = (at: number, isRepeated: boolean): void => {
            const [piece] = isRepeated ? flying.slice(at, at + 1) : flying.splice(at, 1);
            if (piece === undefined) return;
            expect(inn.receive(piece, receiveCredit)).toBeUndefined();
            for (let got = inn.pull(); got !== undefined; got = inn.pull()) {
              expect(got.octets).toEqual(pattern(read, got.octets.length));
              read += got.octets.length;
              inn.credit.consume(got.octets.length);
              receiveCredit.consume(got.octets.length);
            }
            out.credit.raise(inn.credit.announce());
            sendCredit.raise(receiveCredit.announce());
            if (!isRepeated) out.acknowledged(piece.offset, piece.offset + piece.data.length, piece.fin);
          };
          const send = (most: number): void => {
            const piece = out.take(most, sendCredit);
            if (piece !== undefined) flying.push(piece);
          };
          for (const [what, count] of steps) {
            if (what === "send") send(count + 1);
            else if (what === "lose")
              for (const piece of flying.splice(count % (flying.length + 1), 1))
                out.lost(piece.offset, piece.offset + piece.data.length, piece.fin);
            else arrive(count % (flying.length + 1), what === "repeat");
          }
          for (let rounds = 0; rounds < 500 && !out.isDone; rounds++) {
            send(20);
            arrive(0, false);
          }
          expect([read, out.isDone, inn.isDone]).toEqual([size, true, true]);
        },
      ),
    );
  });
});
