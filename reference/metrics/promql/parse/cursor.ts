import type { Span } from "../syntax/ast.ts";
import { isAggregation } from "../aggregate/aggregations.ts";
import { Lexer, quoted, type Token } from "./lexer.ts";
import { type ParseFault, parseFault, stop } from "./fault.ts";

/** Limits on the cost of parsing. */
export type ParseLimits = {
  /** Length of the text in UTF-16 units. */
  readonly maxLength: number;
  /** Nesting of brackets, operands and arguments: each level uses stack. */
  readonly maxNesting: number;
  /** Nodes from the root to the deepest leaf; a chain of operators leans to the left and counts too. */
  readonly maxDepth: number;
  /** UTF-16 units of all regular expressions together, except lists of words: each unit costs about ten microseconds and some kilobytes to compile. */
  readonly maxPatterns: number;
};
export const tooDeep = ({ maxDepth }: ParseLimits): string => `expression is deeper than ${maxDepth} levels`;
/** The defaults: more than people and dashboards write. */
export const PARSE_LIMITS: ParseLimits = { maxLength: 1 << 20, maxNesting: 200, maxDepth: 1_000, maxPatterns: 1 << 15 };

/** Experimental parts of the language, each enabled by a flag of the server (Prometheus docs, feature_flags.md). */
export type ParseFeatures = {
  /** `promql-experimental-functions` */
  readonly experimentalFunctions: boolean;
  /** `promql-binop-fill-modifiers` */
  readonly fillModifiers: boolean;
  /** `promql-extended-range-selectors` */
  readonly extendedRanges: boolean;
};
/** The language without flags. */
export const NO_FEATURES: ParseFeatures = { experimentalFunctions: false, fillModifiers: false, extendedRanges: false };
/** Everything that a flag can add: the default of `parse`. */
export const ALL_FEATURES: ParseFeatures = { experimentalFunctions: true, fillModifiers: true, extendedRanges: true };

/** Words that are never a metric name. */
const RESERVED: ReadonlySet<string> = new Set(["atan2", "bool", "on", "ignoring", "group_left", "group_right"]);
/** Words that are keywords in some places and names elsewhere. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...RESERVED,
  ..."and or unless by without offset fill fill_left fill_right anchored smoothed start end step range min_of max_of".split(" "),
]);
/** Keywords that are also functions. */
const CALLABLE: ReadonlySet<string> = new Set(["start", "end", "step", "range", "min_of", "max_of"]);

export const isReserved = (word: string): boolean => RESERVED.has(word.toLowerCase());
/** Whether a name before a parenthesis is a function name, known or unknown. */
export const mayCall = (word: string): boolean => CALLABLE.has(word.toLowerCase()) || !KEYWORDS.has(word.toLowerCase());

/** The position of the parser in the text: the current token, checks on it, and the remaining limits. */
export class Cursor {
  readonly features: ParseFeatures;
  readonly #lexer: Lexer;
  readonly #limits: ParseLimits;
  #token: Token;
  #ahead: Token | undefined;
  #lastEnd = 0;
  #nesting = 0;
  #parentheses = 0;
  #patterns = 0;
  #doubt: ParseFault | undefined;

  constructor(text: string, features: ParseFeatures, limits: ParseLimits) {
    this.features = features;
    this.#limits = limits;
    this.#lexer = new Lexer(text);
    this.#token = this.#lexer.next();
  }

  get token(): Token {
    return this.#token;
  }

  /** The end of the last token taken. */
  get lastEnd(): number {
    return this.#lastEnd;
  }

  /** The first semantic fault; it counts only if the whole text is well formed. */
  get doubt(): ParseFault | undefined {
    return this.#doubt;
  }

  suspect(message: string, span: Span): void {
    this.#doubt ??= parseFault(message, span, "meaning");
  }

  /** The token after the current one. */
  ahead(): Token {
    this.#ahead ??= this.#lexer.next();
    return this.#ahead;
  }

  take(): Token {
    const taken = this.#token;
    this.#lastEnd = taken.end;
    if (this.isSign("(")) this.#parentheses++;
    if (this.isSign(")")) this.#parentheses--;
    this.#token = this.#ahead ?? this.#lexer.next();
    this.#ahead = undefined;
    return taken;
  }

  isKind(kind: Token["kind"]): boolean {
    return this.#token.kind === kind;
  }

  isSign(text: string): boolean {
    return this.#token.kind === "sign" && this.#token.text === text;
  }

  isWord(word: string): boolean {
    return this.#token.kind === "word" && this.#token.text.toLowerCase() === word;
  }

  takeSign(text: string): boolean {
    if (!this.isSign(text)) return false;
    this.take();
    return true;
  }

  takeWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.take();
    return true;
  }

  /** Takes a required sign. */
  need(text: string, context?: string, expected = `"${text}"`): Token {
    return this.isSign(text) ? this.take() : this.refuse(context, expected);
  }

  /** Ends the parse: the current token is not allowed here. */
  refuse(context?: string, expected?: string): never {
    const { start, end } = this.#token;
    if (this.isKind("end") && this.#parentheses > 0) return stop("unclosed left parenthesis", { start, end });
    if (this.isSign(")") && this.#parentheses === 0) return stop("unexpected right parenthesis ')'", { start, end });
    const where = context === undefined ? "" : ` in ${context}`;
    return stop(`unexpected ${nameOf(this.#token)}${where}${expected === undefined ? "" : `, expected ${expected}`}`, { start, end });
  }

  /** Ends the parse of a chain with too many links before reading the rest of it. */
  bound(links: number): void {
    if (links >= this.#limits.maxDepth) stop(tooDeep(this.#limits), this.#token);
  }

  /** Ends the parse if the regular expressions together are too long. */
  boundPattern(pattern: string, span: Span): void {
    if (!/[\\.+*?()[\]{}^$]/.test(pattern)) return;
    this.#patterns += pattern.length;
    const { maxPatterns } = this.#limits;
    if (this.#patterns > maxPatterns) stop(`regular expressions are longer than ${maxPatterns} characters together`, span);
  }

  /** Reads a construct that can contain itself. */
  nested<T>(read: () => T): T {
    const { start, end } = this.#token;
    if (++this.#nesting > this.#limits.maxNesting)
      return stop(`expression is nested deeper than ${this.#limits.maxNesting} levels`, { start, end });
    const result = read();
    this.#nesting--;
    return result;
  }
}

/** The name of a token in messages. */
function nameOf({ kind, text }: Token): string {
  if (kind === "end") return "end of input";
  if (kind === "sign") return OPERATOR_SIGNS.has(text) ? `<op:${text}>` : `"${text}"`;
  if (kind !== "word") return `${kind} ${quoted(text)}`;
  const word = text.toLowerCase();
  if (isAggregation(word)) return `<aggr:${text}>`;
  if (OPERATOR_WORDS.has(word)) return `<op:${text}>`;
  if (CALLABLE.has(word)) return `"${text}"`;
  if (KEYWORDS.has(word)) return `<${text}>`;
  return `${text.includes(":") ? "metric identifier" : "identifier"} ${quoted(text)}`;
}

const OPERATOR_SIGNS: ReadonlySet<string> = new Set("+ - * / % ^ == != < <= > >= </ >/ =~ !~ @".split(" "));
const OPERATOR_WORDS: ReadonlySet<string> = new Set(["and", "or", "unless", "atan2"]);
