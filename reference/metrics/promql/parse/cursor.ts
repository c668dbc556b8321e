import type { Span } from "../syntax/ast.ts";
import { isAggregation } from "../aggregate/aggregations.ts";
import { Lexer, quoted, type Token } from "./lexer.ts";
import { type ParseFault, parseFault, stop } from "./fault.ts";

/** What a parse may cost. */
export type ParseLimits = {
  /** UTF-16 units of a text. */
  readonly maxLength: number;
  /** Brackets, operands and arguments inside one another: each takes room on the stack. */
  readonly maxNesting: number;
  /** Nodes from the root to the deepest leaf; chains of operators lean to the left, and count as well. */
  readonly maxDepth: number;
  /** UTF-16 units of all regular expressions together, lists of words aside: a unit costs its automaton some ten microseconds and kilobytes. */
  readonly maxPatterns: number;
};
export const tooDeep = ({ maxDepth }: ParseLimits): string => `expression is deeper than ${maxDepth} levels`;
/** What holds where the caller names none: beyond what people and dashboards write. */
export const PARSE_LIMITS: ParseLimits = { maxLength: 1 << 20, maxNesting: 200, maxDepth: 1_000, maxPatterns: 1 << 15 };

/** Parts of the language that are experimental, each behind a flag of the server (feature_flags). */
export type ParseFeatures = {
  /** `promql-experimental-functions` */
  readonly experimentalFunctions: boolean;
  /** `promql-binop-fill-modifiers` */
  readonly fillModifiers: boolean;
  /** `promql-extended-range-selectors` */
  readonly extendedRanges: boolean;
};
/** The language as it is without flags. */
export const NO_FEATURES: ParseFeatures = { experimentalFunctions: false, fillModifiers: false, extendedRanges: false };
/** Everything that a flag can add: what `parse` takes unless told otherwise. */
export const ALL_FEATURES: ParseFeatures = { experimentalFunctions: true, fillModifiers: true, extendedRanges: true };

/** Words that are never a metric's name. */
const RESERVED: ReadonlySet<string> = new Set(["atan2", "bool", "on", "ignoring", "group_left", "group_right"]);
/** Words that mean something in some places, and are names elsewhere. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...RESERVED,
  ..."and or unless by without offset fill fill_left fill_right anchored smoothed start end step range min_of max_of".split(" "),
]);
/** Keywords that are functions as well. */
const CALLABLE: ReadonlySet<string> = new Set(["start", "end", "step", "range", "min_of", "max_of"]);

export const isReserved = (word: string): boolean => RESERVED.has(word.toLowerCase());
/** Whether a name before a parenthesis is one of a function, known or not. */
export const mayCall = (word: string): boolean => CALLABLE.has(word.toLowerCase()) || !KEYWORDS.has(word.toLowerCase());

/** The reader's place in the text: one token, what is asked about it, and what the parse may still cost. */
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

  /** The fault of meaning that was met first: it counts once the whole text has turned out to be well formed. */
  get doubt(): ParseFault | undefined {
    return this.#doubt;
  }

  suspect(message: string, span: Span): void {
    this.#doubt ??= parseFault(message, span, "meaning");
  }

  /** The token behind the present one. */
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

  /** Takes a sign that has to stand here. */
  need(text: string, context?: string, expected = `"${text}"`): Token {
    return this.isSign(text) ? this.take() : this.refuse(context, expected);
  }

  /** Ends the parse: what stands here cannot. */
  refuse(context?: string, expected?: string): never {
    const { start, end } = this.#token;
    if (this.isKind("end") && this.#parentheses > 0) return stop("unclosed left parenthesis", { start, end });
    if (this.isSign(")") && this.#parentheses === 0) return stop("unexpected right parenthesis ')'", { start, end });
    const where = context === undefined ? "" : ` in ${context}`;
    return stop(`unexpected ${told(this.#token)}${where}${expected === undefined ? "" : `, expected ${expected}`}`, { start, end });
  }

  /** Ends the parse of a chain with too many links, before the rest of it is looked at. */
  bound(links: number): void {
    if (links >= this.#limits.maxDepth) stop(tooDeep(this.#limits), this.#token);
  }

  /** Ends the parse where regular expressions ask for more than may be spent on them. */
  boundPattern(pattern: string, span: Span): void {
    if (!/[\\.+*?()[\]{}^$]/.test(pattern)) return;
    this.#patterns += pattern.length;
    const { maxPatterns } = this.#limits;
    if (this.#patterns > maxPatterns) stop(`regular expressions are longer than ${maxPatterns} characters together`, span);
  }

  /** Reads something that contains its like. */
  nested<T>(read: () => T): T {
    const { start, end } = this.#token;
    if (++this.#nesting > this.#limits.maxNesting)
      return stop(`expression is nested deeper than ${this.#limits.maxNesting} levels`, { start, end });
    const result = read();
    this.#nesting--;
    return result;
  }
}

/** A token as messages name it. */
export function told({ kind, text }: Token): string {
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
