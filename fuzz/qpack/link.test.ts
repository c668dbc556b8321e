import fc from "fast-check";
import { expect, test } from "vitest";
import { field } from "../../reference/core/index.ts";
import { type Action, Link } from "./link.ts";

/** Names and values that repeat, so that entries are found, evicted and copied. */
const name = fc.constantFrom("a", "bb", "x-long-name", ":path", "server", "accept", ":status");
const value = fc.oneof(fc.constantFrom("", "1", "/", "*/*", "200"), fc.string({ maxLength: 40, unit: "binary-ascii" }));
const line = fc.tuple(name, value, fc.boolean()).map(([n, v, secret]) => field(n, v, secret && v.length > 3));

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ is: fc.constant("send" as const), stream: fc.nat(5), fields: fc.array(line, { maxLength: 8 }) }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant("instructions" as const), octets: fc.nat(80) }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant("section" as const), which: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("answers" as const), octets: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("cancel" as const), stream: fc.nat(5) }) },
);
const options = fc.record({
  capacity: fc.constantFrom(0, 60, 120, 220, 4096),
  blocked: fc.nat(3),
  own: fc.constantFrom(100, 4096),
  credit: fc.constantFrom(100, Infinity),
});

test("encoder and decoder: whatever comes late, in pieces or never, every section gives its fields, and no limit is broken", () => {
  fc.assert(
    fc.property(options, fc.array(action, { maxLength: 60, size: "max" }), (given, actions) => {
      const link = new Link(given);
      expect(() => {
        for (const one of actions) link.perform(one);
        link.settle();
      }).not.toThrow();
    }),
    { numRuns: 1_000 },
  );
});
