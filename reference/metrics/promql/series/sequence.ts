import type { Histogram } from "../../model/index.ts";
import { addedHistogram, readHistogram, readSigned } from "./histogram-literal.ts";

/** The sample of a series at one time. */
export type Sample =
  | { readonly is: "float"; readonly value: number }
  | { readonly is: "histogram"; readonly value: Histogram }
  | { readonly is: "stale" };

/** The maximum number of samples in a row. */
const MAX_SAMPLES = 100_000;

// Without hexadecimal numbers: `0x5` is six times zero.
const NUMERAL = String.raw`[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[iI]nf|[nN]a[nN])`;
const VALUE = String.raw`(?:${NUMERAL}|\{\{.*?\}\})`;
/** Value, sign and difference, repetitions. A sign after a value begins the difference, so that `1-2x3` counts down. */
const ITEM = new RegExp(String.raw`^(?:(_)|(stale)|(${VALUE})(?:([-+])(${VALUE}))?)(?:x(\d+))?(?:\s+|$)`, "s");

/**
 * Parses samples such as `0+10x3 _ stale 5 _x2`, one per step (Prometheus docs, configuration/unit_testing_rules.md, "series"). `axn` and
 * `a+bxn` are a sample and n more; `_xn` are n missing samples. Returns an error message for an invalid text.
 */
export function readSequence(text: string): (Sample | undefined)[] | string {
  const samples: (Sample | undefined)[] = [];
  for (let rest = text.trim(); rest !== "";) {
    const found = ITEM.exec(rest);
    if (found === null) return `expected a sample: ${rest}`;
    rest = rest.slice(found[0].length);
    const [, missing, stale, base, sign, delta, count] = found;
    const times = Number(count ?? 0);
    if (samples.length + times >= MAX_SAMPLES) return `more than ${MAX_SAMPLES} samples in a row`;
    if (delta !== undefined && count === undefined) return `${found[0].trim()} has no repetitions: a+bxn`;
    if (missing !== undefined) append(samples, count === undefined ? 1 : times, () => undefined);
    else if (stale !== undefined) append(samples, times + 1, () => ({ is: "stale" }));
    else {
      const why = appendValues(samples, { base: base ?? "", delta, times, factor: sign === "-" ? -1 : 1 });
      if (why !== undefined) return why;
    }
  }
  return samples;
}

function append(samples: (Sample | undefined)[], count: number, sample: (at: number) => Sample | undefined): void {
  for (let at = 0; at < count; at++) samples.push(sample(at));
}

/** `base`, then `times` more, each `factor` times `delta` above the one before. */
type Progression = { readonly base: string; readonly delta: string | undefined; readonly factor: 1 | -1; readonly times: number };
/** Appends the samples of a progression. Returns an error message for an invalid value. */
function appendValues(samples: (Sample | undefined)[], { base, delta, factor, times }: Progression): string | undefined {
  if (!base.startsWith("{{")) {
    const [first, step] = [readSigned(base), readSigned(delta ?? "0")];
    if (first === undefined || step === undefined) return `${delta ?? base} is not a number`;
    // The first sample is `base`, even if 0 times the difference is NaN.
    append(samples, times + 1, (at) => ({ is: "float", value: at === 0 || step === 0 ? first : first + at * factor * step }));
    return undefined;
  }
  const first = readHistogram(base);
  if (typeof first === "string") return first;
  const step = delta === undefined ? undefined : readHistogram(delta);
  if (typeof step === "string") return step;
  for (let at = 0; at <= times; at++) {
    const value = step === undefined || at === 0 ? first : addedHistogram(first, step, at * factor);
    if (value === undefined) return "histograms with different kinds of buckets cannot be added";
    samples.push({ is: "histogram", value });
  }
  return undefined;
}
