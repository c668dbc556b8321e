import { readProtobuf } from "../../../reference/metrics/exposition/index.ts";
import type { Target } from "../../lib/target.ts";
import { show } from "./pages.ts";

const LIMITS = { samples: 200, buckets: 64, labels: 8 };
const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "hex"));

/** A counter with a label and an exemplar, a native histogram of integers, and one of floats. Each is a page, and so is their concatenation. */
const FAMILIES = [
  "1a0a0161180022130a060a01621201631a09090000000000002940",
  "2d0a016e1804222628013a220804110000000000001c40280131fca9f1d24d62503f380262040800100268026801",
  "230a01661805221c3a1a21000000000000044028036204080d100171000000000000f83f",
].map(hex);

export const target: Target = {
  name: "metrics/exposition/protobuf",
  about: "any octets are families, or have a fault within them; two valid pages joined are a valid page",
  run(input) {
    const found = readProtobuf(input, LIMITS);
    if (show(found) !== show(readProtobuf(input, LIMITS))) throw new Error("the same page was read differently the second time");
    if ("is" in found) {
      if (found.offset < 0 || found.offset > input.length) throw new Error(`${found.message} The position is outside the page.`);
      return;
    }
    const count = found.reduce((sum, { samples, histograms }) => sum + samples.length + histograms.length, 0);
    if (count > LIMITS.samples) throw new Error(`${count} samples exceed the limit of ${LIMITS.samples}`);
    for (const { histograms } of found)
      for (const { histogram } of histograms)
        if (histogram.positive.length !== histogram.positiveSpans.reduce((sum, { length }) => sum + length, 0))
          throw new Error("a histogram has a different number of counts and buckets");
    const twice = readProtobuf(new Uint8Array([...input, ...input]), { ...LIMITS, samples: 2 * LIMITS.samples });
    if ("is" in twice || show(twice) !== show([...found, ...found])) throw new Error(`the page repeated reads as ${show(twice)}`);
  },
  seeds: [...FAMILIES, new Uint8Array(FAMILIES.flatMap((one) => [...one]))],
  dictionary: ["0a0161", "1804", "3a00", "2801", "6202", "6801", "71000000000000f83f", "2200", "ffffffffff0f"].map(hex),
  maxLength: 300,
};
