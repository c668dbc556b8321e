import { seeded } from "../../../reference/core/index.ts";
import type { Target } from "../../lib/target.ts";
import type { Mishap } from "../../../reference/metrics/tsdb/files/testing.ts";
import { live } from "./script.ts";

const POLICIES = ["commit", "interval", "never"] as const;
const MISHAPS: readonly Mishap[] = ["crash", "no space", "input or output", "not permitted"];
const STEPS = 40;

/** Four octets of seed, one octet of options, then pairs: the distance to the next mishap in operations, and its kind. */
export const target: Target = {
  name: "metrics/tsdb/life",
  about: "a data directory contains all acknowledged samples and nothing else, whichever file operation fails or is the last",
  maxLength: 16,
  seeds: [1, 2, 3].map((seed) => Uint8Array.from({ length: 9 }, (_, at) => Math.floor(seeded(seed * 9 + at)() * 256))),
  run: (input) => {
    const [a = 0, b = 0, c = 0, d = 0, kind = 0, ...rest] = input;
    const mishaps: [number, Mishap][] = [];
    let operation = 0;
    for (let at = 0; at + 1 < rest.length; at += 2) {
      operation += 1 + (rest[at] ?? 0);
      mishaps.push([operation, MISHAPS[(rest[at + 1] ?? 0) % MISHAPS.length] ?? "crash"]);
    }
    const policy = POLICIES[kind % POLICIES.length] ?? "commit";
    live({
      seed: (a << 24) | (b << 16) | (c << 8) | d,
      steps: STEPS,
      policy,
      window: (kind & 64) === 0 ? 0 : 700,
      isPowerLost: kind > 127,
      mishaps,
    });
  },
};
