import fc from "fast-check";
import { print } from "../../../reference/metrics/promql/index.ts";
import { anyExpr } from "./trees.ts";

/** Valid and invalid pieces of text that mutations insert. */
const PIECES: readonly string[] = [
  ..."+ - * / % ^ == != < > <= >= </ >/ = =~ !~ ! ( ) { } [ ] , : @ # \\ ; $".split(" "),
  ..."and or unless atan2 bool on ignoring group_left group_right by without offset fill fill_left anchored smoothed".split(" "),
  ..."start() end() step() range() min_of( max_of( inf NaN 1 1. .5 1e3 1_0 0x1f 0x_1 1__0 0X 5m 1h30m 30s1m 1.5h 300y 5mm".split(" "),
  ...'up rate( sum sum( topk(1, {a="b"} {"m.n"} "a" `b` "\\n" "\\q" \' " [5m] [5m:] [1h:1m] [step()] [5m*2] on(a) by (b) fill(0)'.split(
    " ",
  ),
  "offset 5m",
  "offset -1m",
  "@ 1.5",
  "@ start()",
  "\n",
  "\t",
  "日",
  "😀",
  "bool ",
];

/** Almost expressions: the text of a tree with pieces inserted, removed or repeated, or only pieces. */
export const mutated: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 10 }).map((pieces) => pieces.join(" ")),
  fc
    .tuple(
      anyExpr.map((expr) => print(expr)),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom("put", "cut", "double", "lose"), fc.constantFrom(...PIECES)), { maxLength: 2 }),
    )
    .map(([text, changes]) => changes.reduce((old, [place, kind, piece]) => changed(old, place, kind, piece), text)),
);

function changed(text: string, place: number, kind: string, piece: string): string {
  const words = text.split(/(?<=[\s(){}[\],"])|(?=[\s(){}[\],"])/);
  const at = words.length === 0 ? 0 : place % words.length;
  const own = words[at] ?? "";
  if (kind === "put") words.splice(at, 0, piece);
  else if (kind === "cut") words.splice(at, 1, [...own].slice(1).join(""));
  else if (kind === "double") words.splice(at, 0, own);
  else words.splice(at, 1);
  return words.join("");
}
