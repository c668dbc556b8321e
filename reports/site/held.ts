import type { State } from "../coverage.ts";
import type { Judged } from "./judged.ts";

/** Who was judged by a requirement, and what the cases say, by its address. */
export type Held = ReadonlyMap<string, readonly { readonly judged: Judged; readonly state: State }[]>;

/** What is known of each requirement. */
export function heldBy(judged: readonly Judged[]): Held {
  const held = new Map<string, { judged: Judged; state: State }[]>();
  for (const one of judged)
    for (const { requirement, state } of one.result.coverage) {
      const known = held.get(requirement);
      if (known === undefined) held.set(requirement, [{ judged: one, state }]);
      else known.push({ judged: one, state });
    }
  return held;
}
