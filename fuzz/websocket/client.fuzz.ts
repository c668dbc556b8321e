import type { Target } from "../lib/target.ts";
import { cutsDoNotMatter } from "./either.ts";
import { bytes, seedsTo } from "./server.fuzz.ts";

/** Octets from a server after its opening handshake. */
export const target: Target = {
  name: "websocket/client",
  about: "a client accepts any octets without throwing, within its limits, wherever they are cut",
  run: (input) => cutsDoNotMatter("client", input),
  seeds: seedsTo("client", ["c107f248cdc9c90700", "4103f248cd8004c9c90700", "c107f248cdc9c90700c105f200110000", "c20a4b4c1c05a360142400"]),
  dictionary: ["8800", "880203e8", "8900", "8a00", "0100", "8000", "c100", "817e007e", "827f0000000000010000"].map(bytes),
  maxLength: 1_200,
};
