import fc from "fast-check";
import { expect, test } from "vitest";
import { octets, text, World } from "./testing.ts";

type Command =
  | { readonly do: "print" | "type"; readonly who: 0 | 1; readonly count: number }
  | { readonly do: "deliver" | "break" | "connect"; readonly who: 0 | 1 | 2 };

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ do: fc.constantFrom("print" as const, "type" as const), who: fc.constantFrom(0 as const, 1 as const), count: fc.nat(40) }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant("deliver" as const), who: fc.constantFrom(0 as const, 1 as const, 2 as const) }) },
  fc.record({ do: fc.constantFrom("break" as const, "connect" as const), who: fc.constantFrom(0 as const, 1 as const, 2 as const) }),
);

test("however connections break: within the limits, output is shown once and input typed once, in order", () => {
  let breaks = 0;
  fc.assert(
    fc.property(fc.array(command, { maxLength: 80, size: "max" }), (commands) => {
      // At most 80 × 40 octets are printed: less than the replay, and many times the windows.
      const world = new World({ replayOctets: 4_000, windowOctets: 64, typedOctets: 48, lagOctets: 8_000, messageOctets: 32_768 });
      const agent = world.agent();
      const clients = [world.client("a"), world.client("b")] as const;
      const parties = [...clients, agent] as const;
      agent.connect(world.now);
      world.settle();
      let printed = "";
      const typed = ["", ""];
      let next = 0;
      const fresh = (count: number, base: number): string =>
        Array.from({ length: count }, () => String.fromCharCode(base + (next++ % 26))).join("");
      for (const step of commands) {
        if (step.do === "print") {
          // A paused shell prints nothing.
          if (agent.isPaused) continue;
          const some = fresh(step.count, 97);
          printed += some;
          agent.side.printed(octets(some));
        } else if (step.do === "type") {
          // The characters show which client typed: capital letters, or digits and signs.
          const some = fresh(step.count, step.who === 0 ? 65 : 33);
          typed[step.who] += some;
          clients[step.who]!.side.type(octets(some));
        } else {
          const party = parties[step.who]!;
          if (step.do === "deliver") party.step(world.now);
          else if (step.do === "break") {
            if (party.wire !== undefined) breaks++;
            party.break(world.now);
          } else if (party.wire === undefined) party.connect(world.now);
        }
      }
      for (const party of parties) if (party.wire === undefined) party.connect(world.now);
      world.settle();
      for (const client of clients) {
        expect(text(client.screen)).toBe(printed);
        expect(client.side.untaken).toBe(0);
        expect(client.wire).toBeDefined();
      }
      const arrived = text(agent.typed);
      expect(arrived.replaceAll(/[^A-Z]/g, "")).toBe(typed[0]);
      expect(arrived.replaceAll(/[A-Z]/g, "")).toBe(typed[1]);
      expect(agent.troubles).toEqual([]);
    }),
    { numRuns: 400 },
  );
  expect(breaks).toBeGreaterThan(100);
});
