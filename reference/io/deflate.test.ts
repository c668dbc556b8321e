import { deflateRawSync, inflateRawSync, constants } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Engine, Inflater } from "../websocket/index.ts";
import { deflateEngine } from "./deflate.ts";

const hex = (text: string): Uint8Array => Buffer.from(text.replaceAll(" ", ""), "hex");
const say = (given: Uint8Array | string): string => (typeof given === "string" ? given : Buffer.from(given).toString());
const utf8 = (text: string): Uint8Array => Buffer.from(text);
const MUCH = 1 << 20;

const ENGINES: readonly (readonly [string, Engine])[] = [
  ["kept streams", deflateEngine()],
  ["documented functions", deflateEngine({ keepsStreams: false })],
];

describe.each(ENGINES)("%s", (_name, engine) => {
  test("inflater: the examples of the specification in sequence (rfc7692#7.2.3)", () => {
    const inflater = engine.inflater(15, true);
    const messages = [
      "f2 48 cd c9 c9 07 00",
      "f2 00 11 00 00",
      "00 05 00 fa ff 48 65 6c 6c 6f 00",
      "f3 48 cd c9 c9 07 00 00",
      "f2 48 05 00 00 00 ff ff ca c9 c9 07 00",
    ];
    expect(messages.map((message) => say(inflater.inflate(hex(message), true, MUCH)))).toEqual(Array(5).fill("Hello"));
    expect(say(inflater.inflate(hex("00"), true, MUCH))).toBe("");
    inflater.close();
  });

  test("inflater: the window survives a final block", () => {
    const inflater = engine.inflater(15, true);
    expect(say(inflater.inflate(hex("f3 48 cd c9 c9 07 00 00"), true, MUCH))).toBe("Hello");
    expect(say(inflater.inflate(hex("f2 00 11 00 00"), true, MUCH))).toBe("Hello");
  });

  test("inflater, no context takeover: a reference to an earlier message is corrupt", () => {
    const inflater = engine.inflater(15, false);
    expect(say(inflater.inflate(hex("f2 48 cd c9 c9 07 00"), true, MUCH))).toBe("Hello");
    expect(say(inflater.inflate(hex("f2 00 11 00 00"), true, MUCH))).toBe("corrupt");
    // Corrupt input does not affect the next message.
    expect(say(engine.inflater(15, false).inflate(hex("f2 48 cd c9 c9 07 00"), true, MUCH))).toBe("Hello");
  });

  test("inflater, no context takeover: a final block leaves nothing for the next message of any connection", () => {
    const secret = utf8("the token is 1234567890");
    const first = engine.inflater(15, false);
    expect(say(first.inflate(Buffer.concat([deflateRawSync(secret), Buffer.of(0)]), true, MUCH))).toBe("the token is 1234567890");
    const probe = deflateRawSync(secret, { dictionary: secret, finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
    expect(say(engine.inflater(15, false).inflate(probe, true, MUCH))).toBe("corrupt");
    expect(say(first.inflate(probe, true, MUCH))).toBe("corrupt");
  });

  test("inflater: the limit is exact to the octet", () => {
    const message = hex("f2 48 cd c9 c9 07 00");
    expect([5, 4, 0].map((limit) => say(engine.inflater(15, true).inflate(message, true, limit)))).toEqual(["Hello", "large", "large"]);
    expect(say(engine.inflater(15, true).inflate(hex("00"), true, 0))).toBe("");
    const bomb = deflateRawSync(new Uint8Array(50_000_000), { finishFlush: constants.Z_SYNC_FLUSH });
    expect(say(engine.inflater(15, true).inflate(bomb, true, 100_000))).toBe("large");
  });

  test("inflater: the number of final blocks in one message is limited", () => {
    const finals = (count: number): Uint8Array => Buffer.concat([...Array(count).fill(hex("03 00")), hex("00")]);
    expect(say(engine.inflater(15, true).inflate(finals(10), true, MUCH))).toBe("");
    expect(say(engine.inflater(15, true).inflate(finals(100), true, MUCH))).toBe("corrupt");
  });

  test.each(["07 00", "ff ff ff", "f2 00 11 00 00", "00 05 00 00 00 48", "f2 48 cd c9 c9 07 07"])("inflater: %s is corrupt", (message) => {
    expect(say(engine.inflater(15, true).inflate(hex(message), true, MUCH))).toBe("corrupt");
  });

  test("deflater: the examples of the specification, and the empty message", () => {
    const deflater = engine.deflater(15, true);
    const said = ["Hello", "Hello", "", ""].map((text) => Buffer.from(deflater.deflate(utf8(text), true)).toString("hex"));
    expect(said).toEqual(["f248cdc9c90700", "f200110000", "00", "00"]);
    const alone = engine.deflater(15, false);
    expect(["Hello", "Hello"].map((text) => Buffer.from(alone.deflate(utf8(text), true)).toString("hex"))).toEqual([
      "f248cdc9c90700",
      "f248cdc9c90700",
    ]);
    deflater.close();
  });

  test("deflater, no context takeover: connections that send in parts do not interfere", () => {
    const [one, other] = [engine.deflater(15, false), engine.deflater(15, false)];
    const mixed = [
      one.deflate(utf8("abc"), false),
      other.deflate(utf8("xyz"), false),
      one.deflate(utf8("def"), true),
      other.deflate(utf8("uvw"), true),
    ];
    const [first, second] = [engine.inflater(15, false), engine.inflater(15, false)];
    const told = [
      say(first.inflate(mixed[0]!, false, MUCH)),
      say(second.inflate(mixed[1]!, false, MUCH)),
      say(first.inflate(mixed[2]!, true, MUCH)),
      say(second.inflate(mixed[3]!, true, MUCH)),
    ];
    expect([told[0]! + told[2]!, told[1]! + told[3]!]).toEqual(["abcdef", "xyzuvw"]);
  });

  test("round trip: any messages, in any parts, with any window", () => {
    const text = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.tuple(fc.string({ maxLength: 5 }), fc.nat(9_000)).map(([unit, n]) => unit.repeat(n)),
    );
    const messages = fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(messages, fc.integer({ min: 8, max: 15 }), fc.boolean(), fc.integer({ min: 1, max: 40 }), (all, bits, takeover, cut) => {
        const deflater = engine.deflater(bits, takeover);
        const inflater = engine.inflater(bits, takeover);
        for (const parts of all) {
          const frames = parts.map((part, i) => deflater.deflate(utf8(part), i === parts.length - 1));
          expect(inflated(inflater, Buffer.concat(frames), cut)).toBe(parts.join(""));
        }
        deflater.close();
        inflater.close();
      }),
      { numRuns: 60 },
    );
  });

  test("round trip: a message much larger than one zlib step", () => {
    const octets = Uint8Array.from({ length: 700_000 }, (_, i) => (i * 2_654_435_761) >>> 13);
    const frame = engine.deflater(15, true).deflate(octets, true);
    const back = engine.inflater(15, true).inflate(frame, true, octets.length);
    expect(Buffer.compare(back as Uint8Array, octets)).toBe(0);
    expect(
      Buffer.compare(inflateRawSync(Buffer.concat([frame, hex("00 00 ff ff")]), { finishFlush: constants.Z_SYNC_FLUSH }), octets),
    ).toBe(0);
  });

  test.each([8, 9, 12])("deflater: a receiver with a window of 2^%d can decode its output", (bits) => {
    const octets = Uint8Array.from({ length: 20_000 }, (_, i) => (i % 300) * 7);
    const deflater = engine.deflater(bits, true);
    const inflater = engine.inflater(bits, true);
    for (let i = 0; i < 3; i++)
      expect(Buffer.compare(inflater.inflate(deflater.deflate(octets, true), true, MUCH) as Uint8Array, octets)).toBe(0);
  });
});

/** Pieces of a few octets. */
function inflated(inflater: Inflater, octets: Uint8Array, cut: number): string {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < octets.length; at += cut) {
    const given = inflater.inflate(octets.slice(at, at + cut), at + cut >= octets.length, MUCH);
    if (typeof given === "string") return given;
    pieces.push(given);
  }
  return Buffer.concat(pieces).toString();
}

test("both engines agree on any octets, corrupt ones too", () => {
  const [kept, plain] = ENGINES.map(([, engine]) => engine) as [Engine, Engine];
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.boolean(), (octets, begins) => {
      // A valid first block reaches further than noise.
      const message = begins ? Buffer.concat([hex("f2 48 cd c9 c9 07 00 00 00 ff ff"), octets]) : octets;
      const [first, second] = [kept.inflater(15, true), plain.inflater(15, true)];
      expect(say(first.inflate(message, true, 10_000))).toBe(say(second.inflate(message, true, 10_000)));
      first.close();
      second.close();
    }),
    { numRuns: 500 },
  );
});
