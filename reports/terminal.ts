import { styleText } from "node:util";
import type { CaseResult, Result, Verdict } from "../conformance/harness/result.ts";
import { cleaned, oneLine } from "./clean.ts";
import { baselineWords, duration, prose, sectionName, subjectName, suiteName, total, troubles, VERDICT_WORDS, VERDICTS } from "./order.ts";

const STYLES = { pass: "green", warn: "yellow", fail: "red", skip: "dim", error: "magenta" } as const satisfies Record<Verdict, string>;

/** A verdict in its colour, where the terminal has colours and NO_COLOR does not forbid them. */
export const coloured = (verdict: Verdict, words: string = verdict): string => styleText(STYLES[verdict], words);

/** Results as a terminal shows them: what went wrong, each with what was expected and what came, then the counts. */
export function toText(dirty: readonly Result[]): string {
  return `${cleaned(dirty).map(resultText).join("\n\n")}\n`;
}

function resultText(result: Result): string {
  const { summary } = result;
  const counts = VERDICTS.filter((verdict) => summary[verdict] > 0).map((verdict) =>
    coloured(verdict, `${summary[verdict]} ${VERDICT_WORDS[verdict]}`),
  );
  return [
    ...troubles(result.cases).flatMap(caseText),
    ...(result.stale ?? []).map(
      (entry) => `${coloured("fail", "stale")}  ${oneLine(entry)}: the baseline names no case; remove the entry.\n`,
    ),
    `${styleText("bold", `${subjectName(result)}, ${suiteName(result)}`)}: ${counts.join(", ") || "no case ran"}`,
    styleText("dim", `${total(summary)} cases in ${duration(result.ms)} · ${result.subject.target}`),
  ].join("\n");
}

function caseText(c: CaseResult): string[] {
  const note = baselineWords(c);
  return [
    `${coloured(c.verdict)}  ${styleText("bold", c.id)}  ${sectionName(c.spec)} ${c.level}${note === undefined ? "" : ` (${note})`}`,
    `      ${c.title}`,
    `      expected  ${c.expected.map((words) => oneLine(prose(words))).join("\n            or  ")}`,
    `      observed  ${oneLine(c.observed)}`,
    `      ${oneLine(prose(c.reason))}`,
    "",
  ];
}
