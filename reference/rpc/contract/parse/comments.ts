/** The comments of an element, without their marks: before it, after it on its line, and before it with an empty line in between. */
export type Comments = { readonly leading: string; readonly trailing: string; readonly detached: readonly string[] };
export const NO_COMMENTS: Comments = { leading: "", trailing: "", detached: [] };

type Piece = { readonly isLine: boolean; readonly text: string; readonly start: number; readonly end: number };
type Block = { readonly lines: string[]; readonly start: number; readonly isLine: boolean; end: number };

/** The comments between two tokens, in blocks: lines that follow each other are one block. */
export class CommentBlocks {
  readonly #blocks: Block[] = [];
  /** The line on which the token before ended. */
  readonly #before: number;

  constructor(before: number) {
    this.#before = before;
  }

  add({ isLine, text, start, end }: Piece): void {
    const last = this.#blocks.at(-1);
    // A comment on the line of the token before ends with that line.
    const continues = isLine && last?.isLine === true && last.end === start - 1 && last.start !== this.#before;
    if (continues) {
      last.lines.push(text);
      last.end = end;
    } else this.#blocks.push({ lines: isLine ? [text] : blockLines(text), start, end, isLine });
  }

  /** How many of the blocks belong to the token before: the first, or none. */
  #ofBefore(nextLine: number, isLast: boolean): 0 | 1 {
    const [first, second] = this.#blocks;
    if (first === undefined || this.#before === 0) return 0;
    if (first.start === this.#before) return first.end === nextLine && !isLast ? 0 : 1;
    // On the next line it is a trailing comment only if what follows is apart.
    const following = second?.start ?? nextLine;
    return first.start === this.#before + 1 && (isLast ? second === undefined : following > first.end + 1) ? 1 : 0;
  }
  trailing(nextLine: number, isLast: boolean): string {
    return this.#ofBefore(nextLine, isLast) === 1 ? textOf(this.#blocks[0]) : "";
  }
  leading(line: number): Comments {
    const own = this.#blocks.slice(this.#ofBefore(line, false));
    const last = own.at(-1);
    const isAttached = last !== undefined && last.end >= line - 1;
    return {
      leading: isAttached ? textOf(last) : "",
      trailing: "",
      detached: (isAttached ? own.slice(0, -1) : own).map(textOf),
    };
  }
}

/** The lines of a block comment, without the asterisks at their beginning. */
const blockLines = (text: string): string[] => text.split("\n").map((line, at) => (at === 0 ? line : line.replace(/^\s*\*/, "")));

/** The text of a block: one space after the marks is no part of it, nor are empty lines at its edges. */
const textOf = (block: Block | undefined): string => {
  const lines = (block?.lines ?? []).map((line) => line.replace(/^[*/](?=\s|$)/, "").trimEnd());
  const isPlain = lines.every((line) => line === "" || line.startsWith(" "));
  return lines
    .map((line) => (isPlain ? line.slice(1) : line))
    .join("\n")
    .replace(/^\n+|\n+$/g, "");
};
