import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { WrongUse } from "../../conformance/harness/driver.ts";
import { addToCorpus, loadCorpus } from "./corpus.ts";

/** The corpus of a target after joining: how many inputs it has, and how many it did not have before. */
export type Joined = { readonly target: string; readonly inputs: number; readonly added: number };

/** An input in hexadecimal, or an empty line. */
const LINE = /^(?:[0-9a-f]{2})*$/;

/**
 * Joins the corpora in `folders` into the folder `into`: each input of each target once, and the failing inputs, which are files of their own.
 * Returns the targets by name. Throws `WrongUse` for a folder that is not a corpus; then nothing has been written.
 */
export function joinCorpora(folders: readonly string[], into: string): readonly Joined[] {
  const files = folders.flatMap(filesIn);
  for (const { path } of files) if (path.endsWith(".txt")) mustBeCorpus(path);
  const joined = new Map<string, Joined>();
  for (const { path, name } of files) {
    const target = join(into, name);
    if (name.endsWith(".txt")) {
      const before = loadCorpus(target).length;
      addToCorpus(target, loadCorpus(path));
      const inputs = loadCorpus(target).length;
      const word = name.replace(/\.txt$/, "");
      joined.set(word, { target: word, inputs, added: (joined.get(word)?.added ?? 0) + inputs - before });
    } else if (!existsSync(target)) {
      mkdirSync(join(target, ".."), { recursive: true });
      copyFileSync(path, target);
    }
  }
  return [...joined.values()].toSorted((a, b) => (a.target < b.target ? -1 : 1));
}

/** The corpora of a folder, and the failing inputs in the folders of their targets. */
function filesIn(folder: string): { readonly path: string; readonly name: string }[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new WrongUse(`${folder} is not a folder.`);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:txt|bin)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path, name: relative(folder, path) }))
    .filter(({ name }) => name.split("/").length === (name.endsWith(".txt") ? 1 : 2));
  if (files.length === 0) throw new WrongUse(`${folder} has no corpus: it holds no TARGET.txt and no failing inputs.`);
  return files;
}

function mustBeCorpus(path: string): void {
  const wrong = readFileSync(path, "utf8")
    .split("\n")
    .findIndex((line) => !LINE.test(line));
  if (wrong >= 0) throw new WrongUse(`${path}:${wrong + 1}: this is not an input in hexadecimal.`);
}

/** The corpora for people, one line for each target. */
export const joinedText = (joined: readonly Joined[]): string =>
  joined.map(({ target, inputs, added }) => `${target}: ${inputs} inputs, ${added} new\n`).join("");
