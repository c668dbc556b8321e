import { TemplateFault } from "./values.ts";

/** One token of an action; `hasSpace`: white space comes before it. */
export type Token = {
  readonly is: "word" | "field" | "variable" | "dot" | "string" | "char" | "number" | "sign" | "end";
  readonly text: string;
  readonly hasSpace: boolean;
  readonly line: number;
};

/** A piece of a template: text, or the tokens of an action. */
export type Piece =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "action"; readonly tokens: readonly Token[]; readonly line: number };

const TOKEN =
  /(?<word>[\p{L}_][\p{L}\p{Nd}_]*)|(?<variable>\$[\p{L}\p{Nd}_]*)|(?<number>[-+]?(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*\.?[\d_]*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?))|(?<field>\.[\p{L}_][\p{L}\p{Nd}_]*)|(?<dot>\.)|(?<string>"(?:[^"\\\n]|\\.)*"|`[^`]*`)|(?<char>'(?:[^'\\\n]|\\.[^']*)')|(?<sign>:=|[=|(),])/uy;

const linesIn = (text: string): number => text.split("\n").length - 1;

/** Splits a template. `{{- ` and ` -}}` remove white space around an action, and comments are left out. Throws `TemplateFault`. */
export function piecesOf(source: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let isTrimmed = false;
  let line = 1;
  const addText = (text: string): void => {
    if (text !== "") pieces.push({ is: "text", text });
  };
  for (;;) {
    const open = source.indexOf("{{", at);
    const text = source.slice(at, open === -1 ? undefined : open);
    const trimsBefore = open !== -1 && /^\{\{-\s/.test(source.slice(open, open + 4));
    addText((trimsBefore ? (one: string) => one.trimEnd() : (one: string) => one)(isTrimmed ? text.trimStart() : text));
    line += linesIn(text);
    if (open === -1) return pieces;
    const begin = open + (trimsBefore ? 3 : 2);
    const comment = /^\s*\/\*/.exec(source.slice(begin));
    if (comment !== null) {
      const close = source.indexOf("*/", begin + comment[0].length);
      const after = close === -1 ? null : /^(\s-)?\}\}/.exec(source.slice(close + 2));
      if (after === null) throw new TemplateFault(close === -1 ? "unclosed comment" : "comment ends before closing delimiter", line);
      isTrimmed = after[1] !== undefined;
      at = close + 2 + after[0].length;
      line += linesIn(source.slice(open, at));
      continue;
    }
    const { tokens, end, trimsAfter } = tokensOf(source, begin, line);
    pieces.push({ is: "action", tokens, line });
    line += linesIn(source.slice(open, end));
    isTrimmed = trimsAfter;
    at = end;
  }
}

function tokensOf(source: string, from: number, first: number): { tokens: Token[]; end: number; trimsAfter: boolean } {
  const tokens: Token[] = [];
  let line = first;
  let at = from;
  for (;;) {
    const space = /\s*/y;
    space.lastIndex = at;
    const skipped = space.exec(source)?.[0] ?? "";
    at += skipped.length;
    line += linesIn(skipped);
    const hasSpace = skipped !== "";
    const close = hasSpace && source.startsWith("-}}", at) ? 3 : source.startsWith("}}", at) ? 2 : 0;
    if (close > 0) {
      tokens.push({ is: "end", text: "", hasSpace, line });
      return { tokens, end: at + close, trimsAfter: close === 3 };
    }
    if (at >= source.length) throw new TemplateFault("unclosed action", first);
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(source)?.groups ?? {};
    const [is, text] = Object.entries(groups).find(([, one]) => one !== undefined) ?? [];
    if (is === undefined || text === undefined) {
      const sign = String.fromCodePoint(source.codePointAt(at) ?? 0);
      throw new TemplateFault(
        sign === '"' || sign === "`" || sign === "'" ? "unterminated quoted string" : `unexpected ${JSON.stringify(sign)} in an action`,
        line,
      );
    }
    tokens.push({ is: is as Token["is"], text, hasSpace, line });
    at += text.length;
    line += linesIn(text);
  }
}
