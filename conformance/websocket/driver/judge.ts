import type { Outcome } from "../vocabulary.ts";
import { decides, type View } from "./sights.ts";

/** The first allowed outcome that has been seen; undefined while none decides. `unfenced`: nothing is asked after the case. */
export function decide(allowed: readonly Outcome[], view: View, unfenced: boolean): number | undefined {
  const index = allowed.findIndex(({ see }) => decides(see, view, unfenced));
  return index < 0 ? undefined : index;
}
