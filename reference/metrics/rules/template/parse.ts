import type { Body, Command, Node, Operand, Pipe, Template } from "./ast.ts";
import { ALERT_FUNCTIONS, type FunctionName, type FunctionNames } from "./names.ts";
import { piecesOf, type Piece, type Token } from "./lex.ts";
import { literalOf, textOf } from "./literal.ts";
import { TemplateFault } from "./values.ts";

/** The longest template, in UTF-16 units, and the deepest nesting of blocks and parentheses. */
const MOST_LENGTH = 1 << 16;
const MOST_DEPTH = 100;

/** Parses a template whose variables `known` are set before it begins. Throws `TemplateFault`. */
export function parseTemplate(source: string, known: readonly string[] = [], functions: FunctionNames = ALERT_FUNCTIONS): Template {
  if (source.length > MOST_LENGTH) throw new TemplateFault(`the template is longer than ${MOST_LENGTH} characters`);
  return new Parser(piecesOf(source), known, functions).whole();
}

/** How a body ended: at the end of the source, or at a keyword with the tokens after it. */
type Ending = { readonly word: "" | "end" | "else"; readonly tokens: Tokens };

class Parser {
  readonly #pieces: readonly Piece[];
  readonly #functions: FunctionNames;
  readonly #defined = new Map<string, Body>();
  #at = 0;
  #variables: string[];
  #depth = 0;
  #loops = 0;

  constructor(pieces: readonly Piece[], known: readonly string[], functions: FunctionNames) {
    this.#pieces = pieces;
    this.#functions = functions;
    this.#variables = ["$", ...known];
  }

  whole(): Template {
    const { body, ending } = this.#body();
    if (ending.word !== "") throw ending.tokens.unexpected(`{{${ending.word}}}`);
    return { body, defined: this.#defined };
  }

  /** Reads to the end, or to the `end` or `else` of the block around. */
  #body(): { readonly body: Body; readonly ending: Ending } {
    if (++this.#depth > MOST_DEPTH) throw new TemplateFault(`blocks are nested deeper than ${MOST_DEPTH}`);
    const body: Node[] = [];
    for (;;) {
      const piece = this.#pieces[this.#at++];
      if (piece === undefined) {
        this.#depth -= 1;
        return { body, ending: { word: "", tokens: new Tokens([]) } };
      }
      if (piece.is === "text") {
        body.push(piece);
        continue;
      }
      const tokens = new Tokens(piece.tokens);
      const word = tokens.keyword();
      if (word === "end" || word === "else") {
        if (word === "end") tokens.finish("end");
        this.#depth -= 1;
        return { body, ending: { word, tokens } };
      }
      const node = word === undefined ? this.#action(tokens) : this.#control(word, tokens);
      if (node !== undefined) body.push(node);
    }
  }

  #action(tokens: Tokens): Node {
    const pipe = this.#pipe(tokens, "command");
    tokens.finish("command");
    return { is: "action", pipe };
  }

  #control(word: string, tokens: Tokens): Node | undefined {
    switch (word) {
      case "if":
      case "with":
      case "range":
        return this.#block(word, tokens);
      case "break":
      case "continue":
        tokens.finish(word);
        if (this.#loops === 0) throw tokens.fault(`{{${word}}} outside {{range}}`);
        return { is: word };
      case "define":
        return this.#define(tokens);
      default: {
        const { line } = tokens.next;
        const name = tokens.name(word);
        const pipe = tokens.next.is === "end" && word !== "block" ? undefined : this.#pipe(tokens, word);
        tokens.finish(word);
        if (word === "block") this.#keep(name, tokens, word);
        return { is: "template", name, pipe, line };
      }
    }
  }

  #define(tokens: Tokens): undefined {
    if (this.#depth > 1) throw tokens.fault("unexpected {{define}} in a block");
    const name = tokens.name("define");
    tokens.finish("define");
    this.#keep(name, tokens, "define");
  }

  /** Reads the body of a template that has a name. Of two with one name, one at least must be empty. */
  #keep(name: string, tokens: Tokens, word: string): void {
    const body = this.#apart(() => this.#ended(word));
    const before = this.#defined.get(name);
    if (before !== undefined && isEmpty(body)) return;
    if (before !== undefined && !isEmpty(before)) throw tokens.fault(`multiple definition of template ${JSON.stringify(name)}`);
    this.#defined.set(name, body);
  }

  /** A body of its own, which does not see the variables around it. */
  #apart(read: () => Body): Body {
    const [variables, loops] = [this.#variables, this.#loops];
    this.#variables = ["$"];
    this.#loops = 0;
    const body = read();
    this.#variables = variables;
    this.#loops = loops;
    return body;
  }

  #ended(word: string): Body {
    const { body, ending } = this.#body();
    if (ending.word !== "end") throw ending.tokens.fault(`{{${word}}} has no {{end}}`);
    return body;
  }

  #block(is: "if" | "with" | "range", tokens: Tokens): Node {
    const seen = this.#variables.length;
    const pipe = this.#pipe(tokens, is, is === "range" ? 2 : 1);
    tokens.finish(is);
    if (is === "range") this.#loops += 1;
    const { body, ending } = this.#body();
    if (is === "range") this.#loops -= 1;
    this.#variables.length = Math.min(this.#variables.length, seen + pipe.variables.length);
    let otherwise: Body = [];
    if (ending.word === "") throw ending.tokens.fault(`{{${is}}} has no {{end}}`);
    if (ending.word === "else") {
      const chained = ending.tokens.keyword();
      if (chained === undefined) {
        ending.tokens.finish("else");
        otherwise = this.#ended("else");
      } else if (chained === is && is !== "range") otherwise = [this.#block(is, ending.tokens)];
      else throw ending.tokens.unexpected("{{else}}");
    }
    this.#variables.length = seen;
    return { is, pipe, body, otherwise };
  }

  #pipe(tokens: Tokens, context: string, most = 1): Pipe {
    const { line } = tokens.next;
    const written: string[] = [];
    let isNew = true;
    const declared = tokens.declaration(most);
    if (declared !== undefined) {
      written.push(...declared.names);
      isNew = declared.isNew;
      if (!isNew) for (const name of written) this.#check(name, tokens);
    }
    const commands = [this.#command(tokens, context)];
    while (tokens.take("|")) commands.push(this.#command(tokens, context, true));
    if (isNew) this.#variables.push(...written);
    return { variables: written, isNew, commands, line };
  }

  #command(tokens: Tokens, context: string, isLater = false): Command {
    const first = this.#operand(tokens, context);
    if (isLater && first.is !== "function" && !(first.is === "pipe" || first.is === "dot" || first.is === "variable"))
      throw tokens.fault("only a function can follow | in a pipeline");
    const args: Operand[] = [];
    while (tokens.next.is !== "end" && !tokens.isSign("|") && !tokens.isSign(")")) {
      if (!tokens.next.hasSpace) throw tokens.unexpected("operand");
      args.push(this.#operand(tokens, context));
    }
    return { first, args };
  }

  #operand(tokens: Tokens, context: string): Operand {
    const { is, text, line } = tokens.next;
    if (tokens.take("(")) {
      if (++this.#depth > MOST_DEPTH) throw tokens.fault(`parentheses are nested deeper than ${MOST_DEPTH}`);
      const pipe = this.#pipe(tokens, "parenthesized pipeline");
      this.#depth -= 1;
      if (!tokens.take(")")) throw tokens.fault("unclosed left paren");
      return { is: "pipe", pipe, path: tokens.path(), line };
    }
    switch (is) {
      case "word": {
        tokens.advance();
        if (text === "true" || text === "false") return { is: "literal", value: text === "true", line };
        if (text === "nil") return { is: "literal", value: undefined, line };
        if (!this.#functions.has(text)) throw new TemplateFault(`function ${JSON.stringify(text)} not defined`, line);
        return { is: "function", name: text as FunctionName, line };
      }
      case "field":
        tokens.advance();
        return { is: "dot", path: [text.slice(1), ...tokens.path()], line };
      case "dot":
        tokens.advance();
        return { is: "dot", path: [], line };
      case "variable":
        tokens.advance();
        this.#check(text, tokens);
        return { is: "variable", name: text, path: tokens.path(), line };
      case "string":
      case "char":
      case "number":
        tokens.advance();
        return { is: "literal", value: literalOf(is, text, line), line };
      default:
        throw is === "end" ? tokens.fault(`missing value for ${context}`) : tokens.unexpected(context);
    }
  }

  #check(name: string, tokens: Tokens): void {
    if (!this.#variables.includes(name)) throw tokens.fault(`undefined variable ${JSON.stringify(name)}`);
  }
}

const isEmpty = (body: Body): boolean => body.every((node) => node.is === "text" && node.text.trim() === "");

const KEYWORDS: ReadonlySet<string> = new Set(["if", "with", "range", "end", "else", "define", "block", "template", "break", "continue"]);

/** The tokens of one action, read from left to right. */
class Tokens {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get next(): Token {
    return this.#tokens[this.#at] ?? { is: "end", text: "", hasSpace: false, line: this.#tokens.at(-1)?.line ?? 1 };
  }
  advance(): void {
    this.#at += 1;
  }
  isSign(text: string): boolean {
    return this.next.is === "sign" && this.next.text === text;
  }
  take(text: string): boolean {
    if (!this.isSign(text)) return false;
    this.advance();
    return true;
  }
  keyword(): string | undefined {
    const { is, text } = this.next;
    if (is !== "word" || !KEYWORDS.has(text)) return undefined;
    this.advance();
    return text;
  }
  /** The fields that follow without white space. */
  path(): string[] {
    const path: string[] = [];
    for (; this.next.is === "field" && !this.next.hasSpace; this.advance()) path.push(this.next.text.slice(1));
    return path;
  }
  /** `$a :=`, `$a =` or `$i, $a :=`, if the action begins so. */
  declaration(most: number): { readonly names: readonly string[]; readonly isNew: boolean } | undefined {
    const [first, second, third, fourth] = this.#tokens.slice(this.#at);
    const isSet = (token: Token | undefined): boolean => token?.is === "sign" && (token.text === ":=" || token.text === "=");
    if (first?.is !== "variable") return undefined;
    if (isSet(second)) {
      this.#at += 2;
      return { names: [first.text], isNew: second?.text === ":=" };
    }
    if (second?.text !== "," || third?.is !== "variable" || !isSet(fourth)) return undefined;
    if (most < 2) throw this.fault("too many declarations");
    this.#at += 4;
    return { names: [first.text, third.text], isNew: fourth?.text === ":=" };
  }
  /** A quoted name. */
  name(context: string): string {
    const { is, text, line } = this.next;
    if (is !== "string") throw this.unexpected(`${context} clause`);
    this.advance();
    return textOf(text, line);
  }
  finish(context: string): void {
    if (this.next.is !== "end") throw this.unexpected(context);
  }
  fault(message: string): TemplateFault {
    return new TemplateFault(message, this.next.line);
  }
  unexpected(context: string): TemplateFault {
    return this.fault(`unexpected ${this.next.is === "end" ? "}}" : JSON.stringify(this.next.text)} in ${context}`);
  }
}
