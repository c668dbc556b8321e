import { seeded } from "../../reference/core/index.ts";
import type { Side } from "../../reference/websocket/index.ts";
import type { Target } from "../lib/target.ts";
import { cutsDoNotMatter } from "./either.ts";
import { octets, sequence } from "./grammar.ts";

/** Generated sequences and compressed messages, each after the octet that selects the options. */
export function seedsTo(side: Side, compressed: readonly string[]): Uint8Array[] {
  const rng = seeded(1);
  const grown = Array.from({ length: 40 }, (_, i) => Uint8Array.from([i, ...octets(sequence(rng, side))]));
  const deflated = compressed.flatMap((hex) => [4, 5, 7].map((setup) => Uint8Array.from([setup, ...Buffer.from(hex, "hex")])));
  return [...grown.filter(({ length }) => length <= 1_200), ...deflated];
}
export const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"));

/** Octets from a client after its opening handshake. */
export const target: Target = {
  name: "websocket/server",
  about: "a server accepts any octets without throwing, within its limits, wherever they are cut",
  run: (input) => cutsDoNotMatter("server", input),
  // "Hello" compressed: in one frame, in two, and twice with a shared window.
  seeds: seedsTo("server", [
    "c18700000000f248cdc9c90700",
    "418300000000f248cd808400000000c9c90700",
    "c18700000000f248cdc9c90700c18500000000f200110000",
    "c28a000000004b4c1c05a360142400",
  ]),
  dictionary: [
    "888000000000",
    "88820000000003e8",
    "898000000000",
    "8a8000000000",
    "810161",
    "808000000000",
    "c180",
    "81fe007e",
    "82ff0000000000010000",
  ].map(bytes),
  maxLength: 1_200,
};
