import { Labels } from "../../model/index.ts";
import { parseSelector } from "../parse/parse.ts";

/** The labels of a series as a selector of exact values, `a{b="c"}`; a message for an invalid text. */
export function readSeries(text: string): Labels | string {
  if (/^\s*\{\s*\}\s*$/.test(text)) return Labels.NONE;
  const selector = parseSelector(text);
  if (selector.is === "fault") return `invalid series: ${selector.message}: ${text}`;
  const inexact = selector.matchers.find(({ operator }) => operator !== "=");
  if (inexact !== undefined) return `a label of a series must have a value: ${inexact.name}="…", not ${inexact.operator}`;
  const pairs = selector.matchers.map(({ name, value }) => [name, value] as const);
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) return `a label is repeated: ${text}`;
  return Labels.of(pairs);
}
