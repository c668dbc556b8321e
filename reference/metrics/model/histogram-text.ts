import { isCustom, orderedBuckets } from "./histogram-buckets.ts";
import type { Histogram } from "./histogram.ts";

/** A number in the `%g` format: exponents of at least two digits, from 1e+06 up and below 1e-04. */
export function general(value: number): string {
  if (value !== value) return "NaN";
  if (Math.abs(value) === Infinity) return value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [digits = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 6) return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  return plain(value);
}

/** A number in canonical form, so that it is the same label everywhere (prometheus-openmetrics#text.canonical-numbers). */
export function canonical(value: number): string {
  const text = general(value);
  return /[.eIN]/.test(text) ? text : `${text}.0`;
}

/** The shortest digits that read back as the number, without an exponent. */
export function plain(value: number): string {
  if (value !== value) return "NaN";
  if (Math.abs(value) === Infinity) return value > 0 ? "+Inf" : "-Inf";
  const [digits = "", power = "0"] = Math.abs(value).toExponential().split("e");
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const all = digits.replace(".", "");
  const point = Number(power) + 1;
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${all}`.replace(/^(-?0)\.0*$/, "$1");
  if (point >= all.length) return `${sign}${all}${"0".repeat(point - all.length)}`;
  return `${sign}${all.slice(0, point)}.${all.slice(point)}`;
}

/** Count, sum and nonempty buckets in one line (Prometheus specs, native_histograms.md, "Template expansion"): `{count:3, sum:5, [-0.001,0.001]:1, (1,2]:2}`. */
export function histogramText(histogram: Histogram): string {
  const buckets = orderedBuckets(histogram).map(({ lower, upper, count, isZero }) => {
    const isNegative = !isCustom(histogram) && !isZero && upper < 0;
    const [open, close] = isZero ? ["[", "]"] : isNegative ? ["[", ")"] : [lower === -Infinity ? "[" : "(", "]"];
    return `${open}${general(lower)},${general(upper)}${close}:${general(count)}`;
  });
  return `{${[`count:${general(histogram.count)}`, `sum:${general(histogram.sum)}`, ...buckets].join(", ")}}`;
}
