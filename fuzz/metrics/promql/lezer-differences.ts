/** Why lezer-promql, the grammar of editors, and our parser disagree on whether a text is syntactically an expression. */
export type Difference = { readonly why: string; readonly of: RegExp };

/** Accepted by our parser only. `of` matches the text. */
export const ONLY_HERE: readonly Difference[] = [
  { why: "a label in a list may contain a colon, as in Prometheus; the grammar does not allow it", of: /[\w:]*:[\w:]*\s*[,)]/ },
  { why: "min_of and max_of are functions of expressions too; the grammar has them in durations only", of: /\b(?:min_of|max_of)\s*\(/i },
  {
    why: "offset may be a metric name, as in Prometheus",
    of: /(?:^|[-+*/%^(,=<>]|\b(?:and|or|unless|atan2|bool|group_left|group_right)\s|\))\s*offset\b/i,
  },
  {
    why: "a number may end with a decimal point, and hexadecimal digits may be upper-case or follow an underscore",
    of: /\d\.(?!\d)|0[xX]\w*[A-F_]|0X/,
  },
  { why: "step and range may be upper-case within durations", of: /\b(?:STEP|RANGE)\b/i },
];

/** Accepted by the grammar only. `of` matches our error message. */
export const ONLY_THERE: readonly Difference[] = [
  { why: "atan2 is only an operator; the grammar also accepts it as a name", of: /<op:atan2>/i },
  { why: "Inf and NaN are numbers, so not labels in a list", of: /unexpected number "(?:inf|nan)".*expected label/i },
  { why: "letters after a number belong to it, as in Prometheus", of: /bad number or duration syntax/ },
  { why: "a duration is finite", of: /in duration expression: '[IiNn]'/ },
  { why: "ranges are for selectors; the grammar leaves this check to its user", of: /ranges only allowed for vector selectors/ },
  { why: "the number of arguments of an aggregation, likewise", of: /aggregate expression provided/ },
  { why: "the limits of numbers and durations, likewise", of: /out of range/ },
  { why: "the meaning of an escape sequence, likewise", of: /escape sequence/ },
  { why: "whether a pattern is a valid regular expression, likewise", of: /error parsing regexp/ },
  { why: "that a label in a list is not empty, likewise", of: /invalid label name/ },
  { why: "a string must end on its line; the grammar accepts it unterminated", of: /unterminated/ },
];
