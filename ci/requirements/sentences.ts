import { createHash } from "node:crypto";

/** A sentence of a specification with at least one normative keyword, or a section of a text without any. */
export type Sentence = {
  /** Its section and its position among the normative sentences of that section: `6.9:2`. */
  readonly at: string;
  /** Eight hex digits over its letters and digits: white space, line breaks and references in brackets of any edition hash alike. */
  readonly hash: string;
  /** The keywords in the order of the text. */
  readonly keywords: readonly string[];
  readonly text: string;
};

/** RFC 2119 and RFC 8174: only capitals are keywords. */
const KEYWORD = /\b(?:MUST NOT|MUST|SHALL NOT|SHALL|SHOULD NOT|SHOULD|NOT RECOMMENDED|RECOMMENDED|REQUIRED|MAY|OPTIONAL)\b/g;
/** A heading stands alone, unindented. A table of contents is indented or ends in a page number. */
const HEADING = /^(?:Appendix )?((?:\d+|[A-Z])(?:\.\d+)*)\. {1,2}(\S.*)$/;
const MARKDOWN_HEADING = /^#{1,6} +(.*)$/;
const CODE = /^```[^]*?^```$/gm;
/** Bullets, numbers and rules that set off a paragraph of their own. */
const BULLET = /^ *(?:[•□☆○*o+-] +|\d+\. +)/;
/** The foot of a page, a form feed, and the head of the next page. */
const PAGE_BREAK = /\n*\n[^\n]*\[Page \d+\]\n*\f?\n*(?:RFC \d+ [^\n]*\n)?\n*/g;
/** A full stop after one of these does not end a sentence. */
const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|cf|vs|Sec|No)|\b[A-Z])\.$/;

/** In place of a keyword: the unit of a text without normative keywords is the section. */
export const SECTION = "section";

/** The sections of a text in Markdown as units to map; `text` is the heading, the hash is over all that follows it. */
export function sectionsOf(text: string): Sentence[] {
  const counts = new Map<string, number>();
  const found: { at: string; text: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    const heading = isCode ? undefined : MARKDOWN_HEADING.exec(line)?.[1];
    if (heading === undefined) found.at(-1)?.lines.push(line);
    else {
      const position = (counts.get(slug(heading)) ?? 0) + 1;
      counts.set(slug(heading), position);
      found.push({ at: `${slug(heading)}:${position}`, text: heading, lines: [] });
    }
  }
  return found.map((section) => ({
    at: section.at,
    hash: hashOf(section.lines.join(" ")),
    keywords: [SECTION],
    text: section.text,
  }));
}

/** The normative sentences of an RFC as plain text, with or without pages, or of a document in Markdown, without its code. */
export function normativeSentences(text: string, isMarkdown = false): Sentence[] {
  const counts = new Map<string, number>();
  return blocks(text.replaceAll("\r\n", "\n").replaceAll(isMarkdown ? CODE : /$^/g, ""), isMarkdown ? markdownHeading : headingOf).flatMap(
    ({ section, paragraph }) =>
      split(paragraph).flatMap((sentence): Sentence[] => {
        const keywords = sentence.match(KEYWORD);
        if (keywords === null) return [];
        const position = (counts.get(section) ?? 0) + 1;
        counts.set(section, position);
        return [{ at: `${section}:${position}`, hash: hashOf(sentence), keywords, text: sentence }];
      }),
  );
}

const hashOf = (sentence: string): string =>
  createHash("sha256")
    .update(sentence.replaceAll(/[^A-Za-z0-9]/g, ""))
    .digest("hex")
    .slice(0, 8);

type Block = { readonly section: string; readonly paragraph: string };

/** The paragraphs, each with its section. What comes before the first heading belongs to no section. */
function blocks(text: string, heading: (line: string, isAlone: boolean) => string | undefined): Block[] {
  const paragraphs: Block[] = [];
  let section = "";
  let lines: string[] = [];
  let depth = 0;
  const end = (): void => {
    if (lines.length > 0 && section !== "") paragraphs.push({ section, paragraph: lines.join(" ") });
    lines = [];
  };
  const all = text
    .replaceAll(PAGE_BREAK, (found: string, at: number) => joint(text.slice(0, at), text.slice(at + found.length)))
    .split("\n");
  for (const [index, line] of all.entries()) {
    const isAlone = (all[index - 1] ?? "").trim() === "" && (all[index + 1] ?? "").trim() === "";
    const found = heading(line, isAlone);
    if (found !== undefined) {
      end();
      section = found;
    } else if (line.trim() === "" || line.startsWith("━")) end();
    else {
      const indent = line.search(/\S/);
      // A term that is defined stands further left than the definition before it.
      if (BULLET.test(line) || indent < depth) end();
      depth = lines.length === 0 ? 0 : indent;
      lines.push((lines.length === 0 ? line.replace(BULLET, "") : line).trim());
    }
  }
  end();
  return paragraphs;
}

/** What stands for the break between two pages: a blank line if a paragraph ends there, with a full stop or before a heading. */
const joint = (before: string, after: string): string => (/[.:!?]["”)]?\s*$/.test(before) || /^\S.*\n\n/.test(after) ? "\n\n" : "\n");

const markdownHeading = (line: string): string | undefined => {
  const [, title] = MARKDOWN_HEADING.exec(line) ?? [];
  return title === undefined ? undefined : slug(title);
};

function headingOf(line: string, isAlone: boolean): string | undefined {
  const [, number, title = ""] = (isAlone && HEADING.exec(line)) || [];
  return /\.{3}|[.,;:]$| {4}\d+$/.test(title) ? undefined : number;
}

const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

/** The sentences of a paragraph. */
function split(paragraph: string): string[] {
  const sentences: string[] = [];
  let held = "";
  for (const piece of paragraph.split(/(?<=[.!?]["”)\]]{0,2})\s+(?=["“([]?[A-Z0-9_`])/)) {
    held = held === "" ? piece : `${held} ${piece}`;
    if (ABBREVIATION.test(held)) continue;
    sentences.push(held);
    held = "";
  }
  return held === "" ? sentences : [...sentences, held];
}
