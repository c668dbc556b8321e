import type { SpecRef } from "../../core/index.ts";

/** The section of the rule, and advice for the author of the page. */
type Rule = { readonly spec: SpecRef; readonly advice: string };
const rule = (spec: SpecRef, advice: string): Rule => ({ spec, advice });

const LINE = "prometheus-exposition#text.line-format";
const META = "prometheus-exposition#text.comments";
const GROUP = "prometheus-exposition#text.grouping";
const SHAPE = "prometheus-exposition#text.histograms";
const ABNF = "prometheus-openmetrics#text.abnf";
const POINT = "prometheus-openmetrics#text.metric-point";

/** All faults of a page. */
export const FAULTS = {
  // Lines and tokens: the sections of the text format; the grammar of OpenMetrics has the same rules.
  lineUnended: rule(LINE, "End the last line with a line feed."),
  lineUnexpected: rule(LINE, "Begin a line with a metric name, with # or, for a quoted name, with {."),
  blankUnexpected: rule(ABNF, "Put exactly one space between the parts of a line, and none elsewhere."),
  blankLine: rule(ABNF, "Remove empty lines: OpenMetrics has none."),
  carriageReturn: rule("prometheus-openmetrics#text.overall", "End lines with a line feed alone."),
  byteOrderMark: rule("prometheus-openmetrics#text.overall", "Remove the byte order mark."),
  utf8Invalid: rule(LINE, "Write UTF-8."),
  nameMissing: rule(LINE, "Give the metric name before the braces, or quoted as the first item within them."),
  nameRepeated: rule(LINE, "Give the metric name once."),
  nameEmpty: rule(LINE, "Put at least one character between the quotes of a name."),
  labelInvalid: rule(LINE, "Begin a label name with a letter or an underscore, or quote it."),
  labelReserved: rule(LINE, "Give the metric name outside of the labels; no label may be called __name__."),
  labelRepeated: rule("prometheus-openmetrics#data-model.label-set", "Give each label of a series once."),
  equalsMissing: rule(LINE, "Put = between a label name and its value."),
  quoteMissing: rule(LINE, "Put label values in double quotes."),
  quoteOpen: rule(LINE, 'Close the quotes on the same line; a line feed within is written \\n, a quote \\".'),
  escapeInvalid: rule(LINE, 'Write a backslash as \\\\; \\n and \\" are the only other escapes.'),
  quoteUnescaped: rule(ABNF, 'Write a double quote as \\".'),
  commaMissing: rule(LINE, "Put a comma between labels, and close the braces after the last."),
  commaTrailing: rule(ABNF, "Remove the comma after the last label."),
  valueMissing: rule(LINE, "Give a value after the series and a space."),
  valueInvalid: rule(LINE, "Write the value as a number, NaN, +Inf or -Inf."),
  valueOutOfRange: rule(LINE, "Write a number in the range of 64-bit floating point, or +Inf."),
  timestampInvalid: rule(LINE, "Write the timestamp as a number: milliseconds without a fraction, or in OpenMetrics seconds."),
  timestampOutOfRange: rule(LINE, "Write a timestamp within 64 bits."),
  lineTrailing: rule(LINE, "End the line after the value and the timestamp."),

  // Metadata.
  metadataNameInvalid: rule(META, "Name the metric after TYPE, HELP or UNIT, quoted if the name is not plain."),
  typeMissing: rule(META, "Name the type after the metric."),
  typeUnknown: rule(META, "Use one of the types of the format, in lower case."),
  helpInvalid: rule(META, "Write a backslash in a help text as \\\\ and a line feed as \\n."),
  unitInvalid: rule(ABNF, "Use letters, digits, _ and : in a unit."),
  metadataUnknown: rule(ABNF, "Begin a line with # only for TYPE, HELP, UNIT and EOF."),
  metadataRepeated: rule(META, "Give each kind of metadata once per metric."),
  metadataLate: rule(META, "Give metadata before the first sample of the metric."),
  unitNotSuffix: rule("prometheus-openmetrics#text.metadata", "End the metric name with an underscore and the unit."),
  unitForbidden: rule("prometheus-openmetrics#data-model.state-set", "Give no unit for an info or a stateset."),
  eofMissing: rule("prometheus-openmetrics#text.overall", "End the page with # EOF."),
  eofNotLast: rule("prometheus-openmetrics#text.abnf", "Put nothing after # EOF."),

  // Families.
  familyApart: rule(GROUP, "Put all lines of a metric together."),
  familyClash: rule("prometheus-openmetrics#data-model.suffixes", "Rename one of the two metrics: a sample could belong to either."),
  sampleRepeated: rule(GROUP, "Give each series once, or in OpenMetrics with growing timestamps."),
  suffixWrong: rule("prometheus-openmetrics#text.metric-types", "Give the sample a suffix of its type."),
  metricApart: rule("prometheus-openmetrics#text.metric", "Put all samples of a metric together."),
  pointTimestamp: rule(POINT, "Give all samples of a point the same timestamp, and each later point a later one."),
  bucketBoundMissing: rule(SHAPE, "Give each bucket, and nothing else, a label le."),
  bucketBoundInvalid: rule(SHAPE, "Write le as a number; +Inf for the last."),
  bucketOrder: rule(SHAPE, "Sort buckets by le, each bound once."),
  bucketInfinite: rule(SHAPE, 'End the buckets with le="+Inf".'),
  bucketCumulative: rule("prometheus-openmetrics#data-model.histogram", "Make bucket counts cumulative."),
  bucketCount: rule(SHAPE, "Set _count to the value of the bucket +Inf."),
  countWithoutSum: rule("prometheus-openmetrics#text.histogram", "Give _count and _sum (_gcount and _gsum) both, or neither."),
  sumForbidden: rule("prometheus-openmetrics#data-model.histogram", "Remove the sum if a bucket has a negative bound."),
  quantileInvalid: rule(SHAPE, "Give each quantile, and nothing else, a label quantile between 0 and 1."),
  quantileOrder: rule(SHAPE, "Sort quantiles, each once."),
  valueForbidden: rule("prometheus-openmetrics#data-model.metric-types", "Give a value that the type allows."),
  totalMissing: rule("prometheus-openmetrics#data-model.counter", "Give each point of a counter a _total."),
  stateMissing: rule("prometheus-openmetrics#text.state-set", "Give each state a label with the name of the metric."),
  exemplarForbidden: rule("prometheus-openmetrics#text.exemplars", "Give exemplars only to counter totals and buckets."),
  exemplarTooLong: rule(
    "prometheus-openmetrics#data-model.exemplars",
    "Keep names and values of an exemplar's labels within 128 characters.",
  ),
  exemplarOutOfBucket: rule("prometheus-openmetrics#data-model.histogram", "Give a bucket only exemplars within its bound."),
  exemplarInvalid: rule(ABNF, "Write an exemplar as # {labels} value [timestamp]."),

  // Our limits.
  pageTooLarge: rule("prometheus-openmetrics#design.size-limits", "Expose less, or raise the limit of octets per page."),
  lineTooLong: rule("prometheus-openmetrics#design.size-limits", "Shorten the line, or raise the limit of octets per line."),
  tooManySamples: rule("prometheus-openmetrics#design.size-limits", "Expose fewer series, or raise the limit of samples per page."),
  tooManyMetadata: rule("prometheus-openmetrics#design.size-limits", "Expose fewer metrics, or raise the limit of metadata per page."),
  tooManyLabels: rule("prometheus-openmetrics#design.size-limits", "Use fewer labels, or raise the limit of labels per series."),
  tooManyExemplars: rule("prometheus-openmetrics#design.size-limits", "Give fewer exemplars, or raise their limit."),
  nameTooLong: rule("prometheus-openmetrics#design.size-limits", "Shorten the name, or raise the limit of octets per name."),
  labelValueTooLong: rule("prometheus-openmetrics#design.size-limits", "Shorten the value, or raise the limit of octets per label value."),
} as const satisfies Record<string, Rule>;
/** The name of a fault, for logs and tests. */
export type FaultName = keyof typeof FAULTS;

/** A fault with its position: line and octet in the line, both from 1. A page with a fault is refused as a whole. */
export type Fault = Rule & {
  readonly is: "fault";
  readonly name: FaultName;
  readonly line: number;
  readonly column: number;
  /** In one line: `line 3, column 8: …`. */
  readonly message: string;
};

const LF = 0x0a;

/** The fault at an octet of a page. */
export function faultAt(name: FaultName, page: Uint8Array, offset: number): Fault {
  let line = 1;
  let begin = 0;
  for (let at = page.indexOf(LF); at >= 0 && at < offset; at = page.indexOf(LF, begin)) {
    line++;
    begin = at + 1;
  }
  const column = offset - begin + 1;
  const { spec, advice } = FAULTS[name];
  return { is: "fault", name, spec, advice, line, column, message: `line ${line}, column ${column}: ${name}. ${advice}` };
}
