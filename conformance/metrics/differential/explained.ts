import type { Finding } from "./finding.ts";

/** A difference from the current Prometheus that the texts settle; `where` is the passage. */
export type Explained = { readonly reason: string; readonly where: string; readonly when: (finding: Finding) => boolean };

/** Annotations that only one side has; those that differ only in the name of the metric are `renamed`. */
type Notes = { readonly ours: readonly string[]; readonly theirs: readonly string[]; readonly renamed: boolean };

function notesOf({ difference }: Finding): Notes | undefined {
  const found = /^(?:warnings|infos): ours alone (\[.*\]), theirs alone (\[.*\])$/.exec(difference);
  if (found === null) return undefined;
  const [ours, theirs] = [found[1] ?? "", found[2] ?? ""].map(
    (list) => new Set((JSON.parse(list) as string[]).map((note) => note.replace(/ for metric name ".*"$/, ""))),
  ) as [Set<string>, Set<string>];
  return { ours: [...ours.difference(theirs)], theirs: [...theirs.difference(ours)], renamed: !ours.isDisjointFrom(theirs) };
}

/** Annotations that Prometheus adds and the texts do not ask for; those of the reset hints only if it reads no buckets. */
const THEIRS = /sort is ineffective for range queries|conflicting counter resets during/;
/** Annotations that we add, and Prometheus leaves out if no series came or the number of elements is 0. */
const OURS =
  /quantile value should be between 0 and 1|ignored histogram in (?:top|bottom)k aggregation|mismatched custom buckets were reconciled during/;

export const EXPLAINED: readonly Explained[] = [
  {
    reason:
      "sorting has no effect on a range, and Prometheus warns of it. A parameter out of range is warned of even if there is no series, buckets that are reconciled even if only the sum is used",
    where: "Prometheus docs, querying/functions.md, sort()",
    when: (finding) => {
      const found = notesOf(finding);
      if (found === undefined || found.ours.length + found.theirs.length === 0) return false;
      return found.theirs.every((note) => THEIRS.test(note)) && found.ours.every((note) => OURS.test(note));
    },
  },
  {
    reason:
      "annotations name the metric, as in the tests of Prometheus; its server leaves the name out unless the feature promql-delayed-name-removal is on",
    where: "Prometheus docs, feature_flags.md, Delay __name__ label removal for PromQL engine",
    when: (finding) => {
      const found = notesOf(finding);
      return found?.renamed === true && found.ours.length + found.theirs.length === 0;
    },
  },
  {
    reason: "which of equal elements topk and bottomk choose is free",
    where: "Prometheus docs, querying/operators.md, topk and bottomk",
    when: ({ expr, hasEqualSamples }) => hasEqualSamples && /\b(?:top|bottom)k /.test(expr),
  },
  {
    reason: "a histogram with custom buckets without bounds has its observations at zero; Prometheus gives infinity or NaN",
    where: "Prometheus specs, native_histograms.md, Interpolation within a bucket",
    when: ({ expr, difference, oddCounts }) =>
      (oddCounts.has("unbounded") && /histogram_quantiles?\(/.test(expr) && /theirs /.test(difference)) ||
      (/histogram_quantiles?\(.*native_(?:custom|lonely|bounded)/.test(expr) &&
        /"(?:-?0|[-+]Inf)"\], theirs .*"0"\]$|theirs .*"(?:[-+]Inf|NaN)"\]$|"value","[-+]Inf"\]\] is missing/.test(difference)),
  },
  {
    reason:
      "a lowest custom bucket with a positive bound begins at zero, so nothing in it is below a negative number; Prometheus removes it then, and interpolates from zero elsewhere",
    where: "Prometheus specs, native_histograms.md, Trim operators",
    when: ({ expr, difference }) =>
      />\/ \(?-/.test(expr) && /native_(?:custom|lonely|bounded)/.test(expr) && /"count":.*theirs .*"count":/.test(difference),
  },
  {
    reason: "the calendar of NaN is NaN; Prometheus converts it to an integer, which depends on the processor",
    where: "Prometheus docs, querying/functions.md, the functions of dates say nothing about NaN",
    when: ({ expr, difference }) => /minute|hour|day|month|year/.test(expr) && /"NaN"\], theirs/.test(difference),
  },
  {
    reason: "counts that are NaN give NaN; Prometheus treats the rank in them as the last bucket",
    where: "Prometheus docs, querying/functions.md, histogram_quantile() says nothing about NaN counts",
    when: ({ expr, difference, oddCounts }) =>
      oddCounts.has("NaN") && /histogram_quantiles?\(/.test(expr) && /"NaN"\], theirs/.test(difference),
  },
  {
    reason: "a fraction of negated counts is that of the counts; Prometheus replaces a rank above the negative count by the count",
    where:
      "Prometheus docs, querying/functions.md, histogram_fraction(); Prometheus specs, native_histograms.md, Unary minus and negative histograms",
    when: ({ expr, difference, oddCounts }) =>
      oddCounts.has("negative") && /histogram_fraction\(/.test(expr) && /theirs .*"-?0"\]$/.test(difference),
  },
  {
    reason: "of calculated values that are equal but for their last digits, any may be the largest, and any change is by chance",
    where: "Prometheus docs, querying/functions.md, ts_of_max_over_time(), rate(): the texts state no precision",
    when: ({ difference, hasTies }) => hasTies && /theirs .*"-?[\d.e-]+"\]$/.test(difference),
  },
  {
    reason: "the larger or smaller of NaN and an infinity is NaN; in Go the infinity wins",
    where: "Prometheus docs, querying/functions.md, max_of(), clamp()",
    when: ({ expr, difference }) =>
      (/(?:min|max)_of\(|clamp/.test(expr) && /"NaN"\], theirs .*"(?:[-+]Inf|-?\d+(?:\.\d+)?)"\]$/.test(difference)) ||
      (/(?:min|max)_of\((?:NaN, [-+]?Inf|[-+]?Inf, NaN)\)/.test(expr) && /is (?:missing|not in theirs)/.test(difference)),
  },
  {
    reason: "the texts do not say which observation has a rank among counts that are infinite",
    where: "Prometheus docs, querying/functions.md, histogram_quantile() and histogram_fraction() say nothing about infinite counts",
    when: ({ expr, oddCounts }) => oddCounts.has("infinite") && /histogram_(?:quantiles?|fraction)\(/.test(expr),
  },
  {
    reason: "a bucket that has lost observations lowers the rank of those above it; Prometheus counts it as empty",
    where: "Prometheus specs, native_histograms.md, Unary minus and negative histograms",
    when: ({ expr, oddCounts }) => oddCounts.has("negative") && /histogram_quantiles?\(/.test(expr),
  },
  {
    reason: "a zero bucket with a count that is negative or NaN is part of the answer; Prometheus leaves it out",
    where: "Prometheus specs, native_histograms.md, Unary minus and negative histograms",
    when: ({ difference }) => /"buckets":\[.*\[3,"[^"]*","[^"]*","(?:-|NaN).*, theirs (?!.*\[3,)/.test(difference),
  },
  {
    reason:
      "labels that a matcher of every kind gives are implied by absent() only if it is the only one of that label; in Prometheus the order decides",
    where: "Prometheus docs, querying/functions.md, absent()",
    when: ({ expr }) => /absent(?:_over_time)?\([^)]*\{[^}]*(\w+)[!=]~[^}]*\1="/.test(expr),
  },
  {
    reason: "an element whose match is of an incompatible type is not missing, and not filled in",
    where: "Prometheus docs, querying/operators.md, Filling in missing matches",
    when: ({ expr, difference }) =>
      /fill(?:_left|_right)? \(.*native_|native_.*fill(?:_left|_right)? \(/.test(expr) && /missing|not in theirs|^infos/.test(difference),
  },
  {
    reason: "nothing is above or below NaN, so trimming there leaves nothing; in Prometheus a zero bucket becomes NaN",
    where: "Prometheus docs, querying/operators.md, Histogram trim operators",
    when: ({ expr, difference }) =>
      /(?:<\/|>\/) \(?NaN/.test(expr) && /"count":"-?0".*theirs.*"count":"NaN"|theirs .*"NaN"\]$/.test(difference),
  },
  {
    reason: "a range query with one step has a step; Prometheus evaluates it as an instant query",
    where: "Prometheus docs, querying/functions.md, step()",
    when: ({ expr, time, range }) => /step\(\)/.test(expr) && range?.end === time,
  },
  {
    reason: "the sine of a huge number depends on the library: its reduction by a multiple of pi loses all digits",
    where: "Prometheus docs, querying/functions.md, Trigonometric Functions",
    when: ({ expr }) => /\b(?:sin|cos|tan)\(.*(?:sinh|cosh|exp|\^|special)/.test(expr),
  },
  {
    reason: "the logarithm of the least numbers; Go 1.26 treats them as normal numbers",
    where: "Prometheus docs, querying/functions.md, ln()",
    when: ({ expr, difference }) => /\b(?:ln|log10)\(/.test(expr) && /theirs .*"-(?:709\.08956|307\.95368)/.test(difference),
  },
  {
    reason: "each quantile is of the same buckets; Prometheus merges equal bounds again for the second one, after it has moved them",
    where: "Prometheus docs, querying/functions.md, histogram_quantiles()",
    when: ({ expr }) => /histogram_quantiles\(.*odd_bucket/.test(expr),
  },
  {
    reason: "info series are those of the evaluation time; Prometheus moves them with the @ or offset of the first argument",
    where: "Prometheus docs, querying/functions.md, info()",
    when: ({ expr }) => /info\(.*(?:@|offset)/.test(expr),
  },
  {
    reason: "a series without the label sorts by the empty value; the comparison of Prometheus is not an order if a value is empty",
    where: "Prometheus docs, querying/functions.md, sort_by_label()",
    when: ({ expr, difference }) => /^sort_by_label(?:_desc)?\(/.test(expr) && / is at place /.test(difference),
  },
  {
    reason: "anchored and smoothed ranges do not support native histograms; Prometheus returns rates of them without saying so",
    where: "Prometheus docs, feature_flags.md, Extended Range Selectors",
    when: ({ expr }) => /native_.*(?:anchored|smoothed)/.test(expr),
  },
];
