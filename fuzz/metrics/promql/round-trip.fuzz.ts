import { parse, pretty, print, printTree } from "../../../reference/metrics/promql/index.ts";
import { loadScripts } from "../../../vectors/promql/load.ts";
import type { Target } from "../../lib/target.ts";
import { inWords } from "./same.ts";

/** A text is parsed or refused; an expression that is parsed and printed parses the same again. */
const utf8 = new TextDecoder();
export const octetsOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Whether the text is an expression. Throws when the property does not hold. */
export function staysTheSame(input: Uint8Array): boolean {
  const text = utf8.decode(input);
  const expr = parse(text);
  if (expr.is === "fault") {
    const { start, end } = expr.span;
    if (start < 0 || end < start || end > text.length)
      throw new Error(`a fault in a text of length ${text.length} has the span ${start} to ${end}`);
    return false;
  }
  const words = inWords(expr);
  const line = print(expr);
  for (const printed of [line, pretty(expr)]) {
    const again = parse(printed);
    if (again.is === "fault") throw new Error(`${text} prints as ${printed}, which is refused: ${again.message}`);
    if (inWords(again) !== words) throw new Error(`${text} prints as ${printed}, which parses differently`);
    if (print(again) !== line) throw new Error(`${line} prints differently the second time: ${print(again)}`);
  }
  JSON.stringify(printTree(expr));
  return true;
}

export const target: Target = {
  name: "metrics/promql/round-trip",
  about: "a text is refused or parsed; a parsed expression prints, and parses the same again",
  run: (input) => void staysTheSame(input),
  seeds: loadScripts().flatMap(({ script }) => script.steps.flatMap((step) => (step.is === "eval" ? [octetsOf(step.expr)] : []))),
  dictionary: [
    ..."sum by (a) ( rate( topk(1, [5m] [5m:1m] offset @ start() and or unless atan2 bool on(a) ignoring(b) group_left(c) fill(0) anchored".split(
      " ",
    ),
    ...'0x1f 1_0 1h30m NaN inf {a="b"} {"m.n"} =~ !~ step() min_of( ^ -'.split(" "),
  ].map(octetsOf),
  maxLength: 400,
};
