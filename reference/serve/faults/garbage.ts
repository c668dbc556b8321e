import { seeded } from "../../core/index.ts";
import { MOST_OCTETS, number } from "./fault.ts";

/** The arguments of the fault `garbage`, which every protocol has. */
export const GARBAGE_ARGS = {
  octets: number(1, MOST_OCTETS, 64, "how many"),
  seed: number(0, 999_999_999, 1, "the same seed gives the same octets"),
} as const;

/** Random octets. The first `wrong` of them are ff, so that they cannot begin anything valid. */
export function garbage(count: number, seed: number, wrong: number): Uint8Array {
  const next = seeded(seed);
  return Uint8Array.from({ length: count }, (_, at) => (at < wrong ? 0xff : next() * 256));
}
