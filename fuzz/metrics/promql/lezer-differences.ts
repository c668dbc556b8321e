/** Where the grammar that editors use and this reader part ways on whether a text has the form of an expression, and why. */
export type Difference = { readonly why: string; readonly of: RegExp };

/** Accepted here, refused there: by the text. */
export const ONLY_HERE: readonly Difference[] = [
  { why: "a label of a list may have a colon, as it has in Prometheus; the grammar has no such label", of: /[\w:]*:[\w:]*\s*[,)]/ },
  { why: "min_of and max_of are functions of expressions too; the grammar has them in durations alone", of: /\b(?:min_of|max_of)\s*\(/i },
  {
    why: "offset may be a metric's name, as it may in Prometheus",
    of: /(?:^|[-+*/%^(,=<>]|\b(?:and|or|unless|atan2|bool|group_left|group_right)\s|\))\s*offset\b/i,
  },
  {
    why: "a number may end with its point, and hexadecimal digits may be large or follow an underscore",
    of: /\d\.(?!\d)|0[xX]\w*[A-F_]|0X/,
  },
  { why: "step and range may be in capitals inside of durations", of: /\b(?:STEP|RANGE)\b/i },
];

/** Refused here for its form, accepted there: by what is said of it. */
export const ONLY_THERE: readonly Difference[] = [
  { why: "atan2 is an operator alone; the grammar also takes it for a name", of: /<op:atan2>/i },
  { why: "Inf and NaN are numbers, so no labels of a list", of: /unexpected number "(?:inf|nan)".*expected label/i },
  { why: "letters behind a number belong to it, as they do in Prometheus", of: /bad number or duration syntax/ },
  { why: "a duration is finite", of: /in duration expression: '[IiNn]'/ },
  { why: "ranges are for selectors; the grammar leaves that to whoever checks the tree", of: /ranges only allowed for vector selectors/ },
  { why: "how many arguments an aggregation has, likewise", of: /aggregate expression provided/ },
  { why: "what a number and a duration can hold, likewise", of: /out of range/ },
  { why: "what an escape stands for, likewise", of: /escape sequence/ },
  { why: "whether a pattern is a regular expression, likewise", of: /error parsing regexp/ },
  { why: "that a label of a list has a name, likewise", of: /invalid label name/ },
  { why: "a string ends on its line; the grammar takes what is there for one", of: /unterminated/ },
];
