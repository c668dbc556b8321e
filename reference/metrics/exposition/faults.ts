import type { SpecRef } from "../../core/index.ts";

/** Where it is written, and what whoever makes the page is to do. */
type Rule = { readonly spec: SpecRef; readonly advice: string };
const rule = (spec: SpecRef, advice: string): Rule => ({ spec, advice });

const LINE = "prometheus-exposition#text.line-format";
const META = "prometheus-exposition#text.comments";
const GROUP = "prometheus-exposition#text.grouping";
const SHAPE = "prometheus-exposition#text.histograms";
const ABNF = "prometheus-openmetrics#text.abnf";
const POINT = "prometheus-openmetrics#text.metric-point";

/** Every way a page can be wrong, once. */
export const FAULTS = {
  // Lines and tokens; the section is that of the text format, OpenMetrics has the same in its grammar.
  lineUnended: rule(LINE, "End the last line with a line feed."),
  lineUnexpected: rule(LINE, "Begin a line with a metric's name, with # or, for a quoted name, with {."),
  blankUnexpected: rule(ABNF, "Put exactly one space between the parts of a line, and none elsewhere."),
  blankLine: rule(ABNF, "Leave out empty lines: OpenMetrics has none."),
  carriageReturn: rule("prometheus-openmetrics#text.overall", "End lines with a line feed alone."),
  byteOrderMark: rule("prometheus-openmetrics#text.overall", "Leave the byte order mark out."),
  utf8Invalid: rule(LINE, "Write UTF-8."),
  nameMissing: rule(LINE, "Give the metric's name in front of the braces, or quoted as the first thing within them."),
  nameRepeated: rule(LINE, "Give the metric's name once."),
  nameEmpty: rule(LINE, "Put at least one character between the quotes of a name."),
  labelInvalid: rule(LINE, "Begin a label's name with a letter or an underscore, or put it in quotes."),
  labelReserved: rule(LINE, "Give the metric's name as such; no label may be called __name__."),
  labelRepeated: rule("prometheus-openmetrics#data-model.label-set", "Give each label of a series once."),
  equalsMissing: rule(LINE, "Put = between a label's name and its value."),
  quoteMissing: rule(LINE, "Put the value of a label in double quotes."),
  quoteOpen: rule(LINE, 'Close the quotes on the same line; a line feed within is written \\n, a quote \\".'),
  escapeInvalid: rule(LINE, 'Write a backslash as \\\\; \\n and \\" are the only other escapes.'),
  quoteUnescaped: rule(ABNF, 'Write a double quote as \\".'),
  commaMissing: rule(LINE, "Put a comma between labels, and close the braces behind the last."),
  commaTrailing: rule(ABNF, "Leave out the comma behind the last label."),
  valueMissing: rule(LINE, "Give a value, a blank behind the series."),
  valueInvalid: rule(LINE, "Write the value as a number, NaN, +Inf or -Inf."),
  valueOutOfRange: rule(LINE, "Write a number that a 64-bit floating point number can hold, or +Inf."),
  timestampInvalid: rule(LINE, "Write the timestamp as a number: milliseconds without a fraction, or in OpenMetrics seconds."),
  timestampOutOfRange: rule(LINE, "Write a timestamp within 64 bits."),
  lineTrailing: rule(LINE, "End the line behind the value and the timestamp."),

  // Metadata.
  metadataNameInvalid: rule(META, "Name the metric behind TYPE, HELP or UNIT, in quotes if it is no plain name."),
  typeMissing: rule(META, "Name the type behind the metric."),
  typeUnknown: rule(META, "Use one of the types that the format has, in lower case."),
  helpInvalid: rule(META, "Write a backslash in a help text as \\\\ and a line feed as \\n."),
  unitInvalid: rule(ABNF, "Use letters, digits, _ and : in a unit."),
  metadataUnknown: rule(ABNF, "Begin a line with # only for TYPE, HELP, UNIT and EOF."),
  metadataRepeated: rule(META, "Give each kind of metadata once for a metric."),
  metadataLate: rule(META, "Give metadata in front of the metric's first sample."),
  unitNotSuffix: rule("prometheus-openmetrics#text.metadata", "End the metric's name with an underscore and the unit."),
  unitForbidden: rule("prometheus-openmetrics#data-model.state-set", "Give no unit for an info or a stateset."),
  eofMissing: rule("prometheus-openmetrics#text.overall", "End the page with # EOF."),
  eofNotLast: rule("prometheus-openmetrics#text.abnf", "Put nothing behind # EOF."),

  // Families.
  familyApart: rule(GROUP, "Put all lines of a metric together."),
  familyClash: rule("prometheus-openmetrics#data-model.suffixes", "Rename one of the two metrics: a sample could belong to either."),
  sampleRepeated: rule(GROUP, "Give each series once, or in OpenMetrics with growing timestamps."),
  suffixWrong: rule("prometheus-openmetrics#text.metric-types", "Give the sample the suffix that its type asks for."),
  metricApart: rule("prometheus-openmetrics#text.metric", "Put all samples of a metric together."),
  pointTimestamp: rule(POINT, "Give all samples of a point the same timestamp, and each later point a later one."),
  bucketBoundMissing: rule(SHAPE, "Give each bucket a label le, and nothing else one."),
  bucketBoundInvalid: rule(SHAPE, "Write le as a number; +Inf for the last."),
  bucketOrder: rule(SHAPE, "Sort buckets by le, each bound once."),
  bucketInfinite: rule(SHAPE, 'End the buckets with le="+Inf".'),
  bucketCumulative: rule("prometheus-openmetrics#data-model.histogram", "Count in each bucket what the buckets below it count too."),
  bucketCount: rule(SHAPE, "Give _count the value of the bucket +Inf."),
  countWithoutSum: rule("prometheus-openmetrics#text.histogram", "Give _count and _sum (_gcount and _gsum) both, or neither."),
  sumForbidden: rule("prometheus-openmetrics#data-model.histogram", "Leave out the sum where a bucket's bound is negative."),
  quantileInvalid: rule(SHAPE, "Give each quantile a label quantile between 0 and 1, and nothing else one."),
  quantileOrder: rule(SHAPE, "Sort quantiles, each once."),
  valueForbidden: rule("prometheus-openmetrics#data-model.metric-types", "Give a value that the type allows."),
  totalMissing: rule("prometheus-openmetrics#data-model.counter", "Give a counter's point its _total."),
  stateMissing: rule("prometheus-openmetrics#text.state-set", "Give each state a label called as the metric."),
  exemplarForbidden: rule("prometheus-openmetrics#text.exemplars", "Give exemplars to the total of a counter and to buckets only."),
  exemplarTooLong: rule(
    "prometheus-openmetrics#data-model.exemplars",
    "Keep names and values of an exemplar's labels within 128 characters.",
  ),
  exemplarOutOfBucket: rule("prometheus-openmetrics#data-model.histogram", "Give a bucket an exemplar that it counts."),
  exemplarInvalid: rule(ABNF, "Write an exemplar as # {labels} value [timestamp]."),

  // Limits of ours.
  pageTooLarge: rule("prometheus-openmetrics#design.size-limits", "Expose less, or raise the limit of octets a page."),
  lineTooLong: rule("prometheus-openmetrics#design.size-limits", "Shorten the line, or raise the limit of octets a line."),
  tooManySamples: rule("prometheus-openmetrics#design.size-limits", "Expose fewer series, or raise the limit of samples a page."),
  tooManyMetadata: rule("prometheus-openmetrics#design.size-limits", "Expose fewer metrics, or raise the limit of metadata a page."),
  tooManyLabels: rule("prometheus-openmetrics#design.size-limits", "Use fewer labels, or raise the limit of labels a series."),
  tooManyExemplars: rule("prometheus-openmetrics#design.size-limits", "Give fewer exemplars, or raise their limit."),
  nameTooLong: rule("prometheus-openmetrics#design.size-limits", "Shorten the name, or raise the limit of octets a name."),
  labelValueTooLong: rule("prometheus-openmetrics#design.size-limits", "Shorten the value, or raise the limit of octets a label's value."),
} as const satisfies Record<string, Rule>;
/** What is wrong with a page, in one word, for logs and tests. */
export type FaultName = keyof typeof FAULTS;

/** What is wrong with a page, and where: the line and the octet within it, both from 1. A page with a fault is wrong as a whole. */
export type Fault = Rule & {
  readonly is: "fault";
  readonly name: FaultName;
  readonly line: number;
  readonly column: number;
  /** All of it in one line: `line 3, column 8: …`. */
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
