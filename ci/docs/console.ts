/** The documents in `docs/` as scripts: the files that they tell to write, the commands that they show, and the output that they promise. */

/** A command of a document with the output below it. */
export type Shown = { readonly command: string; readonly output: readonly string[]; readonly line: number };
/** A step of a document, in its order. */
export type Step = { readonly file: string; readonly text: string } | Shown;

const FENCE = /^```(\S*)(?: (?:file=(\S+)|from=\S+))?$/;

/**
 * The steps of a document. A block ```` ```js file=server.mjs ```` is a file. In a block ```` ```console ```` every line that begins with `$ ` is a
 * command, continued where it ends with a backslash, and the lines below it are its output. Other blocks are for readers only.
 */
export function stepsOf(document: string): Step[] {
  const steps: Step[] = [];
  const lines = document.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const [, language, file] = FENCE.exec(lines[at] ?? "") ?? [];
    if (language === undefined || language === "") continue;
    const end = lines.indexOf("```", at + 1);
    if (end < 0) throw new Error(`line ${at + 1}: this block has no end`);
    const block = lines.slice(at + 1, end);
    if (file !== undefined) steps.push({ file, text: `${block.join("\n")}\n` });
    else if (language === "console") steps.push(...commandsOf(block, at + 2));
    at = end;
  }
  return steps;
}

function commandsOf(block: readonly string[], first: number): Shown[] {
  const shown: { command: string; output: string[]; line: number }[] = [];
  let open = false;
  for (const [at, text] of block.entries()) {
    const last = shown.at(-1);
    if (open && last !== undefined) last.command += `\n${text}`;
    else if (text.startsWith("$ ")) shown.push({ command: text.slice(2), output: [], line: first + at });
    else if (last === undefined) throw new Error(`line ${first + at}: output without a command`);
    else last.output.push(text);
    open = (open || text.startsWith("$ ")) && text.endsWith("\\");
  }
  return shown;
}

/** What a document quotes from a file of the project: a block ```` ```ts from=conformance/suites.ts ````. */
export const quotesOf = (document: string): { readonly from: string; readonly text: string }[] =>
  [...document.matchAll(/^```\S+ from=(\S+)\n([\s\S]*?)\n```$/gm)].map(([, from = "", text = ""]) => ({ from, text }));

/** Whether output is as promised: `…` stands for any text in a line, and alone on a line for any lines. */
export function matches(promised: readonly string[], seen: readonly string[]): boolean {
  const pattern = promised.map((line) =>
    line.trim() === "…" ? "(?:.*\n)*?" : `${line.trimEnd().split("…").map(RegExp.escape).join(".*")}\n`,
  );
  return new RegExp(`^${pattern.join("")}$`).test(seen.map((line) => `${line.trimEnd()}\n`).join(""));
}
