import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Connection, type Options } from "./connection.ts";
import type { Event, Side } from "./contract.ts";
import { DEFLATE, hex, join, keys, merged, raw, sayEvent, T0, utf8 } from "./testing.ts";

/** For any octets: nothing throws, and how they are cut makes no difference. */

const RUNS = 600;
const payload = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 12 }).map(utf8) },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 8 }) },
  { weight: 2, arbitrary: fc.constantFrom("é", "😀", "\u{10ffff}", "").map(utf8) },
  { weight: 1, arbitrary: fc.integer({ min: 120, max: 140 }).map((size) => new Uint8Array(size).fill(0x61)) },
  { weight: 1, arbitrary: fc.constantFrom([0x03, 0xe8], [0x03, 0xed], [0x0f, 0xa0, 0x61], [0x03]).map((list) => Uint8Array.from(list)) },
);
const op = fc.oneof({ weight: 12, arbitrary: fc.constantFrom(0, 1, 2, 9, 10) }, { weight: 1, arbitrary: fc.constantFrom(8, 3, 11, 15) });
const key = fc.uint8Array({ minLength: 4, maxLength: 4 }).map(hex);
const usually = <T>(value: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 14, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: other });

const frameFor = (side: Side): fc.Arbitrary<Uint8Array> =>
  fc
    .record({
      op,
      fin: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
      rsv: usually(0, fc.constantFrom(0x40, 0x20, 0x10)),
      key:
        side === "server"
          ? fc.oneof({ weight: 30, arbitrary: key }, { weight: 1, arbitrary: fc.constant<false>(false) })
          : fc.constant<false>(false),
      payload,
      length: usually<string | undefined>(
        undefined,
        fc.constantFrom("7e 00 05", "7f 80 00 00 00 00 00 00 01", "7f 00 00 00 00 00 00 00 05"),
      ),
    })
    .map(({ length, ...rest }) => raw(length === undefined ? rest : { ...rest, length }));
/** Frames that continue a message once one has begun, so that most sequences are long. */
const streamFor = (side: Side): fc.Arbitrary<Uint8Array> => fc.array(frameFor(side), { maxLength: 8 }).map(join);
const noise = fc.uint8Array({ maxLength: 60 });

const options: fc.Arbitrary<Omit<Options, "side">> = fc.record(
  {
    limits: fc.record({
      messageOctets: fc.integer({ min: 1, max: 140 }),
      frames: fc.integer({ min: 1, max: 5 }),
      controls: fc.integer({ min: 1, max: 5 }),
      pongs: fc.integer({ min: 1, max: 3 }),
    }),
    text: fc.constantFrom("string" as const, "octets" as const),
    fragments: fc.boolean(),
    deflate: fc.constant(DEFLATE),
  },
  { requiredKeys: [] },
);
const cuts = fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 8 });

/** The octets in pieces of these lengths, repeated, at any alignment. */
function* pieces(octets: Uint8Array, lengths: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, i = 0; at < octets.length; i++) {
    const next = Math.min(octets.length, at + lengths[i % lengths.length]!);
    const memory = new Uint8Array(next - at + 3);
    const piece = memory.subarray(i & 3, (i & 3) + next - at);
    piece.set(octets.subarray(at, next));
    yield piece;
    at = next;
  }
}
/** Events and output, then what the peer's end causes. Of two faults in one compressed message, either may be reported. */
function story(side: Side, octets: Uint8Array, given: Omit<Options, "side">, lengths: readonly number[]): unknown {
  const c = new Connection({ side, random: keys(), ...given }, T0);
  const events: Event[] = [];
  for (const piece of pieces(octets, lengths)) events.push(...c.receive(piece, T0), ...c.events());
  const out = hex(join(c.take()));
  const last = c.ended(T0).map(sayEvent);
  const told = settled(merged(events)).map(sayEvent);
  const isEither = given.deflate !== undefined && /(?:textInvalid|messageTooLarge|compressionInvalid)$/.test(told.at(-1) ?? "");
  return isEither ? { events: told.slice(0, -1), last } : { events: told, out, last, wants: c.wants };
}
/** How much of a faulty message is reported before its fault depends on the cut. */
function settled(events: readonly Event[]): Event[] {
  const last = events.at(-1);
  if (last?.is !== "closed" || last.fault === undefined) return [...events];
  const before = events.at(-2);
  return before?.is === "fragment" && !before.end ? [...events.slice(0, -2), last] : [...events];
}
const WHOLE = [Number.POSITIVE_INFINITY];

describe.each(["server", "client"] as const)("%s", (side) => {
  test("any frames, however cut: the same events and output", () => {
    fc.assert(
      fc.property(streamFor(side), options, cuts, (octets, given, lengths) => {
        const whole = story(side, octets, given, WHOLE);
        expect(story(side, octets, given, lengths)).toEqual(whole);
        expect(story(side, octets, given, [1])).toEqual(whole);
      }),
      { numRuns: RUNS },
    );
  });

  test("noise, alone or among frames, however cut: the same events and output", () => {
    fc.assert(
      fc.property(fc.oneof(noise, fc.tuple(streamFor(side), noise, fc.nat()).map(spoilt)), options, cuts, (octets, given, lengths) => {
        expect(story(side, octets, given, lengths)).toEqual(story(side, octets, given, WHOLE));
      }),
      { numRuns: RUNS },
    );
  });

  test("messages reported in parts equal those reported whole", () => {
    fc.assert(
      fc.property(streamFor(side), cuts, (octets, lengths) => {
        const whole = story(side, octets, {}, lengths) as { events: string[] };
        const parts = story(side, octets, { fragments: true }, lengths) as { events: string[] };
        // A message that a fault or the end cuts off is reported in part, and not whole.
        const isWhole = (line: string): boolean => /^(?:text|binary) (?:part|<|)/.test(line);
        const ended = parts.events.filter((line) => isWhole(line) && line.endsWith(" end")).length;
        expect(whole.events.filter(isWhole).length).toBe(ended);
        expect(parts.events.filter((line) => !isWhole(line))).toEqual(whole.events.filter((line) => !isWhole(line)));
      }),
      { numRuns: RUNS },
    );
  });
});

function spoilt([octets, other, at]: readonly [Uint8Array, Uint8Array, number]): Uint8Array {
  const where = octets.length === 0 ? 0 : at % octets.length;
  return join([octets.subarray(0, where), other, octets.subarray(where)]);
}
