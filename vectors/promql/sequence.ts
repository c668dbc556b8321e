import { addedHistogram, readHistogram, readSigned } from "./histogram-literal.ts";
import type { Sample } from "./script.ts";

/** A row is no longer than this, whatever its repetitions say. */
export const MAX_SAMPLES = 100_000;

// No hexadecimal ones: `0x5` is six times zero.
const NUMERAL = String.raw`[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[iI]nf|[nN]a[nN])`;
const VALUE = String.raw`(?:${NUMERAL}|\{\{.*?\}\})`;
/** Value, sign and difference, times. A sign behind a value begins the difference, so that `1-2x3` counts down. */
const ITEM = new RegExp(String.raw`^(?:(_)|(stale)|(${VALUE})(?:([-+])(${VALUE}))?)(?:x(\d+))?(?:\s+|$)`, "s");

/**
 * `0+10x3 _ stale 5 _x2`: samples, one each step (Prometheus docs, configuration/unit_testing_rules.md, "series"). `axn` and `a+bxn` are a sample and n more; `_xn` is n
 * samples that are missing. Returns what is wrong with a text that is none.
 */
export function readSequence(text: string): (Sample | undefined)[] | string {
  const samples: (Sample | undefined)[] = [];
  for (let rest = text.trim(); rest !== ""; ) {
    const found = ITEM.exec(rest);
    if (found === null) return `no sample begins here: ${rest}`;
    rest = rest.slice(found[0].length);
    const [, missing, stale, base, sign, delta, count] = found;
    const times = Number(count ?? 0);
    if (samples.length + times >= MAX_SAMPLES) return `more than ${MAX_SAMPLES} samples in a row`;
    if (delta !== undefined && count === undefined) return `${found[0].trim()} does not say how often: a+bxn`;
    if (missing !== undefined) append(samples, count === undefined ? 1 : times, () => undefined);
    else if (stale !== undefined) append(samples, times + 1, () => ({ is: "stale" }));
    else {
      const why = appendValues(samples, base ?? "", `${sign ?? "+"}`, delta, times);
      if (why !== undefined) return why;
    }
  }
  return samples;
}

function append(samples: (Sample | undefined)[], count: number, sample: (at: number) => Sample | undefined): void {
  for (let at = 0; at < count; at++) samples.push(sample(at));
}

/** What is wrong, or nothing. */
function appendValues(
  samples: (Sample | undefined)[],
  base: string,
  sign: string,
  delta: string | undefined,
  times: number,
): string | undefined {
  const factor = sign === "-" ? -1 : 1;
  if (!base.startsWith("{{")) {
    const [first, step] = [readSigned(base), readSigned(delta ?? "0")];
    if (first === undefined || step === undefined) return `${delta ?? base} is no number`;
    // The first sample is what is written, even where 0 times the difference is no number.
    append(samples, times + 1, (at) => ({ is: "float", value: at === 0 || step === 0 ? first : first + at * factor * step }));
    return undefined;
  }
  const first = readHistogram(base);
  if (typeof first === "string") return first;
  const step = delta === undefined ? undefined : readHistogram(delta);
  if (typeof step === "string") return step;
  for (let at = 0; at <= times; at++) {
    const value = step === undefined || at === 0 ? first : addedHistogram(first, step, at * factor);
    if (value === undefined) return "histograms whose buckets differ in kind cannot be added";
    samples.push({ is: "histogram", value });
  }
  return undefined;
}
