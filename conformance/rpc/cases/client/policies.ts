import { calls, ONE_SERVED, outcomes, served, SERVES, warm, withConfig } from "./balance-phrases.ts";
import { all, refused, type Row } from "./phrases.ts";

/** Which policy of a list counts (rpc-lb-config). */

const BY_POLICY = ["addresses", "service-config"];

/** A list of policies, and whether it spreads the calls. */
const lists: readonly (readonly [id: string, words: string, config: unknown, spreads: boolean])[] = [
  ["unknown-first", "An unknown policy is passed over", { loadBalancingConfig: [{ no_such_policy: {} }, { round_robin: {} }] }, true],
  [
    "two-unknown-first",
    "Unknown policies are passed over, with their configs",
    { loadBalancingConfig: [{ nobody: { a: 1 } }, { "no.such": {} }, { round_robin: {} }] },
    true,
  ],
  ["round-robin-first", "The first known policy is round_robin", { loadBalancingConfig: [{ round_robin: {} }, { pick_first: {} }] }, true],
  ["pick-first-first", "The first known policy is pick_first", { loadBalancingConfig: [{ pick_first: {} }, { round_robin: {} }] }, false],
];
/** What is no entry of a list. */
const NO_ENTRIES: readonly (readonly [id: string, words: string, entry: unknown])[] = [
  ["text", "a text", "a"],
  ["number", "a number", 7],
  ["null", "null", null],
  ["list", "a list", [{ round_robin: {} }]],
  ["two-names", "an object with two policies", { pick_first: {}, round_robin: {} }],
  ["no-name", "an empty object", {}],
];
export const rows: readonly Row[] = [
  ...lists.map(([id, words, config, spreads]): Row => ({
    id: `policy-${id}`,
    title: `${words}, ${spreads ? "and the calls are spread" : "and one address gets the calls"}.`,
    covers: "rpc-lb-config#proposal/first-known",
    needs: BY_POLICY,
    steps: spreads
      ? [withConfig([SERVES, SERVES], config, { later: calls(6) }), ...warm(1, 2)]
      : [withConfig([SERVES, SERVES], config, { later: calls(6) })],
    allowed: spreads ? all(outcomes(7), served(1, 3, 2), served(2, 3, 2)) : all(outcomes(7), ONE_SERVED),
  })),
  {
    id: "policy-old-field",
    title: "The older field loadBalancingPolicy names the policy.",
    covers: "rpc-lb-config#proposal/old-field",
    needs: BY_POLICY,
    steps: [withConfig([SERVES, SERVES], { loadBalancingPolicy: "round_robin" }, { later: calls(6) }), ...warm(1, 2)],
    allowed: all(outcomes(7), served(1, 3, 2), served(2, 3, 2)),
    // It is deprecated.
    level: "SHOULD",
  },
  {
    id: "policy-old-field-beside-list",
    title: "The older field loadBalancingPolicy does not count beside a list of policies.",
    covers: "rpc-lb-config#proposal/old-field",
    needs: BY_POLICY,
    steps: [
      withConfig([SERVES, SERVES], { loadBalancingPolicy: "round_robin", loadBalancingConfig: [{ pick_first: {} }] }, { later: calls(6) }),
    ],
    allowed: all(outcomes(7), ONE_SERVED),
  },
  ...NO_ENTRIES.map(([id, words, entry]): Row => ({
    id: `policy-entry-${id}`,
    title: `A service config with ${words} in its list of policies is invalid: calls fail.`,
    covers: "rpc-lb-config#proposal/entries",
    needs: BY_POLICY,
    steps: [withConfig([SERVES, SERVES], { loadBalancingConfig: [entry, { round_robin: {} }] }, { fence: false })],
    control: [withConfig([SERVES, SERVES], { loadBalancingConfig: [{ round_robin: {} }] })],
    allowed: refused,
  })),
];
