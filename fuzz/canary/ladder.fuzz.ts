import type { Target } from "../lib/target.ts";
import { climb } from "./ladder.ts";

/** Must fail: a blind search would need about 2^64 inputs, a guided one a few thousand. */
export const target: Target = {
  name: "canary/ladder",
  about: "never throws (and does: this target shows that guidance works)",
  run: (input) => void climb(input),
  seeds: [],
  maxLength: 64,
};
