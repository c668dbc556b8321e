import type { Element } from "../model.ts";

/** The width that every line keeps to if it can; what is wider is written on several lines, as formatters leave it. */
const WIDTH = 80;

/** An object literal: on one line if it fits behind `before` at this depth, else one property a line. */
export function objectText(properties: readonly string[], depth: number, before: number): string {
  if (properties.length === 0) return "{}";
  const line = `{ ${properties.join(", ")} }`;
  if (depth * 2 + before + line.length + 1 <= WIDTH && !line.includes("\n")) return line;
  return `{\n${properties.map((property) => `${indent(depth + 1)}${property},\n`).join("")}${indent(depth)}}`;
}

export const indent = (depth: number): string => "  ".repeat(depth);

/** The documentation of an element from its comments, with what `more` adds; empty if there is nothing to say. */
export function docText(
  { comments, isDeprecated }: Pick<Element, "comments" | "isDeprecated">,
  depth: number,
  more: readonly string[] = [],
): string {
  const paragraphs = [comments.leading, comments.trailing, ...more].filter((text) => text.trim() !== "");
  const lines = paragraphs.flatMap((text, at) => [...(at === 0 ? [] : [""]), ...text.split("\n")]);
  if (isDeprecated) lines.push(...(lines.length === 0 ? [] : [""]), "@deprecated");
  if (lines.length === 0) return "";
  // The end of a comment would end this one, too.
  const safe = lines.map((line) => line.replaceAll("*/", "*\\/").trimEnd());
  const [only = ""] = safe;
  const isShort = safe.length === 1 && depth * 2 + only.length + 7 <= 140;
  if (isShort) return `${indent(depth)}/** ${only} */\n`;
  return `${indent(depth)}/**\n${safe.map((line) => `${indent(depth)} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent(depth)} */\n`;
}

/** Import statements for these names, as few as fit the width. */
export function importText(keyword: "import" | "import type" | "export", names: readonly string[], from: string): string {
  const lines: string[] = [];
  let line: string[] = [];
  const text = (some: readonly string[]): string => `${keyword} { ${some.join(", ")} } from ${JSON.stringify(from)};\n`;
  for (const name of names) {
    if (line.length > 0 && text([...line, name]).length > WIDTH) {
      lines.push(text(line));
      line = [];
    }
    line.push(name);
  }
  if (line.length > 0) lines.push(text(line));
  return lines.join("");
}
