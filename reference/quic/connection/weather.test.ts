import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { directionOf, type StreamId } from "../stream-id.ts";
import { pattern } from "../testing.ts";
import { ending, Rig, type Options, type Weather } from "./testing.ts";

/** What each stream of each side should carry, and what arrived. */
type Books = {
  readonly wanted: Map<string, number>;
  readonly got: Map<string, number>;
  readonly ended: Set<string>;
  readonly wrong: string[];
};

/** Both sides open streams of both kinds and send on all; streams of both directions are answered with as many octets. */
function exchange(options: Options, sizes: readonly number[]): { readonly rig: Rig; readonly books: Books } {
  const rig = new Rig(options);
  const books: Books = { wanted: new Map(), got: new Map(), ended: new Set(), wrong: [] };
  const begin = (side: "client" | "server"): void => {
    const connection = side === "client" ? rig.connection : rig.accepted!;
    for (const [at, size] of sizes.entries()) {
      const direction = at % 2 === 0 ? "bidirectional" : "unidirectional";
      const id = connection.open(direction);
      if (id === undefined) continue;
      books.wanted.set(`${side} ${id}`, size);
      if (direction === "bidirectional") books.wanted.set(`${side === "client" ? "server" : "client"} ${id}`, size);
      connection.send(id, pattern(id, size), true);
    }
  };
  rig.handle = (side, connection, event) => {
    if (event.is === "established") begin(side);
    if (event.is !== "data") return;
    const { stream, octets, end } = event;
    const by = side === "client" ? "server" : "client";
    const key = `${by} ${stream}`;
    const before = books.got.get(key) ?? 0;
    const expected = pattern(stream + before, octets.length);
    if (!Buffer.from(octets).equals(expected)) books.wrong.push(`${key} at ${before}`);
    books.got.set(key, before + octets.length);
    if (end) books.ended.add(key);
    connection.consumed(stream, octets.length);
    const isAnswer = directionOf(stream) === "bidirectional" && isOf(stream, by);
    if (isAnswer) connection.send(stream, octets, end);
  };
  rig.run(
    DAYS,
    () => books.ended.size === books.wanted.size && books.wanted.size > 0 && rig.serverEvents.some(({ is }) => is === "established"),
  );
  return { rig, books };
}
const isOf = (stream: StreamId, side: "client" | "server"): boolean => (stream % 2 === 0) === (side === "client");

function verdict({ rig, books }: ReturnType<typeof exchange>): string {
  if (books.wrong.length > 0) return books.wrong.join(", ");
  const end = `${ending(rig.clientEvents)} / ${ending(rig.serverEvents)}`;
  if (end !== "open / open") return end;
  const missing = [...books.wanted].filter(([key, size]) => books.got.get(key) !== size || !books.ended.has(key));
  return missing.length === 0
    ? "all"
    : `missing ${missing.map(([key, size]) => `${key}: ${books.got.get(key) ?? 0} of ${size}`).join(", ")}`;
}

const MILD: Weather = { delayMs: 30, jitterMs: 10, loss: 0.03, duplication: 0.03, corruption: 0.02 };
const ROUGH: Weather = { delayMs: 50, jitterMs: 80, loss: 0.2, duplication: 0.1, corruption: 0.1 };
/** No time limit ends the connection, so everything has to arrive, though probes in a bad hour are hours apart. */
const DAYS = 1e9;
const PATIENT = { limits: { idleMs: 0, handshakeMs: DAYS } };

describe("two ends on a bad network", () => {
  test.each([
    ["calm", {}],
    ["mild", MILD],
    ["rough", ROUGH],
  ] as const)("%s: everything arrives, in order, with its end", (_, weather) => {
    expect(verdict(exchange({ weather, client: PATIENT, server: PATIENT }, [50_000, 0, 1, 300_000]))).toBe("all");
  });

  test("any seed and weather: everything arrives", () => {
    const weather = fc.record({
      delayMs: fc.integer({ min: 0, max: 300 }),
      jitterMs: fc.integer({ min: 0, max: 300 }),
      loss: fc.double({ min: 0, max: 0.3, noNaN: true }),
      duplication: fc.double({ min: 0, max: 0.3, noNaN: true }),
      corruption: fc.double({ min: 0, max: 0.2, noNaN: true }),
    });
    const padding = fc.constantFrom(0, 800, 4_000);
    fc.assert(
      fc.property(
        fc.nat(1e6),
        weather,
        padding,
        fc.array(fc.nat(20_000), { minLength: 1, maxLength: 6 }),
        (seed, weather, padding, sizes) => {
          expect(verdict(exchange({ seed, weather, padding, client: PATIENT, server: PATIENT }, sizes))).toBe("all");
        },
      ),
      { numRuns: 60 },
    );
  });

  test("with time limits: everything arrives, or the connection ends as stated", () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.double({ min: 0.2, max: 0.95, noNaN: true }), (seed, loss) => {
        expect(verdict(exchange({ seed, weather: { delayMs: 40, jitterMs: 20, loss } }, [5_000, 100]))).toMatch(
          /^(?:all|.*(?:idle|handshake) transport 0.*)$/,
        );
      }),
      { numRuns: 60 },
    );
  });

  test("small windows only take longer", () => {
    const limits = { ...PATIENT.limits, connectionWindow: 3_000, streamWindow: 1_000, bidirectionalStreams: 1, unidirectionalStreams: 1 };
    expect(verdict(exchange({ weather: MILD, client: { limits }, server: { limits } }, [30_000, 20_000]))).toBe("all");
  });

  test("every datagram lost means a handshake timeout, after ever longer pauses", () => {
    const rig = new Rig({ weather: { loss: 1 } });
    rig.run(60_000);
    expect([ending(rig.clientEvents), rig.sent.client.datagrams]).toEqual(["handshake transport 0", 7]);
  });
});
