import { describe, expect, test } from "vitest";
import { Misuse } from "../core/index.ts";
import { Connection } from "./connection.ts";
import type { Engine } from "./deflate.ts";
import { binary, bytes, client, DEFLATE, hex, join, more, raw, server, T0, text, utf8 } from "./testing.ts";

describe("sending messages", () => {
  test.each([0, 1, 125, 126, 127, 65_535, 65_536, 70_000])("%d octets: uses the shortest form of the length (rfc6455#5.2)", (size) => {
    const payload = new Uint8Array(size).fill(0x61);
    const rig = server();
    rig.c.binary(payload);
    expect(hex(join(rig.c.take()))).toBe(hex(raw({ op: 2, payload, key: false })));
    rig.c.text("a".repeat(size));
    expect(hex(join(rig.c.take()))).toBe(hex(raw({ op: 1, payload, key: false })));
  });

  test("a large message leaves as the given view, in order", () => {
    const rig = server();
    const large = new Uint8Array(10_000);
    rig.c.text("a");
    rig.c.binary(large);
    rig.c.text("b");
    expect(rig.c.queued).toBe(3 + 4 + 10_000 + 3);
    const pieces = rig.c.take();
    expect(pieces.map(({ length }) => length)).toEqual([7, 10_000, 3]);
    expect(pieces[1]).toBe(large);
  });

  test("client: masks each frame with its own key, and does not change the caller's octets (rfc6455#5.3)", () => {
    const rig = client();
    const octets = new Uint8Array(5_000).fill(1);
    for (let i = 0; i < 100; i++) rig.c.binary(octets);
    rig.c.text("é");
    rig.c.text("a");
    const sent = join(rig.c.take());
    const keys = new Set<string>();
    for (let i = 0; i < 100; i++) keys.add(hex(sent.subarray(i * 5_008 + 4, i * 5_008 + 8)));
    expect(keys.size).toBe(100);
    expect(octets.every((octet) => octet === 1)).toBe(true);
  });

  test("text: short, long, ASCII or not, with an unpaired surrogate", () => {
    const rig = server();
    for (const one of ["", "abc", "é", "a".repeat(300), "é".repeat(300), "😀", "a\ud800b"]) rig.c.text(one);
    expect(rig.out()).toEqual([
      "text",
      "text abc",
      "text é",
      `text ${"a".repeat(300)}`,
      `text ${"é".repeat(300)}`,
      "text 😀",
      "text a\ufffdb",
    ]);
  });

  test("text as octets: must be UTF-8", () => {
    const rig = server();
    rig.c.text(utf8("é"));
    expect(() => rig.c.text(bytes("c3 28"))).toThrow(Misuse);
    expect(() => rig.c.text(bytes("c3"))).toThrow(Misuse);
    expect(rig.out()).toEqual(["text é"]);
  });

  test("fragments: one kind, continuations, an end, and no other message between (rfc6455#5.4)", () => {
    const rig = server();
    rig.c.fragment("text", utf8("a"), false);
    expect(() => rig.c.text("b")).toThrow(Misuse);
    rig.c.ping(utf8("x"));
    rig.c.fragment("text", utf8("c"), false);
    rig.c.fragment("text", utf8(""), true);
    rig.c.text("d");
    expect(rig.out()).toEqual(["text a …", "ping x", "more c …", "more", "text d"]);
  });

  test("fragments: text that is not UTF-8, or ends within a character, is refused", () => {
    const rig = server();
    rig.c.fragment("text", bytes("c3"), false);
    expect(() => rig.c.fragment("text", bytes("28"), true)).toThrow(Misuse);
    expect(() => rig.c.fragment("text", bytes(""), true)).toThrow(Misuse);
    rig.c.fragment("text", bytes("a9"), true);
    rig.c.fragment("binary", bytes("ff"), true);
    expect(hex(join(rig.c.take()))).toBe("0101c38001a98201ff");
  });

  test("compression: sets RSV1 on the first frame only (rfc7692#6)", () => {
    const rig = server({ deflate: DEFLATE });
    rig.c.text("ab");
    rig.c.fragment("text", utf8("c"), false);
    rig.c.fragment("text", utf8("d"), true);
    expect(rig.out()).toEqual(["rsv1 text \u0001a\u0001b", "rsv1 text \u0001c …", "more \u0001d"]);
  });

  test("compression: not below the threshold", () => {
    const rig = server({ deflate: { ...DEFLATE, threshold: 3 } });
    rig.c.text("ab");
    rig.c.binary(utf8("ab"));
    rig.c.text("éa");
    expect(rig.out()).toEqual(["text ab", "binary <6162>", "rsv1 text \u0001\ufffd\u0001\ufffd\u0001a"]);
  });

  test("pings and pongs have at most 125 octets", () => {
    const rig = server();
    rig.c.ping();
    rig.c.pong(utf8("x"));
    expect(() => rig.c.ping(new Uint8Array(126))).toThrow(Misuse);
    expect(() => rig.c.pong(new Uint8Array(126))).toThrow(Misuse);
    expect(rig.out()).toEqual(["ping", "pong x"]);
  });
});

test("a client without randomness is refused", () => {
  expect(() => new Connection({ side: "client" }, T0)).toThrow(Misuse);
});

describe("a peer that does not read", () => {
  test("above the mark the owner must wait, and `writable` follows", () => {
    const rig = server({ limits: { highWater: 10 } });
    rig.c.take();
    expect(rig.told()).toEqual([]);
    expect([rig.c.text("12345678"), rig.c.text("9")]).toEqual([true, false]);
    expect(rig.told()).toEqual([]);
    rig.c.take();
    expect(rig.told()).toEqual(["writable"]);
    rig.c.take();
    expect(rig.told()).toEqual([]);
  });
  test("after our Close no `writable` follows", () => {
    const rig = server({ limits: { highWater: 1 } });
    rig.c.text("abc");
    rig.c.close(1_000);
    rig.c.take();
    expect(rig.told()).toEqual([]);
  });
  test("one message may have any size; beyond the limit only 1013 is sent", () => {
    const rig = server({ limits: { queuedOctets: 100 } });
    rig.c.binary(new Uint8Array(50_000));
    expect(rig.told()).toEqual([]);
    expect(rig.c.text("b")).toBe(false);
    expect(rig.told()).toEqual(["closed 1006 readerSlow"]);
    expect(rig.out()).toEqual(["close 1013 readerSlow (rfc6455#7.4.2)"]);
  });
  test("fragments are bounded too", () => {
    const rig = server({ limits: { queuedOctets: 10 } });
    expect(rig.c.fragment("binary", new Uint8Array(20), false)).toBe(true);
    expect(rig.c.fragment("binary", new Uint8Array(1), true)).toBe(false);
    expect(rig.told()).toEqual(["closed 1006 readerSlow"]);
  });
  test("pings are bounded too", () => {
    const rig = server({ limits: { queuedOctets: 10 } });
    for (let i = 0; i < 20; i++) rig.c.ping(utf8("x"));
    expect(rig.told()).toEqual(["closed 1006 readerSlow"]);
  });
});

describe("receiving messages", () => {
  test("whole: text as strings, with a byte order mark; binary as octets", () => {
    expect(server().events(text("\ufeffé"), binary("ab"), text(""))).toEqual([
      { is: "message", kind: "text", data: "\ufeffé" },
      { is: "message", kind: "binary", data: utf8("ab") },
      { is: "message", kind: "text", data: "" },
    ]);
  });
  test("text as octets, if requested", () => {
    expect(server({ text: "octets" }).events(text("é"), text("a", { fin: false }), more("b", true))).toEqual([
      { is: "message", kind: "utf8", data: utf8("é") },
      { is: "message", kind: "utf8", data: utf8("ab") },
    ]);
  });
  test("text as octets in parts: octets are reported as they arrive, even within a character", () => {
    const rig = server({ fragments: true, text: "octets" });
    const part = rig.c.receive(text(bytes("49f090"), { fin: false }), T0);
    expect(part).toEqual([{ is: "fragment", kind: "utf8", data: bytes("49f090"), end: false }]);
  });

  test("in parts: cuts text between characters", () => {
    const rig = server({ fragments: true });
    const frames = [
      text(bytes("61 f0 9f"), { fin: false }),
      more(bytes("98 80 c3"), false),
      more(bytes("a9"), false),
      more("", true),
      binary("x"),
    ];
    const events = frames.flatMap((frame) => rig.c.receive(frame, T0));
    expect(events).toEqual([
      { is: "fragment", kind: "text", data: "a", end: false },
      { is: "fragment", kind: "text", data: "😀", end: false },
      { is: "fragment", kind: "text", data: "é", end: false },
      { is: "fragment", kind: "text", data: "", end: true },
      { is: "fragment", kind: "binary", data: utf8("x"), end: true },
    ]);
  });
  test("in parts: reports them before their frame is complete", () => {
    const rig = server({ fragments: true });
    expect(rig.receives(binary("abcdef").subarray(0, 9))).toEqual(["binary part <616263>"]);
  });
  test("text: refused at the first wrong octet, before its frame is complete (rfc6455#8.1)", () => {
    const rig = server();
    const frame = text(join([utf8("a".repeat(20)), bytes("f4 90"), utf8("b".repeat(20))]));
    expect(rig.receives(frame.subarray(0, 6 + 21))).toEqual([]);
    expect(rig.receives(frame.subarray(6 + 21, 6 + 22))).toEqual(["closed 1006 textInvalid"]);
  });
  test("text: a character that one frame begins must continue in the next, even if that is ASCII", () => {
    expect(server().receives(text(bytes("e2 82"), { fin: false }), more("abc", true))).toEqual(["closed 1006 textInvalid"]);
    expect(server().receives(text(bytes("e2 82"), { fin: false }), more("", false), more(bytes("ac 61"), true))).toEqual(["text €a"]);
    expect(server().receives(text(bytes("e2 82")))).toEqual(["closed 1006 textInvalid"]);
    expect(server().receives(text(bytes("e2 82"), { fin: false }), more("", true))).toEqual(["closed 1006 textInvalid"]);
  });
  test("a large message in several reads: has one buffer, of its length", () => {
    const frame = binary(new Uint8Array(100_000));
    const rig = server();
    rig.c.receive(frame.slice(0, 40_000), T0);
    rig.c.receive(frame.slice(40_000, 80_000), T0);
    const [message] = rig.c.receive(frame.slice(80_000), T0);
    expect(message).toMatchObject({ is: "message", kind: "binary", data: { length: 100_000, buffer: { byteLength: 100_000 } } });
  });
  test("compression: inflates with the peer's agreed parameters, and deflates with its own", () => {
    const agreed = { serverTakeover: true, clientTakeover: false, serverBits: 10, clientBits: 11 };
    const asked: string[] = [];
    const engine: Engine = {
      inflater: (bits, takeover) => (asked.push(`inflate ${bits} ${takeover}`), DEFLATE.engine.inflater(bits, takeover)),
      deflater: (bits, takeover) => (asked.push(`deflate ${bits} ${takeover}`), DEFLATE.engine.deflater(bits, takeover)),
    };
    for (const [rig, key] of [
      [server({ deflate: { agreed, engine, threshold: 0 } }), {}],
      [client({ deflate: { agreed, engine, threshold: 0 } }), { key: false }],
    ] as const) {
      rig.c.text("a");
      rig.receives(text(bytes("01 61"), { rsv: 0x40, ...key }));
    }
    expect(asked).toEqual(["deflate 10 true", "inflate 11 false", "deflate 11 false", "inflate 10 true"]);
  });
  test("a message that is announced too large: refused before it arrives", () => {
    const rig = server({ limits: { messageOctets: 10 } });
    expect(rig.receives(binary("", { length: "7e 01 00" }))).toEqual(["closed 1006 messageTooLarge"]);
    const other = server({ limits: { messageOctets: 10 } });
    expect(other.receives(text("12345678", { fin: false }), raw({ op: 0, length: "03" }))).toEqual(["closed 1006 messageTooLarge"]);
  });
  test("compressed and uncompressed messages; one inflates beyond the limit", () => {
    const rig = server({ deflate: DEFLATE, limits: { messageOctets: 100 } });
    expect(rig.receives(text("plain"), text(bytes("03 61"), { rsv: 0x40 }), text(bytes("02 c3"), { rsv: 0x40 }))).toEqual([
      "text plain",
      "text aaa",
      "closed 1006 textInvalid",
    ]);
    const other = server({ deflate: DEFLATE, limits: { messageOctets: 100 } });
    expect(other.receives(binary(bytes("64 00"), { rsv: 0x40 }), binary(bytes("65 00"), { rsv: 0x40 })).at(-1)).toBe(
      "closed 1006 messageTooLarge",
    );
  });
  test.each([0x40, 0x20, 0x10])("compression: bit %d on a control frame is refused", (rsv) => {
    expect(server({ deflate: DEFLATE }).receives(raw({ op: 9, rsv }))[0]).toMatch(/^closed 1006/);
  });
});
