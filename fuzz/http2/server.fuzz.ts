import { seeded } from "../../reference/core/index.ts";
import type { Target } from "../lib/target.ts";
import { cutsDoNotMatter } from "./either.ts";
import { sequence } from "./grammar.ts";
import { PREFACE } from "./oracle.ts";

const rng = seeded(1);

/** Octets from a client after its preface. */
export const target: Target = {
  name: "http2/server",
  about: "a server accepts any octets after the preface without throwing, wherever they are cut",
  run: (input) => cutsDoNotMatter("server", Buffer.concat([PREFACE, input])),
  seeds: Array.from(
    { length: 40 },
    () =>
      new Uint8Array(
        Buffer.from(
          sequence(rng, "a")
            .map((piece) => piece.hex)
            .join(""),
          "hex",
        ),
      ),
  ).filter((s) => s.length <= 1_500),
  dictionary: ["000000040100000000", "0000050200000000010000000010", "000004080000000000", "000008060000000000", "000000000100000001"].map(
    (hex) => new Uint8Array(Buffer.from(hex, "hex")),
  ),
  maxLength: 1_500,
};
