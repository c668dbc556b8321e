import { describe, expect, test } from "vitest";
import { instant, Misuse } from "../core/index.ts";
import { Connection } from "./connection.ts";
import { bytes, client, close, join, more, ping, play, raw, sayEvent, sayFrames, server, T0, text } from "./testing.ts";

const unmasked = { key: false } as const;

describe("the peer closes", () => {
  test("server: answers with the same code, and the connection is over", () => {
    expect(play([close(1_001, "bye"), text("late"), ping()])).toEqual(["closing 1001 bye", "closed 1001 bye clean", "> close 1001"]);
  });
  test("server: answers an empty Close with an empty one, and reports 1005 (rfc6455#7.1.5)", () => {
    expect(play([close()])).toEqual(["closing 1005", "closed 1005 clean", "> close"]);
  });
  test("client: waits for the server to end the transport (rfc6455#7.1.1)", () => {
    const rig = client();
    expect(rig.receives(close(1_000, "bye", unmasked), text("late", unmasked))).toEqual(["closing 1000 bye"]);
    expect(rig.out()).toEqual(["masked close 1000"]);
    expect(rig.c.text("late")).toBe(false);
    expect(rig.ended()).toEqual(["closed 1000 bye clean"]);
    expect(rig.out()).toEqual([]);
  });
  test("client: waits only `endMs` for the server to end the transport", () => {
    const rig = client();
    rig.receives(close(1_000, "", unmasked));
    expect(rig.c.deadline).toBe(2_000);
    expect(rig.tick(1_999)).toEqual([]);
    expect(rig.tick(2_000)).toEqual(["closed 1000 clean"]);
  });
  test("within a message: the message is not reported", () => {
    expect(play([text("a", { fin: false }), close(1_000)])).toEqual(["closing 1000", "closed 1000 clean", "> close 1000"]);
  });
  test("answers pings before the Close first", () => {
    expect(play([ping("a"), ping("b"), close(1_000)], { limits: { pongs: 1 } })).toEqual([
      "ping a",
      "ping b",
      "closing 1000",
      "closed 1000 clean",
      "> pong a",
      "> pong b",
      "> close 1000",
    ]);
  });
  test.each([1_000, 1_001, 1_002, 1_003, 1_007, 1_008, 1_009, 1_010, 1_011, 1_012, 1_013, 1_014, 3_000, 3_999, 4_000, 4_999])(
    "%d is a code",
    (code) => {
      expect(play([close(code)])).toEqual([`closing ${code}`, `closed ${code} clean`, `> close ${code}`]);
    },
  );
  test.each([0, 999, 1_004, 1_005, 1_006, 1_015, 1_016, 1_100, 2_000, 2_999, 5_000, 65_535])(
    "%d is not a valid code (rfc6455#7.4.2)",
    (code) => {
      expect(play([close(code)])).toEqual(["closed 1006 closeCodeInvalid", "> close 1002 closeCodeInvalid (rfc6455#7.4)"]);
    },
  );
  test("accepts a reason of at most 123 octets", () => {
    expect(play([close(1_000, "a".repeat(123))])[0]).toBe(`closing 1000 ${"a".repeat(123)}`);
    expect(play([close(1_000, "a".repeat(124))])[0]).toBe("closed 1006 controlTooLong");
  });
  test("refuses a reason that ends within a character", () => {
    expect(play([close(1_000, bytes("c3"))])[0]).toBe("closed 1006 closeReasonInvalid");
  });
});

describe("we close", () => {
  test("server: is over with the peer's Close, and reports its code", () => {
    const rig = server();
    rig.c.close(4_000, "enough");
    expect(rig.out()).toEqual(["close 4000 enough"]);
    expect(rig.receives(close(4_001, "fine"))).toEqual(["closing 4001 fine", "closed 4001 fine clean"]);
    expect(rig.out()).toEqual([]);
  });
  test("sends a reason of up to 123 octets (rfc6455#5.5)", () => {
    const rig = server();
    expect(() => rig.c.close(1_000, "a".repeat(124))).toThrow(Misuse);
    rig.c.close(1_000, "a".repeat(123));
    expect(rig.out()).toEqual([`close 1000 ${"a".repeat(123)}`]);
  });
  test("still reports messages, and answers pings, until the peer's Close (rfc6455#5.5.2)", () => {
    const rig = server();
    rig.receives(text("a", { fin: false }));
    rig.c.close(1_000);
    expect(rig.receives(ping("x"), more("b", true), text("c"), close(1_000), text("d"))).toEqual([
      "ping x",
      "text ab",
      "text c",
      "closing 1000",
      "closed 1000 clean",
    ]);
    expect(rig.out()).toEqual(["close 1000", "pong x"]);
  });
  test("both at once: each Close answers the other", () => {
    const rig = client();
    rig.c.close(1_000);
    expect(rig.receives(close(1_001, "", unmasked))).toEqual(["closing 1001"]);
    expect(rig.out()).toEqual(["masked close 1000"]);
    expect(rig.ended()).toEqual(["closed 1001 clean"]);
  });
  test("sends no second Close if the peer breaks a rule meanwhile", () => {
    const rig = server();
    rig.c.close(1_000);
    expect(rig.receives(raw({ op: 3 }))).toEqual(["closed 1006 opcodeReserved"]);
    expect(rig.out()).toEqual(["close 1000"]);
  });
  test("waits only `closeMs` for the peer's Close, whenever `tick` is called", () => {
    const rig = server();
    rig.tick(10_000);
    rig.c.close(1_000);
    expect(rig.tick(10_001)).toEqual([]);
    expect(rig.c.deadline).toBe(15_001);
    expect(rig.receives(text("a"))).toEqual(["text a"]);
    expect(rig.c.deadline).toBe(15_001);
    expect(rig.tick(15_001)).toEqual(["closed 1006 closeLate"]);
  });
  test("refuses to send anything after it, and ignores a second close", () => {
    const rig = server();
    rig.c.close(1_000);
    expect(() => rig.c.text("a")).toThrow(Misuse);
    expect(() => rig.c.binary(bytes("00"))).toThrow(Misuse);
    expect(() => rig.c.fragment("text", bytes("61"), true)).toThrow(Misuse);
    expect(() => rig.c.ping()).toThrow(Misuse);
    rig.c.close(1_001);
    rig.c.shutdown();
    expect(rig.out()).toEqual(["close 1000"]);
  });
  test("shutdown(): sends 1001", () => {
    const rig = server();
    rig.c.shutdown();
    expect(rig.out()).toEqual(["close 1001"]);
  });
});

describe("no closing handshake", () => {
  test("the transport ends: reports 1006, not clean", () => {
    const rig = server();
    expect(rig.ended()).toEqual(["closed 1006"]);
    expect(rig.ended()).toEqual([]);
  });
  test("the transport ends after our Close", () => {
    const rig = server();
    rig.c.close(1_000);
    expect(rig.ended()).toEqual(["closed 1006"]);
  });
  test("abort(): drops what is queued", () => {
    const rig = server();
    rig.c.text("a");
    rig.c.abort();
    expect([rig.told(), rig.out()]).toEqual([["closed 1006"], []]);
    rig.c.abort();
    expect([rig.told(), rig.receives(text("a"))]).toEqual([[], []]);
  });
});

test("close(): an invalid code or reason is Misuse, and nothing is written", () => {
  const rig = server();
  for (const [code, reason] of [
    [1_005, ""],
    [1_006, ""],
    [1_015, ""],
    [999, ""],
    [5_000, ""],
    [undefined, "why"],
    [1_000, "é".repeat(62)],
  ] as const)
    expect(() => rig.c.close(code, reason)).toThrow(Misuse);
  expect(rig.out()).toEqual([]);
  rig.c.close(1_000, `${"é".repeat(61)}a`);
  expect(rig.out()).toEqual([`close 1000 ${"é".repeat(61)}a`]);
});

describe("a Close that arrives with messages before it", () => {
  test("is answered after the owner's replies to them", () => {
    const c = new Connection({ side: "server" }, T0);
    expect(c.receive(join([text("a"), close(1_000)]), T0).map(sayEvent)).toEqual(["text a", "closing 1000"]);
    expect(c.isOpen).toBe(true);
    c.text("b");
    expect(sayFrames(join(c.take()))).toEqual(["text b", "close 1000"]);
    expect(c.events().map(sayEvent)).toEqual(["closed 1000 clean"]);
    expect(c.isOpen).toBe(false);
  });
  test("is held until `releaseClose`, or for `closeMs`", () => {
    const held = (): Connection => {
      const c = new Connection({ side: "server", limits: { closeMs: 100 } }, T0);
      c.receive(join([text("a"), close(1_000), text("c")]), T0);
      c.holdClose();
      expect([c.take(), c.events(), Number(c.deadline)]).toEqual([[], [], 100]);
      return c;
    };
    const one = held();
    one.text("b");
    one.releaseClose();
    expect(sayFrames(join(one.take()))).toEqual(["text b", "close 1000"]);
    const two = held();
    expect(two.tick(instant(100)).map(sayEvent)).toEqual(["closed 1000 clean"]);
    expect(sayFrames(join(two.take()))).toEqual(["close 1000"]);
    const three = held();
    expect(three.ended(instant(1)).map(sayEvent)).toEqual(["closed 1000 clean"]);
    const four = held();
    four.close(4_000);
    expect(sayFrames(join(four.take()))).toEqual(["close 1000"]);
    expect(four.events().map(sayEvent)).toEqual(["closed 1000 clean"]);
  });
  test("is answered at once without such messages", () => {
    const c = new Connection({ side: "server" }, T0);
    c.holdClose();
    expect(c.receive(join([ping("x"), close(1_000)]), T0).map(sayEvent)).toEqual(["ping x", "closing 1000", "closed 1000 clean"]);
  });
});

describe("the peer breaks a rule after messages", () => {
  test("replies to the messages go before our Close (rfc6455#7.1.7)", () => {
    const rig = server();
    expect(rig.c.receive(join([text("a"), raw({ op: 3 }), text("b")]), T0).map(sayEvent)).toEqual(["text a"]);
    expect(rig.c.text("re: a")).toBe(true);
    expect(rig.out()).toEqual(["text re: a", "close 1002 opcodeReserved (rfc6455#5.2)"]);
    expect(rig.told()).toEqual(["closed 1006 opcodeReserved"]);
    expect(rig.c.text("late")).toBe(false);
  });
  test("without messages the connection fails at once", () => {
    const rig = server();
    expect(rig.c.receive(join([ping("x"), raw({ op: 3 })]), T0).map(sayEvent)).toEqual(["ping x", "closed 1006 opcodeReserved"]);
    expect(rig.out()).toEqual(["pong x", "close 1002 opcodeReserved (rfc6455#5.2)"]);
  });
  test("the Close is sent although the owner closes, the transport ends, or nobody drains", () => {
    const broken = join([text("a"), raw({ op: 3 })]);
    const closes = server();
    closes.c.receive(broken, T0);
    closes.c.close(1_000);
    expect(closes.out()).toEqual(["close 1002 opcodeReserved (rfc6455#5.2)"]);
    const ends = server();
    ends.c.receive(broken, T0);
    expect(ends.ended()).toEqual(["closed 1006 opcodeReserved"]);
    const waits = server();
    waits.c.receive(broken, T0);
    expect(waits.c.deadline).toBe(5_000);
    expect(waits.tick(5_000)).toEqual(["closed 1006 opcodeReserved"]);
  });
});
