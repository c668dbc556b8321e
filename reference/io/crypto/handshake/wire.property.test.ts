import fc from "fast-check";
import { expect, test } from "vitest";
import { instant } from "../../../core/index.ts";
import { Client, EarlyGuard, Server, Tickets, type Event, type Level, type Session } from "../../../tls/index.ts";
import { TLS_PRIMITIVES } from "../primitives.ts";
import { flip } from "./tampering.ts";
import { CLIENT_TRUST, clientOptions, credential, faultOf, find, secretsOf, serverOptions, shake, T0, type Sent } from "./testing.ts";

const kinds = ["full", "retry", "certificates", "resumed"] as const;
type Kind = (typeof kinds)[number];

/** Handshakes with every message that there is. */
function options(kind: Kind): NonNullable<Parameters<typeof shake>[0]> {
  switch (kind) {
    case "full":
      return { client: { groups: ["x25519"] } };
    case "retry":
      return { client: { groups: ["x25519", "secp256r1"], shares: [] } };
    case "certificates":
      return {
        client: { groups: ["x25519"], credentials: [credential("client")] },
        server: { clients: { trust: CLIENT_TRUST, required: true } },
      };
    case "resumed": {
      const server = { tickets: new Tickets({ primitives: TLS_PRIMITIVES }), early: new EarlyGuard(instant(0)) };
      return { client: { groups: ["x25519"], session: sessionOf(server), early: true }, server };
    }
  }
}
const sessionOf = (server: object): Session => find(shake({ client: { groups: ["x25519"] }, server }).client, "session")!.session;
const isComplete = (events: readonly Event[]): boolean => events.some(({ is }) => is === "complete");

test("any cut of the octets gives the same handshake", () => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 }), (kind, sizes) => {
      const names = (events: readonly Event[]): string =>
        events.map((event) => ("level" in event ? `${event.is} ${event.level}` : event.is)).join();
      let at = 0;
      const cut = (octets: Uint8Array): Uint8Array[] => {
        const pieces: Uint8Array[] = [];
        for (let from = 0; from < octets.length;) {
          const to = from + (sizes[at++ % sizes.length] ?? 1);
          pieces.push(octets.slice(from, to));
          from = to;
        }
        return pieces;
      };
      const chopped = shake(options(kind), { cut });
      const whole = shake(options(kind));
      expect([names(chopped.client), names(chopped.server)]).toEqual([names(whole.client), names(whole.server)]);
      expect([isComplete(chopped.client), isComplete(chopped.server)]).toEqual([true, true]);
      expect(secretsOf(chopped.client, "write")).toEqual(secretsOf(chopped.server, "read"));
    }),
    { numRuns: 60 },
  );
});

test("a flipped bit never succeeds: an alert follows, or the end waits for octets that a longer length promises", () => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.nat(20), fc.nat(20_000), fc.nat(7), (kind, which, where, bit) => {
      let count = -1;
      let flipped: Sent | undefined;
      let place = 0;
      const tamper = (sent: Sent): Uint8Array => {
        // What comes after the handshake is a ticket, which nobody but its server reads.
        if (sent.level === "application" || ++count !== which) return sent.octets;
        flipped = sent;
        place = where % sent.octets.length;
        return flip(sent.octets, place, 1 << bit);
      };
      const { client, server } = shake(options(kind), { tamper });
      fc.pre(flipped !== undefined);
      const receiver = flipped?.by === "client" ? server : client;
      const fault = faultOf(client) ?? faultOf(server);
      expect(isComplete(receiver)).toBe(false);
      const waits = place >= 1 && place <= 3;
      expect(fault !== undefined || waits, `${flipped?.by} ${flipped?.type} octet ${place}`).toBe(true);
    }),
    { numRuns: 400 },
  );
});

test("any octets at any level: no end throws, and none completes", () => {
  const levels: readonly Level[] = ["initial", "early", "handshake", "application"];
  const message = fc
    .tuple(fc.constantFrom(1, 2, 4, 5, 8, 11, 13, 15, 20, 24, 254, 99), fc.uint8Array({ maxLength: 80 }))
    .map(([type, body]) => Uint8Array.of(type, 0, 0, body.length, ...body));
  const piece = fc.tuple(fc.constantFrom(...levels), fc.oneof(message, fc.uint8Array({ maxLength: 60 })));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const ends = [new Client(clientOptions({ groups: ["x25519"] }), T0), new Server(serverOptions(), T0)];
      for (const end of ends) {
        const events = pieces.flatMap(([level, octets]) => end.receive(level, octets, T0));
        expect(isComplete(events)).toBe(false);
        expect(events.filter(({ is }) => is === "closed").length).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 300 },
  );
});

test("a real flight with any octets replaced: no end throws", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...kinds),
      fc.nat(12),
      fc.array(fc.tuple(fc.nat(3_000), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      (kind, which, edits) => {
        let count = -1;
        const tamper = ({ octets }: Sent): Uint8Array => {
          if (++count !== which) return octets;
          const changed = octets.slice();
          for (const [at, value] of edits) changed[at % changed.length] = value;
          return changed;
        };
        expect(() => shake(options(kind), { tamper })).not.toThrow();
      },
    ),
    { numRuns: 300 },
  );
});
