import fc from "fast-check";
import { expect, test } from "vitest";
import { Connection, type Options } from "./connection.ts";
import type { Event } from "./contract.ts";
import { join, keys, sayEvent, T0, utf8 } from "./testing.ts";

/** Two connected ends, with octets in pieces of any length. */

type Action =
  | { readonly do: "text"; readonly data: string }
  | { readonly do: "binary"; readonly data: Uint8Array }
  | { readonly do: "parts"; readonly data: readonly string[] }
  | { readonly do: "ping" | "pong"; readonly data: Uint8Array }
  | { readonly do: "pass"; readonly cut: number };
const string = fc.oneof(fc.string({ unit: "binary", maxLength: 30 }), fc.constantFrom("", "é".repeat(300), "a".repeat(70_000), "😀"));
const octets = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.constantFrom(0, 125, 126, 5_000, 65_535, 65_536).map((size) => new Uint8Array(size).fill(7)),
);
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constant("text" as const), data: string }),
  fc.record({ do: fc.constant("binary" as const), data: octets }),
  fc.record({ do: fc.constant("parts" as const), data: fc.array(string, { minLength: 1, maxLength: 3 }) }),
  fc.record({ do: fc.constantFrom("ping" as const, "pong" as const), data: fc.uint8Array({ maxLength: 125 }) }),
  fc.record({ do: fc.constant("pass" as const), cut: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(100, 70_000)) }),
);

const options: fc.Arbitrary<Omit<Options, "side">> = fc.record(
  { text: fc.constantFrom("string" as const, "octets" as const) },
  { requiredKeys: [] },
);

/** The messages that a connection reports, in the form that the sender sent. */
function heard(events: readonly Event[]): string[] {
  return events.map((event) => {
    if (event.is !== "message") return sayEvent(event);
    return event.kind === "binary"
      ? sayEvent(event)
      : `text ${typeof event.data === "string" ? event.data : Buffer.from(event.data).toString()}`;
  });
}
/** Passes octets to the other end, in small pieces, so that cuts cost little. */
function pass(from: Connection, to: Connection, cut: number, into: string[]): void {
  for (const piece of from.take()) {
    const step = Math.max(cut, Math.ceil(piece.length / 200));
    for (let at = 0; at < piece.length; at += step) into.push(...heard(to.receive(piece.slice(at, at + step), T0)));
  }
}

test("two ends: each reports what the other sends, in order, in both directions; then both close", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), action), { maxLength: 20 }),
      options,
      options,
      fc.boolean(),
      (actions, one, other, clientCloses) => {
        const ends = [
          new Connection({ side: "client", random: keys(), ...one }, T0),
          new Connection({ side: "server", ...other }, T0),
        ] as const;
        const told: [string[], string[]] = [[], []];
        const said: [string[], string[]] = [[], []];
        const passAll = (cut: number): void => {
          for (let i = 0; i < 2; i++) {
            pass(ends[0], ends[1], cut, told[1]);
            pass(ends[1], ends[0], cut, told[0]);
          }
        };
        for (const [isClient, what] of actions) {
          const me = isClient ? 0 : 1;
          perform(ends[me], what, said[me], passAll);
        }
        passAll(1_000);
        ends[clientCloses ? 0 : 1].close(4_000, "enough");
        passAll(3);
        told[0].push(...heard(ends[0].ended(T0)));
        const messages = (list: readonly string[]): string[] => list.filter((line) => !/^(?:pong|writable)/.test(line));
        expect(messages(told[1])).toEqual([
          ...said[0],
          ...(clientCloses ? ["closing 4000 enough", "closed 4000 enough clean"] : ["closing 4000", "closed 4000 clean"]),
        ]);
        expect(messages(told[0])).toEqual([
          ...said[1],
          ...(clientCloses ? ["closing 4000", "closed 4000 clean"] : ["closing 4000 enough", "closed 4000 enough clean"]),
        ]);
        // Each ping has been answered, or a later one.
        for (const [i, list] of told.entries()) {
          const pings = said[i]!.filter((line) => line.startsWith("ping"));
          const last = pings.at(-1)?.replace("ping", "pong");
          const pongs = list.filter((line) => line.startsWith("pong"));
          expect(last === undefined || pongs.includes(last)).toBe(true);
        }
      },
    ),
    { numRuns: 150 },
  );
});

function perform(end: Connection, what: Action, said: string[], passAll: (cut: number) => void): void {
  switch (what.do) {
    case "text":
      end.text(what.data);
      said.push(`text ${Buffer.from(what.data).toString()}`);
      break;
    case "binary":
      end.binary(what.data);
      said.push(`binary <${Buffer.from(what.data).toString("hex")}>`);
      break;
    case "parts": {
      const all = what.data.join("");
      const cut = utf8(all);
      const parts = what.data.map((_, i) =>
        cut.subarray(Math.floor((cut.length * i) / what.data.length), Math.floor((cut.length * (i + 1)) / what.data.length)),
      );
      for (const [i, part] of parts.entries()) end.fragment("text", part, i === parts.length - 1);
      said.push(`text ${Buffer.from(all).toString()}`);
      break;
    }
    case "ping":
    case "pong":
      end[what.do](what.data);
      if (what.do === "ping") said.push(`ping ${Buffer.from(what.data).toString("latin1")}`.trimEnd());
      break;
    default:
      passAll(what.cut);
  }
}

test("a message is the same in any number of frames", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.array(fc.nat(100), { maxLength: 8 }),
      fc.boolean(),
      (message, places, isClient) => {
        const octets = utf8(message);
        const sorted = places.map((place) => Math.min(place, octets.length)).sort((a, b) => a - b);
        const from = new Connection({ side: isClient ? "client" : "server", random: keys() }, T0);
        const to = new Connection({ side: isClient ? "server" : "client", random: keys() }, T0);
        let at = 0;
        for (const place of [...sorted, octets.length]) {
          from.fragment("text", octets.subarray(at, place), false);
          from.ping();
          at = place;
        }
        from.fragment("text", new Uint8Array(0), true);
        const events = to.receive(join(from.take()), T0);
        expect(events.filter(({ is }) => is !== "ping")).toEqual([{ is: "message", kind: "text", data: Buffer.from(message).toString() }]);
      },
    ),
    { numRuns: 300 },
  );
});
