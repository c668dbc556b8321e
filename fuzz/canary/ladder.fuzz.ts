import type { Target } from "../lib/target.ts";
import { climb } from "./ladder.ts";

/** Must fail: a blind search needs about 2^64 inputs, a guided one about 2^18. */
export const target: Target = {
  name: "canary/ladder",
  about: "never throws (this target must fail: that shows that guidance works)",
  run: (input) => void climb(input),
  seeds: [],
  maxLength: 64,
};
