import { styleText } from "node:util";
import Table from "cli-table3";
import type { DiffResult } from "./result.ts";

/** Letters for groups: the first is the largest. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** A dot where the message cannot be said. */
const letter = (at: number): string => (at < 0 ? "·" : (LETTERS[at] ?? "?"));

/** The matrix as text: a row per message, a letter per group, and the meaning of the letters below. */
export function diffText({ subjects, rows }: DiffResult, everything: boolean): string {
  const differing = rows.filter(({ groups }) => groups.length > 1);
  const shown = everything ? rows : differing;
  const legend = subjects.map(({ name, target, echoes }, at) => `  ${at + 1}  ${name}  ${target}${echoes ? "  (echoes)" : ""}`).join("\n");
  const head = `${subjects.length} implementations, ${rows.length} messages; they differ on ${differing.length}.\n${legend}\n`;
  if (shown.length === 0) return head;
  const table = new Table({
    head: ["message", ...subjects.map((_, at) => String(at + 1)), "understood as"],
    style: { head: [], border: [], compact: true },
    wordWrap: true,
  });
  for (const { id, groups } of shown) {
    const letterOf = (subject: number): string => letter(groups.findIndex(({ members }) => members.includes(subject)));
    table.push([
      id,
      ...subjects.map((_, at) => ("A·".includes(letterOf(at)) ? letterOf(at) : styleText("yellow", letterOf(at)))),
      groups.map(({ words, members }, at) => `${LETTERS[at] ?? "?"} ${words} (${members.length})`).join("\n"),
    ]);
  }
  return `${head}${table.toString()}\n`;
}
